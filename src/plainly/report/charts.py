"""The charts of the page: each answers a question, and carries its rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plainly.inference import Pair
from plainly.metrics.sari import OPERATIONS, ORDERS
from plainly.report import grids, specs
from plainly.report.compared import Compared
from plainly.report.distributions import distributions
from plainly.report.words import (
    BETTER,
    axis_title,
    estimate,
    in_sentence,
    joined,
    number,
    plural,
    verdict,
)

Value = str | float | int | None
READING = ("sentence-length", "syllables-per-word", "lexical-complexity")
SCORE_COLUMNS = ("metric", "system", "kind", "score", "low", "high")
TOP, OTHER, SYSTEM = "best, or not told apart from it", "other systems", "systems"
BASELINE = "baselines"
KINDS = {
    TOP: specs.LineStyle("var(--accent)", (), "circle"),
    OTHER: specs.LineStyle("var(--other)", (), "square"),
    SYSTEM: specs.LineStyle("var(--accent)", (), "circle"),
    BASELINE: specs.LineStyle("var(--muted)", (), "diamond"),
}
MARKS = {"better": "+", "higher": "+", "worse": "−", "lower": "−", "not told apart": "·"}
LOOKS = {"better": "var(--better)", "worse": "var(--worse)", "not told apart": "var(--neutral)"}
"""The colours of verdicts."""
NO_BETTER_END = {"higher": "var(--added)", "lower": "var(--moved)", "not told apart": "var(--neutral)"}


@dataclass(frozen=True)
class Panel:
    """One picture. `width` is the least it needs; a narrower page scrolls it in its box."""

    title: str
    alt: str
    spec: specs.Spec
    width: int = 0


@dataclass(frozen=True)
class Chart:
    """A question, its answer in words, pictures, and the rows that all pictures draw."""

    name: str
    question: str
    answer: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    panels: Sequence[Panel]
    legend: Mapping[str, specs.LineStyle] = field(default_factory=dict)  # of lines, once for all panels

    def data(self) -> dict[str, Any]:
        """What the page's script needs."""
        return {
            "name": self.name,
            "columns": list(self.columns),
            "rows": [[_plain(value) for value in row] for row in self.rows],
            "specs": [panel.spec for panel in self.panels],
        }


def score_chart(compared: Compared) -> Chart:
    """All systems by the metric that decides."""
    whose = compared.systems[0] if len(compared.systems) == 1 else "all systems"
    question = f"{compared.metric.title} of {whose}"
    return _scores("scores", question, compared, [compared.first])


def difference_charts(compared: Compared, labels: Sequence[str]) -> Iterator[Chart]:
    """Every pair by every metric, and the scores behind them."""
    if compared.comparison.pairs:
        yield _differences(compared, labels)
    if len(labels) > 1:
        yield _scores("more-scores", "How do the systems score by the other metrics?", compared, labels[1:])


def why_charts(compared: Compared, features: Sequence[str]) -> Iterator[Chart]:
    """The parts of SARI, and of these features what makes texts easy and what is done to them."""
    evaluation = compared.evaluation
    for label in compared.headline:
        if evaluation.metrics[label].name == "sari":
            yield _sari_parts(compared, label)
    reading = [label for label in READING if label in features]
    if reading:
        question = "What makes the outputs easier to read: shorter sentences or easier words?"
        yield _scores("reading", question, compared, reading)
    if evaluation.statistics is None:
        return
    for found in distributions(evaluation, compared.corpus, compared.everyone, [*compared.headline, *features]):
        alt = f"One small histogram a system. {found.answer}"
        panel = Panel(found.title, alt, specs.ridges(compared.everyone, found.title))
        note = f"{found.note} The dashed line is the mean. The tallest bar of each system fills its row.".strip()
        columns = ("system", "from", "to", "segments", "share", "mean")
        yield Chart(found.name, found.question, found.answer, note, columns, found.rows, [panel])


