// Which column of a table means what: seen by the server, changed by whoever knows better.
import { element, say } from "./dom.js";

let said = {}; // slot -> our name -> column

export const columns = () => said;

/** Of files where anything was said: those of other kinds are no tables, and the server refuses their names. */
export function setColumns(value) {
  said = Object.fromEntries(Object.entries(value ?? {}).filter(([, names]) => Object.keys(names).length));
}

/** Selects for each table that was read; `again` checks the files with what was chosen. */
export function showColumns(part, tables, refused, again) {
  const drawn = Object.entries(tables ?? {}).map(([slot, table]) => {
    const input = part.querySelector(`[data-slot="${slot}"]`);
    const needed = JSON.parse(input.dataset.needed);
    const lacking = needed.some((name) => !table.called[name]);
    const title = part.querySelector(`label[for="${input.id}"]`).firstChild.textContent.trim();
    const selects = JSON.parse(input.dataset.columns).map((name) => select(slot, name, table, needed.includes(name)));
    return element("details", { class: "mapping", open: lacking && refused },
      element("summary", {}, say("owner.columns", { file: title })),
      table.release ? element("p", { class: "note" }, say("owner.columns.release", { name: table.release })) : null,
      element("p", { class: "help" }, say("owner.columns.help", { found: table.columns.join(", ") })),
      element("div", { class: "grid" }, ...selects),
      element("button", { type: "button", class: "small", onclick: ({ target }) => keep(target, slot, again) }, say("owner.columns.check")));
  });
  return drawn;
}

function select(slot, name, table, needed) {
  const id = `column-${slot}-${name}`;
  const chosen = table.called[name] ?? table.guess[name] ?? "";
  const made = element("select", { id, "data-name": name },
    element("option", { value: "" }, "–"),
    ...table.columns.map((column) => element("option", { value: column, selected: column === chosen }, column)));
  const optional = needed ? "" : ` (${say("common.optional")})`;
  return element("div", { class: "field" }, element("label", { for: id }, `${say(`owner.column.${name}`)}${optional}`), made);
}

function keep(button, slot, again) {
  const chosen = [...button.closest(".mapping").querySelectorAll("select")].filter((one) => one.value);
  said = { ...said, [slot]: Object.fromEntries(chosen.map((one) => [one.dataset.name, one.value])) };
  again();
}
