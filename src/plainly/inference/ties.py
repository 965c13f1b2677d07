"""Which of two outputs is the better one? Pairs on which a measure and people agree, with the rules for ties.

Every pair of outputs is one of five kinds. C: both put the same output first. D: they differ. H: tied for people
only. M: tied for the measure only. B: tied for both. The variants of Kendall's tau, named as in Deutsch, Foster and
Freitag (2023, "Ties Matter", EMNLP), which have been used at the workshops on machine translation (WMT):

    10   (C - D - M) / (C + D + M)        a tie of the measure is a mistake
    13   (C - D) / (C + D)                it does not count
    14   (C - D) / (C + D + M)            it is half a mistake
    c    (C - D) 2 k / (n² (k - 1))       Stuart 1953; k is the smaller number of distinct values

Ties of people do not count, except in c. With a `threshold`, values of people that differ by less are tied: WMT
counted differences of 25 of 100 points or more.

    accuracy   (C + B) / (C + D + H + M + B)

is the share of pairs on which the measure is right, where a tie is right if people saw one. Without ties it is the
pairwise accuracy of Kocmi et al. (2021). A measure with many digits never says "equal". So its ties are calibrated:
scores that differ by epsilon or less are tied, with the epsilon that makes the accuracy highest (the smallest such).
It is chosen on the same pairs, so the accuracy is a little too high.

With `groups`, only outputs of the same group are paired, such as those of one source. Then the taus count the pairs
of all groups together, as WMT did, and the accuracy is the mean over groups, as Deutsch et al. define it. Intervals
draw groups; without groups they draw clusters of rows, where a pair counts as often as one row times the other.
Epsilon stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import WEIGHTS_AT_A_TIME, Correlation, correlation
from plainly.inference.estimates import Estimate, finite
from plainly.inference.resampling import (
    NO_RESAMPLING,
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    interval,
    row_block,
)
from plainly.inference.sorted_pairs import SortedPairs
from plainly.metrics import Array, ratio

TauVariant = Literal["10", "13", "14", "c"]
Ties = Literal["calibrated", "none"]
C, D, H, M, B = range(5)
CALIBRATED_ON = 3000  # rows at most, drawn once: 4.5 million pairs fix an epsilon well enough
PAIRS_AT_A_TIME = 1 << 21
SAME = 1e-12  # values that differ by a smaller share of themselves differ by rounding only


@dataclass(frozen=True)
class Accuracy:
    """The share of pairs on which a measure agrees with people, and which of its differences count as ties."""

    estimate: Estimate
    pairs: int
    ties: Ties
    epsilon: float

    @property
    def value(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            **self.estimate.to_dict(),
            "pairs": self.pairs,
            "ties": self.ties,
            "epsilon": finite(self.epsilon),
        }


def wmt_tau(
    metric: ArrayLike,
    human: ArrayLike,
    variant: TauVariant,
    threshold: float = 0.0,
    *,
    groups: Clusters | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling = NO_RESAMPLING,
) -> Correlation:
    """One of the variants. Its `n` counts rows, and it has no p but that of the resamples.

    >>> [wmt_tau([1, 2, 2, 4], [1, 2, 3, 3], variant).value for variant in ("10", "13", "14")]
    [0.6, 1.0, 0.8]
    """
    if variant not in get_args(TauVariant):
        raise UnknownName("variant of tau", variant, get_args(TauVariant))
    if variant == "c" and (threshold or groups is not None):
        raise PlainlyError("tau-c takes all pairs and all differences: give it no threshold and no groups")
    return wmt_taus(metric, human, threshold, groups=groups, clusters=clusters, resampling=resampling)[variant]


def wmt_taus(
    metric: ArrayLike,
    human: ArrayLike,
    threshold: float = 0.0,
    *,
    groups: Clusters | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> dict[TauVariant, Correlation]:
    """All variants from the same pairs and resamples; tau-c only without threshold and groups."""
    if not 0 <= threshold < math.inf:
        raise PlainlyError(f"the threshold must be a number from 0 up, not {threshold}")
    rows = _Rows.of(metric, human, groups, clusters)
    kinds = _Kinds(rows, threshold, 0.0, ((C,), (D,), (M,)))
    whole, drawn = kinds.totals(resampling)
    observed, values = _taus(whole[None]), _taus(drawn)
    if groups is None and not threshold:
        distinct = min(len(np.unique(rows.metric)), len(np.unique(rows.human)))
        most = len(rows.metric) ** 2 * (distinct - 1) / (2 * max(distinct, 1))
        observed["c"], values["c"] = (
            ratio(part[:, 0] - part[:, 1], np.full(len(part), max(most, 0.0))) for part in (whole[None], drawn)
        )
    return {
        variant: correlation(float(observed[variant][0]), len(rows.metric), math.nan, values[variant], resampling)
        for variant in observed
    }


def pairwise_accuracy(
    metric: ArrayLike,
    human: ArrayLike,
    groups: Clusters | None = None,
    ties: Ties = "calibrated",
    *,
    clusters: Clusters | None = None,
    resampling: Resampling = NO_RESAMPLING,
) -> Accuracy:
    """How often the measure says of two outputs what people say: better, worse or equal.

    >>> pairwise_accuracy([0.1, 0.2, 0.9], [1, 1, 2]).value, pairwise_accuracy([0.1, 0.2, 0.9], [1, 1, 2]).epsilon
    (1.0, 0.1)
    """
    if ties not in get_args(Ties):
        raise UnknownName("rule for ties", ties, get_args(Ties))
    rows = _Rows.of(metric, human, groups, clusters)
    epsilon = _calibrated(rows, resampling.seed) if ties == "calibrated" else 0.0
    kinds = _Kinds(rows, 0.0, epsilon, ((C, B), (C, D, H, M, B)), equal_groups=True)
    whole, drawn = kinds.totals(resampling)
    value, values = float(ratio(*whole)), ratio(*drawn.T)
    return Accuracy(interval(Resampled(value, values), resampling), rows.pairs, ties, epsilon)


def snapped(values: Array) -> Array:
    """The values, those made equal that differ by rounding only: a mean may depend on the order of what is added."""
    there = np.isfinite(values)
    known = values[there]
    order = np.argsort(known, kind="stable")
    ordered = known[order]
    with np.errstate(over="ignore"):
        steps = np.diff(ordered) > SAME * np.maximum(np.abs(ordered[1:]), np.abs(ordered[:-1]))
    groups = np.concatenate([[0], np.cumsum(steps)]).astype(np.int64)[: len(known)]
    equal = np.empty_like(known)
    equal[order] = ordered[np.searchsorted(groups, groups)]
    result: Array = values.copy()
    result[there] = equal
    return result


@dataclass(frozen=True)
class _Rows:
    """Rows that both sides have a value of, and how they are paired and drawn.

    `units` numbers what is drawn: groups, or clusters where all rows are paired.
    """

    metric: Array
    human: Array
    units: NDArray[np.int64]
    count: int
    grouped: bool

    @classmethod
    def of(cls, metric: ArrayLike, human: ArrayLike, groups: Clusters | None, clusters: Clusters | None) -> _Rows:
        x, y = (np.asarray(values, dtype=np.float64) for values in (metric, human))
        if x.ndim != 1 or y.ndim != 1 or len(x) != len(y):
            raise PlainlyError(f"pairs are counted in two lists of as many numbers, not {x.shape} and {y.shape}")
        chosen = clusters if groups is None else groups
        units = np.arange(len(x)) if chosen is None else cluster_numbers(chosen, len(x))
        kept = np.isfinite(x) & np.isfinite(y)
        return cls(
            snapped(x[kept]), snapped(y[kept]), units[kept], int(units.max(initial=-1)) + 1, groups is not None
        )

    @property
    def pairs(self) -> int:
        sizes = np.bincount(self.units) if self.grouped else np.array([len(self.metric)])
        return int((sizes * (sizes - 1) // 2).sum())

    def groups(self) -> Iterator[tuple[int, Array, Array]]:
        """The number and the values of each group that has pairs."""
        order = np.argsort(self.units, kind="stable")
        bounds = np.searchsorted(self.units[order], np.arange(self.count + 1))
        for group in np.flatnonzero(np.diff(bounds) > 1).tolist():
            members = order[bounds[group] : bounds[group + 1]]
            yield group, self.metric[members], self.human[members]


@dataclass(frozen=True)
class _Kinds:
    """Pairs counted by kind; each of `wanted` is a set of kinds. With `equal_groups`, every group counts as 1."""

    rows: _Rows
    threshold: float
    epsilon: float
    wanted: tuple[tuple[int, ...], ...]
    equal_groups: bool = False

    def totals(self, resampling: Resampling) -> tuple[Array, Array]:
        """As they are (wanted), and on each resample of the units (resamples, wanted)."""
        resamples, seed = resampling.resamples, resampling.seed
        if not self.rows.pairs:
            return np.zeros(len(self.wanted)), np.zeros((resamples, len(self.wanted)))
        units, rows = self.rows.count, len(self.rows.metric)
        blocks = bootstrap_weights(units, resamples, seed, row_block(units, rows, WEIGHTS_AT_A_TIME))
        if self.rows.grouped:
            counts = self._of_groups()
            return counts.sum(axis=0), np.concatenate([weights @ counts for weights in [*blocks, counts.T[:0]]])
        count = self._of_all if self.threshold else self._by_sorting()
        drawn = [count(weights[:, self.rows.units]) for weights in blocks]
        return count(np.ones((1, rows)))[0], np.concatenate([*drawn, np.empty((0, len(self.wanted)))])

    def _of_groups(self) -> Array:
        """(groups, wanted)."""
        counts = np.zeros((self.rows.count, len(self.wanted)))
        for group, metric, human in self.rows.groups():
            kinds = _kinds(metric, human, slice(None), self.threshold, self.epsilon)[np.triu_indices(len(metric), 1)]
            scale = len(kinds) if self.equal_groups else 1
            of_kind = np.bincount(kinds, minlength=5)
            counts[group] = [of_kind[list(chosen)].sum() / scale for chosen in self.wanted]
        return counts

    def _by_sorting(self) -> Callable[[Array], Array]:
        """As `_of_all`, many times faster where there are many rows; but it knows no threshold."""
        pairs = SortedPairs(self.rows.metric, self.rows.human, self.epsilon)
        table = self._table().astype(np.float64)
        return lambda weights: pairs.kinds(weights) @ table.T

    def _table(self) -> NDArray[np.float32]:
        """(wanted, kinds): 1 where a kind counts."""
        return np.array([[kind in chosen for kind in range(5)] for chosen in self.wanted], dtype=np.float32)

    def _of_all(self, weights: Array) -> Array:
        """Weights of rows (draws, rows) -> (draws, wanted), pair by pair. Copies of a row are no pair."""
        n = weights.shape[1]
        table = self._table()
        small = weights.astype(np.float32)  # whole numbers below 2^24 are exact
        sums = np.zeros((len(weights), len(self.wanted)))
        step = max(1, PAIRS_AT_A_TIME // n)
        for start in range(0, n, step):
            chosen = slice(start, start + step)
            kinds = _kinds(self.rows.metric, self.rows.human, chosen, self.threshold, self.epsilon)
            for place, counted in enumerate(table):
                sums[:, place] += (weights[:, chosen] * (small @ counted[kinds].T)).sum(axis=1)
        return np.asarray(sums - (weights**2).sum(axis=1, keepdims=True) * table[:, B]) / 2


def _kinds(metric: Array, human: Array, chosen: slice, threshold: float, epsilon: float) -> NDArray[np.int64]:
    """The kind of each pair of a chosen row with any row."""
    with np.errstate(over="ignore"):  # an infinite difference is one all the same
        apart, seen = (values[chosen, None] - values[None, :] for values in (metric, human))
    tied = np.abs(apart) <= epsilon
    tied_human = (seen == 0) | (np.abs(seen) < threshold * (1 - SAME))
    agree = np.where((apart > 0) == (seen > 0), C, D)
    return np.where(tied, np.where(tied_human, B, M), np.where(tied_human, H, agree))


def _taus(counts: Array) -> dict[TauVariant, Array]:
    """Numbers of pairs of the kinds C, D and M (draws, 3) -> each variant (draws)."""
    concordant, discordant, tied = counts.T
    return {
        "10": ratio(concordant - discordant - tied, concordant + discordant + tied),
        "13": ratio(concordant - discordant, concordant + discordant),
        "14": ratio(concordant - discordant, concordant + discordant + tied),
    }


def _calibrated(rows: _Rows, seed: int) -> float:
    """The smallest epsilon of those that make the accuracy highest."""
    if not rows.pairs:
        return math.nan
    apart, gain, weight = (np.concatenate(parts) for parts in zip(*_candidates(rows, seed), strict=True))
    order = np.argsort(apart, kind="stable")
    apart, gains = apart[order], np.cumsum((gain * weight)[order])
    last = np.append(apart[1:] > apart[:-1], True)  # equal differences become ties together
    apart, gains = apart[last], gains[last]
    best = int(np.argmax(np.round(gains, 12)))  # what summing in another order changes is no gain
    return float(apart[best]) if gains[best] > 1e-12 or apart[best] == 0 else 0.0


def _candidates(rows: _Rows, seed: int) -> Iterator[tuple[Array, Array, Array]]:
    """Of each pair: how far apart the scores are, what a tie would gain there (1, 0 or -1), and its weight."""
    if rows.grouped:
        sets = [(metric, human) for _, metric, human in rows.groups()]
    else:
        metric, human = rows.metric, rows.human
        if len(metric) > CALIBRATED_ON:
            kept = np.random.Generator(np.random.PCG64(seed)).permutation(len(metric))[:CALIBRATED_ON]
            metric, human = metric[kept], human[kept]
        sets = [(metric, human)]
    for metric, human in sets:
        pairs = np.triu_indices(len(metric), 1)
        with np.errstate(over="ignore"):
            apart, seen = (values[pairs[0]] - values[pairs[1]] for values in (metric, human))
        right = np.sign(apart) == np.sign(seen)
        gain = (seen == 0).astype(np.float64) - right
        yield np.abs(apart), np.where(apart == 0, 0.0, gain), np.full(len(gain), 1 / len(gain))
