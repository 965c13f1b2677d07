"""Metrics beside people: one table for each dimension, granularity and group of outputs.

All metrics of a table are held against the same outputs, those that every one of them scores. Else a metric that
leaves the hard ones out would look better than the others. Raters are held against each other on all outputs of the
table that they rated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.findings.result import StudyResult
from plainly.inference.correlation import Coefficient
from plainly.inference.estimates import as_data
from plainly.inference.resampling import USUAL, Resampling
from plainly.metaeval.ceiling import Ceiling, ceiling, no_ceiling
from plainly.metaeval.comparing import Standing, against_best, systems_against_best
from plainly.metaeval.contenders import Contender, contenders, reference_sets
from plainly.metaeval.correlations import Agreement, orientation, segment_level
from plainly.metaeval.grouping import grouped, quality_bands, reference_counts
from plainly.metaeval.judged_set import HumanDirection, JudgedSet
from plainly.metaeval.study_notes import learned_notes, permutation_notes, set_notes, table_notes
from plainly.metaeval.systems import system_level
from plainly.metrics import Array, Metric
from plainly.scoring.evaluator import prepare

Granularity = Literal["segment", "system"]
OWN_FIELDS = ("system", "quality", "references")  # what every data set can be grouped by


@dataclass(frozen=True)
class Row:
    """One metric of a table, with one set of references."""

    contender: str  # the metric, and which references if there are several sets: "sari (asset)"
    metric: str
    references: str  # the name of the set; "" where there is one only, or the metric uses none
    agreement: Agreement
    standing: Standing
    orientation: int  # 1 where agreement means a positive correlation, -1 a negative one, 0: nobody can say
    coefficient: Coefficient  # by which metrics are compared
    alpha: float  # p below this is beyond chance

    @property
    def tied(self) -> bool:
        """Whether the test does not tell it from the best one."""
        own = self.standing
        return own.takes_part and not own.best and not own.p_holm < self.alpha and own.within_noise

    @property
    def agrees(self) -> bool:
        """Whether it goes with people, in its own direction, in these data."""
        return self.orientation * self.agreement.coefficient(self.coefficient).value > 0

    @property
    def beyond_chance(self) -> int:
        """1 where it goes with people beyond chance, -1 where it goes against them, 0 where its interval holds 0."""
        estimate = self.agreement.coefficient(self.coefficient).estimate
        return self.orientation * (int(estimate.low > 0) - int(estimate.high < 0))

    @property
    def wrong_way(self) -> bool:
        """Whether it goes against people, by its own direction, beyond chance."""
        return self.beyond_chance < 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **as_data(self, "orientation", "coefficient", "alpha"),
            "references": self.references or None,
            "tied": self.tied,
            "wrong_way": self.wrong_way,
        }


@dataclass(frozen=True)
class Table:
    """All metrics beside people in one dimension; `group` is one value of `field`, or both are empty."""

    dimension: str
    granularity: Granularity
    field: str
    group: str
    outputs: int  # that count: judged, and scored by every metric
    judged: int
    segments: int
    systems: int
    human_direction: HumanDirection
    rows: tuple[Row, ...]
    ceiling: Ceiling
    notes: tuple[Message, ...]
    members: tuple[int, ...]  # the rows of the data that count

    @property
    def best(self) -> Row | None:
        """The metric that agrees best with people."""
        return next((row for row in self.rows if row.standing.best), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **as_data(self, "members"),
            "field": self.field or None,
            "group": self.group or None,
            "best": self.best.contender if self.best else None,
        }


@dataclass(frozen=True, repr=False)
class Study(StudyResult, findings="plainly.metaeval.findings:findings"):
    """One data set: tables of outputs, of systems and of groups."""

    name: str
    lang: str
    outputs: int
    segments: int
    systems: int
    scale: Mapping[str, str]
    coefficient: Coefficient
    controls: tuple[str, ...]
    resampling: Resampling
    tables: tuple[Table, ...]
    signatures: Mapping[str, str]  # of each contender
    notes: tuple[Message, ...]
    paper: str = ""
    licence: str = ""
    contenders: tuple[Contender, ...] = field(default=(), repr=False, compare=False)

    def chosen(self, granularity: Granularity | None = None, field: str | None = None) -> tuple[Table, ...]:
        """The tables of one granularity, or of groups by one field; `field` "" are those of all outputs."""
        return tuple(
            table
            for table in self.tables
            if (granularity is None or table.granularity == granularity) and (field is None or table.field == field)
        )

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return as_data(self, "contenders")


@checks_arguments
def study(
    judged: JudgedSet,
    metrics: str | Sequence[str | Metric],
    *,
    references: Sequence[str] = (),
    dimensions: Sequence[str] | None = None,
    granularities: Sequence[Granularity] = ("segment", "system"),
    by: Sequence[str] = (),
    control: Sequence[Metric] = (),
    coefficient: Coefficient = "pearson",
    resampling: Resampling = USUAL,
    threads: int | None = None,
) -> Study:
    """Every metric beside people.

    `references` names sets of references of the data; each gives a row, and all together another. `by` names fields
    to group outputs by: those of the data, or system, quality (low or high by people), references (how many).
    `control` are metrics, such as words, that partial correlations remove.
    """
    metrics = prepare(metrics, judged.lang, {})
    groups = {dimension: list(_groups(judged, dimension, by)) for dimension in _dimensions(judged, dimensions)}
    found = [*contenders(judged, metrics, reference_sets(judged, references), threads), *_measured(judged)]
    if not any(np.isfinite(contender.scores).any() for contender in found):
        raise PlainlyError(f"{judged.name}: no metric scores any output")
    removed = contenders(judged, control, threads=threads) if control else []
    work = _Work(judged, found, removed, coefficient, resampling)
    tables = []
    for dimension, parts in groups.items():
        for name, group, rows in parts:
            agreed = work.ceiling(dimension, rows)
            shown: Sequence[Granularity] = granularities if not name else ("segment",)
            tables += [work.table(dimension, granularity, rows, name, group, agreed) for granularity in shown]
    return Study(
        name=judged.name,
        lang=judged.lang,
        outputs=len(judged),
        segments=len(set(judged.segments)),
        systems=len(set(judged.systems)),
        scale=judged.scale,
        coefficient=coefficient,
        controls=tuple(contender.label for contender in removed),
        resampling=resampling,
        tables=tuple(tables),
        signatures={contender.label: contender.signature for contender in found},
        notes=(*judged.notes, *set_notes(judged, found), *learned_notes(judged, metrics)),
        paper=judged.paper,
        licence=judged.licence,
        contenders=tuple(found),
    )


def _measured(judged: JudgedSet) -> Iterator[Contender]:
    """What is known of the outputs beside metrics."""
    for name, one in judged.beside.items():
        yield Contender(name, name, "", one.direction, one.signature, one.scores)


def _dimensions(judged: JudgedSet, chosen: Sequence[str] | None) -> list[str]:
    for name in chosen or ():
        if name not in judged.values:
            raise UnknownName("dimension", name, judged.values)
    return list(dict.fromkeys(chosen or judged.dimensions))


def _groups(judged: JudgedSet, dimension: str, by: Sequence[str]) -> Iterator[tuple[str, str, NDArray[np.int64]]]:
    """All rows, then those of each group: field, group, rows."""
    yield "", "", np.arange(len(judged))
    for name in by:
        for group, rows in grouped(_labels(judged, dimension, name)).items():
            yield name, group, rows


def _labels(judged: JudgedSet, dimension: str, name: str) -> Sequence[str]:
    if name in judged.fields:
        return judged.fields[name]
    if name == "system":
        return judged.systems
    if name == "quality":
        return quality_bands(judged.values[dimension])
    if name == "references":
        return reference_counts(judged.references)
    raise UnknownName("field", name, [*judged.fields, *OWN_FIELDS])


def _comparable(agreed: Ceiling, granularity: Granularity, field: str) -> Ceiling:
    """The ceiling of a table, where raters can be held beside its correlations."""
    if granularity == "system":
        said = "raters were compared on outputs, not on means of systems"
        return no_ceiling(message("metaeval.why.on-outputs", said))
    if field == "quality":
        said = "the halves were chosen by these ratings, so within them raters seem to agree less"
        return no_ceiling(message("metaeval.why.halves", said))
    return agreed


@dataclass(frozen=True)
class _Work:
    """What all tables of a study have in common."""

    judged: JudgedSet
    found: Sequence[Contender]
    removed: Sequence[Contender]
    coefficient: Coefficient
    resampling: Resampling

    def table(
        self,
        dimension: str,
        granularity: Granularity,
        rows: NDArray[np.int64],
        name: str,
        group: str,
        agreed: Ceiling,
    ) -> Table:
        human = self.judged.values[dimension][rows]
        direction = self.judged.direction(dimension)
        kept = rows[np.isfinite(human) & self._scored_by_all(rows)]
        people = self.judged.values[dimension][kept]
        scores = {contender.label: contender.scores[kept] for contender in self.found}
        compared = {"segment": self._of_segments, "system": self._of_systems}[granularity]
        agreements, standings, notes = compared(scores, people, direction, kept)
        made = tuple(
            Row(
                contender.label,
                contender.metric,
                contender.references,
                agreements[contender.label],
                standings[contender.label],
                orientation(contender.direction, direction),
                self.coefficient,
                1 - self.resampling.confidence,
            )
            for contender in self.found
        )
        judged = int(np.isfinite(human).sum())
        return Table(
            dimension=dimension,
            granularity=granularity,
            field=name,
            group=group,
            outputs=len(kept),
            judged=judged,
            segments=len({self.judged.segments[row] for row in kept}),
            systems=len({self.judged.systems[row] for row in kept}),
            human_direction=direction,
            rows=made,
            ceiling=_comparable(agreed, granularity, name),
            notes=(
                *notes,
                *table_notes(judged, len(kept), people, made, self.coefficient),
                *self._permuted(granularity, self._units(kept), made),
            ),
            members=tuple(kept.tolist()),
        )

    def _scored_by_all(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows every metric scores, but for those that score none at all; without metrics, none."""
        there = [np.isfinite(contender.scores[rows]) for contender in self.found]
        some = [own for own in there if own.any()]
        return np.asarray(np.stack(some).all(axis=0)) if some else np.zeros(len(rows), dtype=bool)

    def _permuted(self, granularity: Granularity, units: Sequence[str], rows: Sequence[Row]) -> Iterator[Message]:
        compared = sum(row.standing.gap is not None for row in rows)
        if granularity == "segment" and compared:
            yield from permutation_notes(len(set(units)), compared, self.resampling.resamples, rows[0].alpha)

    def _of_segments(
        self,
        scores: Mapping[str, Array],
        people: Array,
        direction: HumanDirection,
        kept: NDArray[np.int64],
    ) -> tuple[Mapping[str, Agreement], Mapping[str, Standing], Sequence[Message]]:
        directions = {contender.label: contender.direction for contender in self.found}
        columns = [contender.scores[kept] for contender in self.removed]
        agreements = segment_level(
            scores,
            people,
            directions,
            human_direction=direction,
            clusters=self._units(kept),
            groups=[self.judged.segments[row] for row in kept],
            controls=np.column_stack(columns) if columns else None,
            resampling=self.resampling,
        )
        standings = against_best(
            scores,
            people,
            directions,
            human_direction=direction,
            coefficient=self.coefficient,
            clusters=self._units(kept),
            resampling=self.resampling,
        )
        return agreements, standings, ()

    def _of_systems(
        self,
        scores: Mapping[str, Array],
        people: Array,
        direction: HumanDirection,
        kept: NDArray[np.int64],
    ) -> tuple[Mapping[str, Agreement], Mapping[str, Standing], Sequence[Message]]:
        directions = {contender.label: contender.direction for contender in self.found}
        over_systems = system_level(
            scores,
            people,
            directions,
            systems=[self.judged.systems[row] for row in kept],
            segments=self._units(kept),
            human_direction=direction,
            resampling=self.resampling,
        )
        standings = systems_against_best(
            over_systems, human_direction=direction, coefficient=self.coefficient, resampling=self.resampling
        )
        return over_systems.agreements, standings, over_systems.notes

    def ceiling(self, dimension: str, rows: NDArray[np.int64]) -> Ceiling:
        if self.judged.no_ceiling is not None:
            return no_ceiling(self.judged.no_ceiling)
        known = self.judged.ratings.get(dimension)
        ratings = None if known is None else known[rows]
        return ceiling(ratings, clusters=self._units(rows), resampling=self.resampling)

    def _units(self, rows: NDArray[np.int64]) -> list[str]:
        return [self.judged.units[row] for row in rows]
