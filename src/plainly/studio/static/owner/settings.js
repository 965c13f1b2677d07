// Settings of a campaign. Of two owners who edit at once, the second is told.
import { acting, call, onSubmit } from "./api.js";
import { ask, say } from "./dom.js";
import { welcome } from "./welcome.js";

const { id, revision } = document.querySelector("#campaign").dataset;
const form = document.querySelector("#settings");

onSubmit(form, async (fields) => {
  const changed = { revision: Number(revision), name: fields["campaign-name"].value, interface: fields.interface.value };
  if (!fields.instructions.disabled) changed.welcome = welcome(fields);
  await call("PATCH", `/api/campaigns/${id}`, changed);
  location.reload();
});

const remove = document.querySelector("#delete");
remove?.addEventListener("click", async () => {
  const name = document.querySelector("h1").textContent;
  const typed = await ask(say("owner.delete.ask", { name }), { action: say("owner.delete"), danger: true, field: { label: say("owner.name") } });
  if (typed === null || typed.trim() !== name.trim()) return;
  acting(remove, document.querySelector("#campaign-messages"), async () => {
    await call("DELETE", `/api/campaigns/${id}`);
    location.assign("/");
  });
});
