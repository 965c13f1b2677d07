// Participants: links are shown once, and can be revoked, renewed and deleted.
import { acting, call, onSubmit } from "./api.js";
import { ask, copy, element, harmless, say } from "./dom.js";
import { person, roster, standing } from "./roster.js";
import { moment } from "./times.js";

const { id } = document.querySelector("#campaign").dataset;
const base = `/api/campaigns/${id}/participants`;
const owner = document.querySelector("#invite") !== null;
const people = document.querySelector("#people");
const nobody = document.querySelector("#nobody");
const links = document.querySelector("#links");
const messages = document.querySelector("#campaign-messages");

onSubmit(document.querySelector("#invite"), async (fields) => {
  const notes = fields.notes.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const count = Math.max(Number(fields.count.value), notes.length);
  const made = await call("POST", base, { count, notes });
  fields.notes.value = "";
  fields.count.value = 1;
  showLinks(made.links);
  await refresh();
});

function showLinks(made) {
  const status = element("span", { role: "status" });
  const all = made.map((one) => [one.code, harmless(one.note), one.link].join("\t")).join("\n");
  const file = URL.createObjectURL(new Blob([`${["code", "note", "link"].join("\t")}\n${all}\n`], { type: "text/tab-separated-values" }));
  links.replaceChildren(
    element("p", { class: "message warn" }, say("owner.links.once")),
    element("ul", { class: "links" }, ...made.map((one) => element("li", {},
      element("span", { class: "who-for", dir: "auto" }, element("b", {}, one.code), one.note ? ` ${one.note}` : null),
      element("a", { class: "mono", href: one.link }, one.link),
      element("button", { type: "button", class: "small", onclick: () => copy(one.link, status) }, say("common.copy"), element("span", { class: "vh" }, ` ${say("owner.links.for", { code: one.code })}`))))),
    element("div", { class: "buttons" },
      element("button", { type: "button", onclick: () => copy(all, status) }, say("owner.links.all")),
      element("a", { class: "button", href: file, download: "links.tsv" }, say("owner.links.save")), status));
  links.scrollIntoView({ block: "nearest" });
}

function action(label, code, danger, run) {
  const button = element("button", { type: "button", class: danger ? "small danger" : "small" }, label, element("span", { class: "vh" }, ` ${code}`));
  button.addEventListener("click", () => run(button));
  return button;
}

function actions(person) {
  const { code, number } = person;
  const doing = (question, words, danger, run) => async (button) => {
    if (!await ask(question, { action: words, danger })) return;
    acting(button, messages, async () => { await run(); await refresh(); });
  };
  const made = [];
  if (!["revoked", "withdrawn"].includes(person.status)) {
    made.push(action(say("owner.revoke"), code, false, doing(say("owner.revoke.ask", { code }), say("owner.revoke"), true, () => call("POST", `${base}/${number}/revoke`))));
  }
  if (person.status !== "withdrawn") made.push(action(say("owner.renew"), code, false, doing(say("owner.renew.ask", { code }), say("owner.renew"), false, async () => {
    showLinks([await call("POST", `${base}/${number}/renew`)]);
  })));
  if (person.left_out) {
    made.push(action(say("owner.count_again"), code, false, doing(say("owner.count_again.ask", { code, reason: person.left_out }), say("owner.count_again"), false, () => call("PUT", `${base}/${number}/left-out`, { reason: "" }))));
  } else {
    made.push(action(say("owner.leave_out"), code, false, async (button) => {
      const field = { label: say("owner.leave_out.reason"), attributes: { maxlength: 300 } };
      const reason = await ask(say("owner.leave_out.ask", { code }), { action: say("owner.leave_out"), field });
      if (reason === null) return;
      acting(button, messages, async () => { await call("PUT", `${base}/${number}/left-out`, { reason }); await refresh(); });
    }));
  }
  made.push(action(say("common.delete"), code, true, doing(say("owner.person.delete.ask", { code }), say("common.delete"), true, () => call("DELETE", `${base}/${number}`))));
  return element("div", { class: "actions" }, ...made);
}

const list = roster(people, [
  { name: "code", label: say("owner.person"), cell: person, by: (one) => one.number },
  ...(owner ? [{ name: "note", label: say("owner.note"), cell: (one) => one.note, by: (one) => one.note }] : []),
  { name: "status", label: say("owner.status"), cell: standing, by: (one) => say(`owner.person.${one.status}`) },
  { name: "done", label: say("owner.done"), by: (one) => one.done, most: true,
    cell: (one) => (one.total ? say("owner.done.of", { done: one.done, total: one.total }) : "") },
  { name: "last_seen", label: say("owner.last_seen"), cell: (one) => moment(one.last_seen), by: (one) => one.last_seen, most: true },
  ...(owner ? [{ name: "actions", label: say("owner.actions"), visible: false, cell: actions }] : []),
]);

function show(found) {
  nobody.hidden = found.length > 0;
  people.hidden = !found.length;
  list.show(found);
}

async function refresh() {
  show((await call("GET", base)).participants);
  document.dispatchEvent(new Event("people"));
}

show(JSON.parse(people.dataset.people));
