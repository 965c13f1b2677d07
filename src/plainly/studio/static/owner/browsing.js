// Items, the answers about one item, and those of one participant: searched and handed out by the server, page by page.
import { acting, call, Refused } from "./api.js";
import { element, number, say, table } from "./dom.js";
import { moment } from "./times.js";

const { id } = document.querySelector("#campaign").dataset;
const browse = document.querySelector("#browse");
const { kind, address, code } = browse.dataset;
const part = (name) => document.querySelector(`#${name}`);
let found = JSON.parse(browse.dataset.found);

function itemLink(one) {
  return element("a", { href: `/campaigns/${id}/items/${one.place}`, dir: "auto" }, one.name);
}

function items(rows) {
  const columns = [say("owner.item"), say("owner.wording"), say("owner.browse.tasks"), say("owner.answers")];
  return table(columns, rows.map((one) => [itemLink(one), element("span", { class: "clip", dir: "auto" }, one.wording), number(one.tasks), number(one.answers)]), { numbers: [2, 3] });
}

const share = (right) => ({ 0: "✗", 1: "✓" })[right] ?? `${number(100 * right)} %`;

/** What was answered, with what is to know of it. */
function answer(one) {
  const marks = [one.role && [say(`owner.role_of_task.${one.role}`), one.right === null ? "" : share(one.right)].join(" ").trim(), one.impossible && say("owner.impossible")].filter(Boolean);
  return element("span", { dir: "auto" }, ...(one.answered ? [one.answer || "–"] : [element("span", { class: "muted" }, say("owner.answers.none"))]),
    ...marks.flatMap((mark) => [" ", element("span", { class: "badge look" }, mark)]),
    one.comment ? element("q", { class: "comment", dir: "auto" }, one.comment) : null);
}

function times(one) {
  return [one.seconds === null ? "" : number(one.seconds, 1), one.server_seconds === null ? "" : number(one.server_seconds, 1), moment(one.time)];
}

const TIMES = () => [say("owner.seconds"), say("owner.server_seconds"), say("owner.time")];

const itemLinks = (one) => element("span", {}, ...one.items.flatMap((about, i) => [i ? "\u00a0·\u00a0" : "", element("span", { title: about.wording }, itemLink(about))]));

function answersOfItem(rows) {
  const pairs = rows.some((one) => one.items.length > 1); // what it was beside
  const columns = [say("owner.person"), ...(pairs ? [say("owner.item")] : []), say("owner.answer"), ...TIMES()];
  return table(columns, rows.map((one) => [
    element("span", {}, element("a", { href: `/campaigns/${id}/participants/${one.number}` }, one.code),
      one.left_out ? element("span", {}, " ", element("span", { class: "badge look", title: one.left_out }, say("owner.left_out"))) : null),
    ...(pairs ? [itemLinks(one)] : []), answer(one), ...times(one)]), { numbers: pairs ? [3, 4] : [2, 3] });
}

function answersOfPerson(rows) {
  const columns = [say("owner.browse.task"), say("owner.item"), say("owner.answer"), ...TIMES()];
  return table(columns, rows.map((one) => [
    one.place < 0 ? "–" : number(one.place + 1),
    itemLinks(one), answer(one), ...times(one)]), { numbers: [3, 4] });
}

const DRAW = { items, item: answersOfItem, person: answersOfPerson };

function show() {
  const last = found.offset + found.rows.length;
  part("count").textContent = found.total ? say("owner.browse.count", { first: number(found.offset + 1), last: number(last), total: number(found.total) }) : say("owner.browse.nothing");
  part("rows").replaceChildren(...(found.rows.length ? [DRAW[kind](found.rows)] : []));
  part("turning").hidden = found.total <= found.size;
  part("back").disabled = found.offset === 0;
  part("on").disabled = last >= found.total;
}

function ask(button, offset) {
  const asked = new URLSearchParams({ q: part("q").value, offset });
  if (part("order")) asked.set("order", part("order").value);
  acting(button, browse.querySelector(".messages"), async () => {
    found = await call("GET", `/api${address}?${asked}`);
    history.replaceState(null, "", `${address}?${asked}`);
    show();
  });
}

part("search").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(part("search").querySelector("button"), 0);
});
part("order")?.addEventListener("change", () => ask(part("order"), 0));
part("back").addEventListener("click", () => ask(part("back"), Math.max(0, found.offset - found.size)));
part("on").addEventListener("click", () => ask(part("on"), found.offset + found.size));
show();

/** What is odd about a participant is known by the results, which may take a while. */
async function remarks() {
  for (;;) {
    const { participants, computing } = await call("GET", `/api/campaigns/${id}/summary?everybody=true`);
    const odd = participants.find((one) => one.code === code)?.remarks ?? [];
    part("remarks").textContent = odd.join("; ");
    part("remarks").hidden = part("remarks-title").hidden = !odd.length;
    if (odd.length || !computing) return;
    await new Promise((resume) => setTimeout(resume, 5000));
  }
}

if (code) remarks().catch((error) => { if (!(error instanceof Refused)) throw error; });
