// Two texts as buttons, one a word: which are selected, and how the keyboard goes from one to the next.

import { SIDES } from "./annotation.js";

export class Words {
  // on: {toggle(side, position), change(), dragged()}; change is called whenever the selection is another.
  constructor(page, tokens, on) {
    this.page = page;
    this.on = on;
    this.selection = { source: new Set(), target: new Set() };
    this.buttons = {};
    this.rows = {};
    this.anchor = null; // where shift and arrow keys began: {side, position}
    this.drag = null; // of the mouse or a finger, the last one
    for (const side of SIDES) this.build(side, tokens[side]);
    this.active = { side: tokens.source.length ? "source" : "target", position: 0 };
    for (const side of SIDES) this.stop(side, 0);
    this.observer = new ResizeObserver(() => this.spread());
    this.observer.observe(this.rows.source);
  }

  close() {
    this.observer.disconnect();
  }

  build(side, tokens) {
    const { element, say } = this.page;
    this.buttons[side] = tokens.map((token, position) =>
      element(
        "button",
        { type: "button", class: "word", "aria-pressed": "false", tabindex: "-1", onclick: (event) => this.clicked(event, side, position) },
        element("span", { class: "token", lang: this.page.lang, text: token }),
        element("span", { class: "tag", "aria-hidden": "true" }),
        element("span", { class: "vh" }),
      ),
    );
    const row = element("div", {
      class: "words-row",
      role: "group",
      "aria-labelledby": `side-${side}`,
      dir: this.page.dir,
      onpointerdown: (event) => this.touched(event, side),
      onkeydown: (event) => this.pressed(event, side),
      onfocusin: (event) => this.focused(event, side),
    });
    row.append(...this.buttons[side]);
    if (!tokens.length) row.append(element("p", { class: "muted", dir: "auto", text: say("operations.no_words") }));
    this.rows[side] = row;
  }

  // --- Selection ----------------------------------------------------------------------------------------------------

  get size() {
    return this.selection.source.size + this.selection.target.size;
  }

  has(side, position) {
    return this.selection[side].has(position);
  }

  select(words) {
    for (const side of SIDES) this.selection[side] = new Set(words[side]);
    this.changed();
  }

  clear() {
    this.select({ source: [], target: [] });
    this.anchor = null;
  }

  toggle(side, position) {
    const chosen = this.selection[side];
    if (!chosen.delete(position)) chosen.add(position);
    this.changed();
  }

  extend(side, from, to) {
    for (let position = Math.min(from, to); position <= Math.max(from, to); position++) this.selection[side].add(position);
    this.changed();
  }

  // From the anchor to another word than before: what is no longer between them is let go.
  reach(side, before, now) {
    const between = (end) => (each) => (each - this.anchor.position) * (each - end) <= 0;
    for (const each of [...this.selection[side]].filter(between(before))) {
      if (!between(now)(each)) this.selection[side].delete(each);
    }
    this.extend(side, this.anchor.position, now);
  }

  changed() {
    for (const side of SIDES) {
      this.buttons[side].forEach((button, position) => button.setAttribute("aria-pressed", String(this.has(side, position))));
    }
    this.on.change();
  }

  clicked(event, side, position) {
    if (this.drag?.moved && event.detail) return; // the end of a drag; keys have no detail
    if (event.shiftKey && this.anchor?.side === side) this.extend(side, this.anchor.position, position);
    else {
      this.anchor = { side, position };
      this.on.toggle(side, position);
    }
  }