def _scores(name: str, question: str, compared: Compared, labels: Sequence[str]) -> Chart:
    rows: list[list[Value]] = []
    panels = []
    drawn = False
    for label in labels:
        comparison, metric = compared.of(label), compared.evaluation.metrics[label]
        order = [*_best_first(compared, label), *compared.baselines]
        kinds = _kinds(compared, label)
        found = {system: comparison[system][label].estimate for system in order}
        rows += [[label, system, kinds[system], one.value, one.low, one.high] for system, one in found.items()]
        lines = any(one.has_interval for one in found.values())
        listed = [f"{system} {_estimate(compared, system, label)}" for system in order]
        what = f"{metric.title} of each system{' with its interval' if lines else ''}"
        alt = f"{what}, {BETTER[metric.facts.direction]}: "
        axis = axis_title(compared.evaluation, label)
        there = {kind: style for kind, style in KINDS.items() if kind in kinds.values()}
        apart = len(compared.baselines)
        spec = specs.intervals(order, axis, {"metric": label}, styles=there, apart=apart, lines=lines)
        drawn |= lines
        panels.append(Panel(metric.title, f"{alt}{'; '.join(listed)}.", spec))
    note = f"Lines show {compared.comparison.settings.resampling.confidence:.0%} intervals." if drawn else ""
    legend = {kind: style for kind, style in KINDS.items() if any(row[2] == kind for row in rows)}
    return Chart(name, question, "", note, SCORE_COLUMNS, rows, panels, legend if len(legend) > 1 else {})


def _kinds(compared: Compared, label: str) -> dict[str, str]:
    """Of every system: whether it is among the best by this metric, another one, or a baseline."""
    comparison = compared.of(label)
    order = comparison.order(label)
    kinds = dict.fromkeys(compared.systems, SYSTEM)
    if len(order) > 1 and comparison.directions[label] != "none" and label in compared.headline:
        pairs = {other: comparison.find(order[0], other, label) for other in order[1:]}
        equals = [other for other, pair in pairs.items() if pair is not None and _not_beaten(other, pair)]
        kinds = dict.fromkeys(compared.systems, OTHER) | dict.fromkeys([order[0], *equals], TOP)
    return kinds | dict.fromkeys(compared.baselines, BASELINE)


def _not_beaten(system: str, pair: Pair) -> bool:
    return not pair.significant or pair.better == system


def _differences(compared: Compared, labels: Sequence[str]) -> Chart:
    comparison = compared.comparison
    rows: list[list[Value]] = []
    panels = []
    for label in labels:
        systems = [*_best_first(compared, label), *compared.baselines]
        pairs = [pair for pair in comparison.pairs if pair.metric == label]
        above: dict[str, list[str]] = {}
        for pair in pairs:
            for way in (pair, pair.flipped()):
                found = verdict(way, way.significant)
                if found in ("better", "higher"):
                    above.setdefault(way.first, []).append(way.second)
                numbers = [way.difference, way.estimate.low, way.estimate.high, way.p, way.p_holm]
                rows.append([label, way.first, way.second, found, MARKS[found], *numbers])
        title = compared.evaluation.metrics[label].title
        ranked = comparison.directions[label] != "none"
        than = "better than" if ranked else "higher than"
        wins = [f"{system} is {than} {joined(above[system])}" for system in systems if system in above]
        alt = f"Grid of systems by {title}. " + ("; ".join(wins) or "No pair is told apart") + "."
        looks = LOOKS if ranked else NO_BETTER_END
        spec = grids.difference_grid(systems, {"metric": label}, comparison.letter_ranges[label], looks)
        panels.append(Panel(title, alt, spec, 170 + 24 * len(systems)))
    note = " ".join(_reading_pairs(compared, labels))
    columns = ("metric", "row", "column", "verdict", "mark", "difference", "low", "high", "p", "corrected p")
    ends = {comparison.directions[label] for label in labels}
    question = "Which system is higher than which?" if ends == {"none"} else "Which system is better than which?"
    return Chart("differences", question, "", note, columns, rows, panels)


