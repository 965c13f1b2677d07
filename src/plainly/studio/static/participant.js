// The page of a participant: welcome, then one task after the other, then thanks.
//
// A kind's page is a module /static/kinds/KIND/page.js with
//   export function show(root, task, page)     draws `task` into the empty element `root`; may return {close()}
// and, if it likes, /static/kinds/KIND/page.css. `page` has
//   public, lang, dir, preview, progress {done, total}
//   say("section.key", {name: value})          an interface text
//   element(tag, {class, text, lang, dir, onclick, ...attributes}, ...children)   an element; null children are left out
//   paragraphs(text, attributes)               text with blank lines as a list of <p>
//   answer(value)                              stores the answer with the seconds since the task was to be seen; goes on
//   save(value)                                stores it and stays (revisable kinds)
//   undo()                                     takes the last answer back and shows its task again; false if there is none.
//                                              The shell itself has a button and the key "u" for it (undoable kinds)
//   canUndo                                    whether there is one
//   instructions()                             shows the instructions over the task, as the button of the shell and "?" do
//   keys({ArrowLeft: handler, "1": handler})   while this task is shown; never in inputs, never on repeats or with Ctrl/Alt/Meta.
//                                              Letters are matched without regard to case
//   status(text)                               says it politely (aria-live), and forgets it soon
//   seconds()                                  since the task was to be seen (performance.now())
//   now()                                      performance.now()
//   draft(value) / draft()                     keeps a value for this task in this browser / gives it back (JSON; null if none)
//   tasks()                                    promise of [{id, place, done}, ...] (revisable kinds); null when offline
//   open(id)                                   shows that task with its `answer`, if it has one; promise of whether it worked
//   next()                                     shows the first open task
//   early()                                    whether the least time before an answer has not passed: ask before answer()
// It may also export commented(task): whether the task has room for a comment; and waits(task): whether the least time
// before an answer holds for it. Without them, every task has and does.
// task is {id, place, ...what kind.shown gives}, and `answer` where one was given before (open, undo). Tasks of revisable
// kinds have `base`, the answer that a new one starts from: the server refuses one that starts from another than stands.
// While a <dialog> is open, keys do nothing, unless it has the attribute data-keys.
// Focus: after show(), focus goes to `root` unless show() placed it. A second click of a double click is swallowed.

import { asksAfterwards, ENDED, showAfterwards } from "./participant/afterwards.js";
import { Connection } from "./participant/connection.js";
import { Course, finishes } from "./participant/course.js";
import { element, paragraphs } from "./participant/dom.js";
import { ending } from "./participant/ending.js";
import { listenToKeys, swallowSecondClicks } from "./participant/hands.js";
import { showAgain } from "./participant/instructions.js";
import { newId, Outbox } from "./participant/outbox.js";
import { Patience } from "./participant/patience.js";
import { feedback, practiceLine } from "./participant/practice.js";
import { Remark } from "./participant/remark.js";
import { showWelcome } from "./participant/welcome.js";
import { askToWithdraw, forgetAll } from "./participant/withdrawal.js";

const LONGEST_RETRY = 15_000;
const LOOK_AGAIN = 15_000; // while paused, or while tasks are being made
const NOTICED = 10_000;
const AWAY = 10_000; // who was away so long may have gone on elsewhere
const ENDS_IT = [401, 403, 404, 409, 410]; // statuses of HTTP after which trying again is of no use

const $ = (id) => document.getElementById(id);
const [, root, token] = location.pathname.match(/^(.*)\/p\/([^/]+)\/?$/) ?? [null, "", ""];
const connection = new Connection(`${root}/api/p/${token}`);
const images = `${root}/api/p/${token}/images`; // where pictures in the instructions are
const course = new Course();
let texts = JSON.parse(document.body.dataset.texts || "{}");
let outbox = null;
let kindPage = null; // the kind's module
let current = null; // {id, shownAt, handle, keys} of what is on the screen; id is null for words
let taken = 0; // how many states the server has sent
let hiddenAt = 0;
let stopped = ""; // why the server takes nothing more, in its words
let stoppedTitle = "";
const patience = new Patience($("wait"), document.body, say);
const remark = new Remark($("remark"));
let practised = null; // the practice task that was answered last, until its feedback was read

