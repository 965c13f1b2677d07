// The annotation guide and the list of all pairs: dialogs over the page.

function dialog(page, title, closers, ...content) {
  const { element, say } = page;
  const close = element("button", { type: "button", class: "small", text: say("operations.close") });
  const made = element(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title" },
    element("div", { class: "sheet-head" }, element("h2", { id: "sheet-title", text: title }), close),
    element("div", { class: "sheet-body", tabindex: "0", role: "region", "aria-labelledby": "sheet-title" }, content.flat(Infinity)),
  );
  close.addEventListener("click", () => made.close());
  made.addEventListener("keydown", (event) => {
    if (closers.includes(event.key.toLowerCase()) && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      made.close();
    }
  });
  made.addEventListener("close", () => made.remove());
  return made;
}

// --- The guide --------------------------------------------------------------------------------------------------------

export function guide(page, titleOf) {
  const { element, say } = page;
  const rules = ["once", "small", "sides", "nearest"].map((rule) => element("li", { text: say(`operations.guide.rule.${rule}`) }));
  const parts = ["both", "target", "source"].map((shape) => section(page, titleOf, shape)).filter(Boolean);
  const flag = page.public.flag
    ? [element("h3", { text: say("operations.guide.pair") }), element("dl", {}, entry(page, { ...page.public.flag, key: "e" }, titleOf))]
    : [];
  return dialog(
    page,
    say("operations.guide.title"),
    ["?", "g"],
    element("p", { text: say("operations.guide.how") }),
    element("ul", {}, rules),
    element("details", {}, element("summary", { text: say("operations.guide.keys") }), keys(page)),
    parts,
    flag,
  );
}

function section(page, titleOf, shape) {
  const labels = page.public.labels.filter((label) => label.shapes[0] === shape);
  if (!labels.length) return null;
  return [
    page.element("h3", { text: page.say(`operations.guide.${shape}`) }),
    page.element("dl", {}, labels.map((label) => entry(page, label, titleOf))),
  ];
}

function entry(page, label, titleOf) {
  const { element, say } = page;
  const own = !page.public.bundled;
  const text = (what, typology) => (own ? typology : say(`operations.guide.${label.name}${what}`));
  const lang = own ? page.public.label_lang : undefined;
  const also = (label.shapes ?? []).length > 1 ? ` ${say("operations.guide.also")}` : "";
  const marked = (written) => bracketed(page, written, label.hue);
  return element(
    "div",
    { class: "guide-entry" },
    element(
      "dt",
      {},
      element("span", { class: `swatch hue-${label.hue ?? "flag"}`, "aria-hidden": "true" }),
      element("span", { text: titleOf(label), lang }),
      " ",
      label.key ? element("kbd", { text: label.key }) : null,
    ),
    element(
      "dd",
      {},
      element("p", {}, element("span", { text: text("", label.definition), lang }), also),
      element(
        "p",
        { class: "example", lang },
        element("span", { class: "vh", text: `${say("operations.guide.example")}: ` }),
        element("span", { class: "example-text" }, marked(text(".before", label.before))),
        " → ",
        element("span", { class: "example-text" }, marked(text(".after", label.after))),
      ),
    ),
  );
}

// Words in [brackets] are those to be selected.
function bracketed(page, written, hue) {
  return written.split(/(\[[^\]]*\])/).map((part) => {
    if (!part.startsWith("[")) return part;
    return page.element("mark", { class: `hue-${hue ?? "flag"}`, text: part.slice(1, -1) });
  });
}

function keys(page) {
  const { element, say } = page;
  const named = [
    ["arrows", "move"],
    ["space", "select"],
    ["shift", "extend"],
    ["tab", "sides"],
    ["escape", "clear"],
    ["delete", "remove"],
    ["letters", "label"],
  ].map(([key, does]) => [say(`operations.guide.key.${key}`), say(`operations.guide.key.${does}`)]);
  const letters = [
    ["u", say("operations.undo")],
    ...(page.public.flag ? [["e", say("operations.faulty")]] : []),
    ["d", say("operations.done")],
    ["n", say("operations.next")],
    ["l", say("operations.list_button")],
    ["?", say("operations.guide_button")],
  ];
  return element(
    "ul",
    { class: "keys" },
    [...named, ...letters].map(([key, does]) => element("li", {}, element("kbd", { text: key }), " ", does)),
  );
}

// --- All pairs --------------------------------------------------------------------------------------------------------

export function pairs(page, tasks, here) {
  const { element, say } = page;
  const items = tasks.map((task) => {
    const state = say(task.done ? "operations.list_done" : "operations.list_open");
    const button = element(
      "button",
      { type: "button", class: `pair${task.done ? " is-done" : ""}`, "aria-current": task.id === here ? "true" : null, onclick: () => made.close(String(task.id)) },
      element("span", { class: "sign", "aria-hidden": "true", text: task.done ? "✓" : "○" }),
      element("span", { class: "pair-name", text: say("operations.pair", { number: task.place + 1 }) }),
      element("span", { class: "muted", text: state }),
      task.id === here ? element("span", { class: "badge", text: say("operations.list_here") }) : null,
    );
    return element("li", {}, button);
  });
  const done = tasks.filter((task) => task.done).length;
  const made = dialog(
    page,
    say("operations.list_title"),
    ["l"],
    element("p", { text: say("operations.list_count", { done, total: tasks.length }) }),
    element("ol", { class: "pairs" }, items),
  );
  return made;
}
