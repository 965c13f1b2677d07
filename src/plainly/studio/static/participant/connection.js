// Requests to the server. The answer is always {ok, status, body, wait}; status 0 means: not reached. What a proxy on the
// way says, or the page of a network that wants a login, is not the word of the studio: it counts as not reached, too.

const PATIENCE = 20_000;

export class Connection {
  constructor(base) {
    this.base = base;
  }

  get(path = "") {
    return this.request(path, { method: "GET" });
  }

  post(path, content) {
    const body = JSON.stringify(content);
    const short = new Blob([body]).size < 60_000; // what a closing page may still send
    return this.request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      keepalive: short,
    });
  }

  async request(path, options) {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), PATIENCE);
    try {
      const reply = await fetch(this.base + path, {
        ...options,
        signal: giveUp.signal,
        cache: "no-store",
        credentials: "omit",
      });
      const body = await reply.json().catch(() => null);
      const wait = Number(reply.headers.get("Retry-After")) || 0;
      const ours = reply.ok ? body !== null && typeof body === "object" : typeof body?.error === "string";
      return { ok: ours && reply.ok, status: ours ? reply.status : 0, body: ours ? body : {}, wait };
    } catch {
      return { ok: false, status: 0, body: {}, wait: 0 };
    } finally {
      clearTimeout(timer);
    }
  }
}