def told_apart(compared: Compared, labels: Sequence[str]) -> Iterator[str]:
    """How many pairs of systems each metric tells apart; where there is one system, pairs with a baseline."""
    comparison = compared.comparison
    for label in labels if comparison.pairs else ():
        pairs = [pair for pair in comparison.pairs if pair.metric == label]
        own = [pair for pair in pairs if {pair.first, pair.second}.isdisjoint(comparison.baselines)]
        of = plural(len(own), "pair") if own else plural(len(pairs), "pair with a baseline", "pairs with a baseline")
        clear = sum(pair.significant for pair in own or pairs)
        yield f"{compared.evaluation.metrics[label].title} tells {clear} of {of} apart."


def _reading_pairs(compared: Compared, labels: Sequence[str]) -> Iterator[str]:
    """How to read the map of pairs."""
    comparison = compared.comparison
    neither = [label for label in labels if comparison.directions[label] == "none"]
    way = "+ is higher than the system of the column, − is lower"
    if len(neither) < len(labels):
        way = "+ is better than the system of the column, − is worse"
    yield f"Read a row from the left: {way}, · is not told apart."
    if 0 < len(neither) < len(labels):
        titles = joined([in_sentence(compared.evaluation.metrics[label].title) for label in neither])
        yield f"Neither end is better in {titles}: there, + is higher and − is lower."
    if any(comparison.letters[label] for label in labels):
        yield "Systems that share a letter cannot be told apart."
    alpha = comparison.settings.alpha
    yield f"Tests are paired; p is corrected for the number of pairs and must be below {alpha:g}."


def _sari_parts(compared: Compared, label: str) -> Chart:
    evaluation, systems = compared.evaluation, compared.everyone
    orders = [f"{n}-gram" for n in ORDERS]
    rows: list[list[Value]] = []
    panels, answers = [], []
    for operation in OPERATIONS:
        whole = {system: evaluation[system][label].components[operation] for system in systems}
        for system in systems:
            for n, order in zip(ORDERS, orders, strict=True):
                rows.append([operation, system, order, evaluation[system][label].components[f"{operation}_f1_{n}"]])
        known = {system: whole[system] for system in compared.systems if math.isfinite(whole[system])}
        best = max(known, key=lambda system: known[system], default=None)
        if best:
            answers.append(f"{operation}: {best} ({number(known[best], 2)})")
        listed = "; ".join(f"{system} {number(value, 2)}" for system, value in whole.items())
        alt = f"F1 of {operation} by n-gram order. Mean over the orders: {listed}."
        spec = specs.dots(systems, f"F1 of {operation}", "order", orders, {"operation": operation})
        panels.append(Panel(operation.capitalize(), alt, spec))
    title = evaluation.metrics[label].title
    answer = f"The best systems at each part of {title}: {'; '.join(answers)}." if answers else ""
    note = "An n-gram is n words in a row. Longer ones are harder to get right."
    question = f"What does each system get right: adding, keeping or deleting? ({title})"
    name = "parts-" + "".join(c if c.isalnum() else "-" for c in label)
    return Chart(name, question, answer, note, ("operation", "system", "order", "score"), rows, panels)


def _best_first(compared: Compared, label: str) -> list[str]:
    """Systems in the order of their scores; those without one last."""
    order = compared.of(label).order(label)
    return [*order, *(system for system in compared.systems if system not in order)]


def _estimate(compared: Compared, system: str, label: str) -> str:
    found = compared.of(label)[system][label].estimate
    return estimate(compared.evaluation.metrics[label], found.value, found.low, found.high)


def _plain(value: Value) -> Value:
    """As JSON holds it: no NaN, and no more digits than anybody reads."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