function say(key, values = {}) {
  const [section, ...rest] = key.split(".");
  const found = texts[section]?.[rest.join(".")];
  if (found === undefined) return key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// What a reply says to participants: the studio knows their language where it refuses something. Where it cannot go on, its
// words are for whoever runs it.
function toldBy(reply) {
  return [422, ...ENDS_IT].includes(reply.status) ? reply.body.error : say("participant.offline");
}

let hushing = null;
function status(words) {
  $("status").textContent = words;
  clearTimeout(hushing);
  hushing = setTimeout(() => ($("status").textContent = ""), NOTICED);
}

// What everybody should see, for a while.
let forgetting = null;
function notice(words) {
  $("notice").textContent = words;
  $("notice").hidden = false;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => ($("notice").hidden = true), NOTICED);
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// --- What is on the screen ------------------------------------------------------------------------------------------

function screen(name) {
  current?.handle?.close?.();
  current = { id: null, name, shownAt: performance.now(), handle: null, keys: {} };
  document.body.dataset.screen = name;
  $("practice").hidden = true;
  patience.end();
  remark.hide();
  $("task").inert = false;
  status(""); // what was said of the last screen
  $("task").replaceChildren();
  return $("task");
}

function words(name, title, text, ...more) {
  if (current?.name === name && current.text === text) return;
  const stage = screen(name);
  current.text = text;
  stage.append(element("div", { class: "words" }, element("h1", { text: title }), paragraphs(text), more));
  settle();
  status(title);
}

function settle() {
  const stage = $("task");
  if (!stage.contains(document.activeElement)) stage.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function showTask(task) {
  const stage = screen("task");
  const shown = current;
  shown.id = task.id;
  shown.task = task;
  $("practice").hidden = !task.practice;
  $("practice").textContent = task.practice ? practiceLine(task.practice, say) : "";
  shown.handle = kindPage.show(stage, task, pageFor(shown)) ?? null;
  showRemark(shown);
  settle();
  const before = task.answer && finishes({ action: "answer", answer: task.answer }); // then slips may be mended at once
  const least = before || kindPage.waits?.(task) === false ? 0 : course.state.campaign.welcome.least_seconds;
  patience.begin(least);
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      shown.shownAt = performance.now();
      if (current === shown) patience.begin(least);
    }),
  );
}

function showRemark(shown) {
  const { task } = shown;
  const { campaign } = course.state;
  if (!campaign.welcome.comments || kindPage.commented?.(task) === false) return;
  const unsent = outbox.pending().findLast((response) => response.task === task.id && response.comment);
  remark.show({
    say,
    text: keepDraft(`${task.id}:comment`) ?? unsent?.comment ?? task.comment ?? "",
    keep: (text) => keepDraft(`${task.id}:comment`, text || null),
    changed: () => {
      const stands = shown.said ?? shown.task.answer; // work that was saved is saved again with it
      if (campaign.revisable && current === shown && stands) respond(shown, stands, false);
    },
  });
}

// Shows what is to be shown now. A task that is on the screen and still open stays as it is.
function refresh({ move = false } = {}) {
  const { state } = course;
  const view = course.view(outbox.unseen());
  const pending = outbox.pending().length;
  header(view, pending);
  $("withdraw").hidden = Boolean(stopped) || ENDED.includes(state.campaign.status);
  if (stopped) return showStopped();
  if (practised !== null) return;
  if (state.participant.screened) return showScreened(state.participant.screened);
  if (!state.participant.welcomed) {
    if (current?.name === "welcome") return;
    const draft = (value) => keepDraft("welcome", value);
    showWelcome(screen("welcome"), { campaign: state.campaign, say, send: sendWelcome, images, draft });
    settle();
    return;
  }
  if (current?.id !== null && current?.id !== undefined && !move) {
    if (current.pinned || view.tasks.some((task) => task.id === current.id)) return;
  }
  if (view.tasks.length && !ENDED.includes(state.campaign.status)) return showTask(view.tasks[0]);
  if (pending) return words("sending", say("participant.sending"), say("participant.sending_more"));
  if (state.participant.finished) return showFinished();
  if (state.campaign.status === "paused") {
    lookAgain();
    return words("paused", say("participant.paused"), say("participant.paused_more"));
  }
  if (ENDED.includes(state.campaign.status)) {
    return words("closed", say("participant.closed"), say("participant.closed_more"));
  }
  lookAgain();
  return words("waiting", say("participant.waiting"), say("participant.waiting_more"));
}

