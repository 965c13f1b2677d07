// Runs side by side: a table and charts for each test set. Numbers of another signature stand in another row.
import { element, number, say } from "./dom.js";
import { moment } from "./times.js";

const box = document.querySelector("#comparison");
const found = JSON.parse(box.dataset.found);
const ARROWS = { higher: " ↑", lower: " ↓", none: "" };

function signed(value, digits) {
  return value > 0 ? `+${number(value, digits)}` : number(value, digits);
}

/** Better or worse, where the metric has a better side; the sign says it without colour. */
function side(difference, row) {
  if (row.direction === "none" || Number(difference.toFixed(row.decimals)) === 0) return undefined;
  return (difference > 0) === (row.direction === "higher") ? "up" : "down";
}

function cell(one, row) {
  if (!one || one.score === null) return "–";
  const value = (given) => number(given, row.decimals);
  return element("span", { class: "score" }, element("b", {}, value(one.score)),
    one.low === null || one.high === null ? null : element("small", {}, say("scoring.interval", { low: value(one.low), high: value(one.high) })),
    one.difference === null ? null : element("small", { class: side(one.difference, row) }, say("scoring.difference", { difference: signed(one.difference, row.decimals), column: one.against + 1 })),
    one.unscored ? element("small", {}, say("scoring.unscored", { count: number(one.unscored) })) : null);
}

/** A column in one line, for narrow screens. */
function label(set, place) {
  const column = set.columns[place];
  return `${place + 1} · ${column.system} · ${set.runs[column.run].name}`;
}

function grid(set, title) {
  const heads = set.columns.map((column, i) => element("th", { scope: "col", class: "number" }, `${i + 1} · `,
    element("span", { dir: "auto" }, column.system),
    element("small", {}, element("a", { href: `/runs/${set.runs[column.run].id}`, dir: "auto" }, set.runs[column.run].name)), element("small", {}, moment(set.runs[column.run].created))));
  const rows = set.rows.map((row) => element("tr", {},
    element("th", { scope: "row" }, row.title + ARROWS[row.direction]),
    ...row.cells.map((one, i) => element("td", { class: "number", "data-label": label(set, i) }, cell(one, row)))));
  return element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": title },
    element("table", { class: "list compared" }, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, say("scoring.metric")), ...heads)), element("tbody", {}, ...rows)));
}

function apart(one) {
  return element("div", { class: "message warn" }, element("p", {}, say("scoring.apart", { metric: one.title })),
    element("ul", {}, ...one.differences.map((each) => element("li", {},
      say("scoring.apart.field", { field: each.field, first: each.first ?? "–", second: each.second ?? "–", meaning: each.meaning })))),
    element("p", {}, element("code", { dir: "ltr" }, one.first)), element("p", {}, element("code", { dir: "ltr" }, one.second)));
}

function picture(one, width) {
  const source = `/api/runs/compare/${one.name}.svg?ids=${found.ids.join(",")}&width=${width}`;
  return element("figure", {}, element("figcaption", {}, one.title), element("img", { src: source, alt: one.words }));
}

function section(set, place) {
  const named = set.test_set || say("scoring.set.files", { count: number(set.segments), language: set.language });
  const title = found.sets.length > 1 ? say("scoring.compare.set", { number: place + 1, name: named }) : named;
  const made = element("section", { class: "card" }, element("h2", {}, title));
  box.append(made);
  const width = Math.round(Math.min(Math.max(made.clientWidth - 40, 240), 900) / 20) * 20;
  const signatures = [...new Set(set.rows.map((row) => row.signature))];
  made.append(...(set.runs.length < 2 ? [element("p", { class: "message" }, say("scoring.compare.alone"))] : []),
    ...set.apart.map(apart), grid(set, title),
    element("p", { class: "note" }, say("scoring.difference.help")),
    ...set.pictures.map((one) => picture(one, width)),
    element("details", {}, element("summary", {}, say("scoring.signatures")),
      element("ul", { class: "signatures" }, ...signatures.map((one) => element("li", {}, element("code", { dir: "ltr" }, one))))));
}

box.replaceChildren(...(found.sets.length > 1 ? [element("p", { class: "message warn" }, say("scoring.compare.sets", { count: found.sets.length }))] : []));
found.sets.forEach(section);
