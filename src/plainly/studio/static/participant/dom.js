// Elements made from data. Data only ever becomes text or attributes, never markup.

export function element(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on") && typeof value === "function") made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// Text with blank lines as paragraphs; single line breaks stay (white-space: pre-line).
export function paragraphs(text, given = {}) {
  const parts = String(text ?? "").split(/\n\s*\n/).map((part) => part.trim()).filter(Boolean);
  return parts.map((part) => element("p", { class: "pre-line", dir: "auto", ...given, text: part }));
}
