// Example campaigns at one click.
import { acting, call } from "./api.js";

const messages = document.querySelector("#example-messages");

for (const button of document.querySelectorAll("[data-example]")) {
  button.addEventListener("click", () => acting(button, messages, async () => {
    const made = await call("POST", "/api/examples", { kind: button.dataset.example });
    location.assign(`/campaigns/${made.id}/settings`);
  }));
}
