// Withdrawal: asked twice, said plainly, and nothing of it stays in this browser.

import { element } from "./dom.js";

// send(): promise of {ok, ...} or of {problem}. done(title, text): it has happened.
export function askToWithdraw({ say, keeps, send, done }) {
  const title = element("h2", { id: "withdraw-title", text: say("participant.withdraw_ask") });
  const text = element("p", { text: say(keeps ? "participant.withdraw_keep" : "participant.withdraw_delete") });
  const problem = element("p", { class: "problem", role: "alert" });
  const stay = element("button", { type: "button", text: say("participant.withdraw_no"), onclick: () => dialog.close() });
  const go = element("button", { type: "button", class: "danger", text: say("participant.withdraw_go_on"), onclick: ask });
  const dialog = element("dialog", { class: "withdraw", "aria-labelledby": "withdraw-title" }, title, text, problem, element("div", { class: "buttons" }, stay, go));
  dialog.addEventListener("close", () => dialog.remove());
  let asked = false;

  async function ask() {
    if (!asked) {
      asked = true;
      title.textContent = say("participant.withdraw_sure");
      go.textContent = say("participant.withdraw_yes");
      stay.focus(); // a second press of the same place or key is no second yes
      return;
    }
    go.disabled = true;
    const reply = await send();
    go.disabled = false;
    if (reply.problem) return void (problem.textContent = reply.problem);
    dialog.close();
    done(reply.title, reply.text);
  }

  document.body.append(dialog);
  dialog.showModal();
  stay.focus();
}

// Everything of this campaign and participant that this browser keeps.
export function forgetAll(campaign, code) {
  try {
    const marks = [`plainly:${campaign}:${code}:`, `plainly-refused:${campaign}:${code}:`, `plainly-draft:${campaign}:${code}:`];
    for (const key of Object.keys(localStorage)) if (marks.some((mark) => key.startsWith(mark))) localStorage.removeItem(key);
  } catch {
    // no storage: nothing is there
  }
}
