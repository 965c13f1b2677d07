// The form of a new run: files are dropped or chosen, each gets a role that can be changed, then all go to the API.
import { call, onSubmit, Refused } from "./api.js";
import { element, number, say, tell } from "./dom.js";

const form = document.querySelector("#new-run");
const part = (id) => document.getElementById(id);
const RECORDS = /\.(jsonl|ndjson|csv|tsv|parquet)(\.gz)?$/i;
const SOURCE = /(^|[^a-z])(src|sources?|orig(inals?)?|complex|input)([^a-z]|$)/i;
const REFERENCE = /(^|[^a-z])(refs?|references?|simp(le)?|gold)([^a-z]|$)/i;
const MEGABYTE = 1048576;

let chosen = [];
let largest = Infinity;
let named = false;

const withSet = () => part("test-set").value !== "";

/** What a file is, as its name says; an owner may say otherwise. */
function guess(file) {
  if (withSet()) return "system";
  if (RECORDS.test(file.name)) return "data";
  if (SOURCE.test(file.name) && !chosen.some((one) => one.role === "source")) return "source";
  return REFERENCE.test(file.name) ? "reference" : "system";
}

function size(bytes) {
  return bytes < MEGABYTE ? say("scoring.kilobytes", { size: number(Math.ceil(bytes / 1024)) }) : say("scoring.megabytes", { size: number(bytes / MEGABYTE, 1) });
}

function stem(name) {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

function add(files) {
  for (const file of files) chosen.push({ file, role: guess(file), name: stem(file.name) });
  draw();
  part("files-status").textContent = say("scoring.files.added", { count: files.length });
}

function roles() {
  return withSet() ? ["system"] : ["source", "reference", "system", "data"];
}

function row(one) {
  const role = element("select", { class: "small", "aria-label": say("scoring.role.of", { file: one.file.name }) },
    ...roles().map((value) => element("option", { value, selected: value === one.role }, say(`scoring.role.${value}`))));
  role.addEventListener("change", () => { one.role = role.value; draw(); });
  const name = element("input", { class: "small", value: one.name, maxlength: 100, dir: "auto", "aria-label": say("scoring.system.of", { file: one.file.name }) });
  name.addEventListener("input", () => { one.name = name.value; suggestName(); });
  const remove = element("button", { type: "button", class: "small", onclick: () => {
    chosen = chosen.filter((other) => other !== one);
    draw();
    part("files").focus();
  } }, say("scoring.files.remove"), element("span", { class: "vh", dir: "auto" }, ` ${one.file.name}`));
  return element("tr", {},
    element("th", { scope: "row", dir: "auto" }, one.file.name),
    element("td", { class: "number", "data-label": say("scoring.files.size") }, size(one.file.size)),
    element("td", {}, role), element("td", {}, one.role === "system" ? name : ""), element("td", {}, element("div", { class: "actions" }, remove)));
}

function draw() {
  for (const one of chosen) if (!roles().includes(one.role)) one.role = "system";
  const head = ["scoring.files.file", "scoring.files.size", "scoring.files.role", "scoring.files.system"];
  part("chosen").replaceChildren(...(chosen.length ? [element("table", { class: "list" },
    element("thead", {}, element("tr", {}, ...head.map((key, i) => element("th", { scope: "col", class: i === 1 ? "number" : undefined }, say(key))),
      element("th", { scope: "col" }, element("span", { class: "vh" }, say("scoring.files.actions"))))),
    element("tbody", {}, ...chosen.map(row)))] : []));
  suggestName();
}

/** Until an owner types a name, the run is called after its systems. */
function suggestName() {
  if (named) return;
  const systems = chosen.filter((one) => one.role === "system").map((one) => one.name);
  const all = systems.length ? systems : chosen.filter((one) => one.role === "data").map((one) => one.name);
  form.elements["run-name"].value = ([...new Set(all)].join(", ") || part("test-set").value).slice(0, 200);
}

async function showMetrics() {
  const lang = form.elements.lang.value;
  const box = part("metrics");
  box.replaceChildren(element("p", { class: "muted" }, say("scoring.metrics.loading")));
  try {
    const found = await call("GET", `/api/runs/choices?lang=${encodeURIComponent(lang)}`);
    if (form.elements.lang.value !== lang) return;
    largest = found.largest;
    box.replaceChildren(...found.metrics.map((metric) => {
      const id = `metric-${metric.name}`;
      const label = metric.count > 1 ? say(`scoring.group.${metric.name}`, { count: metric.count }) : metric.title;
      return element("div", { class: "tick" },
        element("input", { type: "checkbox", id, value: metric.name, checked: metric.usual, "data-usual": metric.usual ? "yes" : "" }),
        element("label", { for: id, title: metric.about || undefined }, label));
    }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(box, error.message);
  }
}

/** The metrics that are ticked; none where they are the usual ones, so that files decide which of these can run. */
function metrics() {
  const boxes = [...part("metrics").querySelectorAll("input")];
  if (!boxes.length || boxes.every((box) => box.checked === Boolean(box.dataset.usual))) return "";
  const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
  if (!ticked.length) throw new Refused(say("scoring.metrics.none"), 422);
  return ticked.join(",");
}

function data() {
  if (chosen.reduce((sum, one) => sum + one.file.size, 0) > largest) throw new Refused(say("scoring.files.large", { size: number(largest / MEGABYTE, 0) }), 413);
  if (!chosen.length && !withSet()) {
    part("files").focus();
    throw new Refused(say("scoring.files.none"), 422);
  }
  const made = new FormData();
  made.set("name", form.elements["run-name"].value);
  made.set("test_set", part("test-set").value);
  if (!withSet()) made.set("lang", form.elements.lang.value);
  made.set("published", withSet() && part("published").checked ? "yes" : "");
  made.set("metrics", metrics());
  made.set("baselines", part("baselines").checked ? "possible" : "");
  made.set("empty_reference", form.elements["empty-reference"].value);
  for (const one of chosen) made.append(one.role, one.file);
  made.set("system_names", JSON.stringify(chosen.filter((one) => one.role === "system").map((one) => one.name)));
  return made;
}

const drop = part("drop");
part("files").addEventListener("change", (event) => { add([...event.target.files]); event.target.value = ""; });
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
drop.addEventListener("dragleave", (event) => { if (!drop.contains(event.relatedTarget)) drop.classList.remove("over"); });
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  add([...event.dataTransfer.files]);
});
// A file that misses the place must not take the page away.
for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });

part("test-set").addEventListener("change", (event) => {
  const set = event.target.selectedOptions[0];
  const published = Number(set.dataset.published ?? 0);
  part("published-tick").hidden = !published;
  form.elements.lang.disabled = withSet();
  form.elements["empty-reference"].disabled = withSet();
  if (set.dataset.lang) form.elements.lang.value = set.dataset.lang;
  draw();
  showMetrics();
});
form.elements["run-name"].addEventListener("input", (event) => { named = event.target.value !== ""; });
form.elements.lang.addEventListener("change", showMetrics);
showMetrics();

onSubmit(form, async () => {
  const body = data();
  tell(form.querySelector(".messages"), say("scoring.sending"), "");
  const made = await call("POST", "/api/runs", body);
  location.assign(`/runs/${made.id}`);
});
