"""What does a metric make of operations? Each pair is scored as an output; its score is held against what was done.

The outputs are the references of a test set, each judged against the others of its source, or the outputs of any
system, judged against references. Pairs of one source are not independent, so intervals and p-values draw whole
sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.plain_data import plain_fields
from plainly.corpus import Corpus
from plainly.inference import holm
from plainly.inference.correlation import Coefficient, Correlation, correlate
from plainly.inference.paired import enough_units
from plainly.inference.resampling import USUAL, Resampling
from plainly.metrics import Array, Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.shares import group_counts
from plainly.operations.typology import COMPUTATIONAL, LINGUISTIC, Typology, assetann
from plainly.scoring.evaluator import measure

Counting = Literal["groups", "presence"]
Columns = Literal["labels", "classes"]
OUTPUT = "output"


@dataclass(frozen=True)
class Observations:
    """One row a pair: which operations it has, and what a metric gives it."""

    ids: tuple[str, ...]  # of the sources
    origins: tuple[str, ...]  # of the outputs: which reference, or which system
    erroneous: NDArray[np.bool_]
    operations: tuple[str, ...]
    counts: Array  # (pairs, operations)
    scores: Mapping[str, Array]  # "sari", "sari keep", ... -> (pairs,)
    directions: Mapping[str, str]  # of each score: "higher", "lower" or "none" is better
    counting: Counting = "groups"
    references_given: bool = False  # or each pair is judged by the other targets of its source
    signatures: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def without_faulty_sources(self) -> Observations:
        """The pairs of those sources of which no pair is erroneous."""
        faulty = {identity for identity, wrong in zip(self.ids, self.erroneous, strict=True) if wrong}
        return self.part(np.array([row for row, identity in enumerate(self.ids) if identity not in faulty], np.int64))

    def part(self, rows: NDArray[np.int64]) -> Observations:
        """Some of the pairs."""
        return replace(
            self,
            ids=tuple(self.ids[row] for row in rows),
            origins=tuple(self.origins[row] for row in rows),
            erroneous=self.erroneous[rows],
            counts=self.counts[rows],
            scores={name: values[rows] for name, values in self.scores.items()},
        )


@dataclass(frozen=True)
class Finding:
    """How one score goes with one operation."""

    score: str
    operation: str
    pairs: int  # that have the operation, of those that have the score
    correlation: Correlation
    p_corrected: float  # of all findings of the run together, after Holm
    verdict: Literal["rewarded", "punished", ""]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        content = plain_fields(self)
        own = content.pop("correlation")
        return {**content, **own, "verdict": self.verdict or None}


def observe(
    data: AnnotatedSet,
    metrics: Sequence[Metric],
    *,
    references: Sequence[Sequence[str]] | None = None,
    typology: Typology | None = None,
    counting: Counting = "groups",
    columns: Columns = "labels",
    components: Sequence[str] | None = None,
    threads: int | None = None,
) -> Observations:
    """Score every pair as an output, and count its operations.

    Without `references` (for each source its texts) the other targets of the same source are the references. A pair
    that has none is not scored (NaN), and does not count. `components` names the parts of scores that are asked for;
    by default those without a number in their name, so that SARI's add, keep and delete are there but no single n.
    """
    pairs = [pair for group in data.pairs for pair in group]
    corpus = outputs_corpus(data, references)
    judged_by = corpus.judged_by
    operations, counts = operation_counts(pairs, typology or assetann(), counting, columns)
    scores: dict[str, Array] = {}
    directions: dict[str, str] = {}
    for metric, rows in zip(metrics, _rows(corpus, metrics, threads), strict=True):
        score = metric.score(rows)
        if not np.isfinite(score.value).any():
            raise PlainlyError(
                f"{metric.label} scores no pair: give references, or annotations of several targets of each source"
            )
        parts = {metric.label: np.asarray(score.value, dtype=np.float64)}
        for name in _chosen(score.components, components, metric.label):
            parts[f"{metric.label} {name}"] = np.asarray(score.components[name], dtype=np.float64)
        scores |= parts
        directions |= {**dict.fromkeys(parts, "none"), metric.label: metric.facts.direction}
    return Observations(
        tuple(pair.id for pair in pairs),
        tuple(pair.origin for pair in pairs),
        np.array([pair.erroneous for pair in pairs], dtype=bool),
        operations,
        counts,
        scores,
        directions,
        counting,
        references is not None,
        tuple(metric.signature(judged_by) for metric in metrics),
    )


def findings(
    observations: Observations,
    *,
    coefficient: Coefficient = "spearman",
    resampling: Resampling = USUAL,
) -> list[Finding]:
    """Every score with every operation. An operation that no pair has is left out.

    A verdict needs a corrected p below 1 - confidence, enough sources for a test, and a score that knows which
    direction is better: components and metrics without a direction have none.
    """
    alpha = 1 - resampling.confidence
    enough = enough_units(len(set(observations.ids)), alpha)
    directions = observations.directions if enough else dict.fromkeys(observations.directions, "none")
    present = np.flatnonzero(observations.counts.any(axis=0))
    if not len(present) or not observations.scores:
        raise PlainlyError("there is nothing to correlate: no operation in any pair, or no score")
    grid = correlate(
        observations.counts[:, present],
        np.stack(list(observations.scores.values()), axis=1),
        coefficient=coefficient,
        clusters=observations.ids,
        resampling=resampling,
    )
    has = observations.counts > 0
    cells = [
        (score, observations.operations[column], int((has[:, column] & np.isfinite(values)).sum()), grid[i][j])
        for j, (score, values) in enumerate(observations.scores.items())
        for i, column in enumerate(present)
    ]
    corrected = holm(np.array([p_value(found) for *_, found in cells]))
    return [
        Finding(*cell, float(p), _verdict(cell[-1].value, float(p), alpha, directions[cell[0]]))
        for cell, p in zip(cells, corrected, strict=True)
    ]


def p_value(found: Correlation) -> float:
    """The p that counts: the larger of the two; missing where either is.

    Pairs of one source are alike, which only the p of resampled sources knows. But where very few sources have the
    operation, resampling is far too sure.
    """
    return found.p if found.p_resampled is None else float(np.maximum(found.p, found.p_resampled))


def operation_counts(
    pairs: Sequence[AnnotatedPair], typology: Typology, counting: Counting = "groups", columns: Columns = "labels"
) -> tuple[tuple[str, ...], Array]:
    """Groups of each label, or of each class, in each pair; or 0 and 1 for absent and present."""
    if counting not in get_args(Counting):
        raise UnknownName("way of counting", counting, get_args(Counting))
    if columns not in get_args(Columns):
        raise UnknownName("kind of operations", columns, get_args(Columns))
    names = typology.operations
    place = {name: number for number, name in enumerate(names)}
    counts = group_counts(pairs, typology)
    if columns == "classes":
        # Moves are a class of their own here, so that no group stands in two computational classes.
        classes = {
            kind: typology.of_class(kind, move_is_replacement=False)
            for kind in (*COMPUTATIONAL, *LINGUISTIC)
            if typology.of_class(kind, move_is_replacement=False)
        }
        counts = np.stack(
            [counts[:, [place[name] for name in kind]].sum(axis=1) for kind in classes.values()], axis=1
        )
        names = tuple(classes)
    return names, (counts > 0).astype(np.float64) if counting == "presence" else counts


def outputs_corpus(data: AnnotatedSet, references: Sequence[Sequence[str]] | None = None) -> Corpus:
    """Every pair as a segment with one output, judged by the references or by the other targets of its source."""
    sources, judged_by, outputs, ids = [], [], [], []
    for i, group in enumerate(data.targets):
        for k, target in enumerate(group):
            sources.append(data.sources[i])
            judged_by.append((*group[:k], *group[k + 1 :]) if references is None else tuple(references[i]))
            outputs.append(target)
            ids.append(data.ids[i])
    return Corpus(sources, judged_by, {OUTPUT: outputs}, ids, lang=data.lang)


def _rows(corpus: Corpus, metrics: Sequence[Metric], threads: int | None) -> list[Array]:
    parts = [measured.statistics[OUTPUT] for measured in measure([corpus], metrics, threads=threads)]
    for metric in metrics:
        if metric.failure is not None:
            raise PlainlyError(f"{metric.label} cannot be computed: {metric.failure}")
    return [np.concatenate([part[m] for part in parts]) for m in range(len(metrics))]


def _chosen(available: Mapping[str, Array], asked: Sequence[str] | None, label: str) -> list[str]:
    if asked is None:
        return [name for name in available if not any(character.isdigit() for character in name)]
    for name in asked:
        if name not in available:
            raise UnknownName(f"component of {label}", name, available)
    return list(asked)


def _verdict(value: float, p: float, alpha: float, direction: str) -> Literal["rewarded", "punished", ""]:
    if direction == "none" or not p < alpha:
        return ""
    return "rewarded" if (value > 0) == (direction == "higher") else "punished"
