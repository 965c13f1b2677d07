// One run: how far it is while it waits and runs, then its scores.
import { acting, call, Refused } from "./api.js";
import { ask, element, notes, number, say, table } from "./dom.js";

const SECONDS = 1;
const run = JSON.parse(document.querySelector("#run").dataset.run);
const messages = document.querySelector("#run-messages");

function cell(one, digits) {
  if (one === null || one.value === null) return "–";
  if (typeof one !== "object") return number(one, digits);
  const shown = (given) => number(given, digits);
  const { value, low, high, best, marks = [] } = one;
  return element("span", { class: "score" }, element("b", {}, shown(value), ...marks.map((mark) => element("sup", {}, ` ${mark}`))),
    low === null || high === null ? null : element("small", {}, `[${shown(low)}; ${shown(high)}]`),
    best ? element("small", { class: "badge good" }, say("scoring.best")) : null);
}

function grid(one) {
  const rows = one.rows.map((row) => row.map((each, i) => cell(each, one.digits[i] ?? null)));
  return element("section", { class: "card" }, element("h2", {}, one.title),
    element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": one.title }, table(one.columns, rows, { numbers: one.columns.map((_, i) => i).slice(1) })),
    one.note ? element("p", { class: "note" }, one.note) : null);
}

function picture(one) {
  const width = Math.round(Math.min(Math.max(document.querySelector("#scores").clientWidth - 48, 280), 1100) / 20) * 20;
  return element("figure", {}, element("figcaption", {}, one.title),
    element("img", { src: `/api/runs/${run.id}/pictures/${one.name}.svg?width=${width}`, alt: one.words }));
}

function scores() {
  const { tables, notes: said, signatures } = run.said;
  document.querySelector("#scores").replaceChildren(...tables.map(grid), element("section", { class: "card" },
    ...run.pictures.map(picture),
    ...notes("", said, []),
    element("details", {}, element("summary", {}, say("scoring.signatures")),
      element("ul", { class: "signatures" }, ...signatures.map((one) => element("li", {}, element("code", { dir: "ltr" }, one)))))));
}

function showProgress(found) {
  const bar = document.querySelector("#bar");
  const step = document.querySelector("#step");
  const { progress } = found;
  const words = progress ? say(`scoring.step.${progress.step}`, { done: number(progress.done), of: number(progress.of) }) : say(`scoring.progress.${found.status}`);
  if (progress?.of) {
    bar.max = progress.of;
    bar.value = progress.done;
  } else {
    bar.removeAttribute("value");
  }
  if (step.textContent !== words) step.textContent = words;
}

async function follow() {
  let found = run;
  while (["waiting", "running"].includes(found.status)) {
    showProgress(found);
    await new Promise((resume) => setTimeout(resume, SECONDS * 1000));
    try {
      found = await call("GET", `/api/runs/${run.id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      document.querySelector("#step").textContent = error.message;
      if (error.status === 404) return;
    }
  }
  location.reload();
}

const remove = document.querySelector("#delete");
remove?.addEventListener("click", async () => {
  if (!await ask(say("scoring.delete.ask", { name: run.name }), { action: say("common.delete"), danger: true })) return;
  acting(remove, messages, async () => {
    await call("DELETE", `/api/runs/${run.id}`);
    location.assign("/runs");
  });
});

if (run.status === "done") scores();
else if (run.status !== "failed") follow();
