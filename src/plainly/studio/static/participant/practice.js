// Practice: which task it is, and what is said after its answer.

import { element, paragraphs } from "./dom.js";

const ENDS = { passed: "participant.practice_passed", again: "participant.practice_once_more", failed: "participant.practice_failed" };

export function practiceLine({ number, total, attempt }, say) {
  return attempt > 1 ? say("participant.practice_again", { number, total }) : say("participant.practice", { number, total });
}

export function feedback({ right, expected, why, outcome, share }, { say, lang, dir, done }) {
  const title = right >= 1 ? say("participant.practice_right") : right > 0 ? say("participant.practice_partly") : say("participant.practice_wrong");
  const end = ENDS[outcome];
  return element(
    "section",
    { class: "feedback", "data-right": right >= 1 ? "yes" : "no", "aria-labelledby": "feedback-title" },
    element("h1", { id: "feedback-title", text: title }),
    right >= 1 ? null : element("p", { class: "expected pre-line", text: say("participant.practice_expected", { expected }) }),
    why ? element("div", { class: "why", lang, dir }, paragraphs(why, { dir })) : null,
    end ? element("p", { class: "outcome", text: say(end, { share: Math.round(100 * share) }) }) : null,
    element("button", { type: "button", class: "button primary", text: say("participant.practice_go_on"), onclick: done }),
  );
}
