// Two texts side by side; one click, or one key, decides.

export function show(root, task, page) {
  const { question, ties, skip } = page.public;
  const choose = (choice) => page.early() || page.answer({ choice });
  const sides = ["first", "second"];

  const card = (side) => {
    const label = `text-${side}`;
    const words = page.element("span", { text: page.say(`ranking.choose.${question}`) });
    const key = page.element("kbd", { "aria-hidden": "true", text: side === "first" ? "←" : "→" });
    const attributes = { type: "button", class: "primary", "aria-describedby": label, "data-side": side };
    const button = page.element("button", attributes, ...(side === "first" ? [key, words] : [words, key]));
    const text = page.element("div", { class: "text pre-line", id: label, lang: page.lang, dir: page.dir, text: task[side] });
    const made = page.element(
      "section",
      { class: "side", "aria-label": page.say(`ranking.${side}`) },
      text,
      page.element("div", { class: "choose" }, button),
    );
    made.addEventListener("click", () => {
      if (!getSelection()?.isCollapsed && made.contains(getSelection().anchorNode)) return; // marking words is no choice
      choose(side);
    });
    return made;
  };

  const other = (choice, key, style) =>
    page.element(
      "button",
      { type: "button", class: style, "data-side": choice, onclick: () => choose(choice) },
      page.element("span", { text: page.say(`ranking.${choice}`) }),
      page.element("kbd", { "aria-hidden": "true", text: key }),
    );
  const more = [ties && other("tie", "t", ""), skip && other("skip", "s", "plain")].filter(Boolean);

  root.append(
    page.element(
      "div",
      { class: "ranking" },
      page.element("h1", { class: "ask", id: "ask", text: page.say(`ranking.ask.${question}`) }),
      page.element(
        "div",
        { class: "work" },
        page.element("div", { class: "sides", dir: "ltr" }, sides.map(card)), // left is left in every language
        more.length ? page.element("div", { class: "more" }, more) : null,
      ),
      aside(page),
    ),
  );

  page.keys({
    ArrowLeft: () => choose("first"),
    ArrowRight: () => choose("second"),
    ...(ties ? { t: () => choose("tie") } : {}),
    ...(skip ? { s: () => choose("skip") } : {}),
  });
}

// The guideline beside the texts; whether it is folded is remembered.
function aside(page) {
  const { ties, skip, guideline } = page.public;
  const keys = ["sides", ...(ties ? ["tie"] : []), ...(skip ? ["skip"] : []), "undo"];
  const made = page.element(
    "details",
    { class: "guideline" },
    page.element("summary", { text: page.say("ranking.guideline") }),
    page.paragraphs(guideline || page.say("ranking.guideline.text")),
    page.element("h2", { text: page.say("ranking.keys") }),
    page.element("ul", {}, keys.map((key) => page.element("li", { text: page.say(`ranking.keys.${key}`) }))),
  );
  made.open = unfolded();
  made.addEventListener("toggle", () => remember(made.open));
  return made;
}

let folded = null; // null: not said; then there is room for it beside the texts, or there is not

function unfolded() {
  return folded === null ? matchMedia("(min-width: 62rem)").matches : !folded;
}

function remember(open) {
  if (open !== unfolded()) folded = !open;
}
