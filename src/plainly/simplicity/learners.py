"""Which learner foresees a ranking best: embeddings of your choice, our models, or next to nothing?

Each learns from texts with a target and foresees that of others. Engelmann, Kreutz, Haak and Schaer (2024) gave
embeddings to boosted trees (gradient boosting of scikit-learn as it comes), and held them against random numbers.

    MSE = mean of (foreseen - target)^2,   R2 = 1 - MSE / variance of the target

Intervals resample the texts that are foreseen. Those of random numbers are of 1,000 draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.base.plain_data import plain_fields
from plainly.findings.result import StudyResult
from plainly.inference.correlation import correlate
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import USUAL, Resampling, bootstrap_weights, generator
from plainly.metrics import Array
from plainly.simplicity.training import LEAST_TEXTS, train

DRAWS = 1000
PENALTIES = np.logspace(-3, 3, 13)


@dataclass(frozen=True)
class Examples:
    """Texts with their targets, from 0 (hard) to 1 (simple), and perhaps an embedding of each."""

    texts: Sequence[str]
    target: Array
    vectors: Array | None = None

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.target):
            raise PlainlyError(f"there are {len(self.texts)} texts and {len(self.target)} targets")
        if self.vectors is not None and (self.vectors.ndim != 2 or len(self.vectors) != len(self.texts)):
            raise PlainlyError(f"there are {len(self.texts)} texts and {len(self.vectors)} embeddings")
        if self.vectors is not None and not np.isfinite(self.vectors).all():
            raise PlainlyError("an embedding has a number that is missing or infinite")


@dataclass(frozen=True)
class Learned:
    """How well a learner foresees."""

    learner: str
    mse: Estimate
    r2: Estimate
    spearman: Estimate
    spread: tuple[float, float] = (0.0, 0.0)
    """Of MSE and R2 over single draws, where numbers are random: the standard deviations."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return plain_fields(self)


@dataclass(frozen=True, repr=False)
class Learners(StudyResult, findings="plainly.simplicity.findings:learner_findings"):
    """Learners beside each other, on the same texts."""

    rows: tuple[Learned, ...]
    seen: int
    unseen: int
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "learned from": self.seen,
            "foreseen": self.unseen,
            "resampling": self.resampling.to_dict(),
            "learners": [row.to_dict() for row in self.rows],
        }


@checks_arguments
def compare_learners(
    seen: Examples,
    unseen: Examples,
    learners: Sequence[str] = (),
    lang: str = "en",
    resampling: Resampling = USUAL,
    say: Callable[[str], None] = lambda _: None,
) -> Learners:
    """Each learns from `seen` and foresees `unseen`.

    Default: all but `full`, which takes a minute or so; those of embeddings only where there are any.
    """
    if len(seen.texts) < LEAST_TEXTS:
        raise PlainlyError(f"learning needs at least {LEAST_TEXTS} texts, not {len(seen.texts)}")
    if len(set(unseen.target.tolist())) < 2:
        raise PlainlyError("the texts to foresee are all equally simple")
    embedded = seen.vectors is not None and unseen.vectors is not None
    usual = [name for name in LEARNERS if name != "full" and (embedded or name not in OF_EMBEDDINGS)]
    rows = []
    for name in learners or usual:
        if name not in LEARNERS:
            raise UnknownName("learner", name, LEARNERS)
        if name in OF_EMBEDDINGS and not embedded:
            raise PlainlyError(f"{name} needs embeddings of both kinds of texts: those learned from, and the others")
        say(name)
        found = LEARNERS[name](seen, unseen, lang, resampling.seed)
        rows.append(_chance(name, found, unseen.target) if found.ndim == 2 else _row(name, found, unseen, resampling))
    return Learners(tuple(rows), len(seen.texts), len(unseen.texts), resampling)


def _row(name: str, foreseen: Array, unseen: Examples, resampling: Resampling) -> Learned:
    goal = unseen.target
    rows = np.column_stack([np.ones(len(goal)), (foreseen - goal) ** 2, goal, goal**2])
    weights = bootstrap_weights(len(goal), resampling.resamples, resampling.seed)
    drawn = np.concatenate([weight @ rows for weight in weights])
    mse, r2 = estimates(_figures(rows.sum(0)), _figures(drawn), resampling.confidence)
    if np.ptp(foreseen) == 0:
        return Learned(name, mse, r2, Estimate(np.nan, np.nan, np.nan))
    rho = correlate(foreseen, goal, coefficient="spearman", resampling=resampling)[0][0].estimate
    return Learned(name, mse, r2, rho)


def _figures(sums: Array) -> Array:
    """MSE and R2 of sums (..., 4): texts, squared errors, targets, squared targets."""
    count, errors, total, squares = np.moveaxis(sums, -1, 0)
    spread = squares - total**2 / count
    return np.stack(
        [errors / count, 1 - np.divide(errors, spread, out=np.full_like(errors, np.nan), where=spread > 0)], -1
    )


def _chance(name: str, draws: Array, goal: Array) -> Learned:
    errors = ((draws - goal) ** 2).mean(1)
    found = [errors, 1 - errors / goal.var()]
    bounds = [np.quantile(each, [0.025, 0.975]).tolist() for each in found]
    mse, r2 = (Estimate(float(each.mean()), low, high) for each, (low, high) in zip(found, bounds, strict=True))
    mse_sd, r2_sd = (float(each.std(ddof=1)) for each in found)
    return Learned(name, mse, r2, Estimate(np.nan, np.nan, np.nan), (mse_sd, r2_sd))


def _random(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
    return generator(seed, "random baseline").random((DRAWS, len(unseen.texts)))


def _mean(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
    return np.full(len(unseen.texts), seen.target.mean())


def _length(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
    own, other = (np.log1p([len(text) for text in part.texts]) for part in (seen, unseen))
    if np.ptp(own) == 0:
        return _mean(seen, unseen, lang, seed)
    slope, start = np.polyfit(own, seen.target, 1)
    found: Array = start + slope * other
    return found


def _ours(kind: str) -> Learner:
    def learn(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
        return train(seen.texts, seen.target.tolist(), lang, kind).scores(unseen.texts)

    return learn


def _boosted(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
    try:
        from sklearn.ensemble import GradientBoostingRegressor
    except ImportError:
        raise MissingResource(NEEDS) from None
    found: Array = GradientBoostingRegressor(random_state=seed).fit(seen.vectors, seen.target).predict(unseen.vectors)
    return found


def _ridge(seen: Examples, unseen: Examples, lang: str, seed: int) -> Array:
    try:
        from sklearn.linear_model import RidgeCV
    except ImportError:
        raise MissingResource(NEEDS) from None
    found: Array = RidgeCV(PENALTIES).fit(seen.vectors, seen.target).predict(unseen.vectors)
    return found


NEEDS = "learning from embeddings needs scikit-learn: pip install 'plainly[learn]'"
Learner = Callable[[Examples, Examples, str, int], Array]
"""From what is seen, what is unseen, a language and a seed to what is foreseen: (texts,), or (draws, texts)."""
OF_EMBEDDINGS = ("boosted-embeddings", "ridge-embeddings")
LEARNERS: Mapping[str, Learner] = {
    "random": _random,
    "mean": _mean,
    "length": _length,
    "lite": _ours("lite"),
    "full": _ours("full"),
    OF_EMBEDDINGS[0]: _boosted,
    OF_EMBEDDINGS[1]: _ridge,
}
"""All learners by name."""
