// What is open and what was done, as this browser knows it: the state of the server with unsent responses on top.

// Whether a response ends its task. Revisable kinds also save work that goes on; its answers say `done: false`.
export const finishes = (response) => response.action === "answer" && response.answer?.done !== false;

const MOST_NAMED = 60; // of tasks answered here: as many as one request may answer, and some

export class Course {
  constructor() {
    this.state = null;
    this.known = new Map(); // id -> task, so that a task taken back can be shown at once
    this.contents = new Map(); // id -> what a task shows, which never changes within a revision of the campaign
    this.answered = []; // ids in the order in which they were answered in this browser, for undo
  }

  // Whether the state could be taken. Replies leave out what this page had when it asked; if it has that no more, because
  // the campaign was changed meanwhile, somebody must ask for everything.
  take(state) {
    const had = this.state?.campaign;
    const whole = "name" in state.campaign;
    if (!whole && had?.revision !== state.campaign.revision) return false;
    const sent = [...(state.tasks ?? []), ...(state.last ? [state.last] : [])];
    if (!whole && sent.some((task) => task.same && !this.contents.has(task.id))) return false;
    if (had?.revision !== state.campaign.revision) this.contents.clear();
    const tasks = (state.tasks ?? []).map((task) => this.complete(task));
    this.state = { ...state, campaign: { ...had, ...state.campaign }, tasks, last: state.last && this.complete(state.last) };
    this.remember(this.state);
    return true;
  }

  complete({ same, ...task }) {
    const found = { ...this.contents.get(task.id), ...task };
    const { answer, base, comment, since, practice, ...content } = found; // these are as the server says each time
    this.contents.set(task.id, content);
    return found;
  }

  // What replies may leave out.
  has() {
    const { campaign, tasks, last } = this.state;
    const near = [...tasks, ...(last ? [last] : [])].map((task) => task.id);
    const ids = new Set([...near, ...this.answered.slice(-MOST_NAMED)]);
    return { revision: campaign.revision, tasks: [...ids].filter((id) => this.contents.has(id)) };
  }

  remember(state) {
    for (const task of state.tasks ?? []) this.known.set(task.id, { ...this.known.get(task.id), ...task });
    if (state.last) this.known.set(state.last.id, { ...this.known.get(state.last.id), ...state.last });
  }

  // Replays what the server has not seen.
  view(pending) {
    const open = new Map((this.state.tasks ?? []).map((task) => [task.id, task]));
    const done = this.state.last ? [this.state.last.id] : [];
    let number = this.state.progress?.done ?? 0;
    for (const response of pending) {
      if (response.action === "undo") {
        const at = done.lastIndexOf(response.task);
        if (at >= 0) done.splice(at, 1);
        if (!open.has(response.task) && this.known.has(response.task)) {
          open.set(response.task, this.known.get(response.task));
          number -= 1;
        }
      } else if (!finishes(response)) {
        const task = this.known.get(response.task);
        if (task) open.set(response.task, { ...task, answer: response.answer, base: response.client_id });
      } else {
        if (open.delete(response.task)) number += 1;
        if (done.at(-1) !== response.task) done.push(response.task);
      }
    }
    const tasks = [...open.values()].sort((one, other) => one.place - other.place);
    const last = this.lastDone(done, open);
    return { tasks, last, done: Math.max(0, number), total: Math.max(number, this.state.progress?.total ?? 0) };
  }

  // The newest answer that can be taken back; earlier ones of this browser follow when it is.
  lastDone(done, open) {
    const id = done.at(-1) ?? this.answered.filter((each) => !open.has(each)).at(-1);
    return id !== undefined && this.known.has(id) ? this.known.get(id) : null;
  }

  noteAnswer(task, answer) {
    this.known.set(task.id, { ...task, answer });
    this.answered = [...this.answered.filter((id) => id !== task.id), task.id];
  }

  noteUndo(task) {
    this.answered = this.answered.filter((id) => id !== task.id);
  }
}
