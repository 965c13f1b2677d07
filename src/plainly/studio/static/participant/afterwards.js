// After the last task: the questionnaire, and room for a comment.

import { complaintOf, drawField, valuesOf } from "./fields.js";
import { element } from "./dom.js";

export const ENDED = ["closed", "archived"];

export function asksAfterwards({ campaign, participant }) {
  const { after, comments } = campaign.welcome ?? {};
  return !participant.sent_after && !ENDED.includes(campaign.status) && Boolean(after?.length || comments);
}

export function showAfterwards(root, { campaign, say, send }) {
  const fields = campaign.welcome.after ?? [];
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const button = element("button", { type: "submit", class: "button primary", text: say("participant.send") });
  const form = element("form", { class: "welcome", novalidate: true });
  const comment = campaign.welcome.comments
    ? element("textarea", { id: "end-comment", rows: 4, maxlength: 2000, dir: "auto" })
    : null;
  form.append(
    element("h1", { text: say("participant.after") }),
    element("p", { class: "instructions", text: say(fields.length ? "participant.after_more" : "participant.after_comment_only") }),
  );
  if (fields.length) form.append(element("div", { class: "about" }, fields.map((field) => drawField(field, say))));
  if (comment) form.append(element("div", { class: "field" }, element("label", { for: "end-comment", class: fields.length ? null : "vh", text: say("participant.end_comment") }), comment));
  form.append(problem, button);
  const tell = (words) => {
    problem.textContent = words;
    problem.hidden = !words;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const words = complaintOf(form, say);
    tell(words);
    if (words) return;
    button.disabled = true;
    tell(await send({ fields: valuesOf(form, fields), comment: comment?.value.trim() ?? "" }));
    button.disabled = false;
  });
  form.addEventListener("input", (event) => event.target.removeAttribute?.("aria-invalid"));
  root.append(form);
}
