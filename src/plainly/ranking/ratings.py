"""`rate`: from judgements to ratings, ranks and scores of texts, and how sure they are, by any method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, Remedy, UnknownName
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data
from plainly.base.signature import signed
from plainly.corpus.readers.files import shown
from plainly.findings.result import StudyResult
from plainly.inference.correlation import average_ranks
from plainly.inference.estimates import CONFIDENCE, Estimate
from plainly.inference.resampling import RESAMPLES, SEED, check_at_least, check_confidence
from plainly.metrics import Array
from plainly.ranking import bradley_terry, elo, glicko, skill
from plainly.ranking.fits import Estimator, Fit, Index
from plainly.ranking.judgements import Direction, Judgements, TieRule, majority

Scale = Literal["ranks", "ranks-over-n", "min-max"]
Intervals = Literal["posterior", "orders", "bootstrap-judgements", "bootstrap-raters", "none"]
Votes = Literal["all", "majority"]

METHODS: Mapping[str, Callable[..., Fit]] = {
    "bradley-terry": bradley_terry.estimate,
    "elo": elo.estimate,
    "elo-mean": elo.estimate_mean,
    "glicko": glicko.estimate,
    "openskill": skill.estimate,
}
USUAL_INTERVALS: Mapping[str, Intervals] = {"elo": "bootstrap-judgements", "elo-mean": "orders"}
MOST_RESAMPLES = 10_000
SAME = 1e-9
"""Ratings that differ by less of their spread are equal: rounding is smaller, what a judgement moves is larger."""
DIGITS = 12
"""After the point: what follows in a rating is rounding."""
FLAT, STEEP = 0.1, 15.0
"""Widths of the prior of Bradley-Terry, in logits, beyond which there is too little to go by, or nothing to doubt."""
NOT_SETTINGS = {"first", "second", "outcome", "n", "weights"}
NAMED = 5
"""So many parts that no comparison connects, and texts of each, are named."""


@dataclass(frozen=True)
class Rated:
    """One text. Rank 1 has the lowest rating: it wins least. Equal ratings share their mean rank."""

    text: str
    rating: Estimate
    rank: Estimate
    score: float
    matches: int


@dataclass(frozen=True, repr=False)
class Ranking(StudyResult, findings="plainly.ranking.findings:rating_findings"):
    """The result of any estimator, one row a text, in the order of the judgements' texts."""

    method: str
    direction: Direction
    rows: tuple[Rated, ...]
    settings: Mapping[str, Any] = field(hash=False)
    notes: tuple[Message, ...] = ()
    position: Estimate | None = None
    """How much it helps a text to be shown first, in logits: the log odds of winning against an equal."""

    @property
    def signature(self) -> str:
        """Method and settings in one line: same signature, same judgements, same numbers."""
        return signed(self.method, {"winner": self.direction, **self.settings})

    def __getitem__(self, text: str) -> Rated:
        return next(row for row in self.rows if row.text == text)

    def by_rank(self) -> list[Rated]:
        """Rows from the lowest rating to the highest."""
        return sorted(self.rows, key=lambda row: row.rank.value)

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return {
            "method": self.method,
            "winner": self.direction,
            "signature": self.signature,
            "settings": dict(self.settings),
            **plain_data({"notes": self.notes, "position": self.position, "texts": self.by_rank()}),
        }


def settings_of(method: str) -> dict[str, Any]:
    """The settings of a method with their defaults."""
    if method not in METHODS:
        raise UnknownName("method of rating", method, METHODS)
    found = inspect.signature(METHODS[method]).parameters
    return {name: found[name].default for name in found if name not in NOT_SETTINGS}


def estimator(method: str, **settings: Any) -> Estimator:
    """A method with its settings, as a function of matches."""
    known = settings_of(method)
    for name in settings:
        if name not in known:
            raise UnknownName(f"setting of {method}", name, known)
    if not 0 < settings.get("k", elo.K) < np.inf:
        raise PlainlyError(f"k must be above 0, not {settings['k']}")
    if not np.isfinite(settings.get("start", elo.START)):
        raise PlainlyError(f"the start must be a finite number, not {settings['start']}")
    check_at_least("orders", settings.get("orders", elo.ORDERS), 1, MOST_RESAMPLES)
    return partial(METHODS[method], **settings)


