"""Which texts meet next: pairs for judges to decide.

balanced      rounds in which every text has one match (Engelmann et al. 2024). With an odd number of texts one has a
              bye, each in its turn.
random        every match is two texts drawn independently, as in the simulation of that paper.
swiss         a random first round; then neighbours by current rating with some jitter meet, none twice.
information   one round of the pairs that teach most: p (1 - p) Var(difference of the ratings), none twice.

The last two are adaptive: they take ratings. Take these from Bradley-Terry. Elo alone misleads here: it forgets how
strong the opponents were when they met, and with adaptive pairs its order can get worse with more judgements.

Another package registers a pairing, a `Listed` or an `Adaptive`, by an entry point in the group `plainly.pairings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, Remedy
from plainly.base.registry import Registry
from plainly.ranking import bradley_terry
from plainly.ranking.many_studies import covariance

Pairs = NDArray[np.int64]  # (matches, 2): places of the texts shown first and second
Met = list[set[int]]  # with which texts each text has been paired

MOST_MATCHES = 10_000_000
JITTER = 0.25
"""Of Swiss rounds, as a share of the standard deviation of the ratings."""
MOST_LOOKED_AT = 5000
"""Texts of which every pair is looked at: with more they fill the memory."""


def balanced_pairs(texts: int, matches: int, draw: np.random.Generator, *, repeats: bool = False) -> Pairs:
    """Whole rounds of random pairs, the last one cut where the number of matches ends in it."""
    _check(texts, matches, repeats)
    if repeats:
        return np.stack([side[0] for side in balanced_many(1, texts, matches, draw)], axis=1)
    places = texts + texts % 2  # with an odd number, whoever meets the additional place has a bye
    rounds = -(-matches // (texts // 2))
    # While every text has met less than half of the others, a random round can be mended; a full schedule always is.
    found = _random_rounds(places, rounds, draw) if rounds <= places // 2 else _schedule(places, rounds, draw)
    pairs = np.array([pair for pair in found if max(pair) < texts], dtype=np.int64).reshape(-1, 2)
    return pairs[:matches]


def random_pairs(texts: int, matches: int, draw: np.random.Generator, *, repeats: bool = False) -> Pairs:
    """Two distinct texts for every match; without repeats, no two matches have the same two."""
    _check(texts, matches, repeats)
    if repeats:
        return np.stack([side[0] for side in random_many(1, texts, matches, draw)], axis=1)
    numbers = draw.choice(texts * (texts - 1) // 2, size=matches, replace=False)
    # Pair number k, counted row by row below the diagonal: row i holds the numbers from i (i - 1) / 2 on.
    rows = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) / 2).astype(np.int64)
    rows -= rows * (rows - 1) // 2 > numbers
    rows += rows * (rows + 1) // 2 <= numbers
    return np.stack([rows, numbers - rows * (rows - 1) // 2], axis=1)


def swiss_round(ratings: NDArray[np.float64], met: Met, draw: np.random.Generator, jitter: float = JITTER) -> Pairs:
    """One round of neighbours by rating. Ratings that are all equal give a random round.

    Nobody meets twice while everybody has met less than half of the others; beyond that, while a swap can avoid it.
    """
    spread = float(np.std(ratings))
    shaken = ratings + (jitter * spread or 1.0) * draw.standard_normal(len(ratings))
    free = np.argsort(shaken).tolist()
    _sit_out(free, met, draw)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    while free:
        text = free.pop()
        place = next((i for i in reversed(range(len(free))) if free[i] not in met[text]), None)
        if place is None:
            left.append(text)
        else:
            pairs.append((text, free.pop(place)))
    return np.array(_mended(pairs, left, met), dtype=np.int64).reshape(-1, 2)


def information_round(
    ratings: NDArray[np.float64], covariance: NDArray[np.float64], met: Met, draw: np.random.Generator
) -> Pairs:
    """One round, each text at most once, of the pairs from which most is to be learnt; ratings in logits.

    `covariance` is that of the ratings. The pair with the largest p (1 - p) Var comes first, then the next one of
    texts that are still free.
    """
    n = len(ratings)
    chance = 1 / (1 + np.exp(-np.clip(ratings[:, None] - ratings[None, :], -50, 50)))
    variance = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
    gain = chance * (1 - chance) * variance
    rows, columns = np.triu_indices(n, 1)
    order = np.lexsort((draw.random(len(rows)), -gain[rows, columns]))
    playing = draw.permutation(n).tolist()
    _sit_out(playing, met, draw)
    free = set(playing)
    pairs: list[tuple[int, int]] = []
    for one, other in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if one in free and other in free and other not in met[one]:
            pairs.append((one, other))
            free -= {one, other}
            if not free:
                break
    left = [text for text in playing if text in free]
    return np.array(_mended(pairs, left, met), dtype=np.int64).reshape(-1, 2)


def with_sides(pairs: Pairs, texts: int, draw: np.random.Generator, before: Pairs | None = None) -> Pairs:
    """The same pairs with balanced sides: who stood first less often so far stands first; else chance decides."""
    surplus = np.zeros(texts, dtype=np.int64)
    if before is not None and len(before):
        np.add.at(surplus, before[:, 0], 1)
        np.add.at(surplus, before[:, 1], -1)
    found: Pairs = pairs.copy()
    coins = draw.integers(2, size=len(pairs))
    for row, (one, other) in enumerate(pairs.tolist()):
        difference = surplus[one] - surplus[other]
        if difference > 0 or (difference == 0 and coins[row]):
            one, other = other, one
        found[row] = one, other
        surplus[one] += 1
        surplus[other] -= 1
    return found


def met_in(pairs: Iterable[Sequence[int]], texts: int) -> Met:
    """With whom each text has been paired."""
    met: Met = [set() for _ in range(texts)]
    note_met(met, pairs)
    return met


def note_met(met: Met, pairs: Iterable[Sequence[int]]) -> None:
    """These have met now, too."""
    for one, other in pairs:
        met[one].add(other)
        met[other].add(one)


def count_repeats(pairs: Pairs) -> int:
    """How many matches are of two texts that met before, whichever stood first."""
    return len(pairs) - len(np.unique(np.sort(pairs, axis=1), axis=0))


def balanced_many(
    runs: int, texts: int, matches: int, draw: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Balanced rounds with repeats for many simulated studies at once: first and second, (runs, matches) each."""
    byes = np.argsort(draw.random((runs, texts)), axis=1)
    columns = np.arange(runs)
    rounds = []
    for number in range(-(-matches // (texts // 2))):
        keys = draw.random((runs, texts))
        if texts % 2:
            keys[columns, byes[:, number % texts]] = 2.0  # beyond all others: the last one has no partner
        rounds.append(np.argsort(keys, axis=1)[:, : texts // 2 * 2])
    order = np.concatenate(rounds, axis=1)
    return order[:, 0::2][:, :matches], order[:, 1::2][:, :matches]


def random_many(
    runs: int, texts: int, matches: int, draw: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Independent pairs for many simulated studies at once: first and second, (runs, matches) each."""
    first = draw.integers(texts, size=(runs, matches))
    second = draw.integers(texts - 1, size=(runs, matches))
    return first, second + (second >= first)


def _random_rounds(places: int, rounds: int, draw: np.random.Generator) -> list[tuple[int, int]]:
    """Random rounds in which nobody meets twice; `places` is even."""
    met: Met = [set() for _ in range(places)]
    found = []
    for _ in range(rounds):
        order = draw.permutation(places).tolist()
        pairs, left = [], []
        for one, other in zip(order[0::2], order[1::2], strict=True):
            if other in met[one]:
                left += [one, other]
            else:
                pairs.append((one, other))
        pairs = _mended(pairs, left, met)
        note_met(met, pairs)
        found += pairs
    return found


def _schedule(places: int, rounds: int, draw: np.random.Generator) -> list[tuple[int, int]]:
    """A league (circle method): everybody meets everybody once in `places` - 1 rounds. Names and order are random."""
    names = draw.permutation(places).tolist()
    circle = places - 1
    found = []
    for number in draw.permutation(circle)[:rounds].tolist():
        pairs = [(number, circle)]
        pairs += [((number + i) % circle, (number - i) % circle) for i in range(1, places // 2)]
        found += [(names[one], names[other]) for one, other in pairs]
    return found


def _mended(pairs: list[tuple[int, int]], left: list[int], met: Met) -> list[tuple[int, int]]:
    """The pairs with those left over: paired with each other, else by a swap with a pair, else as a repeat.

    If two texts a and b are left and have met, and everybody has met less than half of the others, then some pair
    (c, d) allows a-c and b-d, or a-d and b-c: a and b lack too few to have met one of both in every pair (the
    counting in Dirac's theorem on Hamiltonian cycles).
    """
    pairs, waiting = list(pairs), list(left)
    stuck = []
    while waiting:
        one = waiting.pop(0)
        place = next((i for i, other in enumerate(waiting) if other not in met[one]), None)
        if place is None:
            stuck.append(one)
        else:
            pairs.append((one, waiting.pop(place)))
    for one, other in zip(stuck[0::2], stuck[1::2], strict=True):
        for place in reversed(range(len(pairs))):
            third, fourth = pairs[place]
            if one in met[third] or other in met[fourth]:
                third, fourth = fourth, third
            if one not in met[third] and other not in met[fourth]:
                pairs[place] = (one, third)
                pairs.append((other, fourth))
                break
        else:
            pairs.append((one, other))
    return pairs


def _sit_out(free: list[int], met: Met, draw: np.random.Generator) -> None:
    """With an odd number, one of the texts that have met most others has a bye."""
    if len(free) % 2:
        most = max(len(met[text]) for text in free)
        candidates = sorted(text for text in free if len(met[text]) == most)
        free.remove(candidates[int(draw.integers(len(candidates)))])


def _check(texts: int, matches: int, repeats: bool) -> None:
    if texts < 2:
        raise PlainlyError(f"pairs need at least 2 texts, not {texts}")
    if matches < 1:
        raise PlainlyError(f"the number of matches must be at least 1, not {matches}")
    if matches > MOST_MATCHES:
        raise PlainlyError(f"{matches} matches are too many; {MOST_MATCHES} at most")
    there = texts * (texts - 1) // 2
    if matches > there and not repeats:
        raise PlainlyError(
            f"{texts} texts make {there} pairs, fewer than {matches}",
            remedy=Remedy("repeats", True, "to have pairs again, or ask for fewer"),
        )


# ---- pairings by name


class ListPairs(Protocol):
    """Makes a list of so many pairs of so many texts; with repeats, the same two may meet again."""

    def __call__(self, texts: int, matches: int, draw: np.random.Generator, *, repeats: bool = False) -> Pairs: ...


@dataclass(frozen=True)
class Listed:
    """All pairs are listed before the first judgement."""

    adaptive: ClassVar[bool] = False
    pairs: ListPairs
    many: Callable[[int, int, int, np.random.Generator], tuple[Pairs, Pairs]] | None = None
    """As `pairs` with repeats, for many simulated studies at once; without it they are made one after the other."""

    def simulated(self, runs: int, texts: int, matches: int, draw: np.random.Generator) -> tuple[Pairs, Pairs]:
        """First and second, (runs, matches) each."""
        if self.many:
            return self.many(runs, texts, matches, draw)
        found = np.stack([self.pairs(texts, matches, draw, repeats=True) for _ in range(runs)])
        return found[:, :, 0], found[:, :, 1]


@dataclass(frozen=True)
class Standing:
    """What is known of the texts after some judgements: ratings in logits, and who met whom."""

    ratings: NDArray[np.float64]
    met: Met
    covariance: Callable[[], NDArray[np.float64]]
    """Of the ratings, (texts, texts)."""

    @classmethod
    def after(
        cls, first: NDArray[np.int64], second: NDArray[np.int64], outcome: NDArray[np.float64], met: Met
    ) -> Standing:
        """By Bradley-Terry: it takes the order of nothing and weighs every opponent; Elo would mislead here."""
        fit = bradley_terry.estimate(first, second, outcome, len(met))
        spread = partial(covariance, first, second, fit.ratings, sd=float(fit.found["prior-sd"]))
        return cls(fit.ratings, met, spread)


@dataclass(frozen=True)
class Adaptive:
    """Pairs follow the judgements so far, round by round. Before there is one, `first_round` makes a round."""

    adaptive: ClassVar[bool] = True
    next_round: Callable[[Standing, np.random.Generator], Pairs]
    opens: bool = True
    """Whether a list of pairs may begin with it, and so with a random round."""
    best_first: bool = False
    """Whether the order of a round matters: the pairs that teach most come first."""
    most_texts: int | None = None


Pairing = Listed | Adaptive


def first_round(met: Met, draw: np.random.Generator) -> Pairs:
    """Random pairs, while nothing is known of the texts."""
    return swiss_round(np.zeros(len(met)), met, draw)


PAIRINGS: Registry[Pairing] = Registry(
    "pairing",
    {
        "balanced": Listed(balanced_pairs, balanced_many),
        "random": Listed(random_pairs, random_many),
        "swiss": Adaptive(lambda now, draw: swiss_round(now.ratings, now.met, draw)),
        "information": Adaptive(
            lambda now, draw: information_round(now.ratings, now.covariance(), now.met, draw),
            opens=False,
            best_first=True,
            most_texts=MOST_LOOKED_AT,
        ),
    },
    "plainly.pairings",
    "a Listed or an Adaptive of plainly.ranking.pairing",
    lambda found: isinstance(found, Listed | Adaptive),
)
