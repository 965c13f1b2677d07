"""Which operations does a metric reward or punish, and do people do the same?

What was done in each judged output comes from the tagger or from annotations. The scores of metrics, and the values
that people gave, are held against it:

    correlation   of the score with how often the operation occurs in an output (`plainly.operations.correlation`)
    difference    the mean score of outputs with the operation less that of outputs without it

Outputs of one source are drawn together. p is corrected for all tests of one group: all outputs, or a system's.
An operation that people reward and a metric punishes is where the two part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.inference.correlation import Coefficient
from plainly.inference.estimates import Estimate, as_data, estimates
from plainly.inference.resampling import (
    USUAL,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    pooled,
    weighted_totals,
)
from plainly.metaeval.contenders import Contender
from plainly.metaeval.grouping import grouped
from plainly.metaeval.judged_set import JudgedSet
from plainly.metrics import Array, ratio
from plainly.operations import AnnotatedPair, Typology, assetann
from plainly.operations.correlation import Columns, Finding, Observations, findings, operation_counts
from plainly.operations.tagger import Labeller, annotate, tokens

PEOPLE = "people"  # how the values that people gave are named among scores: "people: simplicity"
FEWEST_OUTPUTS = 30
"""Systems with fewer outputs have no findings of their own: none could be sure."""


@dataclass(frozen=True)
class Effect:
    """One score beside one operation. `human`: the score is what people gave."""

    finding: Finding
    difference: Estimate
    human: bool

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**self.finding.to_dict(), "difference": self.difference.to_dict(), "human": self.human}


@dataclass(frozen=True)
class OperationsStudy:
    """Effects over all outputs, and those of each system that has enough of them."""

    name: str
    annotators: tuple[str, ...]
    outputs: int
    segments: int
    coefficient: Coefficient
    resampling: Resampling
    overall: tuple[Effect, ...]
    systems: Mapping[str, tuple[Effect, ...]]
    notes: tuple[Message, ...]

    @property
    def groups(self) -> dict[str, tuple[Effect, ...]]:
        """All outputs under "", then systems."""
        return {"": self.overall, **self.systems}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return as_data(self)


def tagged_rows(judged: JudgedSet, labeller: Labeller) -> list[AnnotatedPair]:
    """Every judged output as an annotated pair, in row order."""
    if any(source is None for source in judged.sources):
        raise PlainlyError(f"operations are done to a source, and {judged.name} has outputs without one")
    cut = {source: tokens(source, judged.lang) for source in dict.fromkeys(judged.sources) if source is not None}
    rows = zip(judged.segments, judged.systems, judged.sources, judged.outputs, strict=True)
    pairs = [
        AnnotatedPair(segment, cut[source], tokens(output, judged.lang), (), system)
        for segment, system, source, output in rows
        if source is not None
    ]
    return list(annotate(pairs, labeller, judged.lang))


def annotated_rows(judged: JudgedSet, pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair]:
    """The annotations of each judged output, found by segment and system; one that has none is an error."""
    known: dict[tuple[str, str], AnnotatedPair] = {}
    for pair in pairs:
        if (pair.id, pair.origin) in known:
            raise PlainlyError(f"{judged.name}: segment {pair.id!r} of {pair.origin!r} is annotated twice")
        known[pair.id, pair.origin] = pair
    found = []
    for key in zip(judged.segments, judged.systems, strict=True):
        if key not in known:
            raise PlainlyError(f"{judged.name}: there is no annotation of segment {key[0]!r} of {key[1]!r}")
        found.append(known[key])
    return found


def operations_study(
    judged: JudgedSet,
    contenders: Sequence[Contender],
    pairs: Sequence[AnnotatedPair],
    *,
    dimensions: Sequence[str] | None = None,
    typology: Typology | None = None,
    columns: Columns = "labels",
    coefficient: Coefficient = "spearman",
    resampling: Resampling = USUAL,
) -> OperationsStudy:
    """Metrics and people beside operations; `pairs` are the annotations of the outputs, in row order."""
    if len(pairs) != len(judged):
        raise PlainlyError(f"{judged.name} has {len(judged)} outputs, but {len(pairs)} annotations were given")
    names, counts = operation_counts(pairs, typology or assetann(), "groups", columns)
    people = {f"{PEOPLE}: {name}": name for name in dimensions or judged.dimensions}
    scores = {
        **{contender.label: contender.scores for contender in contenders},
        **{label: judged.values[name] for label, name in people.items()},
    }
    observations = Observations(
        ids=judged.units,
        origins=judged.systems,
        erroneous=np.array([pair.erroneous for pair in pairs], dtype=bool),
        operations=names,
        counts=counts,
        scores=scores,
        directions={
            **{contender.label: contender.direction for contender in contenders},
            **{label: judged.direction(name) for label, name in people.items()},
        },
    )
    by_system = grouped(judged.systems)
    enough = {system: rows for system, rows in by_system.items() if len(rows) >= FEWEST_OUTPUTS}
    alone = len(by_system) == 1
    return OperationsStudy(
        name=judged.name,
        annotators=tuple(dict.fromkeys(pair.annotator or PEOPLE for pair in pairs)),
        outputs=len(judged),
        segments=len(set(judged.segments)),
        coefficient=coefficient,
        resampling=resampling,
        overall=tuple(_effects(observations, people, coefficient, resampling)),
        systems={}
        if alone
        else {
            system: tuple(_effects(observations.part(rows), people, coefficient, resampling))
            for system, rows in enough.items()
        },
        notes=tuple(_notes(by_system, enough)),
    )


def _effects(
    observations: Observations, people: Mapping[str, str], coefficient: Coefficient, resampling: Resampling
) -> Iterator[Effect]:
    if not observations.counts.any():
        return
    found = findings(observations, coefficient=coefficient, resampling=resampling)
    place = {name: column for column, name in enumerate(observations.operations)}
    differences = {
        score: _differences(observations.counts > 0, values, observations.ids, resampling)
        for score, values in observations.scores.items()
    }
    for finding in found:
        difference = differences[finding.score][place[finding.operation]]
        yield Effect(finding, difference, finding.score in people)


def _differences(
    present: NDArray[np.bool_], values: Array, ids: Sequence[str], resampling: Resampling
) -> list[Estimate]:
    """Mean score with each operation less that without it: sums and counts that add up over sources."""
    known = np.isfinite(values)
    score = np.where(known, values, 0.0)[:, None]
    has, lacks = (side & known[:, None] for side in (present, ~present))
    rows = np.hstack([has * score, has, lacks * score, lacks]).astype(np.float64)
    units = pooled(rows, cluster_numbers(ids, len(rows)))
    (drawn,) = weighted_totals(bootstrap_weights(len(units), resampling.resamples, resampling.seed), [units])
    return estimates(_contrast(rows.sum(axis=0)), _contrast(drawn), resampling.confidence)


def _contrast(totals: Array) -> Array:
    with_sum, with_count, without_sum, without_count = np.split(totals, 4, axis=-1)
    return ratio(with_sum, with_count) - ratio(without_sum, without_count)


def _notes(
    by_system: Mapping[str, Sequence[int] | NDArray[np.int64]], enough: Mapping[str, object]
) -> Iterator[Message]:
    few = [system for system in by_system if system not in enough]
    if few and len(by_system) > 1:
        said = "fewer than {least} outputs, so nothing of their own: {systems}"
        yield message("metaeval.note.few-of-system", said, least=FEWEST_OUTPUTS, systems=", ".join(few))


def parting(effects: Sequence[Effect]) -> dict[tuple[str, str], list[str]]:
    """Where a metric and people part for sure: metric and what people were asked -> operations."""
    sure = [effect.finding for effect in effects if not effect.human and effect.finding.verdict]
    people = [effect.finding for effect in effects if effect.human and effect.finding.verdict]
    apart: dict[tuple[str, str], list[str]] = {}
    for own in sure:
        for other in people:
            if own.operation == other.operation and own.verdict != other.verdict:
                apart.setdefault((own.score, other.score), []).append(own.operation)
    return apart
