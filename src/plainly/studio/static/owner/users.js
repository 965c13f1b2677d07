// Users: adding, roles, passwords, deleting.
import { acting, call, onSubmit } from "./api.js";
import { ask, say, tell } from "./dom.js";

const messages = document.querySelector("#users-messages");

onSubmit(document.querySelector("#new-user"), async (fields) => {
  await call("POST", "/api/users", { name: fields.name.value, password: fields.password.value, role: fields.role.value });
  location.reload();
});

for (const row of document.querySelectorAll("[data-user]")) {
  const { user, name } = row.dataset;
  const role = row.querySelector(".role");
  const before = role.value;
  role.addEventListener("change", () => acting(role, messages, async () => {
    try {
      await call("PATCH", `/api/users/${user}`, { role: role.value });
      tell(messages, say("common.saved"), "good");
    } catch (error) {
      role.value = before;
      throw error;
    }
  }));
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
