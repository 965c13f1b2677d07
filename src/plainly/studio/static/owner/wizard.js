// A new campaign, or a draft that is changed: files are checked by the server, which says what it understood or what is wrong in which line.
import { acting, call, onSubmit, Refused } from "./api.js";
import { columns, setColumns, showColumns } from "./columns.js";
import { element, notes, say, tell } from "./dom.js";
import { setWelcome, welcome } from "./welcome.js";

const form = document.querySelector("#wizard");
const draft = form.dataset.draft ? JSON.parse(form.dataset.draft) : null;
const checked = document.querySelector("#checked");
const parts = [...document.querySelectorAll(".of-kind")];

const part = () => parts.find((one) => one.dataset.kind === form.elements.kind.value);

function showKind() {
  for (const one of parts) {
    one.hidden = one !== part();
    one.disabled = one.hidden;
  }
  showFitting();
  setColumns(draft?.columns);
  forget();
}

// Only what applies: some options and files mean something only where another option has a certain value.
function showFitting() {
  for (const box of part().querySelectorAll("[data-when]")) {
    const chosen = (name) => value(part().querySelector(`[data-option="${name}"]`));
    const holds = ([name, values]) => (values.length ? values.includes(chosen(name)) : Boolean(chosen(name)));
    box.hidden = !JSON.parse(box.dataset.when).some(holds);
  }
}

// What the checked files brought for step 3. It goes when they go, unless somebody has written over it.
let brought = null;

function forget() {
  checked.replaceChildren();
  if (!brought) return;
  const fields = form.elements;
  if (brought.welcome && JSON.stringify(current(fields)) === brought.welcome) setWelcome(fields, {});
  for (const [name, { before, after }] of Object.entries(brought.values)) {
    if (fields[name].value === after) fields[name].value = before;
  }
  brought = null;
}

/** The welcome as it is now, or null where it is not whole. */
function current(fields) {
  try {
    return welcome(fields);
  } catch {
    return null;
  }
}

function bring(found) {
  const fields = form.elements;
  brought = { welcome: null, values: {} };
  const set = (name, value) => {
    brought.values[name] = { before: fields[name].value, after: value };
    fields[name].value = value;
  };
  if (found.lang) {
    if (!fields.lang.value) set("lang", found.lang);
    if ([...fields.interface.options].some((one) => one.value === found.lang)) set("interface", found.lang);
  }
  if (found.name && !fields["campaign-name"].value) set("campaign-name", found.name);
  const now = current(fields);
  if (!found.welcome || !now || now.instructions || now.consent || now.form.length) return;
  setWelcome(fields, found.welcome);
  brought.welcome = JSON.stringify(current(fields));
  checked.append(element("p", { class: "message" }, say("owner.check.welcome")));
}

function value(input) {
  const type = input.dataset.type;
  if (type === "switch") return input.checked;
  if (type === "lines") return input.value.split("\n").map((line) => line.trim()).filter(Boolean);
  if (type === "whole" || type === "number") return input.value === "" ? null : Number(input.value);
  return input.value;
}

function data() {
  const made = new FormData();
  made.set("kind", form.elements.kind.value);
  made.set("lang", form.elements.lang.value);
  made.set("columns", JSON.stringify(columns()));
  const options = [...part().querySelectorAll("[data-option]")].map((input) => [input.dataset.option, value(input)]);
  made.set("options", JSON.stringify(Object.fromEntries(options.filter(([, given]) => given !== null))));
  for (const input of part().querySelectorAll("[data-slot]")) {
    input.removeAttribute("aria-invalid");
    if (input.closest("[hidden]")) continue;
    if (input.files.length) {
      made.set(input.dataset.slot, input.files[0]);
    } else if (input.required && !("kept" in input.dataset)) {
      input.setAttribute("aria-invalid", "true");
      input.focus();
      throw new Refused(say("owner.check.missing", { name: part().querySelector(`label[for="${input.id}"]`).textContent }), 422);
    }
  }
  if (!draft) return made;
  const gone = [...part().querySelectorAll("[data-without]:checked, [hidden] [data-kept]")];
  made.set("without", JSON.stringify(gone.map((input) => input.dataset.without ?? input.dataset.slot)));
  made.set("campaign", draft.id);
  return made;
}

function show(found) {
  const box = element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": say("owner.first_rows") });
  const rows = found.rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", { lang: found.lang || undefined, dir: "auto" }, cell))));
  checked.replaceChildren(
    element("p", { class: "message good" }, say("owner.check.good", { count: found.items })),
    ...notes(say("owner.notes"), [], found.notes),
    ...language(found),
    box,
    ...showColumns(part(), found.tables, false, () => check.click()));
  box.append(element("table", { class: "rows" },
    element("thead", {}, element("tr", {}, ...found.columns.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows)));
  bring(found);
}

/** The language, where neither file nor owner says it: a guess is entered, and told as one. */
function language({ lang, guess }) {
  const { lang: field } = form.elements;
  if (lang || field.value) return [];
  if (![...field.options].some((one) => one.value === guess && guess)) return [element("p", { class: "message warn" }, say("owner.lang.choose"))];
  field.value = guess;
  field.dispatchEvent(new Event("change"));
  return [element("p", { class: "message warn" }, say("owner.lang.guess", { language: field.selectedOptions[0].textContent }))];
}

/** What is wrong, and what can be said all the same: which columns there are, and which language it seems to be. */
function complain(error) {
  tell(checked, error.message);
  checked.append(...language({ lang: "", guess: error.data.guess }), ...showColumns(part(), error.data.tables, true, () => check.click()));
}

const check = document.querySelector("#check");
check.addEventListener("click", () => acting(check, checked, async () => {
  const body = data();
  forget();
  tell(checked, say("owner.checking"), "");
  try {
    show(await call("POST", "/api/campaigns/check", body));
  } catch (error) {
    if (!(error instanceof Refused) || !error.data.tables) throw error;
    complain(error);
  }
}));

for (const input of form.querySelectorAll('[name="kind"]')) input.addEventListener("change", showKind);
for (const one of parts) {
  one.addEventListener("input", ({ target }) => {
    if (target.dataset.slot) setColumns({ ...columns(), [target.dataset.slot]: {} });
    showFitting();
    forget();
  });
}
form.elements.lang.addEventListener("change", ({ target }) => {
  // Who reads German texts most likely reads German buttons, too.
  if ([...form.elements.interface.options].some((one) => one.value === target.value)) form.elements.interface.value = target.value;
});
showKind();

onSubmit(form, async (fields) => {
  const body = data();
  body.set("name", fields["campaign-name"].value);
  body.set("interface", fields.interface.value);
  body.set("welcome", JSON.stringify(welcome(fields)));
  if (draft) {
    body.delete("campaign");
    body.set("revision", draft.revision);
    body.set("seed", fields.seed.value);
    await call("PUT", `/api/campaigns/${draft.id}/draft`, body);
    location.assign(`/campaigns/${draft.id}/settings`);
    return;
  }
  tell(form.querySelector(".messages"), say("owner.creating"), "");
  const made = await call("POST", "/api/campaigns", body);
  location.assign(`/campaigns/${made.id}`);
});
