// The editor of what participants see first: instructions, consent, and questions about the participant.
import { element, say } from "./dom.js";

const KINDS = ["text", "number", "choice", "yes-no"];
let made = 0;

const box = document.querySelector("#form-fields");
const list = box?.querySelector(".fields");

box?.querySelector(".add").addEventListener("click", () => add({}).querySelector("input").focus());
for (const field of JSON.parse(box?.dataset.fields ?? "[]")) add(field);

export function welcome(fields) {
  return { instructions: fields.instructions.value, consent: fields.consent.value, form: [...list.children].map(read) };
}

export function setWelcome(fields, value) {
  fields.instructions.value = value.instructions ?? "";
  fields.consent.value = value.consent ?? "";
  list.replaceChildren();
  for (const field of value.form ?? []) add(field);
}

function add(field) {
  const id = `field-${made += 1}`;
  const labelled = (name, label, input, help = null) => element("div", { class: "field" },
    element("label", { for: `${id}-${name}` }, label),
    help && element("p", { class: "help", id: `${id}-${name}-help` }, help), input);
  const kind = element("select", { id: `${id}-kind`, class: "kind" },
    ...KINDS.map((name) => element("option", { value: name, selected: name === field.kind }, say(`owner.form.kind.${name}`))));
  const options = element("textarea", { id: `${id}-options`, class: "options", rows: 3, dir: "auto", "aria-describedby": `${id}-options-help` });
  options.value = (field.options ?? []).join("\n");
  const choice = labelled("options", say("owner.form.options"), options, say("owner.form.options.help"));
  const question = element("input", { id: `${id}-label`, class: "label-text", maxlength: 1000, dir: "auto", value: field.label ?? "" });
  const column = element("input", { id: `${id}-column`, class: "column", maxlength: 100, value: field.id ?? "", placeholder: `q${list.children.length + 1}` });
  const required = element("input", { id: `${id}-required`, class: "required", type: "checkbox", checked: field.required ?? true });
  const remove = element("button", { type: "button", class: "small", onclick: () => { entry.remove(); box.querySelector(".add").focus(); } }, say("owner.form.remove"));
  const entry = element("div", { class: "entry" },
    element("div", { class: "grid" },
      labelled("label", say("owner.form.label"), question),
      labelled("kind", say("owner.form.kind"), kind),
      labelled("column", say("owner.form.column"), column),
      choice),
    element("div", { class: "buttons" },
      element("span", { class: "tick" }, required, element("label", { for: `${id}-required` }, say("owner.form.required"))), remove));
  const show = () => { choice.hidden = kind.value !== "choice"; };
  kind.addEventListener("change", show);
  show();
  list.append(entry);
  return entry;
}

function read(entry) {
  const value = (name) => entry.querySelector(`.${name}`).value.trim();
  const kind = value("kind");
  const options = kind === "choice" ? value("options").split("\n").map((line) => line.trim()).filter(Boolean) : [];
  const column = entry.querySelector(".column");
  return { id: column.value.trim() || column.placeholder, label: value("label-text"), kind, options, required: entry.querySelector(".required").checked };
}