function showStopped() {
  words("stopped", stoppedTitle || say("participant.stopped"), stopped);
}

function showFinished() {
  const { state } = course;
  const { completion } = state.participant;
  if (asksAfterwards(state)) {
    if (current?.name === "after") return undefined;
    showAfterwards(screen("after"), { campaign: state.campaign, say, send: sendAfter });
    return settle();
  }
  const again = state.campaign.revisable
    ? element("p", {}, element("button", { type: "button", class: "button", text: say("participant.look_again"), onclick: reopenFirst }))
    : null;
  if (completion) return showCompleted(completion, again);
  const code = element("p", { class: "code" }, say("participant.your_code"), " ", element("strong", { text: state.participant.code }));
  return words("finished", say("participant.finished"), state.campaign.welcome.thanks || say("participant.finished_more"), code, again);
}

function showCompleted(end, again) {
  const more = end.back ? "back_more" : end.code ? "code_more" : "finished_more";
  const { thanks } = course.state.campaign.welcome;
  const text = [thanks, say(`participant.${more}`)].filter(Boolean).join("\n\n");
  words("finished", say("participant.finished"), text, ...ending(end, say, "participant.completion_code"), again);
}

function showScreened(end) {
  const next = end.back ? "screened_back" : end.code ? "screened_code" : "screened_nothing";
  const text = `${say("participant.screened_more")} ${say(`participant.${next}`)}`;
  words("screened", say("participant.screened"), text, ...ending(end, say, "participant.your_code"));
}

async function reopenFirst() {
  const list = await listTasks();
  if (list?.length) await openTask(list[0].id);
}

function header(view, pending) {
  const { welcomed, screened } = course.state.participant;
  $("progress").hidden = !welcomed || !view.total || Boolean(screened);
  $("bar").max = Math.max(1, view.total);
  $("bar").value = view.done;
  $("count").textContent = `${view.done}/${view.total}`;
  $("instructions").hidden = !welcomed;
  $("undo").hidden = !welcomed || !course.state.campaign.undoable || Boolean(screened);
  $("undo").disabled = !view.last || practised !== null;
  const banner = $("banner");
  banner.hidden = !pending || !(outbox.stuck || stopped);
  if (!banner.hidden) {
    const key = `participant.${stopped ? "kept" : "unsent"}${pending === 1 ? "_one" : ""}`;
    const said = say(key, { count: pending });
    if (banner.textContent !== said) banner.textContent = said;
  }
}

// --- What participants do -------------------------------------------------------------------------------------------

function pageFor(shown) {
  const { campaign, participant } = course.state;
  const here = () => current === shown;
  return {
    public: campaign.public,
    guide: texts.guide,
    lang: campaign.lang,
    dir: campaign.dir,
    preview: Boolean(participant.preview),
    get progress() {
      const { done, total } = course.view(outbox.unseen());
      return { done, total };
    },
    get canUndo() {
      return Boolean(course.state.campaign.undoable && course.view(outbox.unseen()).last);
    },
    say,
    status,
    instructions: readAgain,
    element,
    paragraphs,
    now: () => performance.now(),
    seconds: () => Math.max(0, (performance.now() - shown.shownAt) / 1000),
    answer: (value) => here() && respond(shown, value, true),
    save: (value) => here() && respond(shown, value, false),
    undo,
    early,
    keys: (handlers) => (shown.keys = handlers),
    tasks: listTasks,
    open: openTask,
    next: () => refresh({ move: true }),
    draft: (value) => keepDraft(shown.id, value),
  };
}

// What is pressed too soon counts for nothing; the count in the head says how long to wait.
function early() {
  if (patience.waits) status($("wait").textContent);
  return patience.waits;
}

