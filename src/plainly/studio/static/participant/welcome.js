// Before the first task: what participants are told, their consent, and the form.

import { element } from "./dom.js";
import { drawn, instructions } from "./instructions.js";

const FEW = 6; // so many options stand open; more go into a menu

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
    const wrong = [...form.elements].find((control) => control.willValidate && (!control.checkValidity() || beyond(control)));
    const tell = (words) => {
      problem.textContent = words;
      problem.hidden = false;
    };
    if (wrong) {
      tell(complaint(wrong, say));
      wrong.setAttribute("aria-invalid", "true");
      wrong.focus();
      return;
    }
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

// Whether a number is outside of what the study allows.
function beyond(control) {
  const { least, most } = control.dataset;
  const number = Number(control.value.trim().replace(",", "."));
  return control.value.trim() !== "" && ((least !== undefined && number < Number(least)) || (most !== undefined && number > Number(most)));
}

function complaint(control, say) {
  const { label, least, most } = control.dataset;
  if (!label) return say("participant.consent_missing");
  if (control.validity.patternMismatch) return say("participant.number_needed", { label });
  if (!beyond(control)) return say("participant.field_missing", { label });
  if (most === undefined) return say("participant.number_least", { label, least });
  if (least === undefined) return say("participant.number_most", { label, most });
  return say("participant.number_between", { label, least, most });
}

// What was entered before the page was loaded again. Consent is given anew.
function fillIn(form, fields, values) {
  for (const { id } of fields) {
    const control = form.elements[`field-${id}`];
    if (control && typeof values[id] === "string") control.value = values[id];
  }
}

function valuesOf(form, fields) {
  const given = new FormData(form);
  const values = {};
  for (const field of fields) {
    const value = String(given.get(`field-${field.id}`) ?? "").trim();
    if (value) values[field.id] = value;
  }
  return values;
}

function drawField(field, say) {
  const name = `field-${field.id}`;
  const label = field.required === false ? `${field.label} (${say("participant.optional")})` : field.label;
  const control = { name, id: name, "data-label": field.label, required: field.required !== false };
  const options =
    field.kind === "yes-no"
      ? [["yes", say("participant.yes")], ["no", say("participant.no")]]
      : (field.options ?? []).map((option) => [option, option]);
  if (options.length && options.length <= FEW) {
    return element(
      "fieldset",
      { class: "options" },
      element("legend", { text: label, dir: "auto" }),
      options.map(([value, shown], place) =>
        element(
          "label",
          { class: "check" },
          element("input", { ...control, id: `${name}-${place}`, type: "radio", value }),
          element("span", { text: shown, dir: "auto" }),
        ),
      ),
    );
  }
  const input = options.length
    ? element(
        "select",
        control,
        element("option", { value: "", text: say("participant.choose") }),
        options.map(([value, shown]) => element("option", { value, text: shown })),
      )
    : element("input", {
        ...control,
        type: "text",
        dir: "auto",
        maxlength: 1000,
        autocomplete: "off",
        inputmode: field.kind === "number" ? "decimal" : undefined,
        pattern: field.kind === "number" ? "\\s*-?[0-9]+([.,][0-9]+)?\\s*" : undefined,
        "data-least": field.least,
        "data-most": field.most,
      });
  return element("div", { class: "field" }, element("label", { for: name, text: label, dir: "auto" }), input);
}
