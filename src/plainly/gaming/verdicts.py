"""What a study says of each metric: how cheaply it is fooled, and whether it keeps sane.

"Better" follows the direction of the metric. A metric without a direction gets no verdict.

The cheapest deception is the smallest share of a worse system's outputs that must be edited until its mean score over
the trials beats that of a better system. It is sought on a grid of strengths, then by bisection between the last
strength that does not suffice and the first that does. Copying a reference is no deception: it does simplify.

A sanity rule says how the score of a fully edited system must stand to that of its outputs:

    no better    an edit that improves nothing must not get a better score: trivial edits, a copy of the source, ...
    worse        the damage must be noticed: a negation dropped, a number changed, words shuffled, ...
    no worse     a human simplification must not get a worse score
    bottom       unrelated text must score worse than the outputs, and no better than any other edit of the study

A score counts as changed where 95 % of the trials lie on one side of the unedited score: chance alone passes nothing
and fails nothing. An edit that changed no text says nothing: there is no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plainly.base.errors import UnknownName
from plainly.base.messages import Message, message
from plainly.gaming.study import Spread, Study, spreads
from plainly.metrics import Metric

Rule = Literal["no better", "worse", "no worse", "bottom"]

RULES: Mapping[str, Rule] = {
    "copy-source": "no better",
    "copy-reference": "no worse",
    "delete-last-quarter": "worse",
    "shuffle-words": "worse",
    "drop-negation": "worse",
    "swap-number": "worse",
    "swap-entities": "worse",
    "duplicate": "worse",
    "lower-case": "no better",
    "unrelated": "bottom",
}
GRID = 20  # strengths that are looked at before the bisection
ROUNDING = 1e-9  # scores that differ by less than this share of their size are equal


@dataclass(frozen=True)
class Deception:
    """What it takes to lift a worse system above a better one by an edit; `segments` is None where nothing does."""

    metric: str
    edit: str
    worse: str
    better: str
    gap: float  # between the two as they are, positive
    segments: int | None
    share: float | None


@dataclass(frozen=True)
class Verdict:
    """What an edit of all outputs of a system does to a metric. Gains are positive where the score gets better."""

    metric: str
    edit: str
    system: str
    rule: Rule
    unedited: float
    edited: Spread
    gain: float  # of the mean over the trials
    changed: float  # the share of texts that the edit did change
    gain_per_segment: float  # of those that it changed
    passed: bool | None  # None: the edit changed nothing, or nothing could be scored

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; what is not a number becomes null."""
        plain = {**vars(self), "edited": self.edited.to_dict()}
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in plain.items()}


@dataclass(frozen=True)
class Tally:
    """A cell of the table metric x edit: of so many systems, with so many the metric kept the rule."""

    passed: int
    judged: int


def rule_of(edit: str) -> Rule:
    """The rule for an edit; one that is not named here, or a composition, must not raise the score."""
    return RULES.get(edit, "no better")


def judged_metrics(study: Study) -> dict[str, Metric]:
    """The metrics that have a direction."""
    return {label: metric for label, metric in study.metrics.items() if metric.facts.direction != "none"}


def verdicts(study: Study) -> list[Verdict]:
    """One for each metric with a direction, edit and system."""
    return [
        verdict
        for label, metric in judged_metrics(study).items()
        for system in study.systems
        for verdict in _of_system(study, label, _sign(metric), system)
    ]


def table(found: list[Verdict]) -> dict[str, dict[str, Tally]]:
    """Verdicts as a table: metric -> edit -> how many systems it kept the rule with."""
    cells: dict[str, dict[str, Tally]] = {}
    for verdict in found:
        row = cells.setdefault(verdict.metric, {})
        before = row.get(verdict.edit, Tally(0, 0))
        row[verdict.edit] = Tally(
            before.passed + (verdict.passed is True), before.judged + (verdict.passed is not None)
        )
    return cells


