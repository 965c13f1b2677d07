"""How well do ratings foretell judgements that they have not seen? Cross-validation over pairs of texts.

All judgements of a pair are in the same fold, also where the pair was judged more than once: ratings are tested on
pairs that are new to them. Beside the log-loss as it is stands the log-loss after calibration: the logits times one
slope, which was found within the training folds by cross-validation of its own. The first says whether the method's
probabilities can be believed, the second how much its order of texts is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.plain_data import plain_data
from plainly.base.signature import signed
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import USUAL, Resampling, bootstrap_weights, check_at_least
from plainly.metrics import Array
from plainly.ranking.fits import Estimator, Index, logistic
from plainly.ranking.judgements import Judgements, TieRule
from plainly.ranking.ratings import Votes, counted, estimator

FOLDS = 10
SUREST = 1e-9
"""No probability is nearer to 0 or 1 than this; a method that is sure and wrong would lose without bound."""
STEEPEST = 100.0
FIGURES = ("accuracy", "log_loss", "calibrated_log_loss")


@dataclass(frozen=True)
class HeldOut:
    """How well one method foretells judgements of new pairs; `ahead` is this method minus the first one."""

    method: str
    accuracy: Estimate
    log_loss: Estimate
    calibrated_log_loss: Estimate
    ahead: Mapping[str, Estimate]
    judgements: int
    pairs: int
    folds: int
    repeats: int


@dataclass(frozen=True, repr=False)
class MethodComparison(StudyResult, findings="plainly.ranking.findings:method_findings"):
    """Methods on the same judgements, by how well they foretell new ones."""

    rows: tuple[HeldOut, ...]
    signature: str
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "signature": self.signature,
            "confidence": self.resampling.confidence,
            "methods": plain_data(self.rows),
        }


@checks_arguments
def compare_methods(
    judgements: Judgements,
    methods: Mapping[str, Mapping[str, Any]],
    *,
    votes: Votes = "all",
    ties: TieRule | None = None,
    folds: int = FOLDS,
    repeats: int = 1,
    resampling: Resampling = USUAL,
) -> MethodComparison:
    """Methods of rating, each with its settings, by cross-validation; `votes` and `ties` as in `rate`."""
    rows = cross_validate(
        counted(judgements, votes, ties, resampling.seed),
        {name: estimator(name, **settings) for name, settings in methods.items()},
        folds=folds,
        repeats=repeats,
        resampling=resampling,
    )
    said = {
        "votes": votes,
        **({"ties": ties} if ties else {}),
        **{name: value for settings in methods.values() for name, value in settings.items()},
        "folds": folds,
        "repeats": repeats,
        **{name: getattr(resampling, name) for name in ("confidence", "resamples", "seed")},
    }
    return MethodComparison(tuple(rows), signed("ranking-cross-validation", said), resampling)


def cross_validate(
    judgements: Judgements,
    estimators: Mapping[str, Estimator],
    *,
    folds: int = FOLDS,
    repeats: int = 1,
    resampling: Resampling = USUAL,
) -> list[HeldOut]:
    """Every estimator on the same folds; with `repeats`, the mean over that many ways to deal out the pairs."""
    check_at_least("resamples", resampling.resamples, 1)
    check_at_least("repeats", repeats, 1, 1000)
    pair = pair_numbers(judgements)
    pairs = int(pair.max()) + 1
    if pairs < 4:  # half of them are split again
        raise PlainlyError(f"cross-validation needs at least four pairs of texts, not {pairs}")
    seeds = np.random.SeedSequence(resampling.seed).generate_state(repeats).tolist()
    counts = np.bincount(pair).astype(float)
    # Accuracy, log-loss and calibrated log-loss of every judgement, added up by pair.
    sums = {
        name: np.mean([_summed(pair, _losses(judgements, pair, folds, rating, one)) for one in seeds], axis=0)
        for name, rating in estimators.items()
    }
    weights = np.concatenate(list(bootstrap_weights(pairs, resampling.resamples, resampling.seed)))
    weighed = weights @ counts
    means = {name: total.sum(1) / counts.sum() for name, total in sums.items()}
    drawn = {name: weights @ total.T / weighed[:, None] for name, total in sums.items()}
    base = next(iter(estimators))
    found = []
    for name in estimators:
        right, loss, calibrated = estimates(means[name], drawn[name], resampling.confidence)
        differences = estimates(means[name] - means[base], drawn[name] - drawn[base], resampling.confidence)
        ahead = {} if name == base else dict(zip(FIGURES, differences, strict=True))
        found.append(HeldOut(name, right, loss, calibrated, ahead, len(judgements), pairs, folds, repeats))
    return found


def pair_numbers(judgements: Judgements) -> Index:
    """The number of the pair of each judgement, whichever text was shown first."""
    low = np.minimum(judgements.first, judgements.second)
    high = np.maximum(judgements.first, judgements.second)
    numbers: Index = np.unique(low * len(judgements.texts) + high, return_inverse=True)[1]
    return numbers


def fold_numbers(pair: Index, folds: int, seed: int) -> Index:
    """The fold of each judgement: pairs are dealt out at random, evenly."""
    pairs = int(pair.max()) + 1
    if not 2 <= folds <= pairs:
        raise PlainlyError(f"the number of folds must lie between 2 and the number of pairs ({pairs}), not {folds}")
    dealt = np.random.default_rng(seed).permutation(np.arange(pairs) % folds)
    return dealt[pair]


def foretold(judgements: Judgements, fold: Index, rating: Estimator, chosen: Index | None = None) -> Array:
    """The logit of each chosen judgement (default: all), from ratings of the chosen ones in other folds."""
    chosen = np.arange(len(judgements)) if chosen is None else chosen
    first, second, outcome = judgements.first[chosen], judgements.second[chosen], judgements.outcome[chosen]
    own = fold[chosen]
    chances = np.empty(len(chosen))
    for number in np.unique(own):
        test = own == number
        fit = rating(first[~test], second[~test], outcome[~test], len(judgements.texts))
        chances[test] = fit.chance(first[test], second[test])
    chances = np.clip(chances, SUREST, 1 - SUREST)
    logits: Array = np.log(chances) - np.log1p(-chances)
    return logits


def slope_of(logits: Array, outcome: Array) -> float:
    """The factor of the logits with which the outcomes are most probable (Newton's method)."""
    slope = 1.0
    for _ in range(100):
        chance = logistic(slope * logits)
        curvature = float((logits**2 * chance * (1 - chance)).sum())
        if curvature < 1e-12:
            break
        step = float((logits * (outcome - chance)).sum()) / curvature
        slope = float(np.clip(slope + np.clip(step, -1.0, 1.0), 0.0, STEEPEST))
        if abs(step) < 1e-9:
            break
    return slope


def _summed(pair: Index, losses: Array) -> Array:
    return np.stack([np.bincount(pair, figure) for figure in losses])


def _losses(judgements: Judgements, pair: Index, folds: int, rating: Estimator, seed: int) -> Array:
    """Accuracy, log-loss and calibrated log-loss of every judgement."""
    fold = fold_numbers(pair, folds, seed)
    logits = foretold(judgements, fold, rating)
    calibrated = np.empty_like(logits)
    for number in range(folds):
        test = fold == number
        train = np.flatnonzero(~test)
        inside = np.unique(pair[train], return_inverse=True)[1]
        inner = np.zeros_like(fold)
        inner[train] = fold_numbers(inside, min(folds, int(inside.max()) + 1), seed + 1 + number)
        slope = slope_of(foretold(judgements, inner, rating, train), judgements.outcome[train])
        calibrated[test] = slope * logits[test]
    outcome = judgements.outcome
    right = np.where(outcome == 0.5, 0.5, np.where(logits == 0, 0.5, (logits > 0) == (outcome == 1)))
    return np.stack([right, _log_loss(logits, outcome), _log_loss(calibrated, outcome)])


def _log_loss(logits: Array, outcome: Array) -> Array:
    return np.logaddexp(0, logits) - outcome * logits
