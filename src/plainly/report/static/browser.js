// The segment browser: controls above, 25 segments a page below.
import { element, plural } from "./dom.js";
import { csv, save } from "./download.js";
import { card } from "./cards.js";
import { FILTERS, orderings, prepared, select } from "./query.js";

export function showBrowser(home, embeddedData) {
  const data = prepared(embeddedData);
  const query = firstQuery(data);
  let chosen = [];
  let page = 0;

  const count = element("p", { role: "status" });
  const list = element("div", { class: "list" });
  const pages = () => Math.max(1, Math.ceil(chosen.length / data.perPage));
  const pagers = [pager(turn), pager(turn)];

  function turn(step) {
    page = Math.min(Math.max(page + step, 0), pages() - 1);
    draw();
    home.scrollIntoView({ block: "start" });
  }

  function draw() {
    const start = page * data.perPage;
    const end = Math.min(start + data.perPage, chosen.length);
    count.textContent = chosen.length
      ? `${plural(chosen.length, "segment")} found. Here: ${start + 1} to ${end}.`
      : "No segment is like that. Widen the search or the filter.";
    list.replaceChildren(...chosen.slice(start, end).map((i) => card(data, i, query)));
    for (const each of pagers) each.show(page, pages());
  }

  function update() {
    chosen = select(data, query);
    page = 0;
    draw();
  }

  const saveButton = element("button", { type: "button", class: "small", onclick: () => saveSegments(data, chosen, query) }, "Save these segments as CSV");
  home.replaceChildren(
    controls(data, query, update),
    legend(),
    element("div", { class: "status" }, count, saveButton, pagers[0].node),
    list,
    element("div", { class: "status" }, element("span"), pagers[1].node),
  );
  home.hidden = false;
  update();
}

// The two best systems, where they differ most; of one system alone, all segments in their order.
function firstQuery(data) {
  const all = data.systems.map((_, i) => i);
  const [a = 0, b = all.find((i) => i !== a) ?? 0] = data.opened;
  return {
    search: "", filter: "all", order: data.opened.length > 1 ? "differ" : "set", metric: 0, fields: {}, seed: data.seed,
    a, b, shown: data.opened.length ? data.opened : all.slice(0, 1), marks: true, deleted: true,
  };
}

function controls(data, query, update) {
  const later = debounced(update, 150);
  const set = (name, read) => (event) => { query[name] = read(event.target); update(); };
  const whole = (target) => Number(target.value);
  const systems = data.systems.map((name, i) => [i, name]);
  const seed = control("Seed of the random sample", element("input", {
    type: "number", min: 0, max: 4294967295, step: 1, value: query.seed,
    oninput: (event) => { query.seed = Number(event.target.value) || 0; later(); },
  }));
  seed.hidden = true;
  const order = element("select", { onchange: (event) => {
    query.order = event.target.value;
    seed.hidden = query.order !== "random";
    update();
  } }, ...orderings(data).map(([label, options]) => element("optgroup", { label }, ...choices(Object.entries(options), query.order))));
  const metrics = data.metrics.map((metric, i) => [i, metric.title]);
  const search = element("input", { type: "search", autocomplete: "off", oninput: (event) => { query.search = event.target.value; later(); } });
  return element(
    "form",
    { class: "controls", role: "search", "aria-label": "Segments", onsubmit: (event) => event.preventDefault() },
    control("Search in all texts", search),
    control("Show", choice(Object.entries(FILTERS), query.filter, set("filter", (target) => target.value))),
    control("Order", order),
    seed,
    control("System A", choice(systems, query.a, set("a", whole))),
    control("System B", choice(systems, query.b, set("b", whole))),
    control("Score", choice(metrics, query.metric, set("metric", whole))),
    ...data.fields.map((field, f) => fieldControl(field, f, query, update)),
    checkboxes("Systems side by side", data.systems.map((name, i) => [name, query.shown.includes(i), (on) => {
      query.shown = data.systems.map((_, k) => k).filter((k) => (k === i ? on : query.shown.includes(k)));
      update();
    }])),
    checkboxes("Words", [
      ["Mark changes", query.marks, (on) => { query.marks = on; update(); }],
      ["Show deleted words", query.deleted, (on) => { query.deleted = on; update(); }],
    ]),
  );
}

let controlNumber = 0;

function control(label, input) {
  input.id = `control-${controlNumber++}`;
  return element("div", { class: "control" }, element("label", { for: input.id }, label), input);
}

function choices(pairs, chosen) {
  return pairs.map(([value, text]) => element("option", { value, selected: value === chosen }, text));
}

function choice(pairs, chosen, onchange) {
  return element("select", { onchange }, ...choices(pairs, chosen));
}

function fieldControl(field, f, query, update) {
  const pairs = [["", "any"], ...field.values.map((value, i) => [i, value])];
  return control(field.name, choice(pairs, "", (event) => {
    if (event.target.value === "") delete query.fields[f];
    else query.fields[f] = Number(event.target.value);
    update();
  }));
}

function checkboxes(legend, items) {
  const boxes = items.map(([label, checked, change]) =>
    element("label", {}, element("input", { type: "checkbox", checked, onchange: (event) => change(event.target.checked) }), label));
  return element("fieldset", {}, element("legend", {}, legend), element("div", { class: "choices" }, ...boxes));
}

function legend() {
  return element(
    "ul",
    { class: "legend", "aria-label": "What the marks mean" },
    element("li", {}, element("ins", {}, "added"), " and in a reference"),
    element("li", {}, element("ins", { class: "unsupported" }, "added"), " and in no reference"),
    element("li", {}, element("del", {}, "deleted")),
    element("li", {}, element("del", { class: "wanted" }, "deleted"), " but in every reference"),
    element("li", {}, element("mark", { class: "moved" }, "moved")),
    element("li", {}, "no mark: kept"),
  );
}

function pager(turn) {
  const back = element("button", { type: "button", class: "small", onclick: () => turn(-1) }, "Back");
  const next = element("button", { type: "button", class: "small", onclick: () => turn(1) }, "Next");
  const where = element("span");
  const node = element("div", { class: "pager", role: "group", "aria-label": "Pages" }, back, where, next);
  const show = (page, pages) => {
    back.disabled = page === 0;
    next.disabled = page === pages - 1;
    where.textContent = `Page ${page + 1} of ${pages}`;
  };
  return { node, show };
}

function saveSegments(data, chosen, query) {
  const most = Math.max(0, ...chosen.map((i) => data.references[i].length));
  const columns = ["segment", "id", "source", ...Array.from({ length: most }, (_, k) => `reference ${k + 1}`)];
  for (const system of query.shown) columns.push(data.systems[system], ...data.metrics.map((metric) => `${data.systems[system]} ${metric.label}`));
  const rows = chosen.map((i) => [
    i + 1,
    data.ids ? data.ids[i] : "",
    data.text(data.sources[i]),
    ...Array.from({ length: most }, (_, k) => data.text(data.references[i][k] ?? -1)),
    ...query.shown.flatMap((system) => [data.text(data.outputs[system][i]), ...data.metrics.map((_, m) => data.score(system, m, i))]),
  ]);
  save("plainly-segments.csv", csv(columns, rows), "text/csv");
}

function debounced(action, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };
}
