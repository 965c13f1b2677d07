"""Evaluations put together: more segments (`concatenate`), or more systems and metrics (`merge`).

Statistics add up, so nothing is scored again from texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from plainly.cluster import exact_sum
from plainly.errors import PlainlyError
from plainly.evaluation.evaluation import Evaluation
from plainly.evaluation.results import Range, Result, result
from plainly.metrics import Array


def concatenate(parts: Sequence[Evaluation]) -> Evaluation:
    """One evaluation of all segments of the parts, in order: the same systems scored by the same metrics."""
    first = _first(parts)
    for part in parts:
        if set(part.systems) != set(first.systems):
            raise PlainlyError(f"the parts have different systems: {_names(first)} and {_names(part)}")
        if dict(part.metrics) != dict(first.metrics):
            raise PlainlyError("the parts were scored by different metrics or settings")
    statistics = {
        system: {
            label: np.concatenate([part.kept_statistics[system][label] for part in parts]) for label in first.metrics
        }
        for system in first.systems
    }
    references = {system: _widest([part.references[system] for part in parts]) for system in first.systems}
    size = sum(part.size for part in parts)
    documents = [part.documents for part in parts]
    ids = [part.ids for part in parts]
    whole = Evaluation(
        size=size,
        references=references,
        metrics=first.metrics,
        systems={
            system: {
                label: result(metric, exact_sum(statistics[system][label]), size, references[system])
                for label, metric in first.metrics.items()
            }
            for system in first.systems
        },
        statistics=statistics,
        ids=list(chain.from_iterable(names or [None] * part.size for names, part in zip(ids, parts, strict=True)))
        if any(ids)
        else None,
        documents=None if None in documents else list(chain.from_iterable(filter(None, documents))),
    )
    return whole.with_intervals(first.intervals) if first.intervals else whole


def merge(parts: Sequence[Evaluation]) -> Evaluation:
    """One evaluation of the same segments with all systems and metrics of the parts.

    Each system must have been scored by each metric in some part. The intervals are made anew, with the settings of
    the first part, so that all rest on the same resamples.
    """
    first = _first(parts)
    metrics = {label: metric for part in parts for label, metric in part.metrics.items()}
    for part in parts:
        if part.size != first.size or (part.ids and first.ids and list(part.ids) != list(first.ids)):
            raise PlainlyError(f"the parts have different segments: {first.size} and {part.size}, or other ids")
        if any(metrics[label] != metric for label, metric in part.metrics.items()):
            raise PlainlyError("the parts use the same metric with different settings")
    systems: dict[str, dict[str, Result]] = {system: {} for part in parts for system in part.systems}
    statistics: dict[str, dict[str, Array]] = {system: {} for system in systems}
    for part in parts:
        for system in part.systems:
            systems[system] |= part.systems[system]
            statistics[system] |= part.kept_statistics[system]
    for system, results in systems.items():
        missing = [label for label in metrics if label not in results]
        if missing:
            raise PlainlyError(f"{system} was not scored by {', '.join(missing)} in any part")
    whole = replace(
        first,
        metrics=metrics,
        systems={system: {label: results[label] for label in metrics} for system, results in systems.items()},
        statistics={system: {label: rows[label] for label in metrics} for system, rows in statistics.items()},
        references={system: bounds for part in parts for system, bounds in part.references.items()},
        intervals=None,
    )
    return whole.with_intervals(first.intervals) if first.intervals else whole


def _first(parts: Sequence[Evaluation]) -> Evaluation:
    if not parts:
        raise PlainlyError("there is nothing to put together")
    return parts[0]


def _names(evaluation: Evaluation) -> str:
    return ", ".join(evaluation.systems)


def _widest(ranges: Sequence[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)