@checks_arguments
def rate(
    judgements: Judgements,
    method: str = "bradley-terry",
    *,
    votes: Votes = "all",
    ties: TieRule | None = None,
    scale: Scale = "ranks",
    interval: Intervals | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    disconnected: bool = False,
    **settings: Any,
) -> Ranking:
    """Ratings of all texts.

    `votes` says whether every judgement counts, or what most raters said of each match, with `ties` as the rule for
    ties (see `judgements.majority`). `settings` are those of the method. Texts that no chain of comparisons connects
    cannot be ranked against each other; that is an error, unless `disconnected` admits it.
    """
    judgements = counted(judgements, votes, ties, seed)
    if scale not in get_args(Scale):
        raise UnknownName("scale", scale, get_args(Scale))
    check_confidence(confidence)
    check_at_least("resamples", resamples, 1, MOST_RESAMPLES)
    kind = interval or USUAL_INTERVALS.get(method, "posterior")
    if method == "elo-mean":
        settings.setdefault("seed", seed)
    rating = estimator(method, **settings)
    notes = list(_notes(judgements, disconnected))
    n = len(judgements.texts)
    fit = rating(judgements.first, judgements.second, judgements.outcome, n)
    notes += _about_prior(fit.found)
    drawn = _drawn(judgements, method, fit, settings, kind, resamples, seed)
    said: dict[str, Any] = {
        **{name: value for name, value in {**settings_of(method), **settings}.items() if value is not None},
        **fit.found,
        "votes": votes,
        **({"ties": ties} if votes == "majority" and ties else {}),
        "scale": scale,
        "interval": kind,
        **({} if kind == "none" else {"confidence": confidence, "resamples": resamples}),
        "seed": seed,
    }
    said.pop("sd", None)  # it stands there as prior-sd
    return Ranking(
        method,
        judgements.direction,
        tuple(_rows(judgements, fit.ratings, drawn, scale, confidence)),
        said,
        tuple(notes),
        _position(fit, confidence),
    )


def counted(judgements: Judgements, votes: Votes, ties: TieRule | None, seed: int) -> Judgements:
    """The judgements that count: every one, or what most raters said of each match."""
    if votes not in get_args(Votes):
        raise UnknownName("way to count votes", votes, get_args(Votes))
    return majority(judgements, ties, seed) if votes == "majority" else judgements


def scores(ratings: Array, scale: Scale = "ranks") -> Array:
    """Ratings as numbers from 0 to 1: by rank r of n, (r - 1) / (n - 1) or (r - 1) / n, or from least to greatest."""
    if scale == "min-max":
        width = ratings.max() - ratings.min()
        same = width <= _rounding(ratings[:, None])[0]
        found: Array = np.full(len(ratings), 0.5) if same else (ratings - ratings.min()) / width
        return found
    steps = len(ratings) - (scale == "ranks")
    return (ranks(ratings) - 1) / steps


def ranks(ratings: Array) -> Array:
    """Ranks from 1, the lowest; ratings that are equal but for rounding share their mean rank."""
    return _ranks_of_columns(ratings[:, None])[:, 0]


def _ranks_of_columns(ratings: Array) -> Array:
    order = ratings.argsort(0, kind="stable")
    apart = np.diff(np.take_along_axis(ratings, order, 0), axis=0) > _rounding(ratings)
    steps = np.concatenate([np.zeros((1, ratings.shape[1])), np.cumsum(apart, axis=0)])
    levels = np.empty_like(steps)
    np.put_along_axis(levels, order, steps, 0)
    return average_ranks(levels)


def _rounding(ratings: Array) -> Array:
    """Differences that say nothing, by column: a share of the spread, or where there is none, of the numbers."""
    size = np.maximum(np.abs(ratings).max(0), 1.0)
    found: Array = SAME * np.ptp(ratings, axis=0) + 1e-3 * SAME * size
    return found


def _notes(judgements: Judgements, disconnected: bool) -> Iterator[Message]:
    found = parts(judgements)
    if len(found) > 1:
        if not disconnected:
            raise PlainlyError(
                described(found).text(),
                remedy=Remedy("disconnected", True, "to rate each part by itself, or judge pairs across them"),
            )
        yield message("ranking.apart", "{parts}; ranks across parts mean nothing", parts=described(found))
        return
    yield message("ranking.connected", "all {count} texts are connected by comparisons", count=len(judgements.texts))
    arrays = judgements.first, judgements.second, judgements.outcome, len(judgements.texts)
    if alone := unbeaten(*arrays):
        yield message(
            "ranking.unbeaten",
            "texts that won or lost every match: {count}; only the method keeps such ratings finite",
            count=alone,
        )
    if judgements.ties:
        yield message("ranking.ties", "ties, half a win for both texts: {count}", count=judgements.ties)


def _about_prior(found: Mapping[str, Any]) -> Iterator[Message]:
    """What a prior at either end of the search means, and one that the judgements do not tell."""
    sd = found.get("prior-sd")
    if "interval-sd" in found:
        yield message(
            "ranking.few-judgements",
            "fewer than {few} judgements a text do not tell how far texts differ: "
            "ratings take a prior {sd} wide, intervals one {wide:g} wide",
            few=bradley_terry.FEW,
            sd=sd,
            wide=found["interval-sd"],
        )
    elif sd is not None and sd < FLAT:
        yield message(
            "ranking.flat",
            "the judgements do not tell the texts apart: the prior is {sd} wide, and so are the intervals",
            sd=sd,
        )
    elif sd is not None and sd > STEEP:
        yield message(
            "ranking.steep",
            "the judgements hardly ever contradict each other: the prior is {sd} wide, and bounds the ratings",
            sd=sd,
        )


