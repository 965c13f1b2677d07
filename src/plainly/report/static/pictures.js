// A chart as a picture of its own: all its panels with their titles, in the colours of the light page.
import { save } from "./download.js";
import { fullSpec } from "./charts.js";

const PANEL = 460; // pixels, unless a panel needs more
const GAP = 24;
const ACROSS = 60; // letters of a legend that fit above a panel
const SHARP = 2; // pixels of a PNG for each of the SVG

export async function savePicture(figure, chart, rows, kind) {
  const drawing = await wholePicture(figure, chart, rows);
  const name = `plainly-${chart.name}.${kind}`;
  if (kind === "svg") save(name, drawing.svg, "image/svg+xml");
  else save(name, await pixels(drawing), "image/png");
}

async function wholePicture(figure, chart, rows) {
  const titles = [...figure.querySelectorAll(".panel h4")].map((title) => title.textContent);
  const panels = [];
  for (const [i, spec] of chart.specs.entries()) {
    const least = parseInt(figure.querySelectorAll(".picture")[i].style.minWidth) || 0;
    panels.push({ ...(await panelPicture(spec, rows, Math.max(PANEL, least))), title: titles[i] ?? "" });
  }
  const columns = panels.length > 1 ? 2 : 1;
  const parts = [];
  let [x, y, row, width] = [0, 0, 0, 0];
  panels.forEach((panel, i) => {
    if (i % columns === 0) [x, y, row] = [0, y + row, 0];
    const head = panel.title ? GAP : 0;
    if (head) parts.push(`<text x="${x}" y="${y + 16}" font-family="sans-serif" font-size="14" font-weight="bold">${escaped(panel.title)}</text>`);
    parts.push(`<g transform="translate(${x},${y + head})">${panel.body}</g>`);
    x += panel.width + GAP;
    row = Math.max(row, panel.height + head + GAP);
    width = Math.max(width, x - GAP);
  });
  const height = y + row - GAP;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  return { svg: `${open}<rect width="100%" height="100%" fill="#ffffff"/>${parts.join("")}</svg>\n`, width, height };
}

async function panelPicture(spec, rows, width) {
  const own = JSON.parse(light(JSON.stringify({ ...fullSpec(withLegends(spec, rows), rows, false), width })));
  const home = document.createElement("div");
  const { view, finalize } = await window.vegaEmbed(home, own, { mode: "vega-lite", actions: false, renderer: "svg", defaultStyle: false });
  const body = await view.toSVG();
  finalize();
  const [, wide, high] = body.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/);
  return { body, width: Number(wide), height: Number(high) };
}

// The page tells kinds apart in its own words; a picture of several kinds brings a legend of those that it has.
function withLegends(spec, rows) {
  const chosen = (spec.transform ?? []).map((step) => step.filter).filter((one) => one?.equal !== undefined);
  const drawn = rows.filter((row) => chosen.every(({ field, equal }) => row[field] === equal));
  return JSON.parse(JSON.stringify(spec), function (key, value) {
    if (key !== "legend" || value !== null || this.type !== "nominal") return value;
    const there = new Set(drawn.map((row) => row[this.field]));
    const values = this.scale.domain.filter((one) => there.has(one));
    const longest = Math.max(...values.map((one) => String(one).length));
    const columns = Math.max(1, Math.floor(ACROSS / (longest + 4)));
    return values.length > 1 ? { values, columns, title: null } : null;
  });
}

// The light colours stand in the first rule of the page's own stylesheet; the chart library adds one of its own before it.
function light(text) {
  const rules = [...document.getElementById("stylesheet").sheet.cssRules];
  const colors = rules.find((rule) => rule.selectorText === ":root").style;
  return text.replace(/var\((--[\w-]+)\)/g, (_, name) => colors.getPropertyValue(name).trim());
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function pixels({ svg, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SHARP, height * SHARP];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
