// Requests to the server. The answer is always {ok, status, body, wait}; status 0 means: not reached.

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
      const understood = reply.ok && body !== null;
      return { ok: understood, status: reply.ok && !understood ? 0 : reply.status, body: body ?? {}, wait };
    } catch {
      return { ok: false, status: 0, body: {}, wait: 0 };
    } finally {
      clearTimeout(timer);
    }
  }
}
