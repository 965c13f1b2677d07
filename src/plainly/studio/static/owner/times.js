// Times on pages of owners: all in the reader's time zone, and all with its name.
import { element, lang } from "./dom.js";

const DAY = { year: "numeric", month: "short", day: "numeric" };
const CLOCK = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

/** A time of the server (ISO 8601, UTC), as in "19 Nov 2026, 22:43 CET". */
export function inWords(time) {
  return new Date(time).toLocaleString(lang, { ...DAY, ...CLOCK });
}

export function moment(time) {
  return time ? element("time", { datetime: time }, inWords(time)) : "";
}

/** The time of day, for what happened just now. */
export function clock(date) {
  return date.toLocaleTimeString(lang, { ...CLOCK, second: "2-digit" });
}

/** Times that the server wrote, which does not know where the reader is. */
export function localise() {
  for (const one of document.querySelectorAll("time[datetime]")) one.textContent = inWords(one.dateTime);
}
