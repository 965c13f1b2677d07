// The head of every page of a campaign: its status, and the preview.
import { acting, call } from "./api.js";
import { ask, element, say, tell } from "./dom.js";

const { dataset } = document.querySelector("#campaign"); // the revision changes when the page itself saves something
const { id } = dataset;
const messages = document.querySelector("#campaign-messages");

for (const button of document.querySelectorAll("[data-status]")) {
  button.addEventListener("click", async () => {
    const { status } = button.dataset;
    if (!await ask(button.dataset.ask, { action: button.textContent })) return;
    acting(button, messages, async () => {
      await call("PATCH", `/api/campaigns/${id}`, { revision: Number(dataset.revision), status });
      location.reload();
    });
  });
}

const preview = document.querySelector("#preview");
preview?.addEventListener("click", () => acting(preview, messages, async () => {
  const made = await call("POST", `/api/campaigns/${id}/preview`);
  const link = element("a", { href: made.link, target: "_blank", rel: "noopener" }, say("owner.preview.open"));
  tell(messages, `${say("owner.preview.made")} `, "good", link);
  window.open(made.link, "_blank", "noopener");
}));

const copy = document.querySelector("#duplicate");
copy?.addEventListener("click", async () => {
  const name = await ask(say("owner.duplicate.ask"), { action: copy.textContent, field: { label: say("owner.name"), attributes: { value: copy.dataset.name, maxlength: 200, dir: "auto" } } });
  if (!name) return;
  acting(copy, messages, async () => {
    const made = await call("POST", `/api/campaigns/${id}/duplicate`, { name });
    location.assign(`/campaigns/${made.id}/settings`);
  });
});
