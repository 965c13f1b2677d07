// Calls of the JSON API. An error carries the words of the server and its status.
import { element, lang, say, tell } from "./dom.js";

export class Refused extends Error {
  /**
   * `field`: what must be filled in another way; `stale`: somebody else was quicker, so that loading again helps;
   * `data`: what else the server says.
   */
  constructor(message, status, { field = null, stale = false, data = {} } = {}) {
    super(message);
    this.status = status;
    this.field = field;
    this.stale = stale;
    this.data = data;
  }
}

export async function call(method, path, body = undefined) {
  const headers = { Accept: "application/json" };
  const stale = body instanceof FormData ? body.has("revision") : body instanceof Object && "revision" in body;
  const csrf = document.querySelector('meta[name="csrf"]');
  if (csrf) headers["X-CSRF-Token"] = csrf.content;
  if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  let reply;
  try {
    reply = await fetch(path, { method, headers, body, credentials: "same-origin" });
  } catch {
    throw new Refused(say("common.offline"), 0);
  }
  if (reply.status === 204 || reply.status === 304) return null;
  const data = await reply.json().catch(() => ({}));
  if (reply.ok) return data;
  if (reply.status === 401 && csrf) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
  throw new Refused(words(reply, data), reply.status, { stale: stale && reply.status === 409, data });
}

/** What the server says; what it says most often is there in every language. */
function words(reply, data) {
  if (reply.status === 429) return say("common.too_many", { seconds: reply.headers.get("Retry-After") ?? "60" });
  if (reply.status === 503 && lang !== "en") return say("common.busy");
  if (reply.status === 401 && reply.url.endsWith("/api/login")) return say("login.wrong");
  return data.error ?? say("common.failed", { status: reply.status });
}

const busy = new WeakSet();

/** Runs an action of a button or form: it cannot be started twice, and what goes wrong is told in the box. */
export async function acting(button, box, action) {
  if (busy.has(button)) return;
  busy.add(button);
  button.setAttribute("aria-disabled", "true"); // a button that is really disabled would lose the focus
  for (const old of document.querySelectorAll(".messages")) old.replaceChildren();
  for (const old of document.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  box.replaceChildren();
  try {
    await action();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const reload = element("button", { type: "button", class: "small", onclick: () => location.reload() }, say("common.reload"));
    if (error.stale) tell(box, error.message, "bad", " ", reload);
    else tell(box, error.message);
    error.field?.setAttribute("aria-invalid", "true");
    error.field?.focus();
  } finally {
    busy.delete(button);
    button.removeAttribute("aria-disabled");
  }
}

/** Sends a form through `action` instead of to an address. */
export function onSubmit(form, action) {
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button:not([type])");
    acting(button, form.querySelector(".messages"), () => action(form.elements));
  });
}
