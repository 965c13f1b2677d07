"""All the data sets that a folder holds, studied with the same metrics: which metric agrees with people where?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.inference.estimates import Estimate, as_data
from plainly.metaeval.adapters import ADAPTERS, load
from plainly.metaeval.correlations import COEFFICIENTS
from plainly.metaeval.judged_set import JudgedSet
from plainly.metaeval.operations import Effect, OperationsStudy
from plainly.metaeval.study import Row, Study, Table
from plainly.metrics import Array


@dataclass(frozen=True)
class Points:
    """What a scatter plot draws: one metric beside people, one point an output."""

    dimension: str
    contender: str
    scores: Array
    people: Array
    systems: tuple[str, ...]
    segments: tuple[str, ...]


@dataclass(frozen=True)
class Collection:
    """Studies of several data sets; one alone is a collection, too."""

    studies: tuple[Study, ...]
    missing: Mapping[str, str] = field(default_factory=dict)  # data set -> why it is not here
    left_out: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # data set -> metric -> why
    operations: Mapping[str, OperationsStudy] = field(default_factory=dict)  # of data sets
    points: Mapping[str, Sequence[Points]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def tables(self) -> list[tuple[Study, Table]]:
        """The tables of all outputs: one a data set and dimension."""
        return [(study, table) for study in self.studies for table in study.chosen("segment", "")]

    def reasons(self, name: str) -> dict[str, list[str]]:
        """Why metrics are left out of a data set: reason -> metrics. What to do about it is for the terminal."""
        together: dict[str, list[str]] = {}
        for metric, why in self.left_out.get(name, {}).items():
            together.setdefault(why.partition(":")[0], []).append(metric)
        return together

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: one flat record for each number that a table shows.

        Of single systems only those operations are there that are surely rewarded or punished. All that is known of
        one data set stands in `Study.to_dict` and `OperationsStudy.to_dict`.
        """
        return {
            "data_sets": [as_data(found, "tables", "contenders") for found in self.studies],
            "agreements": [_agreement(found, table, row) for found, table, row in self._rows()],
            "ceilings": [_ceiling(found, table) for found, table in self.tables],
            "operations": [
                _effect(name, system, effect)
                for name, found in self.operations.items()
                for system, effects in found.groups.items()
                for effect in effects
                if not system or effect.finding.verdict
            ],
            "missing": dict(self.missing),
            "left_out": {name: dict(why) for name, why in self.left_out.items() if why},
        }

    def _rows(self) -> Iterator[tuple[Study, Table, Row]]:
        for found in self.studies:
            for table in found.tables:
                for row in table.rows:
                    yield found, table, row


def _agreement(found: Study, table: Table, row: Row) -> dict[str, Any]:
    own, standing = row.agreement, row.standing
    return {
        "data_set": found.name,
        "dimension": table.dimension,
        "granularity": table.granularity,
        "field": table.field or None,
        "group": table.group or None,
        "metric": row.metric,
        "references": row.references or None,
        "n": own.n,
        **{name: _short(own.coefficient(name).value) for name in COEFFICIENTS},
        "agreement": _estimate(own.coefficient(found.coefficient).estimate),
        "partial": None if own.partial is None else _short(own.partial.value),
        "accuracy": _short(own.accuracy.value),
        "orientation": row.orientation,
        "best": standing.best,
        "tied": row.tied,
        "within_noise": standing.within_noise,
        "wrong_way": row.wrong_way,
        "behind": None if standing.gap is None else _short(standing.gap.difference.value),
        "p_williams": _short(standing.p_williams),
        "p_holm": _short(standing.p_holm),
    }


def _ceiling(found: Study, table: Table) -> dict[str, Any]:
    agreed = table.ceiling
    figures = {"between": agreed.between, "with_others": agreed.with_others, "alpha": agreed.alpha}
    return {
        "data_set": found.name,
        "dimension": table.dimension,
        "raters": agreed.raters,
        "outputs": agreed.outputs,
        **{name: _estimate(one) for name, one in figures.items()},
        "reason": agreed.reason and agreed.reason.text(),
    }


def _effect(name: str, system: str, effect: Effect) -> dict[str, Any]:
    finding = effect.finding
    return {
        "data_set": name,
        "system": system or None,
        "score": finding.score,
        "operation": finding.operation,
        "outputs": finding.pairs,
        "correlation": _estimate(finding.correlation.estimate),
        "p_corrected": _short(finding.p_corrected),
        "verdict": finding.verdict or None,
        "difference": _short(effect.difference.value),
    }


def _estimate(found: Estimate) -> dict[str, float | None]:
    return {name: _short(getattr(found, name)) for name in ("value", "low", "high")}


def _short(value: float) -> float | None:
    """No more digits than anybody reads; null where there is no number."""
    return float(f"{value:.4g}") if math.isfinite(value) else None


def load_all(folder: str | Path) -> tuple[dict[str, JudgedSet], dict[str, str]]:
    """Every data set whose files are in the folder or below it, and those that are not there, with the reason.

    A file that is there but cannot be read is an error: nobody would notice that a data set is gone.
    """
    found, missing = {}, {}
    for name in ADAPTERS:
        try:
            found[name] = load(name, folder)
        except MissingResource as reason:
            missing[name] = str(reason)
    if not found:
        files = ", ".join(adapter.file for adapter in ADAPTERS.values())
        raise PlainlyError(f"{folder}: no data set is in this folder or below it; looked for {files}")
    return found, missing


def points(found: Study, judged: JudgedSet, chosen: Sequence[str] = ()) -> list[Points]:
    """Of each dimension the chosen metrics, or the best one, with the outputs that count in the table."""
    known = {contender.label: contender for contender in found.contenders}
    for label in chosen:
        if label not in known:
            raise UnknownName("metric of this run", label, known)
    drawn = []
    for table in found.chosen("segment", ""):
        best = [table.best.contender] if table.best else []
        for label in chosen or best:
            people, scores = judged.values[table.dimension], known[label].scores
            kept = [row for row in table.members if np.isfinite(scores[row])]  # none of a metric that scores nothing
            drawn.append(
                Points(
                    table.dimension,
                    label,
                    scores[kept],
                    people[kept],
                    tuple(judged.systems[row] for row in kept),
                    tuple(judged.segments[row] for row in kept),
                )
            )
    return drawn
