"""From the probabilities of tokens to groups that do not overlap, each with a confidence.

1. Every token takes its likeliest label, neighbours rather the same one. A token that the alignment does not keep
   must have one: it changed.
2. Labels of replacements need tokens on both sides. Runs of a label on the two sides are paired, the best aligned
   first. A run that is left over joins a group, or finds other partners, or takes a label that may stand alone. So
   do tokens to which `constraints` does not leave the label.
3. What remains, runs of deletions and insertions, are groups as they are.

The confidence of a group is the mean probability of its label over its tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

import numpy as np

from plainly.operations.annotations import Group
from plainly.operations.tagger.alignment import Alignment
from plainly.operations.tagger.constraints import Constraints
from plainly.operations.tagger.labeller import (
    COLUMN,
    INSERTIONS,
    LABELS,
    ONE_SIDED,
    REPLACEMENTS,
    UNCHANGED,
    Floats,
    Labelled,
)
from plainly.operations.typology import ERROR, SIDES, Side

Run = tuple[int, ...]

_FORBIDDEN: dict[Side, list[int]] = {
    "source": [COLUMN[label] for label in INSERTIONS],
    "target": [COLUMN[label] for label in (*ONE_SIDED["source"],)],
}
NEAR = 0.25  # what standing in the same gap is worth, beside links
PRICE = 0.4  # of a change of label, in log-probability; chosen in cross-validation
TINY = 1e-9
LIKELY = 0.1  # probability from which on a token may take the label of a run that needs a partner


def group(labelled: Labelled, alignment: Alignment, threshold: float, constraints: Constraints) -> tuple[Group, ...]:
    """The groups of a pair, in the order of their tokens; the flag `err` comes first."""
    if len(alignment.kept) == alignment.source_length == alignment.target_length:
        return ()  # the texts are the same
    labelled = constraints.possible(labelled)
    probabilities: dict[Side, Floats] = {"source": labelled.source, "target": labelled.target}
    labels: dict[Side, list[str]] = {
        "source": _likeliest(labelled.source, "source", {i for i, _ in alignment.kept}),
        "target": _likeliest(labelled.target, "target", {j for _, j in alignment.kept}),
    }
    found: list[tuple[str, Run, Run]] = []
    present = {*labels["source"], *labels["target"]}
    for label in REPLACEMENTS:
        if label in present:
            found += _paired(label, labels, probabilities, alignment, constraints)
    for side in ("source", "target"):
        for label, run in _runs(labels[side]):
            if label in ONE_SIDED[side]:
                found.append((label, run, ()) if side == "source" else (label, (), run))
    groups = [
        Group(source, target, label, _confidence(label, source, target, labelled)) for label, source, target in found
    ]
    groups.sort(key=lambda group: (not group.source, group.source or group.target))
    return (*_flag(labelled, alignment, threshold), *groups)


def _likeliest(probabilities: Floats, side: Side, kept: set[int]) -> list[str]:
    """The likeliest row of labels (Viterbi), where a change of label between two changed neighbours has a price."""
    size = len(probabilities)
    if not size:
        return []
    allowed = probabilities.copy()
    allowed[:, _FORBIDDEN[side]] = 0
    changed = [i not in kept for i in range(size)]
    allowed[changed, COLUMN[UNCHANGED]] = 0
    gains = np.log(np.maximum(allowed, TINY))
    total = gains[0]
    stays = np.arange(len(LABELS))
    before = []
    for i in range(1, size):
        best = int(total.argmax())
        leap = total[best] - (PRICE if changed[i] and changed[i - 1] else 0.0)
        before.append(np.where(total >= leap, stays, best))
        total = np.maximum(total, leap) + gains[i]
    column = int(total.argmax())
    columns = [column]
    for origins in reversed(before):
        column = int(origins[column])
        columns.append(column)
    return [LABELS[column] for column in reversed(columns)]


def _runs(labels: Sequence[str], breaks: Iterable[int] = ()) -> list[tuple[str, Run]]:
    """Neighbours of one label; a new run begins at each of `breaks`."""
    cuts = set(breaks)
    number, keyed = 0, []
    for i, label in enumerate(labels):
        number += i in cuts
        keyed.append((label, number))
    return [(key[0], tuple(run)) for key, run in groupby(range(len(labels)), lambda i: keyed[i])]


def _paired(
    label: str,
    labels: dict[Side, list[str]],
    probabilities: dict[Side, Floats],
    alignment: Alignment,
    constraints: Constraints,
) -> list[tuple[str, Run, Run]]:
    """The groups of a label that needs both sides.

    A run that is left over joins a group beside it, or finds tokens on the other side that may well bear its label;
    if there are none, it is relabelled. So are tokens to which the label cannot be left.
    """
    seen: dict[Side, Alignment] = {"source": alignment, "target": alignment.turned}
    runs = {side: _pieces(label, labels[side], seen[side].partners) for side in SIDES}
    scored = sorted(
        (-score, i, j)
        for i, source in enumerate(runs["source"])
        for j, target in enumerate(runs["target"])
        if (score := _fit(source, target, alignment)) > 0
    )
    free = {side: set(range(len(runs[side]))) for side in SIDES}
    found: list[dict[Side, Run]] = []
    for _, i, j in scored:
        if i in free["source"] and j in free["target"]:
            free["source"].remove(i)
            free["target"].remove(j)
            found.append({"source": runs["source"][i], "target": runs["target"][j]})
    for side, other in (SIDES, SIDES[::-1]):
        for number in sorted(free[side]):
            run = runs[side][number]
            beside = max(found, key=lambda group: _fit(run, group[other], seen[side]), default=None)
            if beside is not None and _fit(run, beside[other], seen[side]) > 0:
                beside[side] = tuple(sorted(beside[side] + run))
            elif partners := _likely_partners(label, run, other, labels[other], probabilities[other], seen[side]):
                for position in partners:
                    labels[other][position] = label
                found.append({side: run, other: partners})
            else:
                _relabel(run, ONE_SIDED[side], labels[side], probabilities[side], seen[side])
    kept: list[tuple[str, Run, Run]] = []
    for group in found:
        staying = constraints.stay(label, group["source"], group["target"])
        for side, stays in zip(SIDES, staying, strict=True):
            if going := tuple(i for i in group[side] if i not in stays):
                _relabel(going, ONE_SIDED[side], labels[side], probabilities[side], seen[side])
        if all(staying):
            kept.append((label, *staying))
    return kept


def _likely_partners(
    label: str, run: Run, other: Side, others: Sequence[str], probabilities: Floats, seen: Alignment
) -> Run:
    """Tokens of the other side that are linked to the run or share its gap, stand alone, and may bear the label."""
    linked, gaps = {seen.partners[i] for i in run}, {seen.gap(i) for i in run}
    alone, likely = ONE_SIDED[other], probabilities[:, COLUMN[label]] >= LIKELY
    return tuple(
        j
        for j, name in enumerate(others)
        if name in alone and likely[j] and (j in linked or seen.turned.gap(j) in gaps)
    )


def _pieces(label: str, labels: Sequence[str], partners: Sequence[int]) -> list[Run]:
    """The runs of a label, cut where the partners of two neighbours are no neighbours."""
    breaks = [i for i, (a, b) in enumerate(pairwise(partners), 1) if min(a, b) >= 0 and b != a + 1]
    return [run for name, run in _runs(labels, breaks) if name == label]


def _fit(source: Run, target: Run, alignment: Alignment) -> float:
    """How well two runs answer each other: links between them, and standing in the same gap."""
    inside = set(target)
    linked = sum(alignment.partners[i] in inside for i in source)
    gaps = {alignment.gap(i) for i in source} & {alignment.turned.gap(j) for j in target}
    return linked / max(len(source), len(target)) + (NEAR if gaps else 0.0)


def _relabel(run: Run, alone: Sequence[str], labels: list[str], probabilities: Floats, seen: Alignment) -> None:
    """Tokens without a counterpart take the likeliest label that needs none; kept ones count as unchanged."""
    means = probabilities[np.ix_(list(run), [COLUMN[label] for label in alone])].mean(axis=0)
    label, kept = alone[int(means.argmax())], set(seen.kept_sources)
    for i in run:
        labels[i] = UNCHANGED if i in kept else label


def _confidence(label: str, source: Run, target: Run, labelled: Labelled) -> float:
    column = COLUMN[label]
    total = sum(float(labelled.source[i, column]) for i in source)
    total += sum(float(labelled.target[j, column]) for j in target)
    return round(total / (len(source) + len(target)), 4)


def _flag(labelled: Labelled, alignment: Alignment, threshold: float) -> list[Group]:
    """`err` stands on the first token of both texts, as in ASSETann."""
    if labelled.error < threshold or not (alignment.source_length and alignment.target_length):
        return []
    return [Group((0,), (0,), ERROR, round(labelled.error, 4))]
