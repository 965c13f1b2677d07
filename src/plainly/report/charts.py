"""The charts of the page: each answers a question, and carries its rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plainly.inference import Pair
from plainly.inference.estimates import Estimate
from plainly.inference.runs import intervals_of_systems
from plainly.metrics.sari import OPERATIONS, ORDERS
from plainly.report import specs
from plainly.report.compared import Compared
from plainly.report.distributions import distributions
from plainly.report.words import (
    BETTER,
    axis_title,
    estimate,
    joined,
    number,
    number_for,
    plural,
    verdict,
)
from plainly.scoring.slices import Grouping, by_fields, by_source_length

Value = str | float | int | None
READING = ("sentence-length", "syllables-per-word", "lexical-complexity")
GRID_MARKS = {"better": "+", "worse": "−", "not told apart": "·"}
SCORE_COLUMNS = ("metric", "system", "kind", "score", "low", "high")
TOP, SYSTEM, BASELINE = "best, or not told apart from it", "other systems", "baselines"
KINDS = {
    TOP: specs.LineStyle("var(--accent)", (), "circle"),
    SYSTEM: specs.LineStyle("var(--other)", (), "square"),
    BASELINE: specs.LineStyle("var(--muted)", (), "diamond"),
}


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
    """Every pair by every metric that has a better end, and the scores behind them."""
    ranked = [label for label in labels if compared.evaluation.metrics[label].facts.direction != "none"]
    if len(compared.everyone) > 1 and ranked:
        yield _differences(compared, ranked)
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
    for found in distributions(evaluation, compared.corpus, [*compared.headline, *features]):
        alt = f"One small histogram a system. {found.answer}"
        panel = Panel(found.title, alt, specs.ridges(compared.everyone, found.title))
        note = f"{found.note} The dashed line is the mean. The tallest bar of each system fills its row.".strip()
        columns = ("system", "from", "to", "segments", "share", "mean")
        yield Chart(found.name, found.question, found.answer, note, columns, found.rows, [panel])


def slice_charts(compared: Compared) -> Iterator[Chart]:
    """The metric that decides on parts of the test set: by length, and by each field of the records."""
    if compared.evaluation.statistics is None:
        return
    length = by_source_length(compared.corpus)
    if length:
        yield _by_group("by-length", "Do long sources cost points?", compared, length)
    for i, grouping in enumerate(by_fields(compared.corpus)):
        yield _by_group(f"by-field-{i}", f"Does the score depend on {grouping.field}?", compared, grouping)


def _scores(name: str, question: str, compared: Compared, labels: Sequence[str]) -> Chart:
    rows: list[list[Value]] = []
    panels = []
    for label in labels:
        comparison, metric = compared.of(label), compared.evaluation.metrics[label]
        order = [*_best_first(compared, label), *compared.baselines]
        kinds = _kinds(compared, label)
        for system in order:
            found = comparison[system][label].estimate
            rows.append([label, system, kinds[system], found.value, found.low, found.high])
        listed = [f"{system} {_estimate(compared, system, label)}" for system in order]
        alt = f"{metric.title} of each system with its interval, {BETTER[metric.facts.direction]}: "
        axis = axis_title(compared.evaluation, label)
        spec = specs.intervals(order, axis, {"metric": label}, styles=KINDS, apart=len(compared.baselines))
        panels.append(Panel(metric.title, f"{alt}{'; '.join(listed)}.", spec))
    drawn = compared.comparison.settings.resampling
    note = f"Lines show {drawn.confidence:.0%} intervals."
    there = {str(row[2]) for row in rows}
    legend = {kind: style for kind, style in KINDS.items() if kind in there}
    told = len(legend) > 1 and len(compared.systems) > 1  # one system is the best of nothing
    return Chart(name, question, "", note, SCORE_COLUMNS, rows, panels, legend if told else {})


def _kinds(compared: Compared, label: str) -> dict[str, str]:
    """Of every system: whether it is among the best by this metric, another one, or a baseline."""
    comparison = compared.of(label)
    order = comparison.order(label) if comparison.directions[label] != "none" else ()
    pairs = {other: comparison.find(order[0], other, label) for other in order[1:]} if order else {}
    equals = [other for other, pair in pairs.items() if pair is not None and _not_beaten(other, pair)]
    top = {*order[:1], *equals} if label in compared.headline else set()
    kinds = {system: TOP if system in top else SYSTEM for system in compared.systems}
    return kinds | dict.fromkeys(compared.baselines, BASELINE)


def _not_beaten(system: str, pair: Pair) -> bool:
    return not pair.significant or pair.better == system


def _differences(compared: Compared, labels: Sequence[str]) -> Chart:
    comparison = compared.comparison
    rows: list[list[Value]] = []
    panels, answers = [], []
    for label in labels:
        systems = [*_best_first(compared, label), *compared.baselines]
        pairs = [pair for pair in comparison.pairs if pair.metric == label]
        for pair in pairs:
            for way in (pair, pair.flipped()):
                found = verdict(way)
                numbers = [way.difference, way.estimate.low, way.estimate.high, way.p, way.p_holm]
                rows.append([label, way.first, way.second, found, GRID_MARKS[found], *numbers])
        title = compared.evaluation.metrics[label].title
        own = [pair for pair in pairs if {pair.first, pair.second}.isdisjoint(comparison.baselines)]
        counted, of = (own, "pair") if own else (pairs, "pair with a baseline")
        clear = sum(pair.significant for pair in counted)
        many = "pairs with a baseline" if not own else None
        answers.append(f"{title} tells {clear} of {plural(len(counted), of, many)} apart.")
        beaten = {system: _beaten(pairs, system) for system in systems}
        wins = [f"{system} is better than {joined(others)}" for system, others in beaten.items() if others]
        alt = f"Grid of systems by {title}. " + ("; ".join(wins) or "No pair is told apart") + "."
        spec = specs.difference_grid(systems, {"metric": label}, comparison.letter_ranges[label])
        panels.append(Panel(title, alt, spec, 170 + 24 * len(systems)))
    note = (
        "Read a row from the left: + is better than the system of the column, − is worse, · is not told apart. "
        "Systems that share a letter cannot be told apart. "
        f"Tests are paired; p is corrected for the number of pairs and must be below {comparison.settings.alpha:g}."
    )
    columns = ("metric", "row", "column", "verdict", "mark", "difference", "low", "high", "p", "corrected p")
    question = "Which system is better than which?"
    return Chart("differences", question, " ".join(answers), note, columns, rows, panels)


def _beaten(pairs: Sequence[Pair], system: str) -> list[str]:
    """The systems that this one is better than, by more than chance."""
    won = [pair for pair in pairs if pair.significant and pair.better == system]
    return [pair.second if pair.first == system else pair.first for pair in won]


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


def _by_group(name: str, question: str, compared: Compared, grouping: Grouping) -> Chart:
    """The rows of each part added up and scored: the same statistics, another sum."""
    evaluation, label = compared.evaluation, compared.first
    metrics = {label: compared.metric}
    drawn = compared.comparison.settings.resampling
    scores: dict[tuple[str, str], Estimate] = {}
    for group, members in zip(grouping.names, grouping.members, strict=True):
        part = {run: {label: rows[label][members]} for run, rows in evaluation.kept_statistics.items()}
        documents = None
        if evaluation.documents:
            documents = [one for one, inside in zip(evaluation.documents, members, strict=True) if inside]
        unit = "document" if documents else "segment"
        found = intervals_of_systems(part, metrics, evaluation.runs, documents, replace(drawn, unit=unit))
        scores |= {(system, group): found[system][label] for system in compared.everyone}
    sizes = {group: int(members.sum()) for group, members in zip(grouping.names, grouping.members, strict=True)}
    rows: list[list[Value]] = [
        [label, system, group, one.value, one.low, one.high, sizes[group]] for (system, group), one in scores.items()
    ]
    listed = joined([f"{group} ({count:,})" for group, count in sizes.items()])
    answer = f"Parts by {grouping.title}, with their number of segments: {listed}."
    note = "A stronger colour is a better score. Small parts have wide intervals: point at a cell to see them."
    columns = ("metric", "system", "group", "score", "low", "high", "segments")
    return Chart(name, question, answer, note, columns, rows, [_group_panel(compared, grouping, scores)])


def _group_panel(compared: Compared, grouping: Grouping, scores: Mapping[tuple[str, str], Estimate]) -> Panel:
    metric = compared.metric
    listed = "; ".join(
        f"{system}: "
        + ", ".join(f"{group} {number_for(metric, scores[system, group].value)}" for group in grouping.names)
        for system in compared.everyone
    )
    title = axis_title(compared.evaluation, compared.first)
    spec = specs.score_grid(
        compared.everyone,
        grouping.title,
        grouping.names,
        {"metric": compared.first},
        min(metric.facts.decimals, 2),
        metric.facts.direction,
    )
    return Panel(title, f"{title} by {grouping.field}. {listed}.", spec, 130 + grouping.width * len(grouping.names))


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
