// What is open and what was done, as this browser knows it: the state of the server with unsent responses on top.

// Whether a response ends its task. Revisable kinds also save work that goes on; its answers say `done: false`.
export const finishes = (response) => response.action === "answer" && response.answer?.done !== false;

export class Course {
  constructor() {
    this.state = null;
    this.known = new Map(); // id -> task, so that a task taken back can be shown at once
    this.answered = []; // ids in the order in which they were answered in this browser, for undo
  }

  take(state) {
    this.state = state;
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
