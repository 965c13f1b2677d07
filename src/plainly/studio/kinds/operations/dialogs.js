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
  const { bundled, flag } = page.public;
  const selecting = ["once", "small", "sides", ...(bundled ? [] : ["nearest"])];
  const rules = bundled
    ? [element("h3", { text: say("operations.guide.rules") }), element("p", { text: say("operations.guide.examples") }), element("dl", {}, page.guide.rules.map((rule) => told(page, [rule.title], rule)))]
    : [];
  const parts = ["both", "target", "source"].map((shape) => section(page, titleOf, shape)).filter(Boolean);
  return dialog(
    page,
    say("operations.guide.title"),
    ["g"],
    element("p", { text: say("operations.guide.how") }),
    element("ul", {}, selecting.map((rule) => element("li", { text: say(`operations.guide.rule.${rule}`) }))),
    element("details", {}, element("summary", { text: say("operations.guide.keys") }), keys(page)),
    rules,
    parts,
    flag ? [element("h3", { text: say("operations.guide.pair") }), element("dl", {}, entry(page, { ...flag, key: "e" }, titleOf))] : [],
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
  const { bundled, label_lang } = page.public;
  const lang = bundled ? undefined : label_lang;
  const head = [
    element("span", { class: `swatch hue-${label.hue ?? "flag"}`, "aria-hidden": "true" }),
    element("span", { text: titleOf(label), lang }),
    " ",
    label.key ? element("kbd", { text: label.key }) : null,
  ];
  const also = (label.shapes ?? []).slice(1).map((shape) => ` ${say(`operations.guide.also.${shape}`)}`);
  return told(page, head, bundled ? page.guide.labels[label.name] : inItsTypology(label), lang, also);
}

// What labels of one's own say: words in [brackets] are those to be selected.
function inItsTypology(label) {
  const parts = (written) => written.split(/\[([^\]]*)\]/).map((part, place) => [part, place % 2 ? label.name : ""]);
  return { text: label.definition, examples: [{ before: parts(label.before), after: parts(label.after), why: "", wrong: false }] };
}

function told(page, head, { text, points = [], examples }, lang, also = []) {
  const { element } = page;
  return element(
    "div",
    { class: "guide-entry" },
    element("dt", {}, head),
    element(
      "dd",
      {},
      element("p", {}, element("span", { text, lang }), also),
      points.length ? element("ul", {}, points.map((point) => element("li", { text: point }))) : null,
      examples.map((one) => example(page, one, lang)),
    ),
  );
}

// Right or wrong by a sign and by words; what is marked has a colour and the short name of its label.
function example(page, { before, after, why, wrong, lang }, ofLabels) {
  const { element, say } = page;
  const words = (parts) => element("span", { class: "example-text", lang: lang || ofLabels }, parts.map(([part, label]) => (label ? marked(page, part, label) : part)));
  return element(
    "p",
    { class: `example${wrong ? " is-wrong" : ""}` },
    element("span", { class: "sign", "aria-hidden": "true", text: wrong ? "✗" : "✓" }),
    element("span", { class: "vh", text: `${say(wrong ? "operations.guide.wrong" : "operations.guide.right")}: ` }),
    element("span", {}, words(before), " → ", words(after), why ? element("span", { class: "why muted", text: why }) : null),
  );
}

function marked(page, words, name) {
  const { element } = page;
  const label = page.public.labels.find((each) => each.name === name) ?? { short: name };
  return element("mark", { class: `hue-${label.hue ?? "flag"}` }, words, element("span", { class: "tag", text: ` ${label.short}` }));
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
    ["g", say("operations.guide_button")],
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
