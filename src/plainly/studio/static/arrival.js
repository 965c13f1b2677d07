// The page of an open link: its button makes a personal link, or finds the one that this browser had before.
//
// The secret of that link is made here, and kept before it is sent: after a lost reply, or a reload, the same one is sent
// again, and nobody is made twice.

import { Connection } from "./participant/connection.js";
import { element } from "./participant/dom.js";

const BYTES = 16; // 128 bits
const FINAL = [401, 403, 404, 409, 410, 422];

const texts = JSON.parse(document.body.dataset.texts);
const { slug, who, parameters } = JSON.parse(document.body.dataset.given);
const connection = new Connection(`../api/j/${slug}`);
const button = document.getElementById("begin");
const problem = document.getElementById("problem");
const key = `plainly-open:${slug}:${who}`; // several people may use one browser

function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

let made = "";
function secret() {
  try {
    made ||= localStorage.getItem(key) || newSecret();
    localStorage.setItem(key, made);
  } catch {
    made ||= newSecret(); // no storage: the name that the platform gives still leads back
  }
  return made;
}

button.addEventListener("click", async () => {
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  button.textContent = texts.beginning;
  problem.hidden = true;
  const reply = await connection.post("", { secret: secret(), parameters });
  if (reply.ok) return location.replace(`../p/${secret()}`);
  if (FINAL.includes(reply.status)) {
    const said = element("div", { class: "words" }, reply.body.title ? element("h1", { text: reply.body.title }) : null, element("p", { text: reply.body.error }));
    document.getElementById("task").replaceChildren(said);
    document.getElementById("task").focus();
    return undefined;
  }
  button.removeAttribute("aria-disabled");
  button.textContent = texts.begin;
  problem.textContent = texts.offline;
  problem.hidden = false;
  return undefined;
});
button.disabled = false; // before, nobody would hear it
