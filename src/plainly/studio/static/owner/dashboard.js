// The live dashboard: asks again every few seconds, and draws again only what has changed.
import { call, Refused } from "./api.js";
import { element, notes, number, say, table } from "./dom.js";
import { badge, bar, person, remarks, roster } from "./roster.js";
import { clock, moment } from "./times.js";

const SECONDS = 10;
const SOON = 2; // while results are being computed
const ROWS = 10;

const { id } = document.querySelector("#campaign").dataset;
const part = (name) => document.querySelector(`#${name}`);
let shown = null;
let seen = null;
let quiet = 0;
let everybody = false;
const opened = new Set();

function tile(label, value, ...notes) {
  return element("div", { class: "tile" }, element("dt", {}, label),
    element("dd", { class: "value" }, value), ...notes.filter(Boolean).map((note) => element("dd", { class: "note" }, note)));
}

function showTiles(found) {
  const count = (status) => found.participants.filter((one) => one.status === status).length;
  const odd = found.participants.filter((one) => one.remarks.length).length;
  part("tiles").replaceChildren(
    tile(say("owner.tile.people"), number(found.participants.length), say("owner.tile.people.note", { active: count("active"), finished: count("finished") })),
    tile(say("owner.tile.answers"), found.answers === null ? "…" : number(found.answers)),
    tile(say("owner.tile.pace"), found.answers === null ? "…" : found.pace === null ? "–" : number(found.pace, 1), say("owner.tile.pace.note")),
    tile(say("owner.tile.odd"), found.results === null && found.computing ? "…" : number(odd), say("owner.tile.odd.note")));
}

const people = roster(part("progress"), [
  { name: "code", label: say("owner.person"), by: (one) => one.number,
    cell: (one) => (one.note ? element("span", {}, person(one), element("span", { class: "muted" }, ` ${one.note}`)) : person(one)) },
  { name: "status", label: say("owner.status"), cell: badge, by: (one) => say(`owner.person.${one.status}`) },
  { name: "done", label: say("owner.done"), cell: bar, by: (one) => one.done, most: true },
  { name: "pace", label: say("owner.pace"), numbers: true, by: (one) => one.pace,
    cell: (one) => (one.pace === null ? "" : say("owner.pace.value", { seconds: number(one.pace, 1) })) },
  { name: "last_seen", label: say("owner.last_seen"), cell: (one) => moment(one.last_seen), by: (one) => one.last_seen, most: true },
  { name: "remarks", label: say("owner.remarks"), cell: remarks, by: (one) => one.remarks.length || null, most: true },
]);

function showProgress(found) {
  part("nobody").hidden = found.participants.length > 0;
  part("progress").hidden = !found.participants.length;
  people.show(found.participants);
}

/** How many are left out of the results, and a switch to count them. */
function showLeftOut(found) {
  part("left-out").hidden = !found.left_out;
  part("left-out-words").textContent = say(everybody ? "owner.results.everybody" : "owner.results.left_out", { count: number(found.left_out) });
}

function figure(one) {
  const value = one.value === null ? "–" : number(one.value);
  const interval = one.low === null || one.high === null ? null : say("owner.interval", { low: number(one.low), high: number(one.high) });
  return tile(one.label, value, interval, one.value === null && !one.note ? say("owner.unknown") : one.note);
}

/** A cell as people read it: `3.14 [2.50; 3.75]` where there is an interval. */
function written(cell, digits) {
  if (cell === null || typeof cell !== "object") return number(cell, digits);
  const interval = cell.low === null || cell.high === null ? "" : ` [${number(cell.low, digits)}; ${number(cell.high, digits)}]`;
  return (cell.value === null ? "–" : number(cell.value, digits)) + interval;
}

function grid(one, place) {
  const numbers = one.columns.map((_, i) => i).filter((i) => i && one.rows.length && one.rows.every((row) => typeof row[i] !== "string"));
  const cells = (rows) => rows.map((row) => row.map((cell, i) => written(cell, one.digits[i] ?? null)));
  const drawn = (rows) => table(one.columns, cells(rows), { numbers });
  const box = element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": one.title }, drawn(one.rows.slice(0, ROWS)));
  const all = one.rows.length > ROWS && element("button", { type: "button", class: "small", onclick: (event) => {
    box.replaceChildren(drawn(one.rows));
    event.target.remove();
  } }, say("owner.table.show", { count: one.rows.length }));
  const inside = [one.note ? element("p", { class: "note" }, one.note) : null, box, all || null];
  if (place === 0) return element("section", {}, element("h3", {}, one.title), ...inside);
  // The first table tells the most; the others wait until somebody asks.
  const closed = element("details", { class: "more", open: opened.has(one.title) }, element("summary", {}, one.title), ...inside);
  closed.addEventListener("toggle", () => { if (closed.open) opened.add(one.title); else opened.delete(one.title); });
  return closed;
}

