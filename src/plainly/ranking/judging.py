"""Judgements by language models: pairs become questions, answers become judgements.

pairwise     each pair is shown once, in the order in which it is given
both-orders  each pair is shown twice, once each way round; where the two answers differ, the pair is a tie
score        each text is rated alone, from 0 to 100; the higher one of a pair wins
rank-all     all texts are put in order at once; the earlier one of a pair wins

The question is that of the prompt: which text is easier, unless the prompt says that its winner is another one.
What has no answer is counted as unscored; it is never guessed. Each strategy has a prompt of its own; another one, by
name or as a file, takes its place if it is of the same kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.version import __version__
from plainly.inference.estimates import Estimate
from plainly.inference.proportions import lean, share
from plainly.judges import (
    NOBODY,
    PROMPTS,
    Answer,
    Answers,
    Endpoint,
    Profile,
    Prompt,
    Question,
    numbered,
    question,
)
from plainly.judges.answers import choice, numbers, order
from plainly.judges.answers import number as number_between
from plainly.judges.prompts import KINDS
from plainly.ranking.judgements import Judgement, Judgements, check_direction

MOST_AT_ONCE = 500  # texts in one prompt
SIDES = ("A", "B")
"""What an answer is kept as: the text shown first was chosen, or the second."""


@dataclass(frozen=True)
class Pair:
    """Two texts to be compared, by their ids."""

    first: str
    second: str
    match: str = ""
    place: str = ""
    """Where it stands, for messages."""


@dataclass(frozen=True)
class Plan:
    """What is to be asked."""

    texts: Mapping[str, str]
    pairs: tuple[Pair, ...]
    strategy: str = "both-orders"
    reader: Profile = NOBODY
    repeats: int = 1
    seed: int = 12345
    """Of the order in which `rank-all` shows the texts."""
    prompt: Prompt | None = None
    """None: that of the strategy."""

    def __post_init__(self) -> None:
        if self.words.kind != self.asked.prompt:
            able = " or ".join(name for name, one in STRATEGIES.items() if one.prompt == self.words.kind)
            goes = f"goes with the strategy {able}" if able else "is for the metric judge"
            places = " and ".join(f"${place}" for place in sorted(KINDS[self.asked.prompt][0]))
            raise PlainlyError(f"prompt {self.words.name} {goes}; {self.strategy} needs a place for {places}")
        check_direction(self.words.winner, f"prompt {self.words.name}: winner")
        if not 1 <= self.repeats <= 1000:
            raise PlainlyError(f"everything is asked 1 to 1000 times, not {self.repeats}")
        for number, pair in enumerate(self.pairs, 1):
            place = pair.place or f"pair {number}"
            if pair.first == pair.second:
                raise PlainlyError(f"{place}: text {pair.first!r} is compared with itself")
            for text in (pair.first, pair.second):
                if text not in self.texts:
                    raise PlainlyError(f"{place}: text {text!r} is not among the texts")
        if not self.pairs and not self.asked.rates:
            raise PlainlyError("there are no pairs to judge")
        if len(self.ids) < 2:
            raise PlainlyError("there must be two texts at least")
        if self.asked.most_texts and len(self.ids) > self.asked.most_texts:
            raise PlainlyError(
                f"{self.strategy} puts all texts into one prompt, at most {self.asked.most_texts}, "
                f"not {len(self.ids):,}; use pairs"
            )

    @property
    def asked(self) -> Strategy:
        """How things are asked."""
        if self.strategy not in STRATEGIES:
            raise UnknownName("strategy", self.strategy, STRATEGIES)
        return STRATEGIES[self.strategy]

    @property
    def words(self) -> Prompt:
        """The prompt."""
        return self.prompt or PROMPTS[self.asked.prompt]

    @property
    def ids(self) -> tuple[str, ...]:
        """The texts that are judged: those of the pairs, or all where there are no pairs."""
        used = {text for pair in self.pairs for text in (pair.first, pair.second)}
        return tuple(text for text in self.texts if text in used or not used)

    def order(self, repeat: int) -> list[str]:
        """In which order `rank-all` shows the texts."""
        shown = list(self.ids)
        random.Random(f"{self.seed}/{repeat}").shuffle(shown)
        return shown

    def questions(self) -> list[Question]:
        """All that is asked, repeat after repeat. A pair that is listed again has the same questions as before."""
        return [item for repeat in range(self.repeats) for item in self._round(repeat)]

    def _round(self, repeat: int) -> Iterator[Question]:
        for filled in self.asked.questions(self, repeat):
            yield question(self.words, reader=self.reader, repeat=repeat, **filled)


@dataclass(frozen=True)
class Strategy:
    """A way of asking. One that does not rate texts asks for each pair, one or both ways round."""

    prompt: str
    """The name of its prompt, and the kind that any other must be of."""
    questions: Callable[[Plan, int], Iterator[dict[str, Any]]]
    """What the places of each question of a round hold."""
    ways: int = 0
    rates: Callable[[Plan, Sequence[Answer], int, list[Unscored]], dict[str, float]] | None = None
    """The scores of texts, from 0 to 1 (a winner), from the answers of a round."""
    most_texts: int | None = None
    seeded: bool = False
    """Whether chance decides what is shown."""


@dataclass(frozen=True)
class Sides:
    """What it does to a text to be shown first."""

    answers: int
    first: int
    """Answers that chose the text shown first."""
    first_share: Estimate
    """Without a bias one half, if every pair is shown both ways round."""
    compared: int = 0
    """Pairs with an answer each way round."""
    flips: int = 0
    """Of those, pairs where the two answers name different texts."""
    flips_to_first: int = 0
    """Of those, pairs where both answers chose the text shown first."""
    flip_rate: Estimate | None = None


@dataclass(frozen=True)
class Unscored:
    """Something without an answer."""

    what: str
    why: str


@dataclass(frozen=True)
class Judged:
    """What the judge said. `judgements` is None where there is none."""

    judgements: Judgements | None
    scores: Mapping[str, float]
    """By text, from 0 to 1: the higher, the easier, or whatever it means to win; only of `score` and `rank-all`."""
    unscored: tuple[Unscored, ...]
    sides: Sides | None
    """Only of pairs."""
    answers: Answers
    signature: str


def judged(plan: Plan, endpoint: Endpoint, answers: Answers, rater: str | None = None) -> Judged:
    """What the answers to the questions of a plan say."""
    size = len(answers.items) // plan.repeats
    items: list[Judgement] = []
    unscored: list[Unscored] = []
    scores: dict[str, list[float]] = {}
    singles: dict[Any, tuple[str | None, ...]] = {}  # what was asked once counts once, however often it is listed
    for repeat in range(plan.repeats):
        part = answers.items[repeat * size : (repeat + 1) * size]
        name = (rater or endpoint.model) + (f"#{repeat + 1}" if plan.repeats > 1 else "")
        if rates := plan.asked.rates:
            rated = rates(plan, part, repeat, unscored)
            for text, value in rated.items():
                scores.setdefault(text, []).append(value)
            items += _by_scores(plan, rated, part, name)
        else:
            ways = plan.asked.ways
            for number, pair in enumerate(plan.pairs):
                found = part[number * ways : (number + 1) * ways]
                asked = (pair.first, pair.second) if ways == 1 else frozenset((pair.first, pair.second))
                singles[repeat, asked] = tuple(answer.value for answer in found)
                _add_pair(pair, found, name, items, unscored)
    return Judged(
        Judgements.of(items, plan.words.winner) if items else None,
        {text: sum(scores[text]) / len(scores[text]) for text in plan.ids if text in scores},
        tuple(unscored),
        sides_of(list(singles.values())),
        answers,
        signature(plan, endpoint),
    )


def sides_of(singles: Sequence[tuple[str | None, ...]]) -> Sides | None:
    """The part that the side plays, from the letters answered: one a pair, or one each way round.

    A pair shown both ways flips if both answers are the same letter: A twice is the first text twice, which is
    another text each time.
    """
    letters = [letter for group in singles for letter in group if letter is not None]
    both = [group for group in singles if len(group) == 2 and None not in group]
    first = letters.count("A")
    if not letters:
        return None
    if not both:
        return Sides(len(letters), first, share(first, len(letters)))
    to_first = sum(group == ("A", "A") for group in both)
    to_second = sum(group == ("B", "B") for group in both)
    leaning = lean(to_first, to_second, len(both))
    halves = [(1 + value) / 2 for value in (leaning.value, leaning.low, leaning.high)]
    return Sides(
        len(letters),
        first,
        Estimate(halves[0], halves[1], halves[2], leaning.confidence),
        len(both),
        to_first + to_second,
        to_first,
        share(to_first + to_second, len(both)),
    )


def signature(plan: Plan, endpoint: Endpoint) -> str:
    """Same signature, same texts and pairs: the same questions."""
    parts = {
        "strategy": plan.strategy,
        "prompt": plan.words.signature,
        **plan.reader.signed(plan.words.reader),
        **endpoint.signed(),
        "repeats": str(plan.repeats),
        "winner": plan.words.winner,
    }
    if plan.asked.seeded:
        parts["seed"] = str(plan.seed)
    return "|".join(["judging", *(f"{name}:{value}" for name, value in parts.items()), f"plainly:{__version__}"])


def _add_pair(
    pair: Pair, found: Sequence[Answer], rater: str, items: list[Judgement], unscored: list[Unscored]
) -> None:
    problems = [answer.problem for answer in found if answer.value is None]
    if problems:
        unscored.append(Unscored(f"{pair.first} and {pair.second}", problems[0]))
        return
    ways = [(pair.first, pair.second), (pair.second, pair.first)]
    winners = {way[SIDES.index(answer.value)] for way, answer in zip(ways, found, strict=False)}
    items.append(
        Judgement(
            pair.first,
            pair.second,
            winners.pop() if len(winners) == 1 else None,
            rater,
            max(answer.time for answer in found),
            sum(answer.seconds or 0.0 for answer in found),
            match=pair.match,
        )
    )


def _ask_pairs(ways: int, plan: Plan, repeat: int) -> Iterator[dict[str, Any]]:
    parse = choice(plan.words.answers, SIDES)
    for pair in plan.pairs:
        for first, second in [(pair.first, pair.second), (pair.second, pair.first)][:ways]:
            yield {"texts": {"first": plan.texts[first], "second": plan.texts[second]}, "parse": parse}


def _ask_each(plan: Plan, repeat: int) -> Iterator[dict[str, Any]]:
    for text in plan.ids:
        yield {"texts": {"text": plan.texts[text]}, "parse": number_between(*plan.words.scale)}


def _ask_all(plan: Plan, repeat: int) -> Iterator[dict[str, Any]]:
    shown = [plan.texts[text] for text in plan.order(repeat)]
    words = {"texts": numbered(plan.words, shown), "count": str(len(shown))}
    yield {"texts": {}, "parse": order(len(shown)), "words": words, "items": len(shown)}


def _rated_each(plan: Plan, part: Sequence[Answer], repeat: int, unscored: list[Unscored]) -> dict[str, float]:
    found = list(zip(plan.ids, part, strict=True))
    unscored += [Unscored(text, answer.problem) for text, answer in found if answer.value is None]
    low, high = plan.words.scale
    return {text: (answer.value - low) / (high - low) for text, answer in found if answer.value is not None}


def _ranked(plan: Plan, part: Sequence[Answer], repeat: int, unscored: list[Unscored]) -> dict[str, float]:
    shown, answer = plan.order(repeat), part[0]
    ranked = [shown[place - 1] for place in answer.value or _usable(answer, len(shown))]
    why = answer.problem if answer.problem and not ranked else "the list of the judge leaves it out"
    unscored += [Unscored(text, why) for text in plan.ids if text not in ranked]
    last = len(ranked) - 1
    return {text: 1 - place / last if last else 0.5 for place, text in enumerate(ranked)}


def _usable(answer: Answer, count: int) -> list[int]:
    """Of lists that are all incomplete, the one with most of the texts: each number once, invented ones left out."""
    lists = [[number for number in dict.fromkeys(numbers(reply)) if 1 <= number <= count] for reply in answer.replies]
    return max(lists, key=len, default=[])


def _by_scores(plan: Plan, scores: Mapping[str, float], part: Sequence[Answer], rater: str) -> Iterator[Judgement]:
    moment = max((answer.time for answer in part), default="")
    for pair in plan.pairs:
        if pair.first in scores and pair.second in scores:
            ahead = scores[pair.first] - scores[pair.second]
            winner = None if ahead == 0 else pair.first if ahead > 0 else pair.second
            yield Judgement(pair.first, pair.second, winner, rater, moment, match=pair.match)


STRATEGIES = {
    "pairwise": Strategy("pairwise", partial(_ask_pairs, 1), ways=1),
    "both-orders": Strategy("pairwise", partial(_ask_pairs, 2), ways=2),
    "score": Strategy("score", _ask_each, rates=_rated_each),
    "rank-all": Strategy("rank-all", _ask_all, rates=_ranked, most_texts=MOST_AT_ONCE, seeded=True),
}