def _drawn(
    judgements: Judgements,
    method: str,
    fit: Fit,
    settings: Mapping[str, Any],
    kind: Intervals,
    resamples: int,
    seed: int,
) -> Array | None:
    """Ratings as they might be as well: (draws, texts)."""
    arrays = judgements.first, judgements.second, judgements.outcome, len(judgements.texts)
    draw = np.random.default_rng(seed)
    if kind == "none":
        return None
    if kind in ("posterior", "orders"):
        ordered = method.startswith("elo")
        if ordered != (kind == "orders"):
            raise PlainlyError(f"{method} has no interval of the kind {kind}")
        band = elo.estimate_mean(*arrays, **{**settings, "orders": 1}).draws if method == "elo" else fit.draws
        assert band is not None  # all but elo have one
        return band(resamples, draw)
    chosen: Iterable[Index]
    if kind == "bootstrap-judgements":
        chosen = (np.sort(draw.integers(len(judgements), size=len(judgements))) for _ in range(resamples))
    elif kind == "bootstrap-raters":
        if len(judgements.raters) < 2:
            raise PlainlyError("a bootstrap over raters needs at least two raters, with all of their votes")
        by_rater = [np.flatnonzero(judgements.rater == rater) for rater in range(len(judgements.raters))]
        people = (np.sort(draw.integers(len(by_rater), size=len(by_rater))) for _ in range(resamples))
        chosen = (np.concatenate([by_rater[person] for person in drawn]) for drawn in people)
    else:
        raise UnknownName("kind of interval", kind, get_args(Intervals))
    found = fit.found
    fixed = {**settings, "sd": found.get("interval-sd", found["prior-sd"])} if method == "bradley-terry" else settings
    return _refitted(method, arrays, chosen, fixed)


def _refitted(
    method: str, arrays: tuple[Index, Index, Array, int], chosen: Iterable[Index], settings: Mapping[str, Any]
) -> Array:
    """Ratings of each resample; the prior of Bradley-Terry stays as it was."""
    first, second, outcome, n = arrays
    if method == "elo":
        return elo.replay_all(*arrays, chosen, **settings)
    again = estimator(method, **settings)
    return np.stack([again(first[at], second[at], outcome[at], n).ratings for at in chosen])


def _rows(
    judgements: Judgements, ratings: Array, drawn: Array | None, scale: Scale, confidence: float
) -> list[Rated]:
    n = len(ratings)
    matches = np.bincount(judgements.first, minlength=n) + np.bincount(judgements.second, minlength=n)
    bounds = np.full((4, n), np.nan)
    if drawn is not None:
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        bounds[:2] = np.quantile(drawn, tails, axis=0)
        places = _ranks_of_columns(drawn.T).T
        bounds[2:] = np.quantile(places, tails, axis=0, method="inverted_cdf")
    shown = np.round(ratings, DIGITS) + 0.0  # the sum makes 0 of -0
    table = np.column_stack([shown, ranks(ratings), scores(ratings, scale), *bounds]).tolist()
    return [
        Rated(
            text,
            Estimate(rating, low, high, confidence),
            Estimate(rank, rank_low, rank_high, confidence),
            score,
            count,
        )
        for text, (rating, rank, score, low, high, rank_low, rank_high), count in zip(
            judgements.texts, table, matches.tolist(), strict=True
        )
    ]


def _position(fit: Fit, confidence: float) -> Estimate | None:
    if fit.position is None:
        return None
    value, error = map(float, fit.position)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return Estimate(value, value - reach, value + reach, confidence)


def parts(judgements: Judgements) -> list[list[str]]:
    """The texts of each connected part, the largest first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(judgements.texts)
    compared = coo_array((np.ones(len(judgements)), (judgements.first, judgements.second)), shape=(n, n))
    count, numbers = connected_components(compared, directed=False)
    found: list[list[str]] = [[] for _ in range(count)]
    for text, number in zip(judgements.texts, numbers.tolist(), strict=True):
        found[number].append(text)
    return sorted(found, key=len, reverse=True)


def described(found: list[list[str]]) -> Message:
    """The parts in words."""
    more = message("ranking.parts.more", " and {count} more", count=len(found) - NAMED)
    return message(
        "ranking.parts",
        "the comparisons fall into {count} parts that no comparison connects: {named}{more}",
        count=len(found),
        named=", ".join(f"[{_named(part)}]" for part in found[:NAMED]),
        more=more if len(found) > NAMED else "",
    )


def unbeaten(first: Index, second: Index, outcome: Array, n: int) -> int:
    """How many texts won, or lost, every one of their matches."""
    matches = np.bincount(first, minlength=n) + np.bincount(second, minlength=n)
    won = np.bincount(first, outcome, n) + np.bincount(second, 1 - outcome, n)
    return int(((matches > 0) & ((won == 0) | (won == matches))).sum())


def _named(part: list[str]) -> str:
    more = f", ... {len(part)} texts" if len(part) > NAMED else ""
    return ", ".join(map(shown, part[:NAMED])) + more
