// A new campaign: files are checked by the server, which says what it understood or what is wrong in which line.
import { acting, call, onSubmit, Refused } from "./api.js";
import { element, say, tell } from "./dom.js";
import { setWelcome, welcome } from "./welcome.js";

const form = document.querySelector("#wizard");
const checked = document.querySelector("#checked");
const parts = [...document.querySelectorAll(".of-kind")];

const part = () => parts.find((one) => one.dataset.kind === form.elements.kind.value);

function showKind() {
  for (const one of parts) {
    one.hidden = one !== part();
    one.disabled = one.hidden;
  }
  checked.replaceChildren();
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
  const options = [...part().querySelectorAll("[data-option]")].map((input) => [input.dataset.option, value(input)]);
  made.set("options", JSON.stringify(Object.fromEntries(options.filter(([, given]) => given !== null))));
  for (const input of part().querySelectorAll("[data-slot]")) {
    input.removeAttribute("aria-invalid");
    if (input.files.length) {
      made.set(input.dataset.slot, input.files[0]);
    } else if (input.required) {
      input.setAttribute("aria-invalid", "true");
      input.focus();
      throw new Refused(say("owner.check.missing", { name: part().querySelector(`label[for="${input.id}"]`).textContent }), 422);
    }
  }
  return made;
}

function show(found) {
  const rows = found.rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", { lang: found.lang || undefined, dir: "auto" }, cell))));
  checked.replaceChildren(
    element("p", { class: "message good" }, say("owner.check.good", { count: found.items })),
    ...found.notes.map((note) => element("p", { class: "message warn" }, note)),
    element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": say("owner.first_rows") },
      element("table", { class: "rows" },
        element("thead", {}, element("tr", {}, ...found.columns.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...rows))));
  if (found.lang) form.elements.lang.value = found.lang;
  if (found.welcome) {
    setWelcome(form.elements, found.welcome);
    checked.append(element("p", { class: "message" }, say("owner.check.welcome")));
  }
}

const check = document.querySelector("#check");
check.addEventListener("click", () => acting(check, checked, async () => {
  const body = data();
  tell(checked, say("owner.checking"), "");
  show(await call("POST", "/api/campaigns/check", body));
}));

for (const input of form.querySelectorAll('[name="kind"]')) input.addEventListener("change", showKind);
for (const one of parts) one.addEventListener("input", () => checked.replaceChildren());
showKind();

onSubmit(form, async (fields) => {
  const body = data();
  body.set("name", fields["campaign-name"].value);
  body.set("interface", fields.interface.value);
  body.set("welcome", JSON.stringify(welcome(fields)));
  tell(form.querySelector(".messages"), say("owner.creating"), "");
  const made = await call("POST", "/api/campaigns", body);
  location.assign(`/campaigns/${made.id}`);
});
