// The open link: its address, its settings, and what is taken of its quota.
import { acting, call, onSubmit } from "./api.js";
import { ask, copy, element, number, say, table, tell } from "./dom.js";

const { campaign } = document.querySelector("#open-link").dataset;
const base = `/api/campaigns/${campaign}/arrival`;
const state = document.querySelector("#open-state");
const form = document.querySelector("#open-form");
const fields = JSON.parse(form.dataset.fields);
const choices = fields
  .map((field) => ({ ...field, options: field.kind === "yes-no" ? ["yes", "no"] : field.options }))
  .filter((field) => field.options.length);
const messages = form.querySelector(".messages");
let found = null;

for (const field of choices.filter((one) => one.required)) form.elements.group.append(element("option", { value: field.id }, field.label));

function box(name, value, label, type, attributes = {}) {
  const id = `${name}-${value}`;
  const input = element("input", { id, name, type, "data-value": value, ...attributes });
  return type === "checkbox"
    ? element("div", { class: "tick" }, input, element("label", { for: id, dir: "auto" }, label))
    : element("div", { class: "field" }, element("label", { for: id, dir: "auto" }, label), input);
}

function drawGroups(groups) {
  const field = choices.find((one) => one.id === form.elements.group.value);
  const inputs = (field?.options ?? []).map((option) =>
    box("groups", option, say("owner.open.group.quota", { name: option }), "number", { min: 0, max: 1000000, value: groups[option] ?? "" }));
  document.querySelector("#open-groups").replaceChildren(element("div", { class: "grid upper" }, ...inputs));
}

function drawScreens(screen) {
  const boxes = choices.map((field) => element("fieldset", { "data-field": field.id },
    element("legend", { dir: "auto" }, field.label),
    ...field.options.map((option) => box(`screen-${field.id}`, option, option, "checkbox", { checked: (screen[field.id] ?? []).includes(option) }))));
  document.querySelector("#open-screens").replaceChildren(...boxes);
  document.querySelector("#open-screening").hidden = !choices.length;
}

// What does not apply is not there to be filled in.
function fit() {
  const { preset, code } = form.elements;
  const field = (name) => form.elements[name].closest(".field");
  for (const name of ["parameters", "identifies"]) field(name).hidden = preset.value !== "own";
  field("fixed_code").hidden = code.value !== "fixed";
  field("group").hidden = form.elements.group.options.length < 2;
}

function fill(arrival) {
  form.elements.on.checked = arrival.on;
  for (const name of ["preset", "identifies", "hold", "group", "code", "fixed_code", "back", "failure_code", "failure_back"]) form.elements[name].value = arrival[name];
  form.elements.quota.value = arrival.quota ?? "";
  form.elements.parameters.value = arrival.parameters.join("\n");
  drawGroups(arrival.groups);
  drawScreens(arrival.screen);
  fit();
}

function wanted() {
  const value = (name) => form.elements[name].value.trim();
  const own = value("preset") === "own";
  const groups = {};
  for (const input of form.querySelectorAll('[name="groups"]')) if (input.value !== "") groups[input.dataset.value] = Number(input.value);
  const screen = {};
  for (const one of form.querySelectorAll("[data-field]")) {
    const chosen = [...one.querySelectorAll("input:checked")].map((input) => input.dataset.value);
    if (chosen.length) screen[one.dataset.field] = chosen;
  }
  return {
    on: form.elements.on.checked,
    preset: value("preset"),
    parameters: own ? value("parameters").split("\n").map((line) => line.trim()).filter(Boolean) : [],
    identifies: own ? value("identifies") : "",
    quota: value("quota") === "" ? null : Number(value("quota")),
    hold: Number(value("hold")),
    group: value("group"),
    groups,
    code: value("code"),
    fixed_code: value("code") === "fixed" ? value("fixed_code") : "",
    back: value("back"),
    screen,
    failure_code: value("failure_code"),
    failure_back: value("failure_back"),
  };
}

function link() {
  const status = element("span", { role: "status" });
  const { filled } = found.link;
  const renew = element("button", { type: "button", class: "small" }, say("owner.open.renew"));
  renew.addEventListener("click", async () => {
    if (!await ask(say("owner.open.renew.ask"), { action: say("owner.open.renew"), danger: true })) return;
    acting(renew, messages, async () => show(await call("POST", `${base}/renew`)));
  });
  return [
    element("p", { class: "mono", id: "open-address" }, filled),
    element("div", { class: "buttons" }, element("button", { type: "button", class: "small", onclick: () => copy(filled, status) }, say("common.copy")), renew, status),
  ];
}

function quota() {
  const { held, done, groups } = found.places;
  const most = (value) => (value === null ? "–" : number(value));
  const rows = [[say("owner.open.all"), most(found.arrival.quota), number(done), number(held)]];
  for (const one of groups) rows.push([one.name, most(one.quota), number(one.done), number(one.held)]);
  return table([say("owner.open.who"), say("owner.open.quota"), say("owner.open.done"), say("owner.open.held")], rows, { numbers: [1, 2, 3] });
}

function draw() {
  const parts = [element("p", {}, element("span", { class: `badge ${found.arrival.on ? "open" : ""}` }, say(found.arrival.on ? "owner.open.is_on" : "owner.open.is_off")))];
  if (found.link) parts.push(...link());
  if (found.link) parts.push(quota());
  state.replaceChildren(...parts);
}

function show(given) {
  found = given;
  draw();
  fill(found.arrival);
}

form.elements.group.addEventListener("change", () => drawGroups({}));
form.addEventListener("change", fit);
onSubmit(form, async () => {
  show(await call("PUT", base, { revision: found.revision, arrival: wanted() }));
  tell(messages, say("common.saved"), "good");
  document.querySelector("#campaign").dataset.revision = found.revision;
});

document.addEventListener("people", () => acting(form, messages, async () => { // somebody's place may be free again
  found.places = (await call("GET", base)).places;
  draw();
}));

acting(form, messages, async () => show(await call("GET", base)));
