"""Runs over time: numbers side by side where test set and signature are the same, and words where they are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan, nan
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.inference.estimates import Estimate
from plainly.scoring.signatures import Difference, compare_signatures
from plainly.studio.scoring.sets import facts_of
from plainly.text.languages import LANGUAGES

Json = Mapping[str, Any]
BOUNDS = ("value", "low", "high")


@dataclass(frozen=True)
class RunScores:
    """A run that is done."""

    id: str
    name: str
    created: str
    request: Json
    evaluation: Json

    @property
    def systems(self) -> list[str]:
        """What is compared: the outputs that were given; where there were none, all that was scored."""
        scored = list(self.evaluation["systems"])
        own = set(self.request.get("own", ()))
        return [system for system in scored if system in own] or scored


@dataclass(frozen=True)
class Cell:
    """A score in its row."""

    score: Estimate
    unscored: int
    difference: float | None = None
    against: int | None = None
    """The column that the difference is to: the earliest run's with the same system.

    A system may get a new name with each run: where two runs have one system each, these are compared.
    """

    def to_dict(self) -> dict[str, Any]:
        """As the page gets it."""
        score, low, high = self.score.to_dict().values()
        return {**asdict(self), "score": score, "low": low, "high": high}


@dataclass(frozen=True)
class Column:
    run: int
    """Its place among the runs of the test set."""
    system: str


@dataclass(frozen=True)
class Row:
    """One metric with one signature; None where the signature of a run is another one."""

    metric: str
    signature: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Apart:
    """Why the scores of a metric stand in more than one row."""

    metric: str
    first: str
    second: str
    differences: tuple[Json, ...]


@dataclass(frozen=True)
class SameSet:
    """All runs with one test set, the oldest first."""

    runs: tuple[RunScores, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    apart: tuple[Apart, ...]


def compared(found: Iterable[RunScores]) -> list[SameSet]:
    """The runs by test set, the oldest first."""
    in_order = sorted(found, key=lambda run: (run.created, run.id))
    by_set = grouped(in_order, lambda run: str(run.request.get("fingerprint", run.id)))
    return [_same_set(runs) for runs in by_set.values()]


def shown(same: SameSet) -> dict[str, Any]:
    """A test set with its table as JSON."""
    request = same.runs[0].request
    return {
        "test_set": request.get("test_set", ""),
        "lang": request.get("lang", ""),
        "language": LANGUAGES[request["lang"]].name if request.get("lang") in LANGUAGES else "",
        "segments": same.runs[0].evaluation["segments"],
        "runs": [{"id": run.id, "name": run.name, "created": run.created} for run in same.runs],
        "columns": [asdict(column) for column in same.columns],
        "rows": [
            {**asdict(row), "cells": [cell and cell.to_dict() for cell in row.cells], **facts_of(row.metric)}
            for row in same.rows
        ],
        "apart": [{**asdict(one), "title": facts_of(one.metric)["title"]} for one in same.apart],
    }


def _same_set(runs: Sequence[RunScores]) -> SameSet:
    columns = tuple(Column(place, system) for place, run in enumerate(runs) for system in run.systems)
    labels = dict.fromkeys(label for run in runs for system in run.systems for label in _results(run, system))
    rows, apart = [], []
    for label in labels:
        results = [_results(runs[column.run], column.system).get(label) for column in columns]
        parts = _by_signature(results)
        rows += [_row(label, results, places, columns) for places in parts]
        first = _long(results, parts[0])
        for places in parts[1:]:
            differences = tuple(asdict(one) for one in _differences(first, _long(results, places)))
            apart.append(Apart(label, _short(results, parts[0]), _short(results, places), differences))
    return SameSet(tuple(runs), columns, tuple(rows), tuple(apart))


def _results(run: RunScores, system: str) -> Mapping[str, Json]:
    found: Mapping[str, Json] = run.evaluation["systems"][system]
    return found


def _by_signature(results: Sequence[Json | None]) -> list[list[int]]:
    """The places of results that may stand side by side."""
    parts: list[list[int]] = []
    for place, result in enumerate(results):
        if result is not None:
            for part in parts:
                known = _long(results, part)
                if known == result["long_signature"] or not _differences(known, result["long_signature"]):
                    part.append(place)
                    break
            else:
                parts.append([place])
    return parts


def _differences(first: str, second: str) -> list[Difference]:
    try:
        return compare_signatures(first, second)
    except PlainlyError as error:  # from a backup that somebody changed
        return [Difference("signature", first, second, str(error))]


def _row(label: str, results: Sequence[Json | None], places: Sequence[int], columns: Sequence[Column]) -> Row:
    cells: list[Cell | None] = [None] * len(columns)
    for place in places:
        result = results[place] or {}
        value, low, high = (nan if (bound := result["score"][name]) is None else bound for name in BOUNDS)
        score = Estimate(value, low, high)
        against = _against(place, places, columns)
        before = None if against is None else ((results[against] or {}).get("score") or {}).get("value")
        difference = None if before is None or isnan(score.value) else score.value - before
        cells[place] = Cell(score, result["unscored"], difference, None if difference is None else against)
    return Row(label, _short(results, places), tuple(cells))


def _against(place: int, places: Sequence[int], columns: Sequence[Column]) -> int | None:
    here = columns[place]
    earlier = [other for other in places if columns[other].run < here.run]
    same = [other for other in earlier if columns[other].system == here.system]
    sizes = Counter(column.run for column in columns)
    renamed = [other for other in earlier if sizes[columns[other].run] == sizes[here.run] == 1]
    return next(iter(same or renamed), None)


def _long(results: Sequence[Json | None], places: Sequence[int]) -> str:
    return str((results[places[0]] or {})["long_signature"])


def _short(results: Sequence[Json | None], places: Sequence[int]) -> str:
    return str((results[places[0]] or {})["signature"])
