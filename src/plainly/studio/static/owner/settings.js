// Settings of a campaign. Of two owners who edit at once, the second is told.
import { acting, call, onSubmit } from "./api.js";
import { ask, element, notes, say, tell } from "./dom.js";
import { welcome } from "./welcome.js";

const { dataset } = document.querySelector("#campaign"); // the revision changes when items are added
const { id } = dataset;
const form = document.querySelector("#settings");

onSubmit(form, async (fields) => {
  const changed = { revision: Number(dataset.revision), name: fields["campaign-name"].value, interface: fields.interface.value };
  if (!fields.instructions.disabled) changed.welcome = welcome(fields);
  await call("PATCH", `/api/campaigns/${id}`, changed);
  location.reload();
});

const more = document.querySelector("#add");
onSubmit(more, async () => {
  const body = new FormData();
  body.set("revision", dataset.revision);
  for (const input of more.querySelectorAll("[data-slot]")) if (input.files.length) body.set(input.dataset.slot, input.files[0]);
  const made = await call("POST", `/api/campaigns/${id}/items`, body);
  dataset.revision = made.revision;
  const box = more.querySelector(".messages");
  const again = element("button", { type: "button", class: "small", onclick: () => location.reload() }, say("common.reload"));
  tell(box, say("owner.add.done", { count: made.added }), "good", " ", again);
  box.append(...notes(say("owner.notes"), [], made.notes));
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
