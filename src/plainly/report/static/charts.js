// Draws the charts, those in view first, and puts pictures and data of each in a menu.
import { element, svgTitle } from "./dom.js";
import { csv, json, save } from "./download.js";
import { plainTable } from "./tables.js";
import { savePicture } from "./pictures.js";

const NARROW = 480;
const FOLDED = 560; // the width of a picture that lies in a part of the page which is still folded

export function showCharts(charts) {
  const waiting = new Map();
  for (const chart of charts) {
    const figure = document.querySelector(`[data-chart="${chart.name}"]`);
    addTools(figure, chart);
    const rows = rowsOf(chart);
    for (const picture of figure.querySelectorAll(".picture")) {
      waiting.set(picture, () => draw(picture, chart.specs[picture.dataset.panel], rows));
    }
  }
  const all = new Map(waiting);
  for (const part of document.querySelectorAll("details.section")) {
    part.addEventListener("toggle", () => { if (part.open) drawFitting(part, all); });
  }
  return drawInTurn(waiting);
}

function rowsOf(chart) {
  return chart.rows.map((row) => Object.fromEntries(chart.columns.map((name, i) => [name, row[i]])));
}

// What was drawn while it was folded did not know its width.
async function drawFitting(part, all) {
  for (const picture of part.querySelectorAll(".picture[data-folded]")) await all.get(picture)();
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
  const folded = picture.clientWidth === 0;
  picture.toggleAttribute("data-folded", folded);
  const full = {
    ...fullSpec(spec, rows, !folded && picture.clientWidth < NARROW),
    width: folded ? FOLDED : "container",
  };
  const canvas = element("div", { class: "canvas", "aria-hidden": "true" }); // the picture has a text of its own
  picture.replaceChildren(canvas);
  await window.vegaEmbed(canvas, full, { mode: "vega-lite", actions: false, renderer: "svg", defaultStyle: false });
  const names = new Map(Object.entries(spec.usermeta?.names ?? {}));
  for (const label of canvas.querySelectorAll(".role-axis-label text")) {
    if (names.has(label.textContent)) label.append(svgTitle(names.get(label.textContent)));
  }
}

export function fullSpec(spec, rows, narrow) {
  return { ...spec, data: { name: "rows", values: rows }, autosize: { type: "fit-x", contains: "padding" }, config: config(narrow) };
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
    legend: { ...text, orient: "top", symbolSize: 70, columns: narrow ? 2 : 0, labelLimit: 0 },
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
  const picture = (kind) => () => savePicture(figure, chart, rowsOf(chart), kind);
  tools.append(element("div", { class: "buttons" },
    button("Picture as SVG", picture("svg")),
    button("Picture as PNG", picture("png")),
    button("Data as CSV", () => save(`plainly-${chart.name}.csv`, csv(chart.columns, chart.rows), "text/csv")),
    button("Data as JSON", () => save(`plainly-${chart.name}.json`, json(chart.columns, chart.rows), "application/json")),
    show,
  ));
  tools.hidden = false;
}
