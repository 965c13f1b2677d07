// One run: how far it is while it waits and runs, then its scores.
import { acting, call, Refused } from "./api.js";
import { ask, element, notes, number, say, table } from "./dom.js";

const SECONDS = 1;
const run = JSON.parse(document.querySelector("#run").dataset.run);
const messages = document.querySelector("#run-messages");
const ARROWS = { higher: " ↑", lower: " ↓", none: "" };

function cell(result, facts) {
  if (!result || result.score.value === null) return "–";
  const shown = (given) => number(given, facts.decimals);
  const { value, low, high } = result.score;
  return element("span", { class: "score" }, element("b", {}, shown(value)),
    low === null || high === null ? null : element("small", {}, say("scoring.interval", { low: shown(low), high: shown(high) })),
    result.unscored ? element("small", {}, say("scoring.unscored", { count: number(result.unscored) })) : null);
}

function picture(one) {
  const width = Math.round(Math.min(Math.max(document.querySelector("#scores").clientWidth - 48, 280), 1100) / 20) * 20;
  return element("figure", {}, element("figcaption", {}, one.title),
    element("img", { src: `/api/runs/${run.id}/pictures/${one.name}.svg?width=${width}`, alt: one.words }));
}

function scores() {
  const { systems, resampling, segments } = run.evaluation;
  const labels = Object.keys(run.facts);
  const columns = [say("scoring.system"), ...labels.map((label) => run.facts[label].title + ARROWS[run.facts[label].direction])];
  const rows = Object.entries(systems).map(([system, results]) => [
    run.baselines.includes(system) ? element("span", {}, system, element("small", { class: "muted" }, ` (${say("scoring.baseline")})`)) : system,
    ...labels.map((label) => cell(results[label], run.facts[label]))]);
  const all = Object.values(systems).flatMap((results) => Object.values(results).map((result) => result.signature));
  const how = resampling
    ? say("scoring.how", { segments: number(segments), confidence: number(100 * resampling.confidence), resamples: number(resampling.resamples), seed: resampling.seed })
    : say("scoring.segments", { count: number(segments) });
  document.querySelector("#scores").replaceChildren(element("section", { class: "card" },
    element("h2", { id: "scores-title" }, say("scoring.scores")),
    element("div", { class: "scroll", role: "region", tabindex: 0, "aria-labelledby": "scores-title" }, table(columns, rows, { numbers: labels.map((_, i) => i + 1) })),
    element("p", { class: "note" }, how, " ", say("scoring.arrows")),
    ...run.pictures.map(picture),
    ...notes(say("owner.notes"), [], run.notes),
    element("details", {}, element("summary", {}, say("scoring.signatures")),
      element("ul", { class: "signatures" }, ...[...new Set(all)].map((one) => element("li", {}, element("code", { dir: "ltr" }, one)))))));
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