function respond(shown, value, goOn) {
  const seconds = Math.max(0, (performance.now() - shown.shownAt) / 1000);
  const { id, base } = shown.task;
  const client_id = newId();
  if (base !== undefined) shown.task = { ...shown.task, base: client_id }; // the next one starts from this one
  if (!shown.task.practice) course.noteAnswer(shown.task, value);
  if (goOn && shown.task.practice?.told) {
    practised = id;
    shown.keys = {};
    $("task").inert = true;
  }
  shown.said = value;
  const comment = remark.text || undefined;
  if (comment !== undefined) shown.task = { ...shown.task, comment };
  if (goOn) {
    keepDraft(`${id}:comment`, null);
    current.id = null; // it is done with: whatever comes back must not find it on the screen
    keepDraft(id, null);
  } else if (course.state.campaign.revisable) {
    shown.pinned = true;
  }
  outbox.put({ client_id, task: id, action: "answer", answer: value, seconds: Math.round(seconds * 1000) / 1000, base, comment });
}

// After a practice task was answered: what is said of it or, where another tab has heard it, nothing.
function hearBack(state) {
  if ($("task").querySelector(".feedback")) return;
  if (state.feedback?.task === practised) showFeedback(state.feedback);
  else if (!outbox.pending().some((response) => response.task === practised)) practised = null;
}

// What people usually say, above the task as it was answered.
function showFeedback(said) {
  const stage = $("task");
  const { lang, dir } = course.state.campaign;
  const before = element("div", { inert: "", class: "practised" }, ...stage.childNodes);
  const card = feedback(said, { say, lang, dir, done: afterPractice });
  stage.inert = false;
  stage.replaceChildren(card, before);
  card.querySelector("button").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function afterPractice() {
  practised = null;
  refresh({ move: true });
}

function undo() {
  const { last } = course.view(outbox.unseen());
  if (!last || !course.state.campaign.undoable || stopped || practised !== null) return false;
  course.noteUndo(last);
  current.id = null; // so that it makes way
  outbox.put({ client_id: newId(), task: last.id, action: "undo", answer: {}, seconds: null });
  if (current.id !== last.id) showTask(last);
  status(say("participant.undone"));
  return true;
}

function readAgain() {
  if (!$("instructions").hidden) showAgain(course.state.campaign, say, images);
}

async function listTasks() {
  const before = outbox.pending(); // what is sent while we ask may be missing in the reply
  const reply = await connection.get("/tasks");
  if (!reply.ok) {
    status(toldBy(reply));
    return null;
  }
  const list = Array.isArray(reply.body) ? reply.body : reply.body.tasks;
  const unsent = new Map([...before, ...outbox.pending()].map((response) => [response.task, finishes(response)]));
  return list.map((task) => ({ ...task, done: unsent.get(task.id) ?? task.done }));
}

async function openTask(id) {
  const before = outbox.pending();
  const reply = await connection.get(`/tasks/${encodeURIComponent(id)}`);
  if (!reply.ok) {
    status(toldBy(reply));
    return false;
  }
  const task = reply.body.task ?? reply.body;
  const unsent = [...before, ...outbox.pending()].filter((response) => response.task === id && response.action === "answer").at(-1);
  showTask(unsent ? { ...task, answer: unsent.answer, base: unsent.client_id } : task);
  current.pinned = true;
  return true;
}

// Another tab or machine may have changed the task that is on the screen: what is stored there counts.
async function freshen({ tell = true } = {}) {
  const shown = current;
  const base = shown?.task?.base;
  const unsent = () => outbox.pending().some((response) => response.task === shown.id);
  if (shown?.id === null || base === undefined || unsent()) return;
  const reply = await connection.get(`/tasks/${encodeURIComponent(shown.id)}`);
  if (!reply.ok || current !== shown || shown.task.base !== base || unsent()) return;
  if (reply.body.base === base) return;
  showTask(reply.body);
  current.pinned = true;
  if (tell) notice(say("participant.newer"));
}

function keepDraft(id, value) {
  const { campaign, participant } = course.state;
  const key = `plainly-draft:${campaign.id}:${participant.code}:${id}`;
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(key));
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // no storage: drafts are a convenience
  }
  return value ?? null;
}

async function sendWelcome(content) {
  const reply = await connection.post("/welcome", { ...content, has: course.has() });
  if (!reply.ok && reply.status === 409 && reply.body.title) stop(reply.status, reply.body.error, reply.body.title);
  if (!reply.ok) return toldBy(reply);
  await take(reply.body.tasks ? reply.body : (await connection.get()).body);
  return "";
}

