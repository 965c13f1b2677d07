// All kept runs: what waits and runs is asked for again, and those that are done can be picked to be compared.
import { call, Refused } from "./api.js";
import { element, number, say, table, tell } from "./dom.js";
import { moment } from "./times.js";

const SECONDS = 2;
const MOST = 20;
const box = document.querySelector("#runs");
const messages = document.querySelector("#runs-messages");
const status = document.querySelector("#runs-status");
const picked = new Set();
let shown = JSON.parse(box.dataset.runs);

function progressWords(run) {
  if (run.status === "waiting" || !run.progress) return say(`scoring.status.${run.status}`);
  const { step, done, of } = run.progress;
  return say(`scoring.step.${step}`, { done: number(done), of: number(of) });
}

function picker(run) {
  if (run.status !== "done") return "";
  const input = element("input", { type: "checkbox", checked: picked.has(run.id), "aria-label": say("scoring.pick", { name: run.name }) });
  input.addEventListener("change", () => {
    if (input.checked) picked.add(run.id);
    else picked.delete(run.id);
    showButton();
  });
  return element("label", { class: "pick" }, input);
}

const compare = element("button", { type: "button", class: "primary", onclick: () => {
  if (picked.size < 2 || picked.size > MOST) tell(messages, say("scoring.compare.few", { most: MOST }));
  else location.assign(`/runs/compare?ids=${[...picked].join(",")}`);
} });

function showButton() {
  compare.textContent = picked.size ? say("scoring.compare.picked", { count: picked.size }) : say("scoring.compare");
  messages.replaceChildren();
}

function draw() {
  if (!shown.length) {
    box.replaceChildren(element("div", { class: "empty" }, element("p", {}, say(box.dataset.owner ? "scoring.none" : "scoring.none.analyst"))));
    return;
  }
  const columns = [say("scoring.run"), say("scoring.status"), say("scoring.set"), say("scoring.systems"), say("scoring.when"), say("scoring.compare")];
  const rows = shown.map((run) => [
    element("a", { href: `/runs/${run.id}`, dir: "auto" }, run.name),
    element("span", { class: `badge ${run.status}`, title: run.error || undefined }, progressWords(run)),
    run.test_set || say("scoring.set.files", { count: number(run.segments), language: run.language }),
    run.systems.length > 3 ? say("scoring.systems.more", { first: run.systems.slice(0, 2).join(", "), count: run.systems.length - 2 }) : run.systems.join(", ") || (run.published ? say("scoring.systems.published") : "–"),
    moment(run.created),
    picker(run),
  ]);
  const done = shown.filter((run) => run.status === "done").length;
  box.replaceChildren(table(columns, rows), ...(done > 1 ? [element("div", { class: "runs-actions" }, compare)] : []));
  showButton();
}

async function follow() {
  while (shown.some((run) => run.status === "waiting" || run.status === "running")) {
    await new Promise((resume) => setTimeout(resume, SECONDS * 1000));
    if (document.hidden) continue;
    try {
      const before = new Map(shown.map((run) => [run.id, run.status]));
      const found = (await call("GET", "/api/runs")).runs;
      if (JSON.stringify(found) === JSON.stringify(shown)) continue;
      const inside = box.contains(document.activeElement);
      shown = found;
      if (!inside) draw();
      for (const run of shown) {
        if (["done", "failed"].includes(run.status) && before.get(run.id) !== run.status) status.textContent = `${run.name}: ${say(`scoring.status.${run.status}`)}`;
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  if (!box.contains(document.activeElement)) draw();
}

draw();
follow();
