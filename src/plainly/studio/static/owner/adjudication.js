// Adjudication of operations: annotations of a pair side by side, where they differ, and the gold that is made of them.
import { show } from "../kinds/operations/page.js";
import { SIDES, sameGroup } from "../kinds/operations/annotation.js";
import { element } from "../participant/dom.js";
import { listenToKeys } from "../participant/hands.js";
import { acting, call } from "./api.js";
import { ask, number, say, table, tell } from "./dom.js";
import { moment } from "./times.js";

const FLAG = "err";
const { id } = document.querySelector("#campaign").dataset;
const base = `/api/campaigns/${id}/adjudication`;
const part = (name) => document.querySelector(`#${name}`);
const messages = part("campaign-messages");
let known = null; // the list, as the server gave it
let here = null; // {found, editor, keys, dirty, redraw}: the pair that is open

const percent = (share) => say("owner.adjudication.percent", { share: number(100 * share, 0) });
const disputed = () => known.items.filter((one) => one.differences);
const labelOf = (name) => known.public.labels.find((each) => each.name === name) ?? known.public.flag;
const titleOf = (name) => (known.public.bundled ? say(`operations.label.${name}`) : labelOf(name).title);
const announce = (text) => (part("said").textContent = text);

// --- All pairs --------------------------------------------------------------------------------------------------------

async function refresh() {
  known = await call("GET", base);
  const total = disputed().length;
  const done = disputed().filter((one) => one.decided).length;
  const agreed = known.items.filter((one) => !one.differences && !one.decided).length;
  const progress = say("owner.adjudication.progress", { done, total });
  const accept = element("button", { type: "button", text: say(agreed === 1 ? "owner.adjudication.agree_one" : "owner.adjudication.agree", { count: agreed }) });
  accept.addEventListener("click", () => acting(accept, messages, async () => {
    await call("POST", `${base}/agreed`);
    await refresh();
  }));
  const next = nextOf(null);
  const start = element("button", { type: "button", class: "primary", text: say("owner.adjudication.start"), onclick: () => go(next.place) });
  if (!known.items.length) {
    part("overview").replaceChildren(element("div", { class: "empty" }, element("p", { text: say("owner.adjudication.none") })));
    return;
  }
  part("overview").replaceChildren(
    element("p", { class: "bar" }, element("progress", { max: Math.max(total, 1), value: total ? done : 1, "aria-label": progress }), element("span", { text: progress })),
    element("div", { class: "buttons" }, next && start, agreed ? accept : null),
    list());
}

function list() {
  const columns = ["pair", "people", "differences", "share", "state"].map((name) => say(`owner.adjudication.${name}`));
  const rows = known.items.map((one) => [
    element("a", { href: `#${one.place}`, text: one.name, dir: "auto" }),
    one.people.join(", "),
    number(one.differences),
    percent(one.share),
    state(one),
  ]);
  return table(columns, rows, { numbers: [2, 3] });
}

function state({ decided, differences }) {
  if (decided) return element("span", {}, element("span", { class: "badge done", text: say("owner.adjudication.decided") }), " ", element("span", { class: "muted", text: decided.by }));
  return element("span", { class: `badge ${differences ? "waiting" : ""}`, text: say(differences ? "owner.adjudication.open" : "owner.adjudication.same") });
}

/** The next disputed pair that nobody has decided: those with most disagreement come first. */
function nextOf(place) {
  const open = disputed().filter((one) => !one.decided && one.place !== place);
  const after = disputed().findIndex((one) => one.place === place);
  return open.find((one) => disputed().indexOf(one) > after) ?? open[0] ?? null;
}

// --- One pair ---------------------------------------------------------------------------------------------------------

async function open(place) {
  here?.editor.close();
  here = null;
  const found = await call("GET", `${base}/${place}`);
  const gold = found.golds.at(-1);
  const start = gold ? gold.content : agreedOn(found);
  const editor = element("div");
  here = { found, keys: {}, dirty: false };
  part("list").hidden = true;
  part("case").hidden = false;
  const strip = element("div", { class: "strip" });
  const differences = element("ol", { class: "groups differences" });
  const same = found.compared.filter((one) => one.difference === "none");
  const titled = (name, ...inside) => element("section", { class: "card", "aria-labelledby": `${name}-title` }, element("h3", { id: `${name}-title`, text: say(`owner.adjudication.${name}`) }), ...inside);
  part("case").replaceChildren(
    head(found),
    element("div", { class: "operations adjudication" },
      titled("marked", element("p", { class: "note", text: say("owner.adjudication.marked_hint") }), strip),
      titled("compared", differences, same.length ? element("p", { class: "note", text: say(same.length === 1 ? "owner.adjudication.shared_one" : "owner.adjudication.shared", { count: same.length }) }) : null)),
    element("div", { class: "gold" }, editor),
    history(found));
  here.editor = show(editor, { ...found.task, place, id: place, answer: { ...start, done: false, seconds: 0 } }, pageFor(found));
  here.redraw = () => {
    const value = here.editor.value();
    strip.replaceChildren(...found.annotations.map((one, at) => annotator(found, one, at, value)));
    drawDifferences(differences, found, value);
  };
  here.redraw();
  part("case-title").focus();
}

