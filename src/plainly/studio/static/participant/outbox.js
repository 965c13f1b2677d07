// Responses that the server has not acknowledged yet. They live in localStorage, one entry each, so that neither a
// reload nor a second tab loses any; where storage is refused, they live in memory and the page warns on closing.
// The server stores a client_id once, so sending twice does no harm. What the studio itself refuses is put aside, not deleted.

const MOST_AT_ONCE = 50;
const LONGEST_WAIT = 30_000;
const PATIENT = 2; // after so many failures: one by one, for a proxy may find many of them too large
const QUIET = 300; // so long after another tab has sent something, it has probably sent all

export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  // has(): what this page has already, so that replies need not say it. onReply(body): the server stored something. onRefused(error): one response was not accepted; error may be empty. onChange(): something was
  // put in, sent or failed. onStopped(status, error): no more is taken. onElsewhere(): another tab has sent something; asked
  // only where somebody looks at this one.
  constructor(name, connection, { has, onReply, onRefused, onChange, onStopped, onElsewhere }) {
    this.prefix = `plainly:${name}:`;
    this.aside = `plainly-refused:${name}:`;
    this.connection = connection;
    this.on = { has, onReply, onRefused, onChange, onStopped, onElsewhere };
    this.memory = new Map();
    this.others = new Map(); // what other tabs have sent since the last state came
    this.missed = false;
    this.failures = 0;
    this.sending = false;
    this.timer = null;
    addEventListener("online", () => this.send(true));
    addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible") return;
      this.send(true);
      if (this.missed) this.lookElsewhere();
    });
    addEventListener("storage", (event) => {
      if (!event.key?.startsWith(this.prefix)) return;
      if (event.newValue === null) this.sentElsewhere(event.key, event.oldValue);
      else this.on.onChange();
    });
    addEventListener("beforeunload", (event) => this.memory.size && event.preventDefault());
  }

  // In the order in which they were given.
  pending() {
    const found = new Map(this.memory);
    for (const key of this.keys()) {
      try {
        found.set(key, JSON.parse(localStorage.getItem(key)));
      } catch {
        localStorage.removeItem(key);
      }
    }
    return [...found.keys()].sort().map((key) => found.get(key)).filter((response) => response?.client_id);
  }

  // What is not in the last state: unsent responses, and those that other tabs have sent.
  unseen() {
    const pending = this.pending();
    const known = new Set(pending.map((response) => response.client_id));
    return [...[...this.others.values()].filter((response) => !known.has(response.client_id)), ...pending];
  }

  // A state has come that was asked for after other tabs had sent these.
  seen(keys) {
    for (const key of keys) this.others.delete(key);
  }

  sentElsewhere(key, written) {
    try {
      const response = JSON.parse(written);
      if (response?.client_id) this.others.set(key, response);
    } catch {
      // not ours: the state will tell
    }
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.lookElsewhere(), QUIET);
  }

  lookElsewhere() {
    this.missed = document.visibilityState !== "visible";
    if (!this.missed) this.on.onElsewhere();
  }

  put(response) {
    const number = 1 + Math.max(0, ...this.allKeys().map((key) => Number(key.slice(this.prefix.length).split(":")[0])));
    const key = `${this.prefix}${String(number).padStart(10, "0")}:${response.client_id}`;
    try {
      localStorage.setItem(key, JSON.stringify(response));
    } catch {
      this.memory.set(key, response);
    }
    this.send(); // before the next task is drawn: whatever happens there, this one is on its way
    this.on.onChange();
  }

  // Whether unsent responses are waiting because the server could not be reached.
  get stuck() {
    return this.failures > 0;
  }

  async send(now = false) {
    if (now) clearTimeout(this.timer);
    else if (this.timer && this.failures) return; // the next try is on its way
    if (this.sending || !this.pending().length) return;
    this.sending = true;
    this.timer = null;
    let again = true;
    let single = this.failures > PATIENT; // also after a refusal of many, so that one bad response holds up no other
    try {
      while (again && this.pending().length) {
        const batch = this.pending().slice(0, single ? 1 : MOST_AT_ONCE);
        const others = [...this.others.keys()];
        const reply = await this.connection.post("/responses", { responses: batch, has: this.on.has() });
        if (reply.ok) {
          this.failures = 0;
          this.seen(others);
          const refused = reply.body.refused ?? [];
          this.forget(reply.body.stored ?? []);
          for (const each of refused) this.refuse(each.client_id, each.error);
          again = batch.some((one) => !this.holds(one.client_id)); // nothing acknowledged: do not run in circles
          if (!again) this.later(reply.wait);
          this.on.onReply(reply.body);
        } else if ([400, 413, 422].includes(reply.status)) {
          if (single || batch.length === 1) {
            this.refuse(batch[0].client_id, "", reply.body.error);
          }
          single = true;
        } else if ([401, 403, 404, 409, 410].includes(reply.status)) {
          again = false; // paused, closed or revoked: what is unsent is kept
          this.on.onStopped(reply.status, reply.body.error, reply.body.title);
          this.later(LONGEST_WAIT / 1000);
        } else {
          again = false;
          this.later(reply.wait);
        }
      }
    } finally {
      this.sending = false;
      this.on.onChange();
    }
  }

  later(wait) {
    this.failures += 1;
    const backOff = Math.min(LONGEST_WAIT, 500 * 2 ** Math.min(this.failures, 10)) * (0.75 + Math.random() / 2);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(true), Math.max(backOff, 1000 * wait));
  }

  // Nothing more is sent, and nothing is kept: the participant has withdrawn.
  stop() {
    clearTimeout(this.timer);
    this.memory.clear();
    this.send = async () => {};
  }

  holds(id) {
    return this.allKeys().some((key) => key.endsWith(`:${id}`));
  }

  // Put aside under a key of its own: the participant gave it, and whoever runs the study may ask for it.
  // Words about one response are for participants, those about a whole request are not.
  refuse(id, error, detail = error) {
    const response = this.pending().find((one) => one.client_id === id);
    this.forget([id]);
    try {
      if (response) localStorage.setItem(`${this.aside}${id}`, JSON.stringify({ ...response, error: detail }));
    } catch {
      // storage is refused altogether
    }
    this.on.onRefused(error);
  }

  forget(ids) {
    for (const key of this.allKeys()) {
      if (!ids.some((id) => key.endsWith(`:${id}`))) continue;
      this.memory.delete(key);
      try {
        localStorage.removeItem(key);
      } catch {
        // storage is refused altogether: nothing was there
      }
    }
  }

  keys() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(this.prefix));
    } catch {
      return [];
    }
  }

  allKeys() {
    return [...this.keys(), ...this.memory.keys()];
  }
}
