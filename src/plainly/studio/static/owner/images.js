// Pictures of a draft: sent at once, and put into the instructions where the cursor is.
import { acting, call } from "./api.js";
import { element, say } from "./dom.js";

const { id } = document.querySelector("#campaign").dataset;
const box = document.querySelector("#images");
const file = document.querySelector("#image");
const messages = box?.querySelector(".messages");
const list = box?.querySelector(".links");

for (const name of JSON.parse(list?.dataset.images ?? "[]")) draw(name);

file?.addEventListener("change", () => acting(file, messages, async () => {
  const body = new FormData();
  body.set("file", file.files[0]);
  file.value = "";
  draw((await call("POST", `/api/campaigns/${id}/images`, body)).name);
}));

function draw(name) {
  const path = `/api/campaigns/${id}/images/${name}`;
  const insert = () => {
    const text = document.querySelector("textarea#instructions");
    text.setRangeText(`![${say("owner.images.alt")}](${name})`, text.selectionStart, text.selectionEnd, "end");
    text.focus();
  };
  const remove = ({ target }) => acting(target, messages, async () => {
    await call("DELETE", path);
    row.remove();
    file.focus();
  });
  const button = (action, key, act) =>
    element("button", { type: "button", class: "small", "aria-label": say(`owner.images.${action}`, { name }), onclick: act }, say(key));
  const row = element("li", {},
    element("img", { src: path, alt: "", class: "thumb" }),
    element("code", { class: "mono" }, name),
    element("span", { class: "actions" }, button("insert", "owner.insert", insert), button("remove", "common.delete", remove)));
  list.append(row);
}
