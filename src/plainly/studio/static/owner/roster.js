// People in a table that sorts, filters and turns pages: on the dashboard, and where they are invited.
import { element, number, say, table } from "./dom.js";
import { inWords } from "./times.js";

const PAGE = 10;
const WORDS = ["code", "note", "platform_id"];
const ODD = "odd";
const LEFT_OUT = "left out";

/** The code, and where to see all that this person did. */
export function person(one) {
  const { id } = document.querySelector("#campaign").dataset;
  return element("a", { href: `/campaigns/${id}/participants/${one.number}` }, one.code);
}

export function badge(one) {
  return element("span", { class: `badge ${one.status}` }, say(`owner.person.${one.status}`));
}

export function bar(one) {
  if (!one.total) return "";
  const words = say("owner.done.of", { done: one.done, total: one.total });
  return element("span", { class: "bar" },
    element("progress", { max: Math.max(one.total, 1), value: one.done, "aria-label": `${one.code}: ${words}` }), element("span", {}, words));
}

/** Why somebody is left out, and what is odd. */
export function remarks(one) {
  const odd = one.remarks.length ? [element("span", { class: "badge look" }, "!"), ` ${one.remarks.join("; ")}`] : [];
  const left = one.left_out ? [element("span", { class: "badge look" }, say("owner.left_out")), ` ${one.left_out} `] : [];
  return left.length || odd.length ? element("span", {}, ...left, ...odd) : "";
}

/** The status, and why somebody is left out. */
export function standing(one) {
  if (!one.left_out) return badge(one);
  const said = { by: one.left_out_by, time: one.left_out_at ? inWords(one.left_out_at) : "" };
  return element("span", {}, badge(one), " ", element("span", { class: "badge look" }, say("owner.left_out")), " ",
    element("span", { title: say("owner.left_out.by", said) }, one.left_out));
}

function compared(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined || a === "") return 1; // what is not known comes last, whichever way
  if (b === null || b === undefined || b === "") return -1;
  return typeof a === "number" ? a - b : String(a).localeCompare(String(b));
}

function fits(one, only) {
  if (only === ODD) return one.remarks.length > 0;
  return !only || (only === LEFT_OUT ? Boolean(one.left_out) : one.status === only);
}

function known(value) {
  return value !== null && value !== undefined && value !== "";
}

/**
 * `columns` are {name, label, cell(one), by(one), most, numbers}: `by` says what is sorted by, if anything; with
 * `most`, the highest come first. What was chosen stays when `show` brings newer people.
 */
export function roster(box, columns) {
  let everybody = [];
  let chosen = { by: "", turned: false, only: "", find: "", page: 0, all: false };
  const rows = element("div", {});
  const foot = element("div", { class: "buttons" });
  const only = element("select", { id: `${box.id}-only`, onchange: () => choose({ only: only.value, page: 0 }) });
  const sort = element("select", { id: `${box.id}-sort`, onchange: () => choose({ by: sort.value, turned: false, page: 0 }) },
    element("option", { value: "" }, say("owner.roster.invited")),
    ...columns.filter((column) => column.by).map((column) => element("option", { value: column.name }, column.label)));
  const find = element("input", { id: `${box.id}-find`, type: "search", autocomplete: "off", oninput: () => choose({ find: find.value.trim().toLowerCase(), page: 0 }) });
  const field = (label, input) => element("div", { class: "field" }, element("label", { for: input.id }, label), input);
  const controls = element("div", { class: "grid roster" }, field(say("owner.roster.only"), only), field(say("owner.roster.sort"), sort), field(say("owner.roster.find"), find));
  const status = element("p", { class: "vh", role: "status" });
  box.replaceChildren(controls, status, rows, foot);

  function choose(change) {
    chosen = { ...chosen, ...change };
    draw();
    status.textContent = say("owner.roster.count", { count: number(fitting().length) });
  }

  function fitting() {
    return everybody.filter((one) => fits(one, chosen.only)
      && (!chosen.find || WORDS.some((name) => String(one[name] ?? "").toLowerCase().includes(chosen.find))));
  }

  function sorted(people) {
    const column = columns.find((one) => one.name === chosen.by);
    if (!column) return people;
    const way = Boolean(column.most) === chosen.turned ? 1 : -1;
    return [...people].sort((a, b) => {
      const [one, other] = [column.by(a), column.by(b)];
      return compared(one, other) * (known(one) && known(other) ? way : 1);
    });
  }

  function heading(column) {
    if (!column.by) return column.visible === false ? element("span", { class: "vh" }, column.label) : column.label;
    return element("button", { type: "button", class: "sort", "data-sort": column.name,
      onclick: () => choose({ by: column.name, turned: chosen.by === column.name && !chosen.turned, page: 0 }) }, column.label);
  }

  function offered() {
    const statuses = [...new Set(everybody.map((one) => one.status))];
    const options = [["", say("owner.roster.everybody")], ...statuses.map((one) => [one, say(`owner.person.${one}`)])];
    if (everybody.some((one) => one.remarks?.length) || chosen.only === ODD) options.push([ODD, say("owner.roster.odd")]);
    if (everybody.some((one) => one.left_out) || chosen.only === LEFT_OUT) options.push([LEFT_OUT, say("owner.left_out")]);
    only.replaceChildren(...options.map(([value, label]) => element("option", { value, selected: value === chosen.only }, label)));
    sort.value = chosen.by;
  }

  function draw() {
    const focused = document.activeElement?.dataset?.sort;
    const people = sorted(fitting());
    const pages = Math.max(Math.ceil(people.length / PAGE), 1);
    chosen.page = Math.min(chosen.page, pages - 1);
    const from = chosen.all ? 0 : chosen.page * PAGE;
    const shown = chosen.all ? people : people.slice(from, from + PAGE);
    offered();
    controls.hidden = everybody.length <= PAGE && !chosen.only && !chosen.find;
    const place = columns.findIndex((column) => column.name === chosen.by);
    const down = place >= 0 && Boolean(columns[place].most) !== chosen.turned;
    rows.replaceChildren(people.length ? table(columns.map(heading), shown.map((one) => columns.map((column) => column.cell(one))), {
      numbers: columns.map((column, i) => (column.numbers ? i : -1)).filter((i) => i >= 0),
      labels: columns.map((column) => (column.visible === false ? null : column.label)),
      sorted: place < 0 ? null : { place, way: down ? "descending" : "ascending" },
    }) : element("p", { class: "muted" }, say("owner.roster.nobody")));
    const turn = (label, page) => element("button", { type: "button", class: "small", disabled: page < 0 || page >= pages, onclick: () => choose({ page }) }, label);
    foot.hidden = people.length <= PAGE;
    foot.replaceChildren(
      element("span", { class: "muted" }, say("owner.roster.range", { from: number(from + 1), to: number(from + shown.length), count: number(people.length) })),
      ...(chosen.all ? [] : [turn(say("owner.roster.before"), chosen.page - 1), turn(say("owner.roster.next"), chosen.page + 1)]),
      element("button", { type: "button", class: "small", onclick: () => choose({ all: !chosen.all, page: 0 }) }, say(chosen.all ? "owner.roster.fold" : "owner.roster.all")));
    if (focused) rows.querySelector(`[data-sort="${focused}"]`)?.focus();
  }

  return {
    show(people) {
      everybody = people;
      draw();
    },
    only(value) {
      choose({ only: value, page: 0 });
    },
  };
}
