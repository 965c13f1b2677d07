// Elements are made here and nowhere else. Data become text nodes or attributes, never markup.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// What a part of a picture says when it is pointed at.
export function svgTitle(text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "title");
  made.append(text);
  return made;
}

export function hiddenText(text) {
  return element("span", { class: "vh" }, text);
}

export function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
