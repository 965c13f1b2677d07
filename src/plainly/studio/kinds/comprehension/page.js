// A reader's page: "ready", the passage while its time runs, "ready", then one question after the other.
//
// The server sends one task at a time, so a passage is here only while it may be read. When a passage or a question is
// shown, the server is told (an answer with `done: false`). So it is not begun again after a reload, here or on another
// machine: `task.since` says for how many seconds it has been open, and they count.

const TICK = 200;
const SOON = 10; // seconds before the end that are said aloud
const MEANT = 1; // seconds: an Enter that comes sooner was meant for the screen before
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const begun = new Map(); // id of a task -> when it was first shown in this page, and the seconds before that
let cut = false; // whether the limit ended the last passage

export const waits = (task) => task.phase !== "ready";
export const commented = (task) => task.phase === "question"; // nothing stands beside a text whose time runs

export function show(root, task, page) {
  root.onkeydown = (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault(); // a key held down must not skip a screen
  };
  if (task.phase === "ready") return showReady(root, task, page);
  const before = secondsBefore(task, page);
  return task.phase === "reading" ? showPassage(root, task, page, before) : showQuestion(root, task, page, before);
}

// For how long the task was open before it is shown now; not longer than it may be.
function secondsBefore(task, page) {
  return Math.min(secondsOpen(task, page), task.seconds ?? Infinity);
}

function secondsOpen(task, page) {
  const first = begun.get(task.id);
  if (first) return first.before + (page.now() - first.at) / 1000;
  const shownElsewhere = task.answer?.done === false;
  const before = shownElsewhere ? (task.since ?? 0) : 0;
  begun.set(task.id, { at: page.now(), before });
  if (!shownElsewhere) page.save({ done: false });
  return before;
}

function done(page, value, before = 0) {
  page.answer(before ? { ...value, before: Math.round(before * 1000) / 1000 } : value);
}

// --- Ready ----------------------------------------------------------------------------------------------------------

function showReady(root, task, page) {
  const reading = task.for === "reading";
  const said = reading
    ? [page.say("comprehension.ready.reading")]
    : [
        cut ? page.say("comprehension.over") : null,
        count(page, "comprehension.ready.questions", task.questions),
        page.say("comprehension.ready.questions.how"),
      ];
  if (task.seconds) said.push(count(page, `comprehension.ready.${task.for}.limit`, task.seconds));
  const texts = page.element("div", { id: "ready-words" }, ...said.filter(Boolean).map((text) => page.element("p", { text })));
  const button = page.element("button", {
    type: "button",
    class: "button primary",
    text: page.say(`comprehension.ready.${task.for}.button`),
    "aria-describedby": "ready-words",
    onclick: () => done(page, { ready: true }),
  });
  root.append(page.element("div", { class: "comprehension ready" }, heading(task, page), texts, button));
  button.focus({ preventScroll: true });
}

// --- The passage ----------------------------------------------------------------------------------------------------

function showPassage(root, task, page, before) {
  const clock = startClock(page, task.seconds, before, () => leave(true));
  const leave = (over) => {
    if (!over && page.early()) return;
    clock.stop();
    cut = over;
    root.replaceChildren(); // gone at once, whether or not the server can be reached
    done(page, { over }, before);
  };
  if (clock.over) return { close: clock.stop };
  const { lang, dir } = page;
  const text = page.element("div", { class: "passage", lang, dir, tabindex: -1 }, page.paragraphs(task.words, { dir }));
  const button = page.element("button", {
    type: "button",
    class: "button primary",
    text: page.say("comprehension.read"),
    "aria-keyshortcuts": "Enter",
    onclick: () => leave(false),
  });
  page.keys({ Enter: () => page.seconds() > MEANT && leave(false) });
  const again = before ? page.element("p", { class: "hint", text: page.say("comprehension.resumed.reading") }) : null;
  root.append(page.element("div", { class: "comprehension reading" }, heading(task, page), again, text, deck(page, clock, button)));
  text.focus({ preventScroll: true });
  return { close: clock.stop };
}

// --- A question -----------------------------------------------------------------------------------------------------

