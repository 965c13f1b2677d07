// Changing one's own password, and making and withdrawing API tokens.
import { acting, call, onSubmit, Refused } from "./api.js";
import { ask, copy, element, say, table, tell } from "./dom.js";
import { moment } from "./times.js";

const form = document.querySelector("#account");
const tokens = document.querySelector("#tokens");
const fresh = document.querySelector("#token");
const messages = document.querySelector("#new-token .messages");

onSubmit(form, async (fields) => {
  if (fields.password.value !== fields.repeat.value) throw new Refused(say("login.differ"), 422);
  await call("POST", "/api/me/password", { current: fields.current.value, password: fields.password.value });
  form.reset();
  tell(form.querySelector(".messages"), say("owner.account.changed"), "good");
});

onSubmit(document.querySelector("#new-token"), async (fields) => {
  const made = await call("POST", "/api/me/tokens", { name: fields.name.value, writes: fields.writes.value === "yes" });
  fields.name.value = "";
  const status = element("span", { role: "status" });
  fresh.replaceChildren(
    element("p", { class: "message warn" }, say("owner.token.once")),
    element("p", {}, element("code", {}, made.token), " ",
      element("button", { type: "button", class: "small", onclick: () => copy(made.token, status) }, say("common.copy")), " ", status));
  await refresh();
});

function withdraw(one) {
  const button = element("button", { type: "button", class: "small danger" }, say("owner.token.withdraw"), element("span", { class: "vh" }, ` ${one.name}`));
  button.addEventListener("click", async () => {
    if (!await ask(say("owner.token.withdraw.ask", { name: one.name }), { action: say("owner.token.withdraw"), danger: true })) return;
    acting(button, messages, async () => {
      await call("DELETE", `/api/me/tokens/${one.id}`);
      fresh.replaceChildren();
      await refresh();
    });
  });
  return element("div", { class: "actions" }, button);
}

function show(found) {
  const columns = [say("owner.token.name"), say("owner.token.rights"), say("owner.created"), say("owner.token.used"), element("span", { class: "vh" }, say("owner.actions"))];
  const rows = found.map((one) => [one.name, say(one.writes ? "owner.token.writes" : "owner.token.reads"), moment(one.created),
    one.used ?? say("owner.token.never"), withdraw(one)]);
  tokens.replaceChildren(...(found.length ? [table(columns, rows)] : []));
}

async function refresh() {
  show((await call("GET", "/api/me/tokens")).tokens);
}

show(JSON.parse(tokens.dataset.tokens));
