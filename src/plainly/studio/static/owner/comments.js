// What participants say of tasks and at the end: asked for when somebody opens the list.
import { call } from "./api.js";
import { element, say, table } from "./dom.js";
import { moment } from "./times.js";

const { id } = document.querySelector("#campaign").dataset;
const box = document.querySelector("#comments");

box?.addEventListener("toggle", async () => {
  if (!box.open) return;
  const { comments } = await call("GET", `/api/campaigns/${id}/comments`);
  const rows = comments.map((one) => [
    one.code,
    one.place === null ? say("owner.comments.at_end") : `${one.place + 1} (${one.task})`,
    element("span", { class: "said", dir: "auto" }, one.text),
    moment(one.time),
  ]);
  const columns = [say("owner.person"), say("owner.comments.task"), say("owner.comments.title"), say("owner.time")];
  box.querySelector(".list").replaceChildren(rows.length ? table(columns, rows) : element("p", { class: "muted" }, say("owner.comments.none")));
});
