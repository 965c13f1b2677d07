// Before the first task: what participants are told, their consent, and the form.

import { complaintOf, drawField, valuesOf } from "./fields.js";
import { element } from "./dom.js";
import { drawn, instructions } from "./instructions.js";

export function showWelcome(root, { campaign, say, send, images, draft }) {
  const welcome = campaign.welcome ?? {};
  const fields = welcome.form ?? [];
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const start = element("button", { type: "submit", class: "button primary", text: say("participant.start") });
  const form = element("form", { class: "welcome", novalidate: true });
  const said = instructions(campaign, say, images);
  form.append(element("h1", { text: campaign.name, dir: "auto" }), element("div", { class: "instructions" }, said));
  if (fields.length) {
    form.append(
      element(
        "fieldset",
        { class: "about" },
        element("legend", { text: say("participant.about_you") }),
        fields.map((field) => drawField(field, say)),
      ),
    );
  }
  if (welcome.consent) {
    form.append(
      element(
        "div",
        { class: "consent" },
        element("h2", { text: say("participant.consent") }),
        drawn(campaign.formatted?.consent ?? [welcome.consent], images),
        element(
          "label",
          { class: "check" },
          element("input", { type: "checkbox", name: "consent", required: true }),
          element("span", { text: say("participant.agree") }),
        ),
      ),
    );
  }
  form.append(problem, start);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const tell = (words) => {
      problem.textContent = words;
      problem.hidden = false;
    };
    const wrong = complaintOf(form, say);
    if (wrong) return tell(wrong);
    problem.hidden = true;
    start.disabled = true;
    const words = await send({ consent: true, fields: valuesOf(form, fields) });
    start.disabled = false;
    if (words) tell(words);
    else draft(null);
  });
  form.addEventListener("input", (event) => {
    event.target.removeAttribute?.("aria-invalid");
    draft(valuesOf(form, fields));
  });
  root.append(form);
  fillIn(form, fields, draft() ?? {});
}

// What was entered before the page was loaded again. Consent is given anew.
function fillIn(form, fields, values) {
  for (const { id } of fields) {
    const control = form.elements[`field-${id}`];
    if (control && typeof values[id] === "string") control.value = values[id];
  }
}