function showQuestion(root, task, page, before) {
  let chosen = task.answers[page.draft()] === undefined ? null : page.draft(); // chosen before a reload
  const give = (over) => {
    if (!over && page.early()) return;
    clock.stop();
    root.replaceChildren();
    done(page, { place: chosen, over }, before);
  };
  const clock = startClock(page, task.seconds, before, () => give(true));
  if (clock.over) return { close: clock.stop };
  const problem = page.element("p", { class: "problem", role: "alert" });
  const inputs = task.answers.map((_, place) =>
    page.element("input", { type: "radio", name: "answer", value: place, onchange: () => choose(place) }),
  );
  function choose(place) {
    chosen = place;
    page.draft(place);
    inputs[place].checked = true;
    problem.textContent = "";
  }
  const answers = task.answers.map((answer, place) =>
    page.element(
      "label",
      { class: "answer" },
      inputs[place],
      page.element("span", { class: "letter", "aria-hidden": "true", text: LETTERS[place] }),
      page.element("span", { class: "said", text: answer, lang: page.lang, dir: page.dir }),
    ),
  );
  const form = page.element(
    "form",
    {
      class: "comprehension question",
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        if (chosen === null) problem.textContent = page.say("comprehension.choose");
        else give(false);
      },
    },
    heading(task, page),
    before ? page.element("p", { class: "hint", text: page.say("comprehension.resumed.question") }) : null,
    page.element("fieldset", {}, page.element("legend", { text: task.question, lang: page.lang, dir: page.dir }), answers),
    page.element("p", { class: "hint keys", text: page.say("comprehension.keys", { last: LETTERS[task.answers.length - 1] }) }),
    problem,
    deck(page, clock, page.element("button", { type: "submit", class: "button primary", text: page.say("comprehension.answer") })),
  );
  const pick = (place) => {
    choose(place);
    inputs[place].focus();
  };
  const keys = Object.fromEntries(task.answers.map((_, place) => [LETTERS[place].toLowerCase(), () => pick(place)]));
  page.keys({ ...keys, Enter: () => form.requestSubmit() });
  form.addEventListener("keydown", (event) => {
    // The page's keys do not fire in inputs, and the answers are inputs.
    if (!event.target.matches("input") || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = keys[event.key.toLowerCase()];
    if (key) {
      event.preventDefault();
      key();
    }
  });
  if (chosen !== null) inputs[chosen].checked = true;
  root.append(form);
  return { close: clock.stop };
}

// --- Parts ----------------------------------------------------------------------------------------------------------

function heading(task, page) {
  const text = page.say("comprehension.text_of", { number: task.text, total: task.texts });
  if (task.phase !== "question") return page.element("h1", { text });
  const question = page.say("comprehension.question_of", { number: task.number, total: task.questions });
  return page.element("h1", {}, `${text} · ${question}`);
}

// At the lower edge of the window, so that the clock and the button are in sight beside a long text.
function deck(page, clock, button) {
  return page.element("div", { class: "deck" }, clock.face, button);
}

// "1 second" and "2 seconds": the text for one has a key of its own.
function count(page, key, number) {
  return page.say(number === 1 ? `${key}.one` : key, { count: number });
}

// Calls `ended` once when the time is over, also if it was over before. Without a limit it does nothing.
function startClock(page, limit, before, ended) {
  const clock = { face: null, over: false, stop: () => {} };
  if (!limit) return clock;
  const time = page.element("span", { role: "timer", "aria-live": "off" });
  const bar = page.element("progress", { max: limit, value: limit, "aria-hidden": "true" });
  if (page.public.countdown) clock.face = page.element("div", { class: "clock" }, time, bar);
  let said = false;
  let shown = -1;
  const tick = () => {
    const left = limit - before - page.seconds();
    if (left <= 0) {
      clock.stop();
      if (!clock.over) ended();
      clock.over = true;
      return;
    }
    const seconds = Math.ceil(left);
    if (seconds === shown) return;
    shown = seconds;
    time.textContent = count(page, "comprehension.left", seconds);
    bar.value = left;
    if (page.public.countdown && !said && seconds <= SOON && limit > 2 * SOON) {
      said = true;
      page.status(time.textContent);
    }
  };
  const timer = setInterval(tick, TICK);
  document.addEventListener("visibilitychange", tick);
  clock.stop = () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
  if (limit <= before) {
    clock.stop();
    clock.over = true;
    queueMicrotask(ended); // not before the shell knows this task
  } else tick();
  return clock;
}
