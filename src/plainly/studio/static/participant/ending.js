// What the last page has for those who came from a platform: a code for it, and the way back there.
// label: the text before the code; who was screened out has completed nothing.

import { element } from "./dom.js";

export function ending({ code, back }, say, label) {
  const copied = element("span", { role: "status" });
  const copy = async () => {
    const done = await navigator.clipboard.writeText(code).then(() => "copied", () => "copy_failed");
    copied.textContent = say(`participant.${done}`);
  };
  const parts = [];
  if (back) parts.push(element("p", {}, element("a", { class: "button primary", href: back, rel: "noreferrer", text: say("participant.back") })));
  if (code) {
    parts.push(element("p", { class: "code" }, say(label), " ", element("strong", { text: code })));
    parts.push(element("p", {}, element("button", { type: "button", class: "button", text: say("participant.copy_code"), onclick: copy }), " ", copied));
  }
  return parts;
}
