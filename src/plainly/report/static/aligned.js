// What became of each sentence of a document: a table of two columns, made when it is opened.
import { element } from "./dom.js";

// `links` are [sentences of the source, sentences of the output]; `plain` and `marked` make paragraphs of texts.
export function alignedSentences(links, plain, marked) {
  if (!links) return null;
  const home = element("div", { class: "scroll" });
  const made = element("details", { class: "aligned" }, element("summary", {}, "Sentence by sentence"), home);
  made.addEventListener("toggle", () => { if (!home.hasChildNodes()) home.append(table(links, plain, marked)); });
  return made;
}

function table(links, plain, marked) {
  const rows = links.map(([source, output]) => {
    const [from, to] = [source.join(" "), output.join(" ")];
    return element("tr", {}, cell(from && plain(from), "added"), cell(to && (from ? marked(to, from) : plain(to)), "deleted"));
  });
  const head = element("tr", {}, ...["Source", "Output"].map((title) => element("th", { scope: "col" }, title)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function cell(paragraph, nothing) {
  return element("td", {}, paragraph || element("p", { class: "small-print" }, `(${nothing})`));
}
