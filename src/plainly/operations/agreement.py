"""Do annotators find the same operations? Kappas by token, scores by label, matching groups, and how sure they are.

All of it comes from counts by pair of sentences, which add up. Intervals draw sources, each with all of its pairs:
tokens of one sentence are not independent. Two annotators are compared on the pairs that both have done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.groups import grouped
from plainly.inference.agreement import (
    FIRST,
    MISSING,
    SECOND,
    Codes,
    cohen,
    confusion,
    davies_fleiss,
    observed,
    paired_counts,
    precision_recall_f1,
)
from plainly.inference.alpha import Alpha
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Resampled,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    interval,
    pooled,
)
from plainly.metrics import Array, ratio
from plainly.operations.agreement_results import (
    Agreement,
    Confusion,
    Kappa,
    LabelScore,
    Matching,
    Matrix,
    Overall,
    Spread,
)
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.ratings import GOLD, UNCHANGED, Errors, Ratings, side_by_side
from plainly.operations.typology import SIDES, Side, Typology, assetann

ALL = "all annotators"
MEAN = "mean of annotators"
LABELS = "labels"
CLASSES = ("add", "delete", "replace", "move")
MATCHED = 8  # columns of `_matched`
SUMS_AT_A_TIME = 1 << 22  # resampled sums in memory: 32 MB


def variants(
    typology: Typology, labels: Sequence[str], merge: Mapping[str, Sequence[str]] | None = None
) -> dict[str, dict[str, str]]:
    """Coarser and coarser readings of the labels: what each label becomes; one that is not named stays as it is.

    Insertions and deletions are the labels of the classes add and delete. `merge` is one more reading: a new label,
    and the labels that it stands for.
    """
    classes = {label: name for name in CLASSES for label in typology.of_class(name, move_is_replacement=False)}
    simple = {label: name for label, name in classes.items() if name in ("add", "delete")}
    found: dict[str, dict[str, str]] = {
        LABELS: {},
        "insertions and deletions merged": simple,
        "lexical merged too": dict.fromkeys(typology.of_class("lexical"), "lexical") | simple,
        "add, delete, replace, move": classes,
        "edited or not": dict.fromkeys((label for label in labels if label != UNCHANGED), "edited"),
    }
    if merge:
        found["merged as asked"] = {typology.get(label).name: name for name, of in merge.items() for label in of}
    return found


def by_annotator(pairs: Iterable[AnnotatedPair]) -> dict[str, list[AnnotatedPair]]:
    """The pairs of each annotator."""
    return grouped(pairs, lambda pair: pair.annotator)


@checks_arguments
def agreement(
    annotators: Mapping[str, Sequence[AnnotatedPair]],
    gold: Sequence[AnnotatedPair] | None = None,
    *,
    typology: Typology | None = None,
    errors: Errors = "as-written",
    merge: Mapping[str, Sequence[str]] | None = None,
    resampling: Resampling = USUAL,
) -> Agreement:
    """How far annotators agree with each other and with gold."""
    typology, resampling = typology or assetann(), replace(resampling, unit="source")
    ratings = side_by_side(annotators, gold, typology, errors)
    readings = variants(typology, ratings.labels, merge)
    study = _Study(ratings, resampling)
    matrices = tuple(matrix for side in SIDES for matrix in study.matrices(side))
    by_tokens = [study.by_tokens(name, reading, side) for name, reading in readings.items() for side in SIDES]
    kappas = tuple(kappa for _, kappas in by_tokens for kappa in kappas)
    return Agreement(
        ratings=ratings,
        errors=errors,
        resampling=resampling,
        overall=tuple(overall for overall, _ in by_tokens if overall is not None),
        kappas=kappas,
        spreads=tuple(_spreads(kappas)),
        matching=tuple(study.matching()),
        labels=tuple(score for side in SIDES for score in study.label_scores(side)),
        matrices=matrices,
        confusions=tuple(confusion for matrix in matrices for confusion in _confused(matrix, ratings.has_gold)),
    )


class _Study:
    """The counts of a set of ratings, and resamples of them."""

    def __init__(self, ratings: Ratings, resampling: Resampling) -> None:
        self._ratings = ratings
        self._resampling = resampling
        self._sources = [identity for identity, _ in ratings.keys]
        people = range(len(ratings.raters) - ratings.has_gold)
        self._between = list(combinations(people, 2))
        self._to_gold = [(len(people), person) for person in people] if ratings.has_gold else []

    def by_tokens(self, name: str, reading: Mapping[str, str], side: Side) -> tuple[Overall | None, list[Kappa]]:
        """All annotators together (if there are two), and each with each and with gold."""
        labels = [reading.get(label, label) for label in self._ratings.labels]
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        renamed = np.array([*(numbers[label] for label in labels), MISSING])  # MISSING is -1: the last
        codes = renamed[self._ratings.codes[side]]
        kappas: list[Kappa] = []
        overall = None
        if self._between:
            counts = self._paired(codes, len(numbers), self._between, side)
            people = codes[:, : codes.shape[1] - self._ratings.has_gold]
            tokens = int(((people != MISSING).sum(1) > 1).sum())
            *found, multi, same = self._estimates(counts, _kappas_and_all, [*_tokens(counts), tokens, tokens])
            kappas += [
                Kappa(*self._names(pair), name, side, kappa) for pair, kappa in zip(self._between, found, strict=True)
            ]
            overall = Overall(name, side, multi, self._alpha(people, len(numbers), side, tokens), same)
        if self._to_gold:
            counts = self._paired(codes, len(numbers), self._to_gold, side)
            sizes = _tokens(counts)
            *found, mean = self._estimates(counts, _kappas_and_mean, [*sizes, sizes.sum()])
            kappas += [
                Kappa(*self._names(pair), name, side, kappa) for pair, kappa in zip(self._to_gold, found, strict=True)
            ]
            if len(found) > 1:
                kappas.append(Kappa(GOLD, MEAN, name, side, mean))
        return overall, kappas

    def _alpha(self, codes: Codes, categories: int, side: Side, tokens: int) -> Estimate:
        alpha = Alpha("nominal", np.arange(categories, dtype=float))
        rows = np.zeros((len(self._ratings.keys), categories + 1))
        np.add.at(rows, self._ratings.units[side], alpha.rows(codes))
        return self._estimates(rows, alpha.score, [tokens])[0]

    def matching(self) -> Iterator[Matching]:
        """The groups of each annotator with those of each other and of gold."""
        groups = [{key: _groups(pair) for key, pair in table.items()} for table in self._ratings.annotations]
        pairs = [*self._between, *self._to_gold]
        rows = np.zeros((len(self._ratings.keys), len(pairs), MATCHED))
        for place, (a, b) in enumerate(pairs):
            for unit, key in enumerate(self._ratings.keys):
                if key in groups[a] and key in groups[b]:
                    rows[unit, place] = _matched(*groups[a][key], *groups[b][key])
        totals = rows.sum(0)
        sizes = np.stack([totals[:, 3] + totals[:, 4], totals[:, 3] + totals[:, 4], totals[:, 0]], axis=-1)
        found = self._estimates(rows, _group_figures, sizes.ravel())
        for place, pair in enumerate(pairs):
            yield Matching(*self._names(pair), int(totals[place, 0]), *found[3 * place : 3 * place + 3])

    def label_scores(self, side: Side) -> Iterator[LabelScore]:
        """Every label that is used, by each annotator against gold; without gold, of all annotators together."""
        labels = self._ratings.labels
        size = len(labels)
        counts = self._paired(self._ratings.codes[side], size, self._to_gold or self._between, side)
        if not self._to_gold:
            first, second = (counts[:, :, kind].sum((0, 1)) for kind in (FIRST, SECOND))
            f1 = self._estimates(counts, lambda t: precision_recall_f1(t.sum(1))[2], first + second)
            for number in range(1, size):
                if f1[number].n:
                    tokens = int(first[number]), int(second[number])
                    yield LabelScore(ALL, side, labels[number], *tokens, None, None, f1[number])
            return
        annotators = [self._ratings.raters[b] for _, b in self._to_gold]
        if len(annotators) > 1:
            annotators.append(MEAN)
        sums = counts.sum(0)
        sums = np.concatenate([sums, sums.sum(0, keepdims=True)])[: len(annotators)]
        kinds = [
            self._estimates(counts, partial(_by_annotator, kind), n.ravel())
            for kind, n in enumerate((sums[:, SECOND], sums[:, FIRST], sums[:, FIRST] + sums[:, SECOND]))
        ]
        for place, annotator in enumerate(annotators):
            for number in range(1, size):
                gold, found = (int(sums[place, kind, number]) for kind in (FIRST, SECOND))
                if gold or found:
                    scores = [kind[place * size + number] for kind in kinds]
                    yield LabelScore(annotator, side, labels[number], gold, found, *scores)

    def matrices(self, side: Side) -> Iterator[Matrix]:
        """Which labels stand in each other's place, of each annotator against gold, and of all."""
        codes, labels = self._ratings.codes[side], self._ratings.labels
        tables = [
            (self._ratings.raters[b], confusion(codes[:, [a, b]], len(labels)))
            for a, b in self._to_gold or self._between
        ]
        total = np.sum([table for _, table in tables], axis=0)
        if not self._to_gold:
            yield _matrix(ALL, side, labels, total + total.T - np.diag(np.diag(total)))
            return
        for annotator, table in tables:
            yield _matrix(annotator, side, labels, table)
        if len(tables) > 1:
            yield _matrix(ALL, side, labels, total)

    def _paired(self, codes: Codes, categories: int, pairs: Sequence[tuple[int, int]], side: Side) -> Array:
        return paired_counts(codes, categories, pairs, self._ratings.units[side], len(self._ratings.keys))

    def _names(self, pair: tuple[int, int]) -> tuple[str, str]:
        return self._ratings.raters[pair[0]], self._ratings.raters[pair[1]]

    def _estimates(
        self, rows: Array, score: Callable[[Array], Array], sizes: Sequence[float] | Array
    ) -> list[Estimate]:
        """A figure for each size, from the sums of rows (pairs, ...); `score` takes many sums, gives many figures."""
        values = score(rows.sum(0)[None]).reshape(-1)
        flat = pooled(rows.reshape(len(rows), -1), cluster_numbers(self._sources, len(rows)))
        block = max(1, SUMS_AT_A_TIME // flat.shape[1]) * len(flat)
        drawn = [np.empty((0, len(values)))]
        for weights in bootstrap_weights(len(flat), self._resampling.resamples, self._resampling.seed, block):
            sums = (weights @ flat).reshape(len(weights), *rows.shape[1:])
            drawn.append(score(sums).reshape(len(weights), -1))
        columns = np.concatenate(drawn).T
        return [
            replace(interval(Resampled(float(value), column), self._resampling), n=int(size))
            for value, size, column in zip(values, sizes, columns, strict=True)
        ]


def _by_annotator(kind: int, counts: Array) -> Array:
    """Precision (0), recall (1) or F1 (2) of each annotator and label; the mean below, if there are several."""
    scores = precision_recall_f1(counts)[kind]
    return scores if scores.shape[1] == 1 else np.concatenate([scores, _mean(scores, axis=1)[:, None]], axis=1)


def _mean(values: Array, axis: int = -1) -> Array:
    """The mean of those that are there."""
    return ratio(np.nansum(values, axis), np.isfinite(values).sum(axis).astype(float))


def _kappas_and_all(counts: Array) -> Array:
    """Of each pair of annotators, then of all: kappa, and the share of tokens with the same label."""
    together = [davies_fleiss(counts), observed(counts.sum(1))]
    return np.column_stack([cohen(counts), *together])


def _kappas_and_mean(counts: Array) -> Array:
    kappas = cohen(counts)
    return np.column_stack([kappas, _mean(kappas)])


def _tokens(counts: Array) -> Array:
    """How many tokens each pair of annotators shares."""
    tokens: Array = counts[:, :, FIRST].sum((0, 2))
    return tokens


def _groups(pair: AnnotatedPair) -> tuple[Counter[tuple[Any, ...]], Counter[tuple[Any, ...]]]:
    """Groups with their labels, and without."""
    spans = [(group.source, group.target) for group in pair.groups]
    return Counter((*span, group.label) for span, group in zip(spans, pair.groups, strict=True)), Counter(spans)


def _matched(
    first: Counter[Any], first_spans: Counter[Any], second: Counter[Any], second_spans: Counter[Any]
) -> tuple[int, ...]:
    """What `_group_figures` sums: 1, groups and spans that both have, groups x and y of each, x^2, y^2, xy."""
    x, y = first.total(), second.total()
    return 1, (first & second).total(), (first_spans & second_spans).total(), x, y, x * x, y * y, x * y


def _group_figures(sums: Array) -> Array:
    """F1 of groups, F1 of spans, and r of their number in a pair. The sums are of whole numbers, so r is exact."""
    n, groups, spans, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return np.stack([ratio(2 * groups, x + y), ratio(2 * spans, x + y), ratio(n * xy - x * y, spread)], axis=-1)


def _matrix(annotator: str, side: Side, labels: Sequence[str], table: Array) -> Matrix:
    there = np.flatnonzero(table.sum(0) + table.sum(1)).tolist()
    counts = table[np.ix_(there, there)].astype(int).tolist()
    return Matrix(annotator, side, tuple(labels[i] for i in there), tuple(map(tuple, counts)))


def _confused(matrix: Matrix, with_gold: bool) -> Iterator[Confusion]:
    """The cells off the diagonal, most frequent first; without gold each pair of labels once."""
    table = np.array(matrix.tokens)
    wrong = table * (1 - np.eye(len(table), dtype=int))
    wrong = wrong if with_gold else np.triu(wrong)
    places = [(int(a), int(b)) for a, b in np.argwhere(wrong)]
    for a, b in sorted(places, key=lambda place: (-wrong[place], place)):
        labels = matrix.labels[a], matrix.labels[b]
        yield Confusion(matrix.annotator, matrix.side, *labels, int(wrong[a, b]), float(wrong[a, b] / wrong.sum()))


def _spreads(kappas: Sequence[Kappa]) -> Iterator[Spread]:
    """How far annotators lie apart, wherever there is a mean of several."""
    of_gold = grouped([row for row in kappas if row.first == GOLD], lambda row: (row.variant, row.side))
    for (variant, side), rows in of_gold.items():
        mean = next((row.kappa for row in rows if row.second == MEAN), None)
        values = [row.kappa.value for row in rows if row.second != MEAN and np.isfinite(row.kappa.value)]
        if mean is not None and values:
            yield Spread(variant, side, len(values), mean, float(np.std(values)), min(values), max(values))
