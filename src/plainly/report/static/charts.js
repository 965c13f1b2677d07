// Draws the charts, those in view first, and puts the data of each behind buttons.
import { element } from "./dom.js";
import { csv, json, save } from "./download.js";
import { plainTable } from "./tables.js";

const NARROW = 480;

export function showCharts(charts) {
  const waiting = new Map();
  for (const chart of charts) {
    const figure = document.querySelector(`[data-chart="${chart.name}"]`);
    addTools(figure, chart);
    const rows = chart.rows.map((row) => Object.fromEntries(chart.columns.map((name, i) => [name, row[i]])));
    for (const picture of figure.querySelectorAll(".picture")) {
      waiting.set(picture, () => draw(picture, chart.specs[picture.dataset.panel], rows));
    }
  }
  return drawInTurn(waiting);
}

async function drawInTurn(waiting) {
  const take = async (picture) => {
    const job = waiting.get(picture);
    waiting.delete(picture);
    if (job) await job();
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) take(entry.target);
  }, { rootMargin: "200px" });
  for (const picture of waiting.keys()) seen.observe(picture);
  // The rest follows while nothing else is to be done: a page that is printed needs all of them.
  while (waiting.size) {
    await new Promise((resume) => setTimeout(resume, 30));
    const [next] = waiting.keys();
    if (next) await take(next);
  }
  seen.disconnect();
}

async function draw(picture, spec, rows) {
  const narrow = picture.clientWidth < NARROW;
  const full = {
    ...spec,
    data: { name: "rows", values: rows },
    width: "container",
    autosize: { type: "fit-x", contains: "padding" },
    config: config(narrow),
  };
  const canvas = element("div", { class: "canvas", "aria-hidden": "true" }); // the picture has a text of its own
  picture.replaceChildren(canvas);
  await window.vegaEmbed(canvas, full, { mode: "vega-lite", actions: false, renderer: "svg", defaultStyle: false });
}

function config(narrow) {
  const font = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  const text = { labelColor: "var(--ink)", titleColor: "var(--muted)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" };
  return {
    aria: false,
    background: "transparent",
    font,
    padding: { left: 0, right: 6, top: 4, bottom: 4 },
    view: { stroke: null },
    axis: { ...text, gridColor: "var(--grid)", domainColor: "var(--rule)", tickColor: "var(--rule)", labelLimit: narrow ? 104 : 190, tickCount: 5 },
    axisX: { labelFlush: true },
    legend: { ...text, orient: "top", symbolSize: 70, columns: narrow ? 2 : 0 },
    text: { font },
  };
}

function addTools(figure, chart) {
  const tools = figure.querySelector(".tools");
  const question = figure.querySelector("h3").textContent;
  const about = element("span", { class: "vh" }, ` of: ${question}`);
  const button = (text, onclick) => element("button", { type: "button", class: "small", onclick }, text, about.cloneNode(true));
  const show = button("Show data", () => {
    const open = show.getAttribute("aria-expanded") === "true";
    show.setAttribute("aria-expanded", String(!open));
    if (open) tools.querySelector(".scroll").remove();
    else tools.append(element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": `Data: ${question}` },
      plainTable(question, chart.columns, chart.rows)));
  });
  show.setAttribute("aria-expanded", "false");
  tools.append(
    button("Save data as CSV", () => save(`plainly-${chart.name}.csv`, csv(chart.columns, chart.rows), "text/csv")),
    button("Save data as JSON", () => save(`plainly-${chart.name}.json`, json(chart.columns, chart.rows), "application/json")),
    show,
  );
  tools.hidden = false;
}
