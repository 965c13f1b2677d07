// Fields that ask about the participant, before the tasks or after them.

import { element } from "./dom.js";

const FEW = 6; // so many options stand open; more go into a menu

// What is wrong with the first field that is not as it should be; that field gets the focus. Empty: all is well.
export function complaintOf(form, say) {
  const wrong = [...form.elements].find((control) => control.willValidate && (!control.checkValidity() || beyond(control)));
  if (!wrong) return "";
  wrong.setAttribute("aria-invalid", "true");
  wrong.focus();
  return complaint(wrong, say);
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

export function valuesOf(form, fields) {
  const given = new FormData(form);
  const values = {};
  for (const field of fields) {
    const value = String(given.get(`field-${field.id}`) ?? "").trim();
    if (value) values[field.id] = value;
  }
  return values;
}

export function drawField(field, say) {
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
