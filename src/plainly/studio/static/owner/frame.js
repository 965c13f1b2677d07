// What every page has: the language of the interface, and the way out.
import { call } from "./api.js";
import { lang } from "./dom.js";
import { localise } from "./times.js";

const YEAR = 365 * 24 * 3600;

document.querySelector("#language").addEventListener("change", (event) => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `studio_language=${event.target.value}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  location.reload();
});

document.querySelector("#logout")?.addEventListener("click", async () => {
  await call("POST", "/api/logout").catch(() => null);
  location.assign("/login");
});

// The server knows languages by their English names; the browser knows them in the reader's own.
const names = new Intl.DisplayNames(lang, { type: "language", fallback: "none" });
for (const one of document.querySelectorAll("[data-language], #lang option:not([value=''])")) {
  one.textContent = names.of(one.dataset.language ?? one.value) ?? one.textContent;
}
const list = document.querySelector("#lang");
if (list) {
  const { compare } = new Intl.Collator(lang);
  const chosen = list.value;
  list.append(...[...list.querySelectorAll("option:not([value=''])")].sort((a, b) => compare(a.textContent, b.textContent)));
  list.value = chosen;
}

localise();
