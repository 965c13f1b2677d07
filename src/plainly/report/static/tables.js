// Tables that sort by a button in each head. Rows without a number stay last.
import { element } from "./dom.js";

export function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort", onclick: () => sortBy(table, heads, column) });
    button.append(...head.childNodes);
    head.replaceChildren(button);
  });
}

function sortBy(table, heads, column) {
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
