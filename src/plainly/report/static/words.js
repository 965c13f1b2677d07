// What happened to each word between a source and an output: kept, added, deleted or moved.
//
// Words are compared in lower case. Those on a longest common subsequence are kept. A word that both texts have
// beside it was moved. What is left was added or deleted.

const WORD = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|[\ufe0f\u{1f3fb}-\u{1f3ff}])*|\p{Script=Han}|[\p{L}\p{M}\p{N}]+(?:['’.,-][\p{L}\p{M}\p{N}]+)*|\S/gu;
const MOST_CELLS = 4_000_000; // longer texts are compared by their words alone, without order

export function tokens(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    found.push({ lead: text.slice(end, match.index), text: match[0], key: match[0].toLowerCase() });
    end = match.index + match[0].length;
  }
  return found;
}

export function tally(found) {
  const times = new Map();
  for (const token of found) times.set(token.key, (times.get(token.key) ?? 0) + 1);
  return times;
}

export function changes(source, output) {
  const steps = inOrder(source, output);
  const gone = new Map();
  for (const step of steps) if (step.kind === "deleted") gone.set(step.token.key, (gone.get(step.token.key) ?? 0) + 1);
  const moved = new Map();
  for (const step of steps) {
    const left = gone.get(step.token.key) ?? 0;
    if (step.kind !== "added" || !left || !isWord(step.token.key)) continue;
    step.kind = "moved";
    gone.set(step.token.key, left - 1);
    moved.set(step.token.key, (moved.get(step.token.key) ?? 0) + 1);
  }
  // A moved word is marked where it went, not where it was.
  return steps.filter((step) => {
    const left = step.kind === "deleted" ? moved.get(step.token.key) ?? 0 : 0;
    if (left) moved.set(step.token.key, left - 1);
    return !left;
  });
}

export function counts(steps) {
  const found = { kept: 0, added: 0, deleted: 0, moved: 0 };
  for (const step of steps) if (isWord(step.token.key)) found[step.kind] += 1;
  return found;
}

export function isWord(key) {
  return /[\p{L}\p{N}]/u.test(key);
}

function inOrder(source, output) {
  const [n, m] = [source.length, output.length];
  if (n * m > MOST_CELLS) return withoutOrder(source, output);
  const width = m + 1;
  const longest = new Uint16Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      longest[i * width + j] = source[i].key === output[j].key
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const steps = [];
  let [i, j] = [0, 0];
  while (i < n || j < m) {
    if (i < n && j < m && source[i].key === output[j].key) steps.push({ kind: "kept", token: output[j++] }), i++;
    else if (j === m || (i < n && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      steps.push({ kind: "deleted", token: source[i++] });
    } else steps.push({ kind: "added", token: output[j++] });
  }
  return steps;
}

function withoutOrder(source, output) {
  const left = tally(source);
  return output.map((token) => {
    const count = left.get(token.key) ?? 0;
    if (count) left.set(token.key, count - 1);
    return { kind: count ? "kept" : "added", token };
  });
}
