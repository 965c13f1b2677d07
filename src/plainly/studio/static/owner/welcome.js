// The editor of what surrounds the tasks: instructions, consent, questions before and after, comments, thanks.
import { acting, call, Refused } from "./api.js";
import { element, say } from "./dom.js";

const KINDS = ["text", "number", "choice", "yes-no"];
let made = 0;

const around = document.querySelector("#around");
const lists = { form: document.querySelector("#form-fields .fields"), after: document.querySelector("#after-fields .fields") };
let whole = JSON.parse(around?.dataset.welcome ?? "{}"); // with parts that other pages edit

for (const [name, list] of Object.entries(lists)) {
  const button = list?.parentElement.querySelector(".add");
  if (!list) continue;
  if (list.parentElement.matches(":disabled")) for (const one of list.parentElement.querySelectorAll(".add, .ready")) one.hidden = true;
  button.addEventListener("click", () => add(list, {}).querySelector("input").focus());
  for (const field of whole[name] ?? []) add(list, field);
}
for (const button of lists.form?.parentElement.querySelectorAll(".ready") ?? []) button.addEventListener("click", () => bringForm(button));

export function welcome(fields) {
  const bar = fields["practice-bar"];
  const { instructions, consent, comments, least_seconds, thanks, withdrawal } = fields;
  const more = {
    practice: bar.value === "" || bar.value === bar.dataset.usual ? null : { bar: Number(bar.value) / 100 },
    after: [...lists.after.children].map(read),
    comments: comments.checked,
    least_seconds: Number(least_seconds.value) || 0,
    thanks: thanks.value.trim(),
    withdrawal: withdrawal.value === "delete" ? "" : withdrawal.value,
  };
  const edited = { instructions: instructions.value, consent: consent.value, form: [...lists.form.children].map(read) };
  const others = Object.fromEntries(Object.entries(whole).filter(([name]) => !(name in edited) && !(name in more)));
  const chosen = Object.entries(more).filter(([, value]) => (Array.isArray(value) ? value.length : value));
  return { ...others, ...edited, ...Object.fromEntries(chosen) }; // what is as usual is not said
}

export function setWelcome(fields, value) {
  whole = value;
  fields.instructions.value = value.instructions ?? "";
  fields.consent.value = value.consent ?? "";
  fields.comments.checked = value.comments ?? false;
  fields.least_seconds.value = value.least_seconds ?? 0;
  fields.thanks.value = value.thanks ?? "";
  fields.withdrawal.value = value.withdrawal || "delete";
  for (const [name, list] of Object.entries(lists)) {
    list.replaceChildren();
    for (const field of value[name] ?? []) add(list, field);
  }
}

// The questions of a paper, in the language of the participants' pages; those that are there already stay as they are.
function bringForm(button) {
  acting(button, button.form.querySelector(".messages"), async () => {
    const { interface: chosen } = button.form.elements;
    const { forms } = await call("GET", `/api/forms?interface=${encodeURIComponent(chosen.value)}`);
    const there = new Set([...lists.form.querySelectorAll(".column")].map((input) => input.value));
    const made = forms[button.dataset.form].filter((field) => !there.has(field.id)).map((field) => add(lists.form, field));
    made[0]?.querySelector("input").focus();
  });
}

function add(list, field) {
  const box = list.parentElement;
  const fixed = box.matches(":disabled");
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
  const column = element("input", { id: `${id}-column`, class: "column", maxlength: 100, value: field.id ?? "", placeholder: `${list.dataset.prefix}${list.children.length + 1}` });
  const bounds = ["least", "most"].map((name) => labelled(name, say(`owner.form.${name}`),
    element("input", { id: `${id}-${name}`, class: name, type: "number", step: "any", value: field[name] ?? undefined })));
  const required = element("input", { id: `${id}-required`, class: "required", type: "checkbox", checked: field.required ?? true });
  const remove = fixed ? null : element("button", { type: "button", class: "small", onclick: () => { entry.remove(); box.querySelector(".add").focus(); } }, say("owner.form.remove"));
  const entry = element("div", { class: "entry" },
    element("div", { class: "grid" },
      labelled("label", say("owner.form.label"), question),
      labelled("kind", say("owner.form.kind"), kind),
      labelled("column", say("owner.form.column"), column),
      choice, ...bounds),
    element("div", { class: "buttons" },
      element("span", { class: "tick" }, required, element("label", { for: `${id}-required` }, say("owner.form.required"))), remove));
  const show = () => {
    choice.hidden = kind.value !== "choice";
    for (const one of bounds) one.hidden = kind.value !== "number";
  };
  kind.addEventListener("change", show);
  show();
  list.append(entry);
  return entry;
}

function read(entry, place) {
  const value = (name) => entry.querySelector(`.${name}`).value.trim();
  const kind = value("kind");
  const options = kind === "choice" ? value("options").split("\n").map((line) => line.trim()).filter(Boolean) : [];
  const insist = (good, key, name) => {
    if (!good) throw new Refused(say(key, { number: place + 1 }), 422, { field: entry.querySelector(`.${name}`) });
  };
  insist(value("label-text"), "owner.form.empty", "label-text");
  insist(kind !== "choice" || new Set(options).size > 1, "owner.form.few", "options");
  const column = entry.querySelector(".column");
  const made = { id: column.value.trim() || column.placeholder, label: value("label-text"), kind, options, required: entry.querySelector(".required").checked };
  if (kind !== "number") return made;
  for (const name of ["least", "most"]) if (value(name) !== "") made[name] = Number(value(name));
  insist(!(made.least > made.most), "owner.form.bounds", "most");
  return made;
}