const agreedOn = (found) => ({
  groups: found.compared.filter((one) => one.difference === "none" && one.group.label !== FLAG).map((one) => one.group),
  erroneous: found.annotations.every((one) => one.erroneous),
});

function head(found) {
  const listed = known.items.find((one) => one.place === found.place);
  const places = known.items.map((one) => one.place);
  const at = places.indexOf(found.place);
  const step = (to, text) => element("button", { type: "button", text: say(`owner.adjudication.${text}`), disabled: places[to] === undefined, onclick: () => go(places[to]) });
  return element("div", { class: "heading" },
    element("div", {}, element("h2", { id: "case-title", tabindex: -1, text: say("owner.adjudication.title", { name: found.name }), dir: "auto" }),
      element("p", { class: "facts" }, listed ? state(listed) : null, listed ? element("span", { text: say("owner.adjudication.differing", { share: percent(listed.share) }) }) : null)),
    element("div", { class: "buttons" }, step(at - 1, "previous"), step(at + 1, "next"), element("button", { type: "button", text: say("owner.adjudication.all"), onclick: () => go(null) })));
}

function pageFor(found) {
  const own = {
    "operations.pair": say("owner.adjudication.gold"),
    "operations.done": say("owner.adjudication.save"),
    "operations.state_open": say(found.golds.length ? "owner.adjudication.decided" : "owner.adjudication.open"),
  };
  return {
    public: known.public,
    guide: known.public.guide,
    lang: known.lang,
    dir: known.dir,
    heading: "h3",
    element,
    say: (key, values) => own[key] ?? say(key, values),
    status: announce,
    seconds: () => 0,
    early: () => false,
    keys: (handlers) => (here.keys = handlers),
    save: changed,
    answer: decide,
    tasks: async () => known.items.map((one, place) => ({ id: one.place, place, name: one.name, done: Boolean(one.decided) })),
    open: (place) => go(place),
  };
}

function changed() {
  here.dirty = true;
  here.redraw?.();
}

async function decide({ groups, erroneous }) {
  const { found } = here;
  await acting(part("case"), messages, async () => {
    await call("POST", `${base}/${found.place}`, { content: { groups, erroneous }, base: found.golds.length });
    here.dirty = false;
    await refresh();
    const next = nextOf(found.place);
    go(next?.place ?? null);
    if (!next) tell(messages, say("owner.adjudication.all_decided"), "good");
    announce(say("owner.adjudication.saved", { name: found.name }));
  });
  if (here?.dirty) here.redraw();
}

// --- What annotators marked -------------------------------------------------------------------------------------------

const has = (value, group) => (group.label === FLAG ? value.erroneous : value.groups.some((each) => sameGroup(each, group)));

/** One click takes a group into the gold, or out of it again. */
function toggle(group) {
  if (group.label === FLAG) here.editor.flag();
  else if (has(here.editor.value(), group)) here.editor.drop(group);
  else here.editor.take(group);
  announce(say(has(here.editor.value(), group) ? "owner.adjudication.said_taken" : "owner.adjudication.said_left", { label: titleOf(group.label) }));
}

function takeAll(one) {
  here.editor.replace(one);
  announce(say("owner.adjudication.said_all", { code: one.code }));
}

function annotator(found, one, at, value) {
  const all = element("button", { type: "button", class: "small", "aria-keyshortcuts": String(at + 1), onclick: () => takeAll(one) },
    element("span", { text: say("owner.adjudication.take_all") }), element("span", { class: "vh", text: ` ${one.code}` }), at < 9 ? element("kbd", { "aria-hidden": "true", text: at + 1 }) : null);
  return element("section", { class: "annotator" },
    element("div", { class: "annotator-head" }, element("h4", { text: one.code }), one.erroneous ? element("span", { class: "badge failed", text: say("operations.faulty") }) : null, all),
    SIDES.map((side) => element("div", { class: "words-row", dir: known.dir, lang: known.lang }, found.task[side].map((token, position) => word(found, one, side, position, token, value)))));
}

function word(found, one, side, position, token, value) {
  const group = one.groups.find((each) => each[side].includes(position));
  const text = element("span", { class: "token", text: token });
  if (!group) return element("span", { class: "word" }, text, element("span", { class: "tag" }));
  const label = labelOf(group.label);
  const begins = !group[side].includes(position - 1);
  const differs = found.compared.find((each) => sameGroup(each.group, group)).difference !== "none";
  const taken = has(value, group);
  const state = `${differs ? " differs" : ""}${taken ? " taken" : ""}`;
  return element("button", { type: "button", tabindex: -1, title: `${titleOf(group.label)}: ${words(found, group)}`, class: `word labelled hue-${label.hue}${begins ? " first" : ""}${group[side].includes(position + 1) ? "" : " last"}${state}`, onclick: () => toggle(group) },
    text, element("span", { class: "tag", text: begins ? `${taken ? "✓ " : differs ? "≠ " : ""}${label.short}` : "" }));
}

