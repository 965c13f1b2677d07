// Elements, interface texts and messages. Data become text nodes, never markup.
const texts = JSON.parse(document.querySelector('meta[name="texts"]').content);

export const lang = document.documentElement.lang;

export function say(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Shows a message in the box, in place of what was there. */
export function tell(box, text, kind = "bad", ...more) {
  box.replaceChildren(element("p", { class: `message ${kind}` }, text, ...more));
}

/** What the reader should know, in one box: in the reader's language, and, under a title, in the words of a study. */
export function notes(title, said, english) {
  const listed = (all, language) => element("ul", { lang: language }, ...all.map((one) => element("li", { dir: "auto" }, one)));
  if (!said.length && !english.length) return [];
  return [element("div", { class: "message" },
    said.length ? listed(said) : null,
    ...(english.length ? [element("p", {}, element("b", {}, title)), listed(english, "en")] : []))];
}

/** A question; the promise holds true, or what was typed, or null after "cancel". */
export function ask(question, { action, danger = false, field = null }) {
  return new Promise((answer) => {
    const input = field && element("input", { "aria-label": field.label, autocomplete: "off", required: true, ...field.attributes });
    const form = element("form", { method: "dialog" },
      element("p", { id: "question", dir: "auto" }, question),
      input && element("div", { class: "field" }, input),
      element("div", { class: "buttons" },
        element("button", { class: danger ? "danger" : "primary" }, action),
        element("button", { type: "button", autofocus: danger && !input, onclick: () => dialog.close("") }, say("common.cancel"))));
    const dialog = element("dialog", { "aria-labelledby": "question" }, form);
    form.addEventListener("submit", (event) => { event.preventDefault(); dialog.close("yes"); });
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes" ? (input ? input.value : true) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * A table. Cells are texts or elements; `numbers` are columns; a `list` becomes small cards on narrow screens, where
 * `labels` stand beside the cells. `sorted` is the {place, way} of a column.
 */
export function table(columns, rows, { numbers = [], list = true, labels = columns, sorted = null } = {}) {
  const side = (i) => (numbers.includes(i) ? "number" : undefined);
  const way = (i) => (sorted?.place === i ? sorted.way : undefined);
  return element("table", { class: list ? "list" : undefined },
    element("thead", {}, element("tr", {}, ...columns.map((name, i) => element("th", { scope: "col", class: side(i), "aria-sort": way(i) }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, i) => (
      i === 0 ? element("th", { scope: "row", dir: "auto" }, cell)
        : element("td", { class: side(i), "data-label": typeof labels[i] === "string" ? labels[i] : undefined, dir: "auto" }, cell)))))));
}

/** One cell of a table that is pasted or opened in a spreadsheet: nothing in it begins a formula (see plainly.base.records.safe). */
export function harmless(text) {
  return (text ?? "").replace(/\s+/g, " ").replace(/(^|;)(?='*[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "$1'");
}

export async function copy(text, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = say("common.copied");
  } catch {
    status.textContent = say("common.copy_failed");
  }
}

/** A number for people; `digits` after the point, else as many as its size asks for. */
export function number(value, digits = null) {
  if (typeof value !== "number") return String(value ?? "");
  if (Number.isInteger(value) && digits === null) return (value + 0).toLocaleString(lang).replace("-", "−"); // -0 + 0 is 0
  const most = digits ?? (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3);
  const rounded = Number(value.toFixed(most));
  return (rounded === 0 ? 0 : rounded).toLocaleString(lang, { minimumFractionDigits: digits ?? 0, maximumFractionDigits: most }).replace("-", "−");
}
