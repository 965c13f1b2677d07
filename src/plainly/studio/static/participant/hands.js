// Keys and clicks, and those that nobody meant.

const DOUBLE_CLICK = 500;
const TYPING = "input, textarea, select, [contenteditable=''], [contenteditable=true]";

// handlers() gives the functions by key that count now. Letters are matched without regard to case.
export function listenToKeys(handlers) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.(TYPING) || document.querySelector("dialog[open]:not([data-keys])")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((key === "Enter" || key === " ") && event.target.closest?.("button, a, summary")) return;
    const handler = handlers()[key] ?? handlers()[event.key];
    if (!handler) return;
    event.preventDefault();
    handler(event);
  });
}

// A double click on one task is no answer to the next one, which slid under the mouse.
export function swallowSecondClicks(element, shownAt) {
  const swallow = (event) => {
    if (event.detail > 1 && performance.now() - shownAt() < DOUBLE_CLICK) {
      event.stopPropagation();
      event.preventDefault();
    }
  };
  element.addEventListener("click", swallow, true);
}
