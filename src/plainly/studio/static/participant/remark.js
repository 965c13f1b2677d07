// A comment on the task: folded below it, so that it costs nobody a click who has nothing to say.

import { element } from "./dom.js";

export class Remark {
  constructor(box) {
    this.box = box;
    this.field = null;
  }

  // keep(text): kept in this browser until it is sent. changed(text): somebody has finished writing.
  show({ say, text, keep, changed }) {
    this.field = element("textarea", { id: "remark-text", rows: 3, maxlength: 2000, dir: "auto", "aria-label": say("participant.comment_label"), oninput: () => keep(this.text), onchange: () => changed(this.text) });
    this.field.value = text;
    this.box.replaceChildren(element("details", { open: Boolean(text) }, element("summary", { text: say("participant.comment") }), this.field));
    this.box.hidden = false;
  }

  hide() {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.field = null;
  }

  get text() {
    return this.field?.value.trim() ?? "";
  }
}