/** Pictures answer no pointer: over each point lies a spot that tells the wording of its text. */
async function spotted(chart, source) {
  const { spots } = await call("GET", source.replace(/&version=[^&]*/, "")).catch(() => ({ spots: [] }));
  chart.append(...spots.map(({ x, y, words }) => {
    const spot = element("span", { class: "spot", title: words, "aria-hidden": "true" });
    spot.style.left = `${100 * x}%`;
    spot.style.top = `${100 * y}%`;
    return spot;
  }));
}

function picture(one, version, width) {
  const source = `/api/campaigns/${id}/pictures/${encodeURIComponent(one.name)}.svg?width=${width}&everybody=${everybody}&version=${version}`;
  const image = element("img", { src: source, alt: one.words });
  const chart = element("span", { class: "chart" }, image);
  image.addEventListener("load", () => spotted(chart, source.replace(".svg?", ".json?")), { once: true });
  return element("figure", {}, element("figcaption", {}, one.title), chart);
}

/** How old the results are, whether newer ones are on their way, and why some are missing. */
function showAge({ results, computing, ended }) {
  const age = results === null ? [] : [say(results.older ? "owner.results.older" : "owner.results.age", { count: number(results.answers) }), " ", moment(results.at)];
  part("results-age").replaceChildren(...(results?.answers ? age : []), results !== null && computing ? ` ${say("owner.computing")}` : "");
  if (results === null && !computing) part("results").replaceChildren(element("p", { class: "muted" }, say("owner.results.none")));
  part("results-ended").hidden = !ended;
  part("results-ended").textContent = ended ? say(`owner.results.ended.${ended}`) : "";
}

function showResults(found) {
  const { results } = found;
  part("report").hidden = !found.report;
  part("report").href = `/campaigns/${id}/report${everybody ? "?everybody=true" : ""}`;
  const width = Math.round(Math.min(Math.max(part("results").clientWidth, 280), 1100) / 20) * 20;
  part("known").hidden = !results.message.length;
  part("message").replaceChildren(...results.message.map((sentence) => element("p", { dir: "auto" }, sentence)));
  const empty = !(results.figures.length || results.tables.length || results.pictures.length || results.notes.length || results.study_notes.length);
  part("results").replaceChildren(
    ...(empty ? [element("p", { class: "muted" }, say("owner.results.none"))] : []),
    ...notes(say("owner.notes.study"), results.notes, results.study_notes),
    ...(results.figures.length ? [element("dl", { class: "tiles" }, ...results.figures.map(figure))] : []),
    ...results.pictures.map((one) => picture(one, results.version, width)),
    ...results.tables.map(grid),
    ...(results.signatures.length ? [element("details", {}, element("summary", {}, say("owner.signatures")),
      element("ul", { class: "signatures" }, ...results.signatures.map((one) => element("li", {}, element("code", {}, one)))))] : []));
}

async function refresh() {
  try {
    const wanted = everybody;
    const known = shown === null ? {} : { known: shown.version, results: shown.results?.version ?? "" };
    const found = await call("GET", `/api/campaigns/${id}/summary?${new URLSearchParams({ wait: 0, everybody: wanted, ...known })}`);
    if (wanted !== everybody) return; // the switch was moved meanwhile
    seen = new Date();
    if (found.version !== shown?.version) {
      showTiles(found);
      showProgress(found);
      showAge(found);
      showLeftOut(found);
      if (found.results?.tables) showResults(found); // else there are none, or those that are shown already
      shown = found;
      quiet = 0;
    } else {
      quiet += 1;
    }
    told(true, say("owner.live.on", { time: clock(seen) }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    told(false, seen ? say("owner.live.off", { time: clock(seen) }) : error.message);
  }
}

/** Shown always; spoken only when the server goes or comes back. */
function told(connected, text) {
  const live = part("live");
  if (live.classList.contains("off") === connected) part("connection").textContent = text;
  live.className = connected ? "live" : "live off";
  live.textContent = text;
  live.hidden = false;
}

async function live() {
  for (;;) {
    if (!document.hidden) await refresh();
    // Nobody answers at night: ask less often when nothing has changed for long.
    await new Promise((resume) => setTimeout(resume, 1000 * (shown?.computing ? SOON : SECONDS * (quiet > 30 ? 6 : 1))));
  }
}

part("everybody").addEventListener("change", () => {
  everybody = part("everybody").checked;
  shown = null;
  refresh();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
live();
