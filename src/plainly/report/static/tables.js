// Tables that sort by a button in each head. Rows without a number stay last.
import { element } from "./dom.js";
import { copy } from "./download.js";

const FORMS = { latex: "LaTeX", markdown: "Markdown", csv: "CSV" };

// The page brings each table in every form; a menu below it copies one.
export function offerCopies(menu) {
  const said = element("span", { "aria-live": "polite", class: "small-print" });
  const buttons = Object.entries(FORMS).map(([form, name]) => element("button", { type: "button", class: "small", onclick: async () => {
    await copy(menu.dataset[form]);
    said.textContent = `${name} copied`;
  } }, name, element("span", { class: "vh" }, ` of: ${menu.dataset.what}`)));
  menu.append(element("div", { class: "buttons" }, ...buttons, said));
  menu.hidden = false;
}

export function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort", onclick: () => sortBy(table, heads, column) });
    button.append(...head.childNodes);
    head.replaceChildren(button);
  });
}

// Rows that are folded away take part, so they come to the others.
function unfold(table) {
  const rest = document.getElementById(table.dataset.rest ?? "");
  if (!rest) return;
  table.tBodies[0].append(...rest.tBodies[0].rows);
  rest.closest("details").remove();
}

function sortBy(table, heads, column) {
  unfold(table);
  const numeric = heads[column].classList.contains("number");
  const before = heads[column].getAttribute("aria-sort");
  const first = numeric ? "descending" : "ascending";
  const second = numeric ? "ascending" : "descending";
  const direction = before === first ? second : first;
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const key = (row) => row.cells[column].dataset.order ?? shownKey(row.cells[column].textContent, numeric);
  const compare = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    return sign * (numeric ? Number(x) - Number(y) : x.localeCompare(y, undefined, { numeric: true }));
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compare));
}

// What a cell is sorted by where the page does not say: its words, or the first number in them.
function shownKey(text, numeric) {
  return numeric ? (text.replaceAll("−", "-").match(/-?\d+(\.\d+)?/)?.[0] ?? "") : text.trim();
}

export function plainTable(caption, columns, rows) {
  const numeric = columns.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === "number"));
  const cell = (value, i) => element("td", { class: numeric[i] ? "number" : false }, value === null ? "–" : String(value));
  return element(
    "table",
    {},
    element("caption", { class: "vh" }, caption),
    element("thead", {}, element("tr", {}, ...columns.map((name, i) =>
      element("th", { scope: "col", class: numeric[i] ? "number" : false }, name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
  );
}
