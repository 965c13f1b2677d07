"""How an evaluation looks: as a table, CSV, Markdown, LaTeX or JSON, and in a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from plainly.base.errors import UnknownName
from plainly.base.tables import FORMS, Cell, render, shown, with_lines
from plainly.inference.estimates import Estimate
from plainly.metrics import Metric

if TYPE_CHECKING:
    from plainly.scoring.evaluation import Evaluation

ARROWS = {"higher": " ↑", "lower": " ↓", "none": ""}


def present(evaluation: Evaluation, form: str, components: bool = False) -> str:
    """An evaluation as text in one of the `FORMS`."""
    if form not in FORMS:
        raise UnknownName("format", form, FORMS)
    if form == "json":
        return json.dumps(evaluation.to_dict(), ensure_ascii=False, indent=2) + "\n"
    if form == "csv":
        return render(
            ["system", "metric", "score", "ci_low", "ci_high", "scored", "unscored", "signature"],
            list(_long(evaluation, components)),
            form,
        )
    headers, rows, decimals = _wide(evaluation, components)
    return with_lines(render(headers, rows, form, decimals), _below(evaluation), form)


def as_html(evaluation: Evaluation) -> str:
    """A table for a notebook, with the signatures below."""
    headers, rows, decimals = _wide(evaluation, components=False)
    titles = "".join(f"<th>{escape(title)}</th>" for title in headers)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{escape(shown(cell, d))}</td>" for cell, d in zip(row, decimals, strict=True))
        + "</tr>"
        for row in rows
    )
    below = "<br>".join(escape(line) for line in _below(evaluation))
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table><small>{below}</small>"


def _wide(evaluation: Evaluation, components: bool) -> tuple[list[str], list[list[Cell]], list[int]]:
    """One row a system: the heads of the columns, the rows, and the digits after the point of each column."""
    headers, decimals = ["system"], [0]
    for label, metric in evaluation.metrics.items():
        headers.append(heading(label, metric))
        decimals.append(metric.facts.decimals)
        if evaluation.intervals:
            headers.append(f"{evaluation.intervals.confidence:.0%} interval")
            decimals.append(0)
        parts = _component_names(evaluation, label) if components else []
        headers += [f"{label}.{name}" for name in parts]
        decimals += [metric.facts.decimals] * len(parts)
    rows: list[list[Cell]] = []
    for system, results in evaluation.systems.items():
        row: list[Cell] = [system]
        for label, result in results.items():
            row.append(result.score)
            if evaluation.intervals:
                row.append(between(result.estimate, evaluation.metrics[label].facts.decimals))
            if components:
                row += [result.components.get(name) for name in _component_names(evaluation, label)]
        rows.append(row)
    return headers, rows, decimals


def _below(evaluation: Evaluation) -> list[str]:
    """What a table needs to be read: how much was scored, how intervals were made, the signatures."""
    drawn = evaluation.intervals
    resampling = f", {drawn.resamples} resamples, seed {drawn.seed}" if drawn else ""
    return [how_much(evaluation) + resampling, *unscored(evaluation), *signatures(evaluation)]


def how_much(evaluation: Evaluation) -> str:
    """How many segments, and in how many documents if they are drawn as wholes."""
    segments = _counted(evaluation.size, "segment")
    if not evaluation.documents:
        return segments
    return f"{segments} in {_counted(len(set(evaluation.documents)), 'document')}"


def unscored(evaluation: Evaluation) -> list[str]:
    """Which systems have segments without a score, and by which metrics."""
    labels: dict[tuple[str, int], list[str]] = {}
    for system, results in evaluation.systems.items():
        for label, result in results.items():
            if result.unscored:
                labels.setdefault((system, result.unscored), []).append(label)
    return [
        f"{', '.join(names)} left {count} of {_counted(evaluation.size, 'segment')} of {system} unscored"
        for (system, count), names in labels.items()
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def heading(label: str, metric: Metric) -> str:
    """The head of a metric's column: its title, its variant, and which way is better."""
    return label.replace(metric.name, metric.facts.title, 1) + ARROWS[metric.facts.direction]


def signatures(evaluation: Evaluation) -> list[str]:
    """The signatures of all scores, each once, metric by metric."""
    found = (results[label].signature for label in evaluation.metrics for results in evaluation.systems.values())
    return list(dict.fromkeys(found))


def between(estimate: Estimate, decimals: int) -> str:
    """An interval in words; a dash where there is none."""
    return f"{estimate.low:.{decimals}f} to {estimate.high:.{decimals}f}" if estimate.has_interval else "-"


def _long(evaluation: Evaluation, components: bool) -> Iterator[list[Cell]]:
    for system, results in evaluation.systems.items():
        for label, result in results.items():
            counts: list[Cell] = [result.scored, result.unscored, result.signature]
            yield [system, label, result.score, result.estimate.low, result.estimate.high, *counts]
            if components:
                for name, value in result.components.items():
                    yield [system, f"{label}.{name}", value, None, None, *counts]


def _component_names(evaluation: Evaluation, label: str) -> list[str]:
    return list(next(iter(evaluation.systems.values()))[label].components)
