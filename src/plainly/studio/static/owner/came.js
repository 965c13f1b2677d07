// Those who came by the open link: whom to approve on the platform, and what it says of them.
import { acting, call, onSubmit } from "./api.js";
import { element, harmless, number, say, table, tell } from "./dom.js";

const { campaign } = document.querySelector("#open-link").dataset;
const base = `/api/campaigns/${campaign}/arrival`;
const section = document.querySelector("#came-by-it");
const form = document.querySelector("#platform");
const messages = form.querySelector(".messages");
const box = document.querySelector("#platform-found");
const button = form.querySelector(".buttons button");
const STORED = `came:${campaign}`;
const kept = JSON.parse(sessionStorage.getItem(STORED) ?? "{}"); // what the owner chose, by number; the server never learns it
let people = [];
let waiting = 0;
const AGAIN = 3000; // milliseconds, while it is still computed what is odd

const reason = (one) => say(`owner.came.reason.${one.reason}`, { field: one.screened, why: one.left_out, done: one.done, total: one.total });

// What the owner chose, else what is suggested by now.
const decided = (one) => kept[one.number] ?? { approve: "approve", reject: "reject" }[one.suggestion] ?? "";

function decision(person) {
  const select = element("select", { class: "small", "aria-label": say("owner.came.decision.of", { code: person.code }) },
    ...["", "approve", "reject"].map((value) => element("option", { value, selected: value === decided(person) }, say(`owner.came.decide.${value || "wait"}`))));
  select.addEventListener("change", () => {
    kept[person.number] = select.value;
    sessionStorage.setItem(STORED, JSON.stringify(kept));
  });
  return select;
}

function show() {
  section.hidden = !people.length;
  const columns = ["person", "came.id", "came.code", "status", "came.minutes", "came.suggestion", "came.decision"].map((key) => say(`owner.${key}`));
  const rows = people.map((one) => [
    one.code,
    element("span", { class: "mono" }, one.platform_id || "–"),
    element("span", { class: "mono" }, one.completion || "–"),
    element("span", { class: `badge ${one.status}` }, say(`owner.person.${one.status}`)),
    one.minutes === null ? "" : number(one.minutes, 1),
    element("div", {}, reason(one), one.remarks.length ? element("div", { class: "muted" }, one.remarks.join("; ")) : ""),
    decision(one),
  ]);
  document.querySelector("#came").replaceChildren(element("div", { class: "scroll" }, table(columns, rows, { numbers: [4] })));
  const save = (what) => element("button", { type: "button", onclick: () => download(what) }, say(`owner.came.save.${what}`));
  document.querySelector("#came-buttons").replaceChildren(save("approve"), save("reject"),
    element("a", { class: "button", href: `${base}/people.csv`, download: "" }, say("owner.came.all")));
}

// As platforms take them: MTurk a table of assignments, all others one id a line.
function download(what) {
  const chosen = people.filter((one) => decided(one) === what);
  const turk = chosen.length > 0 && chosen.every((one) => one.parameters.assignmentId);
  const cell = (text) => `"${harmless(text).replaceAll('"', '""')}"`;
  const lines = turk
    ? [["HITId", "AssignmentId", "WorkerId", "Approve", "Reject"], ...chosen.map(({ parameters, ...one }) => [
      parameters.hitId, parameters.assignmentId, parameters.workerId, what === "approve" ? "x" : "", what === "reject" ? one.remarks.join("; ") || say("owner.came.rejected") : "", // workers read it
    ])].map((row) => row.map(cell).join(","))
    : chosen.map((one) => one.platform_id || one.completion || one.code);
  const file = URL.createObjectURL(new Blob(lines.map((line) => `${line}\n`), { type: "text/csv" }));
  element("a", { href: file, download: `${what}.csv` }).click();
}

async function refresh() {
  clearTimeout(waiting);
  const found = await call("GET", `${base}/people`);
  people = found.people;
  show();
  if (found.computing) waiting = setTimeout(refresh, AGAIN);
}

async function send(columns) {
  const data = new FormData();
  data.append("file", form.elements.file.files[0]);
  data.append("columns", JSON.stringify(columns));
  return call("POST", `${base}/platform`, data);
}

// First what the file holds; columns that are ticked are then taken over.
onSubmit(form, async () => {
  const ticked = [...box.querySelectorAll("input:checked")].map((input) => input.value);
  const found = await send(ticked);
  if (ticked.length) {
    forget();
    tell(messages, say("owner.platform.stored", { count: found.matched, columns: ticked.join(", ") }), "good");
    return;
  }
  const said = [say("owner.platform.matched", { count: found.matched, column: found.id_column })];
  if (found.unmatched.length) said.push(say("owner.platform.unmatched", { ids: found.unmatched.join(", "), count: found.unmatched.length + found.more }));
  if (found.missing.length) said.push(say("owner.platform.missing", { codes: found.missing.join(", ") }));
  box.replaceChildren(
    element("div", { class: "message" }, element("ul", {}, ...said.map((one) => element("li", { dir: "auto" }, one)))),
    element("fieldset", {}, element("legend", {}, say("owner.platform.columns")),
      ...found.columns.map((name, place) => element("div", { class: "tick" },
        element("input", { type: "checkbox", id: `column-${place}`, value: name }), element("label", { for: `column-${place}`, dir: "auto" }, name)))));
  button.textContent = say("owner.platform.take");
});

function forget() {
  box.replaceChildren();
  button.textContent = say("owner.platform.go");
}

form.elements.file.addEventListener("change", forget);
document.addEventListener("people", () => acting(section, messages, refresh)); // somebody was left out, revoked or deleted

acting(section, messages, refresh);
