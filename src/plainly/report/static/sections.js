// Parts of the page that fold: a link to one opens it, and paper shows them all.

export function unfoldWhereNeeded() {
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const part = target?.closest("details.section");
    if (part) part.open = true;
  };
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.addEventListener("click", () => {
      const part = document.getElementById(link.hash.slice(1))?.closest("details.section");
      if (part) part.open = true;
    });
  }
  addEventListener("hashchange", follow);
  follow();
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.section:not([open]), details.rest:not([open])")];
    for (const part of closed) part.open = true;
  });
  addEventListener("afterprint", () => { for (const part of closed) part.open = false; });
}
