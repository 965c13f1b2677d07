// One page of ratings: the source, one output or several, and for each a value on every scale.
//
// Keys: digits choose on the scale that has the focus and go on to the next open one; up and down move between scales;
// x is "cannot judge"; Enter goes on. Sliders keep the arrow keys for themselves, as everybody expects of sliders.

const BUILT_IN = ["fluency", "meaning", "simplicity"]; // scales with words in the reader's language

export function show(root, task, page) {
  const rows = [];
  const problem = page.element("p", { class: "problem", role: "alert" });
  const button = page.element("button", { type: "submit", class: "button primary", text: page.say("ratings.next") });
  const several = task.outputs.length > 1;
  const kept = task.answer?.ratings ?? page.draft() ?? [];
  let active = 0; // the scale that digits go to

  const outputs = task.outputs.map((text, place) => {
    const number = place + 1;
    const title = several ? page.say("ratings.output_of", { number, total: task.outputs.length }) : page.say("ratings.output");
    const scales = page.public.scales.map((scale) => {
      const row = (page.public.answers === "slider" ? slider : likert)(page, scale, `${place}-${rows.length}`, several ? title : "");
      const at = rows.length;
      row.place = place;
      row.scale = scale.name;
      row.on = changed;
      row.box.addEventListener("focusin", () => (active = at));
      rows.push(row);
      if (kept[place] && scale.name in kept[place]) row.set(kept[place][scale.name]);
      return row.box;
    });
    return page.element("section", { class: "output" }, quote(page, title, text), scales);
  });

  function changed() {
    problem.textContent = "";
    page.draft(values());
  }

  function values() {
    return task.outputs.map((_, place) =>
      Object.fromEntries(rows.filter((row) => row.place === place && row.given()).map((row) => [row.scale, row.value()])),
    );
  }

  function move(to) {
    if (to >= rows.length) return button.focus();
    active = Math.max(0, to);
    const row = rows[active];
    row.focus();
    const begins = several && active % page.public.scales.length === 0; // then the text comes into sight, too
    if (begins) row.box.parentElement.scrollIntoView({ block: "start" });
    else row.box.scrollIntoView({ block: "nearest" });
  }

  function choose(set) {
    const row = rows[active];
    if (!set(row)) return;
    changed();
    row.box.removeAttribute("data-missing");
    const later = rows.findIndex((each, at) => at > active && !each.given());
    const open = later >= 0 ? later : rows.findIndex((each) => !each.given());
    move(open >= 0 ? open : rows.length);
  }

  function submit() {
    if (page.early()) return undefined;
    const open = rows.findIndex((row) => !row.given());
    rows.forEach((row) => row.box.toggleAttribute("data-missing", !row.given()));
    if (open >= 0) {
      const count = rows.filter((row) => !row.given()).length;
      problem.textContent = page.say(count === 1 ? "ratings.missing_one" : "ratings.missing", { count });
      return move(open);
    }
    page.draft(null);
    page.answer({ ratings: values() });
  }

  const keys = { Enter: submit };
  for (let digit = 0; digit <= 9; digit++) keys[digit] = () => choose((row) => row.digit(digit));
  if (page.public.unsure) keys.x = () => choose((row) => (row.set(null), true));
  if (page.public.answers !== "slider") {
    keys.ArrowDown = () => move(document.activeElement === button ? rows.length : rows[active].box.contains(document.activeElement) ? active + 1 : active);
    keys.ArrowUp = () => move(document.activeElement === button ? rows.length - 1 : active - 1);
  }
  page.keys(keys);

  const form = page.element(
    "form",
    {
      class: "ratings",
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
      onkeydown: (event) => {
        // The page's keys do not fire in inputs, and scales are inputs.
        if (!event.target.matches("input") || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const handler = keys[key] ?? (key === "u" && page.canUndo ? () => page.undo() : key === "?" ? page.instructions : null);
        if (!handler) return;
        event.preventDefault();
        handler();
      },
    },
    page.element("h1", { class: "vh", text: page.say("ratings.heading") }),
    page.element(
      "div",
      { class: task.source ? "sides" : "side" },
      task.source ? page.element("section", { class: "source" }, quote(page, page.say("ratings.source"), task.source)) : null,
      page.element("div", { class: "outputs" }, outputs),
    ),
    page.element("div", { class: "deck" }, hint(page), problem, button),
  );
  root.append(form);
  const first = rows.findIndex((row) => !row.given());
  active = Math.max(0, first);
  rows[active].focus(true);
}

function hint(page) {
  const kind = page.public.answers === "slider" ? "slider" : "likert";
  const words = [page.say(`ratings.keys.${kind}`, { last: page.public.highest % 10 })];
  if (page.public.unsure) words.push(page.say("ratings.keys.unsure"));
  return page.element("p", { class: "hint", text: words.join(" ") });
}

function quote(page, title, text) {
  return [page.element("h2", { text: title }), page.element("blockquote", { class: "pre-line", text, lang: page.lang, dir: page.dir })];
}

// What a scale asks, and what its ends are called: in the owner's words, or in ours.
function words(page, scale) {
  const own = (part) => scale[part] || (BUILT_IN.includes(scale.name) ? page.say(`ratings.scale.${scale.name}.${part}`) : "");
  return {
    question: own("question") || scale.name,
    low: own("low") || page.say("ratings.end.low"),
    high: own("high") || page.say("ratings.end.high"),
  };
}

function legend(page, question, output) {
  const hidden = output ? page.element("span", { class: "vh", text: `${output}: ` }) : null;
  return page.element("legend", { dir: "auto" }, hidden, question);
}

// Below the values: what both ends mean, and the way out between them. Labels of values say the ends themselves.
function below(page, low, high, middle) {
  const end = (text) => page.element("span", { class: "end", text, dir: "auto", "aria-hidden": "true" });
  return page.element("div", { class: "below" }, end(low), middle, end(high));
}

function likert(page, scale, name, output) {
  const { question, low, high } = words(page, scale);
  const { lowest, highest } = page.public;
  const row = { on: () => {} };
  const inputs = new Map();
  const option = (value, text, label, kind) => {
    const input = page.element("input", { type: "radio", name, value: value ?? "", "aria-label": label, onchange: () => row.on() });
    inputs.set(value, input);
    return page.element("label", { class: kind }, input, page.element("span", { text }));
  };
  const points = [];
  for (let value = lowest; value <= highest; value++) {
    const end = value === lowest ? low : value === highest ? high : "";
    points.push(option(value, value, end ? `${value}: ${end}` : undefined, "point"));
  }
  const unsure = page.public.unsure ? option(null, page.say("ratings.unsure"), undefined, "unsure") : null;
  row.box = page.element(
    "fieldset",
    { class: "scale" },
    legend(page, question, output),
    page.element("div", { class: "values", "data-many": points.length > 7 }, points),
    below(page, low, high, unsure),
  );
  const chosen = () => [...inputs].find(([, input]) => input.checked);
  row.given = () => Boolean(chosen());
  row.value = () => chosen()[0];
  row.set = (value) => inputs.has(value) && (inputs.get(value).checked = true);
  row.digit = (digit) => row.set(digit === 0 && highest === 10 ? 10 : digit);
  row.focus = (still) => (chosen()?.[1] ?? inputs.get(lowest)).focus({ preventScroll: Boolean(still) });
  return row;
}

function slider(page, scale, name, output) {
  const { question, low, high } = words(page, scale);
  const { lowest, highest } = page.public;
  const row = { on: () => {} };
  let touched = false;
  const middle = Math.round((lowest + highest) / 2);
  const shown = page.element("output", { class: "value", for: name });
  const input = page.element("input", {
    type: "range",
    id: name,
    min: lowest,
    max: highest,
    step: 1,
    value: middle,
    "aria-label": `${output ? `${output}: ` : ""}${question} ${lowest}: ${low}, ${highest}: ${high}`,
    oninput: () => touch(),
    onclick: () => touch(), // also where it stands already
  });
  const unsure = page.public.unsure
    ? page.element("input", { type: "checkbox", onchange: () => ((touched = false), paint(), row.on()) })
    : null;
  const label = unsure ? page.element("label", { class: "unsure" }, unsure, page.element("span", { text: page.say("ratings.unsure") })) : null;
  function touch() {
    touched = true;
    if (unsure) unsure.checked = false;
    paint();
    row.on();
  }
  function paint() {
    const text = touched ? input.value : unsure?.checked ? page.say("ratings.unsure") : page.say("ratings.unset");
    shown.textContent = text;
    input.setAttribute("aria-valuetext", text);
    input.toggleAttribute("data-unset", !touched);
  }
  row.box = page.element(
    "fieldset",
    { class: "scale" },
    legend(page, question, output),
    page.element("div", { class: "slide" }, input, shown),
    below(page, low, high, label),
  );
  row.given = () => touched || Boolean(unsure?.checked);
  row.value = () => (touched ? Number(input.value) : null);
  row.set = (value) => {
    if (value === null && !unsure) return false;
    touched = value !== null;
    if (touched) input.value = value;
    if (unsure) unsure.checked = !touched;
    paint();
    return true;
  };
  row.digit = (digit) => row.set(lowest + Math.round(((highest - lowest) * digit) / 10));
  row.focus = (still) => input.focus({ preventScroll: Boolean(still) });
  paint();
  return row;
}