async function sendAfter(content) {
  const reply = await connection.post("/after", content);
  if (!reply.ok) return toldBy(reply);
  await take(reply.body);
  return "";
}

function withdraw() {
  const { campaign, participant } = course.state;
  askToWithdraw({
    say,
    keeps: campaign.welcome.withdrawal === "keep" && participant.welcomed,
    send: async () => {
      const reply = await connection.post("/withdraw", { sure: true });
      if (reply.ok) return reply.body;
      return ENDS_IT.includes(reply.status) ? { title: reply.body.title, text: reply.body.error } : { problem: say("participant.withdrawn_offline") };
    },
    done: (title, text) => {
      outbox.stop();
      forgetAll(campaign.id, participant.code);
      stop(403, text, title);
    },
  });
}

// --- The server's side ----------------------------------------------------------------------------------------------

async function take(state) {
  if (!state?.campaign) return;
  taken += 1;
  if (!course.take(state)) return look();
  if (state.texts) texts = { ...texts, ...state.texts };
  stopped = "";
  await loadKind(course.state.campaign.kind);
  if (practised !== null) hearBack(state);
  refresh();
}

async function loadKind(kind) {
  if (!/^[a-z]+$/.test(kind)) throw new Error("no such kind");
  for (let wait = 500; !kindPage; wait = Math.min(2 * wait, LONGEST_RETRY)) {
    const again = wait > 500 ? `?again=${wait}` : ""; // browsers remember what failed to load
    try {
      kindPage = await import(new URL(`./kinds/${kind}/page.js${again}`, import.meta.url));
    } catch {
      words("offline", say("participant.offline"), say("participant.offline_more"));
      await pause(wait);
    }
  }
}

// Asks the server where things stand. What arrived meanwhile is newer, and counts.
async function look() {
  const before = taken;
  const others = [...outbox.others.keys()];
  const reply = await connection.get();
  if (taken !== before) return outbox.others.size ? look() : undefined;
  if (reply.ok) {
    outbox.seen(others);
    await take(reply.body);
  } else if (ENDS_IT.includes(reply.status)) stop(reply.status, reply.body.error, reply.body.title);
  else if (!outbox.pending().length) lookAgain();
}

let looking = null;
function lookAgain() {
  looking ??= setTimeout(() => {
    looking = null;
    look();
  }, LOOK_AGAIN);
}

function onVisibility() {
  if (document.visibilityState === "hidden") hiddenAt = performance.now();
  else if (performance.now() - hiddenAt > AWAY && !outbox.pending().length) lookElsewhere();
}

async function lookElsewhere() {
  await look();
  await freshen();
}

function stop(code, reason, title = "") {
  stoppedTitle = title;
  stopped = reason || say(code === 404 ? "participant.unknown" : "participant.stopped_more");
  if (course.state) refresh();
  else showStopped();
}

async function start() {
  let wait = 500;
  let reply;
  for (;;) {
    reply = await connection.get();
    if (reply.ok && reply.body.campaign) break;
    if (ENDS_IT.includes(reply.status)) return stop(reply.status, reply.body.error, reply.body.title);
    words("offline", say("participant.offline"), say("participant.offline_more"));
    await pause(Math.max(wait, 1000 * reply.wait));
    wait = Math.min(2 * wait, LONGEST_RETRY);
  }
  const { campaign, participant } = reply.body;
  outbox = new Outbox(`${campaign.id ?? campaign.name}:${participant.code}`, connection, {
    has: () => course.has(),
    onReply: take,
    onRefused: (error) => {
      if (practised !== null) afterPractice();
      notice(say("participant.refused", { error: error || say("participant.refused_whole") }));
      freshen({ tell: false });
    },
    onChange: () => kindPage && refresh(),
    onStopped: stop,
    onElsewhere: lookElsewhere,
  });
  addEventListener("visibilitychange", onVisibility);
  listenToKeys(() => ({ "?": readAgain, ...($("undo").hidden || $("undo").disabled ? {} : { u: undo }), ...current?.keys }));
  swallowSecondClicks($("task"), () => current.shownAt);
  $("undo").addEventListener("click", undo);
  $("instructions").addEventListener("click", readAgain);
  $("withdraw").addEventListener("click", withdraw);
  await take(reply.body);
  outbox.send(true);
}

start();
