"""Evaluations put together: more segments (`concatenate`), or more systems and metrics (`merge`).

Statistics add up, so nothing is scored again from texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import add_rows
from plainly.inference.runs import members_of
from plainly.metrics import Array
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.results import Range, Result, mean_of_runs, results_of


def concatenate(parts: Sequence[Evaluation]) -> Evaluation:
    """One evaluation of all segments of the parts, in order: the same systems scored by the same metrics."""
    first = _first(parts)
    for part in parts:
        if set(part.systems) != set(first.systems):
            raise PlainlyError(f"the parts have different systems: {_names(first)} and {_names(part)}")
        if dict(part.metrics) != dict(first.metrics):
            raise PlainlyError("the parts were scored by different metrics or settings")
    statistics = {
        run: {label: np.concatenate([part.kept_statistics[run][label] for part in parts]) for label in first.metrics}
        for run in first.kept_statistics
    }
    sums = {
        system: dict(zip(rows, add_rows(None, list(rows.values())), strict=True))
        for system, rows in statistics.items()
    }
    references = {run: _widest([part.references[run] for part in parts]) for run in first.references}
    size = sum(part.size for part in parts)
    documents = [part.documents for part in parts]
    ids = [part.ids for part in parts]
    results = results_of(first.metrics, sums, size, references)
    whole = Evaluation(
        size=size,
        references=references,
        metrics=first.metrics,
        systems=mean_of_runs(results, members_of(results, first.runs)),
        runs=first.runs,
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
    the first part, so that all rest on the same resamples. Ids, documents, sources and metadata tell whether the
    segments are the same; of parts that have none of them, only the number of segments is compared.
    """
    first = _first(parts)
    metrics = {label: metric for part in parts for label, metric in part.metrics.items()}
    for part in parts:
        if part.size != first.size:
            raise PlainlyError(f"the parts have different segments: {first.size} and {part.size}")
        _check_same_segments(first, part)
        if any(metrics[label] != metric for label, metric in part.metrics.items()):
            raise PlainlyError("the parts use the same metric with different settings")
    systems: dict[str, dict[str, Result]] = {system: {} for part in parts for system in part.systems}
    statistics: dict[str, dict[str, Array]] = {}
    for part in parts:
        for run, by_label in part.kept_statistics.items():
            for label, rows in by_label.items():
                if not np.array_equal(statistics.setdefault(run, {}).setdefault(label, rows), rows, equal_nan=True):
                    raise PlainlyError(f"the parts have different statistics of {run} by {label}")
        for system in part.systems:
            systems[system] |= part.systems[system]
    for system, results in systems.items():
        missing = [label for label in metrics if label not in results]
        if missing:
            raise PlainlyError(f"{system} was not scored by {', '.join(missing)} in any part")
    whole = replace(
        first,
        metrics=metrics,
        systems={system: {label: results[label] for label in metrics} for system, results in systems.items()},
        statistics={system: {label: rows[label] for label in metrics} for system, rows in statistics.items()},
        references={run: bounds for part in parts for run, bounds in part.references.items()},
        runs={system: runs for part in parts for system, runs in part.runs.items()},
        intervals=None,
    )
    return whole.with_intervals(first.intervals) if first.intervals else whole


def first_difference(first: Sequence[Any], second: Sequence[Any]) -> int | None:
    """The place of the first segment of which two columns say different things; None if there is none."""
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other and str(one) != str(other):  # files may hold numbers as texts
            return place
    return None


def _check_same_segments(first: Evaluation, other: Evaluation) -> None:
    known = _columns(first)
    for name, column in _columns(other).items():
        place = first_difference(known[name], column) if name in known else None
        if place is not None:
            values = f"{known[name][place]!r:.60} and {column[place]!r:.60}"
            raise PlainlyError(f"the parts have different segments: the {name} of segment {place} is {values}")


def _columns(evaluation: Evaluation) -> dict[str, Sequence[Any]]:
    """What is known of the segments, but for what is known of none."""
    corpus = evaluation.corpus
    metadata = corpus.metadata if corpus is not None and corpus.metadata else []
    names = dict.fromkeys(name for record in metadata for name in record)
    columns: dict[str, Sequence[Any]] = {name: [record.get(name) for record in metadata] for name in names}
    columns["source"] = corpus.sources if corpus is not None else ()
    columns |= {"id": evaluation.ids or (), "document": evaluation.documents or ()}
    return {name: column for name, column in columns.items() if any(value is not None for value in column)}


def _first(parts: Sequence[Evaluation]) -> Evaluation:
    if not parts:
        raise PlainlyError("there is nothing to put together")
    return parts[0]


def _names(evaluation: Evaluation) -> str:
    return ", ".join(evaluation.systems)


def _widest(ranges: Sequence[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)
