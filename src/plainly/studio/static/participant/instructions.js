// Instructions as the server has read them: a tree of a few elements. Data only ever become text and checked attributes.

import { element, paragraphs } from "./dom.js";

const ELEMENTS = ["p", "h2", "h3", "ul", "ol", "li", "strong", "em", "br", "a", "img"];

/** What participants are told: the owner's words, or those of the kind, or ours. `images` begins the address of pictures. */
export function instructions(campaign, say, images) {
  const tree = campaign.formatted?.instructions ?? [];
  return tree.length ? drawn(tree, images) : paragraphs(campaign.public?.guideline || say("participant.instructions"));
}

export function drawn(tree, images) {
  return tree.map((node) => (typeof node === "string" ? node : made(node, images)));
}

function made({ tag, children = [], href, src, alt, start }, images) {
  if (!ELEMENTS.includes(tag)) return "";
  const given = { dir: ["p", "h2", "h3", "li"].includes(tag) ? "auto" : undefined, start };
  if (tag === "a" && /^https:\/\//i.test(href)) Object.assign(given, { href, target: "_blank", rel: "noopener noreferrer" });
  if (tag === "img") Object.assign(given, { src: `${images}/${encodeURIComponent(src)}`, alt });
  return element(tag, given, drawn(children, images));
}

/** The instructions once more, over the task. */
export function showAgain(campaign, say, images) {
  const before = document.activeElement;
  const close = element("button", { type: "button", class: "button primary", text: say("participant.close"), onclick: () => dialog.close() });
  const dialog = element(
    "dialog",
    { class: "again", "aria-labelledby": "again-title" },
    element("h2", { id: "again-title", tabindex: -1, autofocus: true, text: say("participant.instructions_title") }),
    element("div", { class: "instructions" }, instructions(campaign, say, images)),
    close,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus?.({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}
