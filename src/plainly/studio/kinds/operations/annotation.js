// The annotation of one pair: groups, the mark for faulty pairs, and what was there before each change.
// Nothing here knows the screen.

export const SIDES = ["source", "target"];

// Which sides hold words: both, source, target, or "" where none does. Works for groups and for selections.
export function shapeOf(words) {
  const [source, target] = SIDES.map((side) => (words[side].size ?? words[side].length) > 0);
  return source && target ? "both" : source ? "source" : target ? "target" : "";
}

export const fits = (label, words) => label.shapes.includes(shapeOf(words));

export const sameGroup = (one, other) => one.label === other.label && SIDES.every((side) => String(one[side]) === String(other[side]));

export class Annotation {
  constructor(start, labels) {
    this.labels = new Map(labels.map((label) => [label.name, label]));
    this.groups = start.groups.map((group) => ({ ...group })).sort(byPlace);
    this.erroneous = start.erroneous;
    this.past = [];
  }

  groupOf(side, position) {
    return this.groups.find((group) => group[side].includes(position)) ?? null;
  }

  numberOf(group) {
    return this.groups.indexOf(group) + 1;
  }

  // Makes a group of the selected words, in the place of `edited` if that is given. Words leave the groups they were in;
  // a group whose label no longer fits what is left of it goes too, and is given back.
  assign(selection, label, edited = null) {
    this.remember();
    const dropped = [];
    const kept = [];
    for (const group of this.groups.filter((each) => each !== edited)) {
      const left = { ...group };
      for (const side of SIDES) left[side] = group[side].filter((position) => !selection[side].has(position));
      const touched = SIDES.some((side) => left[side].length < group[side].length);
      if (!touched) kept.push(group);
      else if (shapeOf(left) && fits(this.labels.get(group.label), left)) kept.push(left);
      else dropped.push(group);
    }
    const made = { label };
    for (const side of SIDES) made[side] = [...selection[side]].sort((a, b) => a - b);
    this.groups = [...kept, made].sort(byPlace);
    return { made, dropped };
  }

  remove(group) {
    this.remember();
    this.groups = this.groups.filter((each) => each !== group);
  }

  clear() {
    this.remember();
    this.groups = [];
  }

  // The group with the same words and the same label.
  drop(group) {
    this.remove(this.groups.find((each) => sameGroup(each, group)));
  }

  replace({ groups, erroneous }) {
    this.remember();
    this.groups = groups.map(({ source, target, label }) => ({ source, target, label })).sort(byPlace);
    this.erroneous = erroneous;
  }

  flag() {
    this.remember();
    this.erroneous = !this.erroneous;
  }

  undo() {
    const before = this.past.pop();
    if (!before) return false;
    ({ groups: this.groups, erroneous: this.erroneous } = before);
    return true;
  }

  remember() {
    this.past.push({ groups: this.groups, erroneous: this.erroneous });
  }
}

// In the order of the source; what is new in the target comes last.
function byPlace(one, other) {
  const place = (group) => (group.source.length ? group.source[0] : 1e9 + group.target[0]);
  return place(one) - place(other);
}
