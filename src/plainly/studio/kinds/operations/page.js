// Source and simplification as words; select some, give them a label. Every change is saved at once.

import { Annotation, fits, SIDES } from "./annotation.js";
import { guide, pairs } from "./dialogs.js";
import { Words } from "./words.js";

export function show(root, task, page) {
  const { element, say, status } = page;
  const { labels, bundled, layout } = page.public;
  const start = task.answer ?? task.draft;
  const annotation = new Annotation(start, labels);
  const tokens = { source: task.source, target: task.target };
  let done = start.done;
  let editing = null; // the group that is open for changes

  const titleOf = (label) => (bundled ? say(`operations.label.${label.name}`) : label.title);
  const labelOf = (group) => annotation.labels.get(group.label);
  const value = () => ({
    groups: annotation.groups.map(({ source, target, label }) => ({ source, target, label })),
    erroneous: annotation.erroneous,
    done,
    seconds: Math.round(1000 * ((start.seconds ?? 0) + page.seconds())) / 1000,
  });
  const wordsOf = (group) =>
    SIDES.map((side) => [...group[side]].sort((a, b) => a - b).map((position) => tokens[side][position]).join(" ") || say("operations.nothing")).join(" → ");

  // --- The parts of the page ----------------------------------------------------------------------------------------

  const words = new Words(page, tokens, { toggle, change: drawLabels, dragged: () => status(selectionInWords()) });
  const badge = element("span", { class: "badge" });
  const button = (key, text, act, given = {}) =>
    element("button", { type: "button", "aria-keyshortcuts": key, onclick: act, ...given }, element("span", { text }), element("kbd", { "aria-hidden": "true", text: key }));
  const undoButton = button("u", say("operations.undo"), undo);
  const flagButton = task.flaggable
    ? button("e", say("operations.faulty"), flag, { class: "flag", "aria-pressed": "false", title: say("operations.faulty_hint") })
    : null;
  const notAlone = element("p", { class: "not-alone", hidden: "" });
  const doneButton = button("d", "", finish, { class: "primary" });
  const chooser = element("section", { class: "card chooser", "aria-label": say("operations.choose") });
  const list = element("ol", { class: "groups" });
  const aside = element("section", { class: "card", "aria-labelledby": "groups-title" }, element("h2", { id: "groups-title", text: say("operations.groups") }), list);

  const text = (side) =>
    element("section", { class: "side" }, element("h2", { id: `side-${side}`, text: say(`operations.${side}`) }), words.rows[side]);
  root.append(
    element(
      "div",
      { class: "operations" },
      element(
        "div",
        { class: "head" },
        element(page.heading ?? "h1", {}, say("operations.pair", { number: task.place + 1 }), " ", badge),
        element("div", { class: "tools" }, button("l", say("operations.list_button"), openList, { class: "small" }), button("g", say("operations.guide_button"), openGuide, { class: "small" })),
      ),
      element("div", { class: "work" }, element("div", { class: `card texts ${layout}` }, SIDES.map(text)), chooser),
      element(
        "div",
        { class: "rest" },
        element("div", { class: "acts" }, doneButton, button("n", say("operations.next"), next), undoButton, flagButton),
        notAlone,
        aside,
      ),
    ),
  );

  // --- Drawing ------------------------------------------------------------------------------------------------------

  function draw() {
    const group = (side, position) => (tokens[side][position] === undefined ? null : annotation.groupOf(side, position));
    words.mark((side, position) => {
      const found = group(side, position);
      if (!found) return null;
      const number = annotation.numberOf(found);
      const label = labelOf(found);
      return {
        hue: label.hue,
        tag: `${number} ${label.short}`,
        words: `${titleOf(label)}, ${say("operations.group", { number })}`,
        first: group(side, position - 1) !== found,
        last: group(side, position + 1) !== found,
      };
    });
    badge.textContent = say(done ? "operations.state_done" : "operations.state_open");
    badge.classList.toggle("done", done);
    doneButton.firstChild.textContent = say(done ? "operations.reopen" : "operations.done");
    flagButton?.setAttribute("aria-pressed", String(annotation.erroneous));
    undoButton.disabled = !annotation.past.length;
    drawNotAlone();
    drawGroups();
    drawLabels();
  }

  // A faulty pair should have no other label. People are told, and not held up.
  function drawNotAlone() {
    const count = annotation.groups.length;
    notAlone.hidden = !(annotation.erroneous && count);
    if (notAlone.hidden) return notAlone.replaceChildren();
    notAlone.replaceChildren(
      element("span", { text: say(count === 1 ? "operations.faulty_other_one" : "operations.faulty_other", { count }) }),
      " ",
      element("button", { type: "button", class: "small", text: say("operations.faulty_clear"), onclick: clear }),
    );
  }

  function drawGroups() {
    const keepFocus = list.contains(document.activeElement);
    list.replaceChildren(...annotation.groups.map(groupItem));
    if (!annotation.groups.length) list.append(element("li", { class: "muted none", text: say("operations.groups_none") }));
    if (keepFocus) words.focus();
  }

  function groupItem(group) {
    const number = annotation.numberOf(group);
    const act = (name, handler) =>
      element("button", { type: "button", class: "small", "aria-label": say(`operations.${name}_group`, { number }), text: say(`operations.${name}`), onclick: handler });
    const made = element(
      "li",
      { class: `group${group === editing ? " is-open" : ""}` },
      element("span", { class: `swatch hue-${labelOf(group).hue}`, text: number }),
      element("span", { class: "what" }, element("strong", { text: titleOf(labelOf(group)) }), changeOf(group)),
      element("span", { class: "buttons" }, act("edit", () => edit(group)), act("delete", () => remove(group))),
    );
    for (const event of ["pointerenter", "focusin"]) made.addEventListener(event, () => words.point(group));
    for (const event of ["pointerleave", "focusout"]) made.addEventListener(event, () => words.point(null));
    return made;
  }

  // The words of a group or of the selection: before, arrow, after.
  function changeOf(group) {
    const side = (name) => {
      const found = [...group[name]].sort((a, b) => a - b);
      const gaps = found.map((position, place) => `${place && position > found[place - 1] + 1 ? "… " : ""}${tokens[name][position]}`);
      return found.length
        ? element("bdi", { lang: page.lang, dir: page.dir, text: gaps.join(" ") })
        : element("span", { class: "muted", text: say("operations.nothing") });
    };
    return element("span", { class: "change" }, side("source"), " → ", side("target"));
  }

  function drawLabels() {
    const keepFocus = chooser.contains(document.activeElement);
    chooser.classList.toggle("is-open", words.size > 0);
    if (!words.size) {
      chooser.replaceChildren(element("p", { class: "muted hint", text: say("operations.choose_hint") }));
    } else {
      const fitting = labels.filter((label) => fits(label, words.selection));
      const head = editing
        ? say("operations.editing", { number: annotation.numberOf(editing), label: titleOf(labelOf(editing)) })
        : say("operations.selected");
      const choice = (label) =>
        element(
          "button",
          { type: "button", class: `choice-label hue-${label.hue}`, "data-label": label.name, "aria-pressed": editing?.label === label.name ? "true" : null, "aria-keyshortcuts": label.key || null, title: bundled ? page.guide.labels[label.name].text : label.definition, onclick: () => assign(label) },
          element("span", { class: "swatch", "aria-hidden": "true" }),
          element("span", { text: titleOf(label), lang: bundled ? null : page.public.label_lang }),
          label.key ? element("kbd", { "aria-hidden": "true", text: label.key }) : null,
        );
      chooser.replaceChildren(
        element(
          "div",
          { class: "selected" },
          element("p", {}, element("strong", { text: head }), " ", changeOf(words.selection)),
          element(
            "span",
            { class: "buttons" },
            editing ? element("button", { type: "button", class: "small", text: say("operations.delete"), onclick: () => remove(editing) }) : null,
            element("button", { type: "button", class: "small", text: say("operations.clear"), onclick: escape }),
          ),
        ),
        fitting.length
          ? element("div", { class: "labels", role: "group", "aria-label": say("operations.choose") }, fitting.map(choice))
          : element("p", { class: "muted", text: say("operations.no_label_fits") }),
      );
    }
    if (keepFocus && !chooser.contains(document.activeElement)) words.focus();
  }

  // --- What people do -----------------------------------------------------------------------------------------------

  function toggle(side, position) {
    const group = annotation.groupOf(side, position);
    if (group && !words.size) return edit(group);
    words.toggle(side, position);
    if (!words.size && editing) {
      editing = null;
      drawGroups();
    }
    status(selectionInWords());
  }

  function selectionInWords() {
    if (!words.size) return say("operations.said_cleared");
    return words.size === 1 ? say("operations.said_selected_one") : say("operations.said_selected", { count: words.size });
  }

  function edit(group) {
    editing = group;
    words.select(group);
    const side = SIDES.find((each) => group[each].length);
    words.focus(side, group[side][0]);
    drawGroups();
    status(say("operations.said_editing", { number: annotation.numberOf(group), label: titleOf(labelOf(group)) }));
  }

  function escape() {
    const side = words.active.side;
    editing = null;
    words.clear();
    words.focus(side);
    drawGroups();
    status(say("operations.said_cleared"));
  }

  function assign(label) {
    if (!words.size || !fits(label, words.selection)) return;
    const dropped = annotation.groups.filter((group) => group !== editing).map((group) => [group, annotation.numberOf(group)]);
    const result = annotation.assign(words.selection, label.name, editing);
    const gone = dropped.filter(([group]) => result.dropped.includes(group)).map(([, number]) => number);
    const said = { label: titleOf(label), words: wordsOf(result.made), dropped: gone.join(", ") };
    changed(say(gone.length ? "operations.said_dropped" : "operations.said_label", said));
  }

  function remove(group) {
    const number = annotation.numberOf(group);
    annotation.remove(group);
    changed(say("operations.said_deleted", { number }));
  }

  function flag() {
    if (!task.flaggable) return;
    annotation.flag();
    const said = annotation.erroneous ? "operations.said_faulty" : "operations.said_not_faulty";
    const other = annotation.erroneous && annotation.groups.length ? ` ${say("operations.said_faulty_other")}` : "";
    changed(`${say(said)}${other}`);
  }

  function clear() {
    annotation.clear();
    changed(say("operations.said_faulty"));
  }

  function undo() {
    if (annotation.undo()) changed(say("operations.said_undone"));
    else status(say("operations.said_no_undo"));
  }

  function changed(said) {
    const focused = document.activeElement;
    editing = null;
    words.clear();
    draw();
    if (!root.contains(document.activeElement) || document.activeElement !== focused) words.focus();
    page.save(value());
    status(said);
  }

  function finish() {
    if (!done && page.early()) return undefined;
    done = !done;
    if (done) return page.answer(value());
    page.save(value());
    draw();
    return status(say("operations.said_reopened"));
  }

  async function next() {
    const tasks = await page.tasks();
    if (!tasks) return status(say("operations.said_offline"));
    const open = tasks.filter((each) => !each.done && each.id !== task.id);
    if (!open.length) return status(say(done ? "operations.said_all_done" : "operations.state_open"));
    page.open((open.find((each) => each.place > task.place) ?? open[0]).id);
  }

  async function openList() {
    const tasks = await page.tasks();
    if (!tasks) return status(say("operations.said_offline"));
    openDialog(pairs(page, tasks, task.id), (chosen) => {
      const found = tasks.find((each) => String(each.id) === chosen);
      if (found && found.id !== task.id) page.open(found.id);
    });
  }

  function openGuide() {
    openDialog(guide(page, titleOf));
  }

  function openDialog(made, then) {
    const before = document.activeElement;
    root.append(made);
    made.addEventListener("close", () => {
      before?.focus?.();
      then?.(made.returnValue);
    });
    made.showModal();
  }

  // --- Keys ---------------------------------------------------------------------------------------------------------

  const handlers = { g: openGuide, l: openList, u: undo, e: flag, d: finish, n: next, Escape: escape };
  const erase = () => editing && remove(editing);
  const byKey = {};
  for (const label of labels.filter((each) => each.key)) (byKey[label.key] ??= []).push(label);
  for (const [key, several] of Object.entries(byKey)) {
    handlers[key] = () => {
      const fitting = several.find((label) => fits(label, words.selection));
      if (fitting) assign(fitting);
      else status(say(words.size ? "operations.no_label_fits" : "operations.choose_hint"));
    };
  }
  page.keys({ ...handlers, Delete: erase, Backspace: erase });

  // What adjudicators take over from others; the focus stays where it is.
  function take({ source, target, label }) {
    taken(() => annotation.assign({ source: new Set(source), target: new Set(target) }, label));
  }

  function taken(change) {
    change();
    editing = null;
    words.clear();
    draw();
    page.save(value());
  }

  draw();
  if (page.heading === undefined) words.focus();
  return {
    close: () => words.close(),
    value,
    take,
    drop: (group) => taken(() => annotation.drop(group)),
    flag: () => taken(() => annotation.flag()),
    replace: (answer) => taken(() => annotation.replace(answer)),
  };
}
