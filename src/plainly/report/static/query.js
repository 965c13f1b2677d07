// Which segments to show, and in which order. Pure functions over the segment data.

export function prepared(data) {
  const index = new Map(data.metrics.map((metric, i) => [metric.label, i]));
  let lowered = null;
  const words = data.sources.map((id) => (id < 0 ? 0 : data.texts[id].split(/\s+/).length));
  return {
    ...data,
    words,
    count: data.sources.length,
    text: (id) => (id < 0 ? null : data.texts[id]),
    lower: (id) => {
      lowered ??= data.texts.map((text) => text.toLowerCase());
      return id < 0 ? "" : lowered[id];
    },
    score: (system, metric, segment) => data.scores[system][metric][segment],
    metricIndex: (label) => index.get(label),
  };
}

export const FILTERS = {
  all: "All segments",
  changed: "A changed the text",
  copies: "Exact copies by A",
  empty: "Empty outputs of A",
  missing: "Missing outputs of A",
  better: "A scores better than B",
  worse: "A scores worse than B",
  same: "A and B wrote the same",
  different: "A and B wrote different texts",
};

export function orderings(data) {
  const groups = [
    ["The test set", { set: "Its own order", random: "Random sample", longest: "Longest source first", shortest: "Shortest source first" }],
    ["A against B, by the chosen score", { gain: "Largest gain of A first", loss: "Largest loss of A first", differ: "Where A and B differ most" }],
    ["All systems, by the chosen score", { spread: "Where systems disagree most" }],
  ];
  const own = {};
  data.metrics.forEach((metric, i) => {
    if (metric.label === "exact-copies") return;
    const names = OWN_NAMES[metric.label] ?? [`Highest ${metric.title} first`, `Lowest ${metric.title} first`];
    own[`high-${i}`] = names[0];
    own[`low-${i}`] = names[1];
  });
  return [...groups, ["The outputs of A", own]];
}

const OWN_NAMES = {
  "compression-ratio": ["Least compression first", "Strongest compression first"],
  "levenshtein-similarity": ["Closest to the source first", "Most rewritten first"],
  "sentence-splits": ["Most sentence splits first", "Fewest sentence splits first"],
  "lexical-complexity": ["Rarest words first", "Most common words first"],
};

export function select(data, query) {
  const needle = query.search.trim().toLowerCase();
  const passes = filterOf(data, query);
  const chosen = [];
  for (let i = 0; i < data.count; i++) {
    if (passes(i) && inFields(data, query, i) && (!needle || contains(data, needle, i))) chosen.push(i);
  }
  return inOrderOf(data, query, chosen);
}

function contains(data, needle, i) {
  if (data.ids && data.ids[i].toLowerCase().includes(needle)) return true;
  if (data.lower(data.sources[i]).includes(needle)) return true;
  if (data.outputs.some((texts) => data.lower(texts[i]).includes(needle))) return true;
  return data.references[i].some((id) => data.lower(id).includes(needle));
}

function inFields(data, query, i) {
  return data.fields.every((field, f) => query.fields[f] === undefined || field.of[i] === query.fields[f]);
}

function gainOf(data, query) {
  const sign = data.metrics[query.metric].better === "lower" ? -1 : 1;
  return (i) => {
    const a = data.score(query.a, query.metric, i);
    const b = data.score(query.b, query.metric, i);
    return a === null || b === null ? null : sign * (a - b);
  };
}

function filterOf(data, { filter, a, b, ...rest }) {
  const mine = data.outputs[a];
  const other = data.outputs[b];
  const gain = gainOf(data, { a, b, ...rest });
  const copies = data.metricIndex("exact-copies");
  const copied = (i) => (copies === undefined ? mine[i] === data.sources[i] : data.score(a, copies, i) === 1);
  return {
    all: () => true,
    changed: (i) => mine[i] >= 0 && !copied(i),
    copies: copied,
    empty: (i) => mine[i] >= 0 && data.text(mine[i]).trim() === "",
    missing: (i) => mine[i] < 0,
    better: (i) => gain(i) > 0,
    worse: (i) => gain(i) !== null && gain(i) < 0,
    same: (i) => mine[i] === other[i],
    different: (i) => mine[i] !== other[i],
  }[filter];
}

function inOrderOf(data, query, chosen) {
  if (query.order === "set") return chosen;
  if (query.order === "random") return shuffled(chosen, query.seed);
  const gain = gainOf(data, query);
  const keys = {
    longest: (i) => data.words[i],
    shortest: (i) => -data.words[i],
    gain,
    loss: (i) => negated(gain(i)),
    differ: (i) => (gain(i) === null ? null : Math.abs(gain(i))),
    spread: (i) => spread(data.scores.map((scores) => scores[query.metric][i])),
  };
  const [end, metric] = query.order.split("-");
  const key = keys[query.order] ?? ((i) => {
    const value = data.score(query.a, Number(metric), i);
    return end === "low" ? negated(value) : value;
  });
  const known = new Map(chosen.map((i) => [i, key(i)]));
  return chosen.sort((i, j) => {
    const [x, y] = [known.get(i), known.get(j)];
    if (x === null || y === null) return (x === null) - (y === null) || i - j;
    return y - x || i - j;
  });
}

function negated(value) {
  return value === null ? null : -value;
}

function spread(values) {
  const known = values.filter((value) => value !== null);
  return known.length < 2 ? null : Math.max(...known) - Math.min(...known);
}

// Mulberry32: small, quick, and the same in every browser.
function shuffled(items, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
