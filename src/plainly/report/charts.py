"""The charts of the page: each answers a question, and carries its rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.inference import Comparison, Pair, confidence_intervals
from plainly.metrics.sari import OPERATIONS, ORDERS
from plainly.report import specs
from plainly.report.texts import Grouping, by_fields, by_source_length, corpora_of
from plainly.report.words import (
    BETTER,
    axis_title,
    best_sentence,
    estimate,
    in_sentence,
    joined,
    number,
    number_for,
    plural,
    verdict,
)
from plainly.scoring import Evaluation

Value = str | float | int | None
READING = ("sentence-length", "syllables-per-word", "lexical-complexity")
Values = NDArray[np.float64]
BINS = 24
OUTLIERS = 0.995  # what lies beyond this quantile joins the last bin

# metric -> the question that its distribution answers, and what to know
QUESTIONS = {
    "compression-ratio": ("How much do systems shorten the text?", "1 means as long as the source."),
    "sentence-splits": ("How often are sentences split?", "2 means two sentences where the source has one."),
    "levenshtein-similarity": ("How close do outputs stay to the source?", "1 means an exact copy."),
    "lexical-complexity": ("How rare are the words of the outputs?", "Higher values mean rarer words."),
}
GRID_MARKS = {"better": "+", "worse": "−", "not told apart": "·"}


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


def all_charts(
    evaluation: Evaluation, corpus: Corpus, comparison: Comparison, headline: Sequence[str]
) -> Iterator[Chart]:
    """The charts that these data allow, in reading order."""
    every = list(evaluation.systems)
    yield _scores(
        "scores", "Which system scores best, and how sure are we?", evaluation, corpus, comparison, headline
    )
    ranked = [label for label in headline if evaluation.metrics[label].facts.direction != "none"]
    if len(every) > 1 and ranked:
        yield _differences(evaluation, comparison, ranked)
    for label in headline:
        if evaluation.metrics[label].name == "sari":
            yield _sari_parts(evaluation, label)
    reading = [label for label in READING if label in evaluation.metrics]
    if reading:
        question = "What makes the outputs easier to read: shorter sentences or easier words?"
        yield _scores("reading", question, evaluation, corpus, comparison, reading)
    if evaluation.statistics is None:
        return
    for found in distributions(evaluation, corpus):
        alt = f"One small histogram a system. {found.answer}"
        panel = Panel(found.title, alt, specs.ridges(every, found.title))
        note = f"{found.note} The dashed line is the mean. The tallest bar of each system fills its row.".strip()
        columns = ("system", "from", "to", "segments", "share", "mean")
        yield Chart(found.name, found.question, found.answer, note, columns, found.rows, [panel])
    length = by_source_length(corpus)
    if length:
        question = "Do long sources cost points?"
        yield _by_group("by-length", question, evaluation, comparison, headline, length)
    for i, grouping in enumerate(by_fields(corpus)):
        question = f"Does the score depend on {grouping.field}?"
        yield _by_group(f"by-field-{i}", question, evaluation, comparison, headline, grouping)


def _scores(
    name: str,
    question: str,
    evaluation: Evaluation,
    corpus: Corpus,
    comparison: Comparison,
    labels: Sequence[str],
) -> Chart:
    rows: list[list[Value]] = []
    panels = []
    for label in labels:
        order = _best_first(evaluation, comparison, label)
        for system in order:
            standing = comparison[system][label]
            kind = "system" if system in corpus.outputs else "baseline"
            rows.append([label, system, kind, standing.score, standing.estimate.low, standing.estimate.high])
        metric = evaluation.metrics[label]
        listed = [
            f"{system} {estimate(metric, s.score, s.estimate.low, s.estimate.high)}"
            for system in order
            for s in [comparison[system][label]]
        ]
        title = evaluation.metrics[label].title
        alt = f"{title} of each system with its interval, {BETTER[metric.facts.direction]}: {'; '.join(listed)}."
        spec = specs.intervals(order, axis_title(evaluation, label), {"metric": label})
        panels.append(Panel(title, alt, spec))
    answer = " ".join(
        filter(None, (best_sentence(evaluation, comparison, label, corpus.outputs) for label in labels))
    )
    confidence = f"{comparison.settings.resampling.confidence:.0%}"
    note = f"Lines show {confidence} intervals. Circles are systems, diamonds are baselines."
    return Chart(name, question, answer, note, ("metric", "system", "kind", "score", "low", "high"), rows, panels)


def _differences(evaluation: Evaluation, comparison: Comparison, labels: Sequence[str]) -> Chart:
    rows: list[list[Value]] = []
    panels, answers = [], []
    for label in labels:
        systems = _best_first(evaluation, comparison, label)
        pairs = [pair for pair in comparison.pairs if pair.metric == label]
        for pair in pairs:
            for way in (pair, pair.flipped()):
                found = verdict(way)
                numbers = [way.difference, way.estimate.low, way.estimate.high, way.p, way.p_holm]
                rows.append([label, way.first, way.second, found, GRID_MARKS[found], *numbers])
        title = evaluation.metrics[label].title
        clear = sum(pair.significant for pair in pairs)
        answers.append(f"{title} tells {clear} of {plural(len(pairs), 'pair')} apart.")
        beaten = {system: _beaten(pairs, system) for system in systems}
        wins = [f"{system} is better than {joined(others)}" for system, others in beaten.items() if others]
        alt = f"Grid of systems by {title}. " + ("; ".join(wins) or "No pair is told apart") + "."
        panels.append(Panel(title, alt, specs.difference_grid(systems, {"metric": label}), 150 + 24 * len(systems)))
    note = (
        "Read a row from the left: + is better than the system of the column, − is worse, · is not told apart. "
        f"Tests are paired; p is corrected for the number of pairs and must be below {comparison.settings.alpha:g}."
    )
    columns = ("metric", "row", "column", "verdict", "mark", "difference", "low", "high", "p", "corrected p")
    question = "Which differences are more than chance?"
    return Chart("differences", question, " ".join(answers), note, columns, rows, panels)


def _beaten(pairs: Sequence[Pair], system: str) -> list[str]:
    """The systems that this one is better than, by more than chance."""
    won = [pair for pair in pairs if pair.significant and pair.better == system]
    return [pair.second if pair.first == system else pair.first for pair in won]


def _sari_parts(evaluation: Evaluation, label: str) -> Chart:
    systems = list(evaluation.systems)
    orders = [f"{n}-gram" for n in ORDERS]
    rows: list[list[Value]] = []
    panels, answers = [], []
    for operation in OPERATIONS:
        whole = {system: results[label].components[operation] for system, results in evaluation.systems.items()}
        for system, results in evaluation.systems.items():
            for n, order in zip(ORDERS, orders, strict=True):
                rows.append([operation, system, order, results[label].components[f"{operation}_f1_{n}"]])
        known = {system: value for system, value in whole.items() if math.isfinite(value)}
        best = max(known, key=lambda system: known[system], default=None)
        if best:
            answers.append(f"{operation}: {best} ({number(known[best], 2)})")
        listed = "; ".join(f"{system} {number(value, 2)}" for system, value in whole.items())
        alt = f"F1 of {operation} by n-gram order. Mean over the orders: {listed}."
        spec = specs.dots(systems, f"F1 of {operation}", "order", orders, {"operation": operation})
        panels.append(Panel(operation.capitalize(), alt, spec))
    title = evaluation.metrics[label].title
    answer = f"Best at each part of {title}: {'; '.join(answers)}." if answers else ""
    note = "An n-gram is n words in a row. Longer ones are harder to get right."
    question = f"What does each system get right: adding, keeping or deleting? ({title})"
    name = "parts-" + "".join(c if c.isalnum() else "-" for c in label)
    return Chart(name, question, answer, note, ("operation", "system", "order", "score"), rows, panels)


def _by_group(
    name: str,
    question: str,
    evaluation: Evaluation,
    comparison: Comparison,
    labels: Sequence[str],
    grouping: Grouping,
) -> Chart:
    """The rows of each part added up and scored: the same statistics, another sum."""
    statistics = evaluation.statistics or {}
    metrics = {label: evaluation.metrics[label] for label in labels}
    scores: dict[tuple[str, str, str], tuple[float, float, float]] = {}
    for group, members in zip(grouping.names, grouping.members, strict=True):
        part = {system: {label: rows[label][members] for label in labels} for system, rows in statistics.items()}
        bounds = confidence_intervals(part, metrics, resampling=comparison.settings.resampling)
        for system in part:
            for label, metric in metrics.items():
                value = float(metric.score(part[system][label].sum(axis=0)).value)
                found = bounds[system][label]
                scores[label, system, group] = (value, found.low, found.high)
    sizes = {group: int(members.sum()) for group, members in zip(grouping.names, grouping.members, strict=True)}
    rows: list[list[Value]] = [
        [label, system, group, *values, sizes[group]] for (label, system, group), values in scores.items()
    ]
    panels = [_group_panel(evaluation, label, grouping, scores) for label in labels]
    listed = joined([f"{group} ({count:,})" for group, count in sizes.items()])
    answer = f"Parts by {grouping.title}, with their number of segments: {listed}."
    note = "A stronger colour is a better score. Small parts have wide intervals: point at a cell to see them."
    columns = ("metric", "system", "group", "score", "low", "high", "segments")
    return Chart(name, question, answer, note, columns, rows, panels)


def _group_panel(
    evaluation: Evaluation,
    label: str,
    grouping: Grouping,
    scores: Mapping[tuple[str, str, str], tuple[float, float, float]],
) -> Panel:
    systems, metric = list(evaluation.systems), evaluation.metrics[label]
    decimals = min(metric.facts.decimals, 2)
    listed = "; ".join(
        f"{system}: "
        + ", ".join(f"{group} {number_for(metric, scores[label, system, group][0])}" for group in grouping.names)
        for system in systems
    )
    title = axis_title(evaluation, label)
    spec = specs.score_grid(
        systems, grouping.title, grouping.names, {"metric": label}, decimals, metric.facts.direction
    )
    return Panel(title, f"{title} by {grouping.field}. {listed}.", spec, 130 + grouping.width * len(grouping.names))


def _best_first(evaluation: Evaluation, comparison: Comparison, label: str) -> list[str]:
    """Systems in the order of their scores; where neither end is better, highest first."""
    sign = 1 if evaluation.metrics[label].facts.direction == "lower" else -1

    def key(system: str) -> float:
        score = comparison[system][label].score
        return sign * score if math.isfinite(score) else math.inf

    return sorted(evaluation.systems, key=key)


def _plain(value: Value) -> Value:
    """As JSON holds it: no NaN, and no more digits than anybody reads."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value


