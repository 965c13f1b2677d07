// One segment as a card: source, references, and the outputs of the chosen systems side by side.
import { element, hiddenText, plural } from "./dom.js";
import { alignedSentences } from "./aligned.js";
import { changes, counts, isWord, tally, tokens } from "./words.js";

export function card(data, i, query) {
  const source = data.text(data.sources[i]);
  const sourceTokens = source === null ? null : tokens(source);
  const references = data.references[i].map((id) => data.text(id));
  const known = { all: new Set(), each: references.map((text) => tally(tokens(text))) };
  for (const words of known.each) for (const word of words.keys()) known.all.add(word);
  const needles = query.search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const context = { data, query, sourceTokens, known: references.length ? known : null, needles };
  const name = data.ids ? `Segment ${i + 1}: ${data.ids[i]}` : `Segment ${i + 1}`;
  return element(
    "article",
    { class: "segment", "aria-label": name },
    element("h3", {}, name),
    details(data, i),
    element("h4", {}, "Source"),
    source === null ? absent("no source") : plain(source, context),
    references.length ? referenceList(references, context) : null,
    element("div", { class: "outputs" }, ...query.shown.map((system) => output(system, i, context))),
  );
}

function details(data, i) {
  const parts = data.fields.filter((field) => field.of[i] >= 0).map((field) => `${field.name}: ${field.values[field.of[i]]}`);
  return parts.length ? element("p", { class: "small-print", dir: "auto" }, parts.join(" · ")) : null;
}

function referenceList(references, context) {
  const items = references.map((text) => element("li", {}, marked(text, { ...context, known: null }).text));
  return element("details", { class: "references" }, element("summary", {}, plural(references.length, "reference")), element("ol", {}, ...items));
}

function output(system, i, context) {
  const { data, query } = context;
  const text = data.text(data.outputs[system][i]);
  const scores = data.metrics
    .map((metric, m) => [metric, data.score(system, m, i), m === query.metric])
    .filter(([metric, value]) => value !== null && metric.label !== "exact-copies");
  const line = element("p", { class: "small-print" });
  scores.forEach(([metric, value, chosen], k) => line.append(k ? " · " : "", element(chosen ? "b" : "span", {}, `${metric.title} ${value}`)));
  const body = text === null ? { text: absent("no output") } : text.trim() === "" ? { text: absent("empty output") } : marked(text, context);
  return element("div", { class: "output", role: "group", "aria-label": data.systems[system] }, element("h4", { dir: "auto" }, data.systems[system]), body.text, body.summary ?? null, sentences(system, i, context), line);
}

function sentences(system, i, context) {
  const { data } = context;
  const texts = (ids) => ids.map((id) => data.text(id));
  const links = data.aligned?.[system][i]?.map((link) => link.map(texts));
  return alignedSentences(links, (text) => plain(text, context), (text, source) => marked(text, { ...context, known: null, sourceTokens: tokens(source) }).text);
}

function absent(words) {
  return element("p", { class: "text small-print" }, `(${words})`);
}

function plain(text, { data, needles }) {
  const body = paragraph(data);
  for (const token of tokens(text)) body.append(token.lead, found(token.text, needles));
  body.append(tail(text));
  return body;
}

function marked(text, context) {
  const { data, query, sourceTokens, known, needles } = context;
  if (!query.marks || sourceTokens === null) return { text: plain(text, context) };
  const outputTokens = tokens(text);
  const steps = changes(sourceTokens, outputTokens);
  const written = tally(outputTokens);
  const body = paragraph(data);
  for (const run of runs(steps, known, written, query.deleted)) {
    if (run.lead) body.append(run.lead);
    const parts = run.tokens.flatMap((token, k) => [k ? token.lead : "", found(token.text, needles)]);
    body.append(run.kind === "kept" ? fragment(parts) : wrapped(run, parts));
  }
  const sums = counts(steps);
  const summary = `Words: ${sums.kept} kept, ${sums.added} added, ${sums.deleted} deleted, ${sums.moved} moved`;
  return { text: body, summary: element("p", { class: "small-print" }, summary) };
}

const WRAPS = {
  added: ["ins", "added"],
  "added unsupported": ["ins", "added, in no reference"],
  deleted: ["del", "deleted"],
  "deleted wanted": ["del", "deleted, but in every reference"],
  moved: ["mark", "moved"],
};

function wrapped(run, parts) {
  const [tag, words] = WRAPS[run.kind];
  const style = run.kind === "moved" ? "moved" : run.kind.split(" ")[1];
  return element(tag, { class: style, title: words }, hiddenText(`[${words}: `), ...parts, hiddenText("]"));
}

// Neighbours of one kind become one run, so that a screen reader says "added" once for all of them.
function runs(steps, known, written, withDeleted) {
  const found = [];
  for (const { kind, token } of steps) {
    if (kind === "deleted" && !withDeleted) continue;
    const full = kindOf(kind, token, known, written);
    const last = found.at(-1);
    if (last && last.kind === full) {
      last.tokens.push(token);
      continue;
    }
    const close = last && !token.lead && isWord(token.key) && (last.kind.startsWith("deleted") || kind === "deleted");
    found.push({ kind: full, lead: close ? " " : token.lead, tokens: [token] });
  }
  return found;
}

// A deleted word is wanted if every reference has it more often than the output does.
function kindOf(kind, token, known, written) {
  if (!known) return kind;
  if (kind === "added" && !known.all.has(token.key)) return "added unsupported";
  if (kind === "deleted" && known.each.every((words) => (words.get(token.key) ?? 0) > (written.get(token.key) ?? 0))) return "deleted wanted";
  return kind;
}

function found(text, needles) {
  const lower = text.toLowerCase();
  return needles.some((needle) => lower.includes(needle)) ? element("mark", { class: "found" }, text) : text;
}

function fragment(parts) {
  const made = document.createDocumentFragment();
  made.append(...parts);
  return made;
}

function paragraph(data) {
  return element("p", { class: "text", lang: data.lang, dir: "auto" });
}

function tail(text) {
  return text.slice(text.trimEnd().length);
}