def deceptions(study: Study, first: str, second: str) -> list[Deception]:
    """For each metric with a direction and each edit, what lifts the worse of two systems above the better one.

    Where both have the same score there is no worse one, and nothing to flip.
    """
    for system in (first, second):
        if system not in study.curves:
            raise UnknownName("system", system, study.systems)
    return [
        deception
        for label, metric in judged_metrics(study).items()
        for deception in _of_pair(study, label, _sign(metric), first, second)
    ]


def cheapest(found: list[Deception]) -> dict[str, Deception]:
    """Of each metric the deception with the fewest edited segments; metrics that no edit deceives are left out."""
    best: dict[str, Deception] = {}
    for deception in found:
        if deception.segments is None:
            continue
        known = best.get(deception.metric)
        if known is None or known.segments is None or deception.segments < known.segments:
            best[deception.metric] = deception
    return best


def undecided(study: Study, first: str, second: str) -> dict[str, Message]:
    """The metrics for which there is nothing to flip, and why."""
    found = {}
    for label, metric in study.metrics.items():
        scores = [float(study.unedited(system, label).value) for system in (first, second)]
        if metric.facts.direction == "none":
            found[label] = message("gaming.no-better-end", "it has no better end")
        elif math.isnan(sum(scores)):
            found[label] = message("gaming.one-unscored", "one of the two systems could not be scored")
        elif scores[0] == scores[1]:
            found[label] = message("gaming.same-score", "both systems have the same score")
    return found


def _sign(metric: Metric) -> int:
    return 1 if metric.facts.direction == "higher" else -1


def _of_system(study: Study, label: str, sign: int, system: str) -> Iterator[Verdict]:
    unedited = float(study.unedited(system, label).value)
    edited = {edit: spreads(study.scores(system, edit, label, [study.size]))[0] for edit in study.edits}
    for edit, found in edited.items():
        rule = rule_of(edit)
        changed = study.mixtures[system][edit].changed
        gain = sign * (found.mean - unedited) + 0.0  # no minus before a zero
        passed = None
        if changed and not math.isnan(gain):
            passed = _kept(rule, found, unedited, sign)
            if rule == "bottom":
                passed &= not any(sign * (other.mean - found.mean) < 0 for other in edited.values())
        per_segment = gain / (changed * study.size) if changed else math.nan
        yield Verdict(label, edit, system, rule, unedited, found, gain, changed, per_segment, passed)


def _kept(rule: Rule, edited: Spread, unedited: float, sign: int) -> bool:
    small = ROUNDING * max(1.0, abs(unedited))
    least, most = sorted(sign * (bound - unedited) for bound in (edited.estimate.low, edited.estimate.high))
    if rule == "no better":
        return least <= small
    if rule == "no worse":
        return most >= -small
    return most < -small


def _of_pair(study: Study, label: str, sign: int, first: str, second: str) -> Iterator[Deception]:
    scores = {system: sign * float(study.unedited(system, label).value) for system in (first, second)}
    if math.isnan(sum(scores.values())) or scores[first] == scores[second]:
        return
    worse, better = sorted(scores, key=lambda system: scores[system])
    for edit in study.edits:
        if rule_of(edit) == "no worse":
            continue
        needed = _fewest(study, worse, edit, label, sign, scores[better])
        share = None if needed is None else needed / study.size
        yield Deception(label, edit, worse, better, scores[better] - scores[worse], needed, share)


def _fewest(study: Study, system: str, edit: str, label: str, sign: int, target: float) -> int | None:
    """How few edited segments bring the mean above the target; within a step of the grid, it is taken to rise."""
    grid = sorted({round(study.size * step / GRID) for step in range(GRID + 1)})
    means = sign * study.scores(system, edit, label, grid).mean(axis=1)
    above = next((i for i, mean in enumerate(means) if mean > target), None)
    if above is None:
        return None
    low, high = grid[max(above - 1, 0)], grid[above]  # the unedited system is below the target
    while high - low > 1:
        middle = (low + high) // 2
        if sign * study.scores(system, edit, label, [middle]).mean() > target:
            high = middle
        else:
            low = middle
    return high