function words(found, group) {
  const of = (side) => group[side].map((position) => found.task[side][position]).join(" ") || say("operations.nothing");
  return SIDES.map(of).join(" → ");
}

function drawDifferences(box, found, value) {
  const focused = [...box.querySelectorAll(".take")].indexOf(document.activeElement);
  const open = found.compared.filter((one) => one.difference !== "none");
  box.replaceChildren(...open.map((one) => {
    const { group } = one;
    const taken = has(value, group);
    const label = labelOf(group.label);
    return element("li", { class: `group${taken ? " is-taken" : ""}` },
      element("span", { class: `swatch hue-${label.hue ?? "flag"}`, "aria-hidden": "true", text: label.short ?? "✗" }),
      element("span", { class: "what" }, element("strong", { text: group.label === FLAG ? say("operations.faulty") : titleOf(group.label) }),
        group.label === FLAG ? null : element("bdi", { class: "change", lang: known.lang, dir: known.dir, text: words(found, group) })),
      element("span", { class: "who" }, found.annotations.map(({ code }) => {
        const marks = one.by.includes(code);
        return element("span", { class: `vote${marks ? " yes" : ""}` }, `${code} `, element("span", { "aria-hidden": "true", text: marks ? "✓" : "–" }), element("span", { class: "vh", text: say(`common.${marks ? "yes" : "no"}`) }));
      })),
      element("span", { class: "muted how", text: say(`owner.adjudication.difference.${one.difference}`) }),
      element("button", { type: "button", class: "small take", "aria-pressed": String(taken), onclick: () => toggle(group), onkeydown: walk },
        element("span", { text: say(taken ? "owner.adjudication.taken" : "owner.adjudication.take") }), element("span", { class: "vh", text: ` ${titleOf(group.label)}, ${words(found, group)}` })));
  }));
  if (!open.length) box.append(element("li", { class: "muted none", text: say("owner.adjudication.no_difference") }));
  if (focused >= 0) box.querySelectorAll(".take")[focused]?.focus();
}

function walk(event) {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!way) return;
  const all = [...document.querySelectorAll(".differences .take")];
  all[all.indexOf(event.target) + way]?.focus();
  event.preventDefault();
}

function nextDifference() {
  const all = [...document.querySelectorAll(".differences .take")];
  all[(all.indexOf(document.activeElement) + 1) % all.length]?.focus();
}

function history(found) {
  if (!found.golds.length) return element("div");
  const items = [...found.golds].reverse().map((one) => {
    const taken = new Set(one.content.groups.flatMap((group) => group.of));
    const own = one.content.groups.filter((group) => !group.of.length).length;
    const count = one.content.groups.length;
    const told = [say(count === 1 ? "owner.adjudication.groups_one" : "owner.adjudication.groups", { count }),
      taken.size ? say("owner.adjudication.of", { codes: [...taken].sort().join(", ") }) : "", own ? say("owner.adjudication.own", { count: own }) : ""];
    return element("li", {}, element("b", { text: one.by }), ", ", moment(one.time), `: ${told.filter(Boolean).join("; ")}`);
  });
  return element("details", { class: "card" }, element("summary", { text: say("owner.adjudication.history", { count: found.golds.length }) }), element("ol", { reversed: true }, items));
}

// --- From pair to pair ------------------------------------------------------------------------------------------------

let leaving = false;
function go(place) {
  location.hash = place === null ? "" : String(place);
}

async function follow() {
  if (leaving) return (leaving = false);
  const place = location.hash.slice(1);
  if (here?.dirty && !await ask(say("owner.adjudication.unsaved"), { action: say("owner.adjudication.leave"), danger: true })) {
    leaving = true;
    location.hash = String(here.found.place);
    return undefined;
  }
  if (/^\d+$/.test(place)) return acting(part("case"), messages, () => open(Number(place)));
  here?.editor.close();
  here = null;
  part("case").hidden = true;
  part("case").replaceChildren();
  part("list").hidden = false;
  return undefined;
}

addEventListener("hashchange", follow);
addEventListener("beforeunload", (event) => here?.dirty && event.preventDefault());
listenToKeys(() => {
  if (!here) return {};
  const digits = Object.fromEntries(here.found.annotations.slice(0, 9).map((one, at) => [String(at + 1), () => takeAll(one)]));
  return { ...digits, ".": nextDifference, ...here.keys };
});
acting(part("overview"), messages, async () => {
  await refresh();
  await follow();
});