@dataclass(frozen=True)
class Distribution:
    """One histogram a system. Rows: system, from, to, segments, share, mean."""

    name: str
    question: str
    title: str
    answer: str
    note: str
    rows: list[list[str | float | int | None]]


def distributions(evaluation: Evaluation, corpus: Corpus) -> Iterator[Distribution]:
    """The lengths of outputs, and the features that the evaluation holds."""
    lengths: dict[str, Values] = {}
    for system, home in corpora_of(corpus, evaluation.systems).items():
        counts = home.encoded("none", True).output(system).lengths.astype(np.float64)
        missing = [text is None for text in home.output(system)]
        counts[missing] = np.nan
        lengths[system] = counts
    if any(np.isfinite(counts).any() for counts in lengths.values()):
        yield _binned("length", "How long are the outputs?", "words of an output", "", lengths, 1)
    for label, (question, note) in QUESTIONS.items():
        if label in evaluation.metrics:
            values = {system: evaluation.segment_scores(system, label) for system in evaluation.systems}
            title = in_sentence(evaluation.metrics[label].title)
            yield _binned(label, question, title, note, values, 2)


def _binned(
    name: str, question: str, title: str, note: str, values: dict[str, Values], decimals: int
) -> Distribution:
    known = {system: column[np.isfinite(column)] for system, column in values.items()}
    pool = np.concatenate(list(known.values()))
    edges = _edges(pool)
    if len(pool) and pool.max() > edges[-1]:
        note = f"{note} The last bar holds all that is larger.".strip()
    rows: list[list[str | float | int | None]] = []
    for system, column in known.items():
        counts, _ = np.histogram(np.minimum(column, edges[-1]), edges)
        mean = float(column.mean()) if len(column) else None
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
            share = float(count) / max(len(column), 1)
            rows.append([system, float(low), float(high), int(count), share, mean])
    means = "; ".join(f"{system} {number(float(c.mean()), decimals)}" for system, c in known.items() if len(c))
    return Distribution(name, question, title, f"On average: {means}." if means else "", note, rows)


def _edges(pool: Values) -> Values:
    if not len(pool):
        return np.linspace(0.0, 1.0, BINS + 1)
    low, high = float(pool.min()), float(np.quantile(pool, OUTLIERS))
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, BINS + 1)
