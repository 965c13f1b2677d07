"""How many raters are enough? Rankings by some of the raters, beside a yardstick that they had no part in.

The yardstick is the ratings of other judgements of the same texts, or of the raters that were left out. Both are
rated by Bradley-Terry, with a side term for other judgements (machines favour a side).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.plain_data import plain_data
from plainly.base.signature import signed
from plainly.findings.result import StudyResult
from plainly.inference.correlation import spearman
from plainly.inference.estimates import CONFIDENCE, Estimate, estimates
from plainly.inference.resampling import SEED, check_at_least, check_confidence
from plainly.metrics import Array
from plainly.ranking import bradley_terry
from plainly.ranking.judgements import Judgements, TieRule
from plainly.ranking.ratings import Votes, counted, estimator

DRAWS = 60


@dataclass(frozen=True)
class Way:
    """A way from votes to ratings."""

    method: str
    votes: Votes
    ties: TieRule | None
    settings: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.method if self.votes == "all" else f"{self.method}:{self.votes}"


@dataclass(frozen=True)
class Fewer:
    """So many raters, rated this way: rank correlation with the yardstick, its mean and spread over draws."""

    raters: int
    judgements: float
    way: str
    draws: int
    spearman: Estimate


@dataclass(frozen=True, repr=False)
class FewerRaters(StudyResult, findings="plainly.ranking.findings:fewer_findings"):
    """How well some of the raters rank, by their number and the way from votes to ratings."""

    rows: tuple[Fewer, ...]
    outside: bool
    """Whether the yardstick is other judgements; else it is the raters left out."""
    confidence: float
    signature: str

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: plain_data(getattr(self, name)) for name in ("signature", "confidence", "rows")}


@checks_arguments
def fewer_raters(
    judgements: Judgements,
    counts: Sequence[int],
    ways: Sequence[Way],
    *,
    against: Judgements | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> FewerRaters:
    """Each number of raters, drawn so many times, rated each way. All raters together can be drawn only once."""
    check_confidence(confidence)
    check_at_least("draws", draws, 1, 10_000)
    everyone = len(judgements.raters)
    most = everyone if against is not None else everyone - 1
    for count in counts:
        if not 1 <= count <= most:
            raise PlainlyError(f"the number of raters must lie between 1 and {most} here, not {count}")
    outside = None if against is None else _other_ratings(judgements, against)
    draw = np.random.default_rng(seed)
    found = []
    for count in counts:
        times = draws if count < everyone else 1
        sizes, values = [], []
        for _ in range(times):
            chosen = np.sort(draw.permutation(everyone)[:count])
            inside = np.isin(judgements.rater, chosen)
            part = judgements.select(np.flatnonzero(inside).tolist())
            yardstick = _ratings(judgements.select(np.flatnonzero(~inside).tolist())) if outside is None else outside
            sizes.append(len(part))
            values.append([_correlation(part, way, yardstick, seed) for way in ways])
        table = np.array(values)
        spread = table if times > 1 else np.full_like(table, np.nan)
        for way, figure in zip(ways, estimates(table.mean(0), spread, confidence), strict=True):
            found.append(Fewer(count, float(np.mean(sizes)), way.name, times, figure))
    said = {
        "against": "others" if against is None else "file",
        **({"ties": rule} if (rule := next((way.ties for way in ways if way.ties), None)) else {}),
        "draws": draws,
        "confidence": confidence,
        "seed": seed,
    }
    return FewerRaters(tuple(found), against is not None, confidence, signed("ranking-fewer-raters", said))


def _correlation(part: Judgements, way: Way, yardstick: Array, seed: int) -> float:
    judged = counted(part, way.votes, way.ties, seed)
    rating = estimator(way.method, **way.settings)
    ratings = rating(judged.first, judged.second, judged.outcome, len(judged.texts)).ratings
    return spearman(ratings, yardstick).value


def _ratings(judgements: Judgements, position: bool = False) -> Array:
    arrays = judgements.first, judgements.second, judgements.outcome, len(judgements.texts)
    return bradley_terry.estimate(*arrays, position=position).ratings


def _other_ratings(judgements: Judgements, against: Judgements) -> Array:
    """Of the same texts, in the order of the judgements."""
    against = against.turned(judgements.direction)
    ratings = _ratings(against, position=True)
    missing = [text for text in judgements.texts if text not in against.index]
    if missing:
        raise PlainlyError(f"the yardstick says nothing of text {missing[0]!r}, and of {len(missing)} texts in all")
    return ratings[[against.index[text] for text in judgements.texts]]
