// Users: adding, roles, passwords, deleting.
import { acting, call, onSubmit } from "./api.js";
import { ask, element, say, tell } from "./dom.js";

const messages = document.querySelector("#users-messages");

onSubmit(document.querySelector("#new-user"), async (fields) => {
  await call("POST", "/api/users", { name: fields.name.value, password: fields.password.value, role: fields.role.value, campaigns: fields.campaigns.value === "all" ? "all" : [] });
  location.reload();
});

const campaigns = JSON.parse(document.querySelector("#users").dataset.campaigns);

/** Which campaigns an analyst sees; the promise holds "all", or a list of ids, or null after "cancel". */
function chosen(name, seen) {
  return new Promise((answer) => {
    const all = element("input", { type: "checkbox", checked: seen === "all" });
    const boxes = campaigns.map((one) => element("input", { type: "checkbox", value: one.id, checked: seen !== "all" && seen.includes(one.id) }));
    const listed = element("fieldset", { class: "listed" }, element("legend", {}, say("owner.user.sees.only")),
      ...boxes.map((box, i) => element("label", { class: "check", dir: "auto" }, box, ` ${campaigns[i].name}`)));
    const follow = () => { listed.hidden = all.checked; };
    all.addEventListener("change", follow);
    follow();
    const form = element("form", { method: "dialog" }, element("p", { id: "question", dir: "auto" }, say("owner.user.sees.ask", { name })),
      element("label", { class: "check" }, all, ` ${say("owner.user.sees.all")}`), listed,
      element("div", { class: "buttons" }, element("button", { class: "primary", value: "yes" }, say("common.save")),
        element("button", { type: "button", onclick: () => dialog.close("") }, say("common.cancel"))));
    const dialog = element("dialog", { "aria-labelledby": "question" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      const some = boxes.filter((box) => box.checked).map((box) => box.value);
      answer(dialog.returnValue === "yes" ? (all.checked ? "all" : some) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

for (const row of document.querySelectorAll("[data-user]")) {
  const { user, name } = row.dataset;
  const role = row.querySelector(".role");
  const before = role.value;
  role.addEventListener("change", () => acting(role, messages, async () => {
    try {
      await call("PATCH", `/api/users/${user}`, { role: role.value });
      location.reload();
    } catch (error) {
      role.value = before;
      throw error;
    }
  }));
  const sees = row.querySelector(".sees");
  sees?.addEventListener("click", async () => {
    const wanted = await chosen(name, JSON.parse(sees.dataset.sees));
    if (wanted === null) return;
    acting(sees, messages, async () => {
      await call("PATCH", `/api/users/${user}`, { campaigns: wanted });
      location.reload();
    });
  });
  const reset = row.querySelector(".password");
  reset.addEventListener("click", async () => {
    const attributes = { type: "password", minlength: 10, autocomplete: "new-password" };
    const password = await ask(say("owner.user.password.ask", { name }), { action: say("owner.user.password"), field: { label: say("owner.user.password"), attributes } });
    if (password === null) return;
    acting(reset, messages, async () => {
      await call("PATCH", `/api/users/${user}`, { password });
      tell(messages, say("common.saved"), "good");
    });
  });
  const remove = row.querySelector(".delete");
  remove.addEventListener("click", async () => {
    if (!await ask(say("owner.user.delete.ask", { name }), { action: say("common.delete"), danger: true })) return;
    acting(remove, messages, async () => {
      await call("DELETE", `/api/users/${user}`);
      location.reload();
    });
  });
}