  // Mouse or finger down on a word, and on to others: all between are selected. A finger that moves up or down scrolls,
  // as touch-action says; the browser then takes the pointer away.
  touched(event, side) {
    const from = this.wordAt(side, event.target);
    this.drag = null;
    if (from < 0 || event.button || event.shiftKey || !event.isPrimary) return;
    const drag = { from, to: from, before: new Set(this.selection[side]), moved: false };
    this.drag = drag;
    const ended = new AbortController();
    const { signal } = ended;
    const move = ({ clientX, clientY }) => {
      const to = this.wordAt(side, document.elementFromPoint(clientX, clientY));
      if (to < 0 || to === drag.to) return;
      drag.to = to;
      drag.moved = true;
      this.anchor = { side, position: from };
      this.selection[side] = new Set(drag.before);
      this.extend(side, from, to);
    };
    const end = ({ type }) => {
      ended.abort();
      if (!drag.moved) return;
      if (type === "pointercancel") {
        this.selection[side] = drag.before;
        return this.changed();
      }
      this.focus(side, drag.to);
      this.on.dragged();
    };
    addEventListener("pointermove", move, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal });
  }

  wordAt(side, element) {
    return this.buttons[side].indexOf(element?.closest?.(".word"));
  }

  // --- Labels on words ----------------------------------------------------------------------------------------------

  // marks(side, position) gives null, or {hue, tag, words, first}: the colour, what stands below the word, what is read
  // out, and whether a run of words of the same group begins here.
  mark(marks) {
    for (const side of SIDES) {
      this.buttons[side].forEach((button, position) => {
        const [, tag, hidden] = button.children;
        const found = marks(side, position);
        button.className = found ? `word labelled hue-${found.hue}${found.first ? " first" : ""}${found.last ? " last" : ""}` : "word";
        tag.textContent = found?.first ? `\u2068${found.tag}\u2069` : ""; // isolated: texts may run from right to left
        hidden.textContent = found ? `, ${found.words}` : "";
      });
    }
    this.spread();
  }

  // The name of a label may reach below the next words of its run, where they stand on the same line.
  spread() {
    for (const side of SIDES) {
      const buttons = this.buttons[side];
      const runs = buttons.filter((button) => button.classList.contains("first") && !button.classList.contains("last"));
      for (const button of runs) button.classList.remove("spread");
      const beside = (button) => button.nextElementSibling?.offsetTop === button.offsetTop;
      const roomy = runs.filter(beside);
      for (const button of roomy) button.classList.add("spread");
      for (const button of roomy) button.classList.toggle("spread", beside(button)); // shorter words may have moved up
    }
  }

  // Shows which words a group holds while it is pointed at.
  point(group) {
    for (const side of SIDES) {
      this.buttons[side].forEach((button, position) => button.classList.toggle("pointed", Boolean(group?.[side].includes(position))));
    }
  }

  // --- Focus --------------------------------------------------------------------------------------------------------

  focus(side = this.active.side, position = this.active.position) {
    this.buttons[side][position]?.focus();
  }

  stop(side, position) {
    this.buttons[side].forEach((button, each) => (button.tabIndex = each === position ? 0 : -1));
  }

  focused(event, side) {
    const position = this.wordAt(side, event.target);
    if (position < 0) return;
    this.active = { side, position };
    this.stop(side, position);
  }

  pressed(event, side) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const position = this.active.position;
    const goal = this.goal(event.key, side, position);
    if (!goal) return;
    event.preventDefault();
    if (event.shiftKey && goal.side === side) {
      if (this.anchor?.side !== side) this.anchor = { side, position };
      this.reach(side, position, goal.position);
    } else {
      this.anchor = null;
    }
    this.focus(goal.side, goal.position);
  }

  goal(key, side, position) {
    const last = this.buttons[side].length - 1;
    const forward = getComputedStyle(this.rows[side]).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (key === "Home") return { side, position: 0 };
    if (key === "End") return { side, position: last };
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const next = position + (key === forward ? 1 : -1);
      return { side, position: Math.min(last, Math.max(0, next)) };
    }
    if (key === "ArrowDown" || key === "ArrowUp") return this.vertical(key === "ArrowDown" ? 1 : -1, side, position);
    return null;
  }

  // The nearest word on the next line of the text; beyond its last line, that of the other text.
  vertical(way, side, position) {
    const here = this.buttons[side][position].getBoundingClientRect();
    const beyond = (rect) => (way > 0 ? rect.top >= here.bottom - 2 : rect.bottom <= here.top + 2);
    for (const place of [side, SIDES.find((each) => each !== side)]) {
      const found = this.buttons[place]
        .map((button, each) => ({ position: each, rect: button.getBoundingClientRect() }))
        .filter(({ rect }) => beyond(rect));
      if (!found.length) continue;
      const line = found.reduce((best, { rect }) => (way > 0 ? Math.min(best, rect.top) : Math.max(best, rect.top)), way * Infinity);
      const middle = (rect) => Math.abs(rect.left + rect.right - here.left - here.right);
      const near = found.filter(({ rect }) => Math.abs(rect.top - line) < 2);
      near.sort((one, other) => middle(one.rect) - middle(other.rect));
      return { side: place, position: near[0].position };
    }
    return { side, position };
  }
}
