"""Which pairs a participant judges, in which order, and which text stands on the left.

A task is {first, second, match}: the ids of the texts on the left and on the right, and the name of the match. With
adaptive pairs, matches have no names: what two participants say of the same pair is compared by the pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.ranking.pairing import (
    PAIRINGS,
    Adaptive,
    Pairs,
    Standing,
    balanced_pairs,
    first_round,
    met_in,
    random_pairs,
    with_sides,
)
from plainly.studio.kinds.base import Campaign, Given, Json

BLOCK = 10
"""Adaptive pairs that are made at a time."""
MOST_ENUMERATED = 100_000
DEALT = 50
"""Pairs of a participant where they are shared out or adaptive, and nobody says how many."""
LIST, COMMON, OWN, ROUND, ADDED = range(5)
"""What a stream of random numbers is for."""

Match = tuple[int, int, str]


def first_tasks(campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
    """The tasks with which a participant begins."""
    settings, n = campaign.settings, len(campaign.items)
    draw = _draw(campaign, OWN, number)
    wanted = planned(settings, n)
    if is_adaptive(settings):
        common = _common(campaign, min(settings["common"], wanted))
        if common:
            return _tasks(campaign, _shuffled(common, draw), draw)
        met = met_in(_places(campaign, [task for other in others for task in other]), n)
        pairs = first_round(met, draw)[: min(BLOCK, wanted)]
        return _tasks(campaign, [(one, other, "") for one, other in pairs.tolist()], draw)
    matches = all_matches(campaign)
    if settings["sharing"] == "same":
        return _tasks(campaign, _shuffled(matches[:wanted], draw), draw)
    common = matches[: min(settings["common"], wanted)]
    dealt = _dealt(campaign, matches[len(common) :], wanted - len(common), others)
    return _tasks(campaign, [*_shuffled(common, draw), *_shuffled(dealt, draw)], draw)


def further_tasks(campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
    """The next pairs of an adaptive campaign, by the ratings so far; nobody judges a pair twice."""
    settings, n = campaign.settings, len(campaign.items)
    left = planned(settings, n) - len(own)
    if not is_adaptive(settings) or left <= 0:
        return []
    draw = _draw(campaign, ROUND, number, len(own))
    before = _array(_places(campaign, own))
    seen = {frozenset(pair) for pair in before.tolist()}
    for pairs in _candidates(campaign, before, given, draw):
        fresh = [pair for pair in pairs.tolist() if frozenset(pair) not in seen]
        if fresh:
            chosen = [(one, other, "") for one, other in fresh[: min(BLOCK, left)]]
            return _tasks(campaign, chosen, draw, before)
    return []


def is_adaptive(settings: Json) -> bool:
    """Whether pairs follow the answers so far."""
    return settings["pairs"] != "fixed" and PAIRINGS[settings["pairs"]].adaptive


def planned(settings: Json, texts: int) -> int:
    """How many pairs a participant judges in the end."""
    there = texts * (texts - 1) // 2 if is_adaptive(settings) else listed(settings, texts)
    everything = settings["sharing"] == "same" and not is_adaptive(settings)
    wanted = settings["per_person"] or (there if everything else DEALT)
    return int(min(there, wanted))


def listed(settings: Json, texts: int) -> int:
    """How many pairs there are to judge, where they are listed beforehand."""
    if "list" in settings:
        return len(settings["list"])
    return int(min(texts * (texts - 1) // 2, max(1, settings["matches"] * texts // 2)))


def all_matches(campaign: Campaign) -> list[Match]:
    """The pairs that are listed beforehand."""
    settings, n = campaign.settings, len(campaign.items)
    if "list" in settings:
        tasks = [{"first": first, "second": second} for first, second, _ in settings["list"]]
        names = [match for _, _, match in settings["list"]]
        return [(*pair, match) for pair, match in zip(_places(campaign, tasks), names, strict=True)]
    pairing = PAIRINGS[settings["pairs"]]
    if isinstance(pairing, Adaptive):
        raise PlainlyError(f"{settings['pairs']} pairs follow the answers: they are not listed beforehand")
    pairs = pairing.pairs(n, listed(settings, n), _draw(campaign, LIST))
    return [(one, other, str(number)) for number, (one, other) in enumerate(pairs.tolist(), 1)]


def named_matches(campaign: Campaign) -> list[list[str]]:
    """The same by the ids of the texts: first, second, match."""
    names = [item.name for item in campaign.items]
    return [[names[one], names[other], match] for one, other, match in all_matches(campaign)]


def added_matches(campaign: Campaign, new: Sequence[str]) -> list[list[str]]:
    """Pairs of texts that are added: each meets as many others as those before it, the least met first."""
    before = named_matches(campaign)
    met = Counter(name for first, second, _ in before for name in (first, second))
    names = [*(item.name for item in campaign.items), *new]
    draw = _draw(campaign, ADDED, len(campaign.items))
    found: dict[frozenset[str], list[str]] = {}
    for name in new:
        order = [names[at] for at in draw.permutation(len(names)).tolist()]
        partners = (other for other in sorted(order, key=lambda one: met[one]) if other != name)
        for other in partners:
            if met[name] >= campaign.settings["matches"]:
                break
            if frozenset((name, other)) not in found:
                found[frozenset((name, other))] = [name, other, str(len(before) + len(found) + 1)]
                met.update((name, other))
    return list(found.values())


def _candidates(
    campaign: Campaign, before: Pairs, given: Sequence[Given], draw: np.random.Generator
) -> Iterator[Pairs]:
    """Rounds to choose from: by the ratings so far, then whatever is left.

    What others have judged may be judged again: of close texts, a second opinion teaches more than a pair far apart.
    """
    n, pairing = len(campaign.items), PAIRINGS[campaign.settings["pairs"]]
    decided = [each for each in given if each.answer["choice"] != "skip"]
    judged = _array(_places(campaign, [each.task for each in decided]))
    met = met_in(before.tolist(), n)
    if not len(judged):
        yield first_round(met, draw)
    elif isinstance(pairing, Adaptive):
        outcome = np.array([{"first": 1.0, "second": 0.0}.get(each.answer["choice"], 0.5) for each in decided])
        pairs = pairing.next_round(Standing.after(judged[:, 0], judged[:, 1], outcome, met), draw)
        counts = np.bincount(judged.ravel(), minlength=n)
        # Where the order of a round does not matter: texts with fewest judgements first.
        yield pairs if pairing.best_first else pairs[np.argsort(counts[pairs].sum(1), kind="stable")]
    there = n * (n - 1) // 2
    if there <= MOST_ENUMERATED:
        yield random_pairs(n, there, draw)


def _common(campaign: Campaign, count: int) -> list[Match]:
    n = len(campaign.items)
    if not count:
        return []
    pairs = balanced_pairs(n, min(count, n * (n - 1) // 2), _draw(campaign, COMMON))
    return [(one, other, "") for one, other in pairs.tolist()]


def _dealt(campaign: Campaign, matches: Sequence[Match], count: int, others: Sequence[Sequence[Json]]) -> list[Match]:
    """Those that fewest have been given, in the order of the list."""
    taken = Counter(_key(task["first"], task["second"], task["match"]) for other in others for task in other)
    names = [item.name for item in campaign.items]

    def times(match: Match) -> int:
        one, other, name = match
        return taken[_key(names[one], names[other], name)]

    return sorted(matches, key=times)[:count]


def _key(first: str, second: str, match: str) -> tuple[str, str, str]:
    """A match, whoever stands on the left."""
    return (first, second, match) if first <= second else (second, first, match)


def _tasks(
    campaign: Campaign, matches: Sequence[Match], draw: np.random.Generator, before: Pairs | None = None
) -> list[Json]:
    """With sides by chance: a text that stood on the left more often stands on the right."""
    names = [item.name for item in campaign.items]
    pairs = _array([match[:2] for match in matches])
    sides = with_sides(pairs, len(names), draw, before).tolist()
    return [
        {"first": names[one], "second": names[other], "match": match}
        for (one, other), (_, _, match) in zip(sides, matches, strict=True)
    ]


def _shuffled(matches: Sequence[Match], draw: np.random.Generator) -> list[Match]:
    return [matches[at] for at in draw.permutation(len(matches)).tolist()]


def _places(campaign: Campaign, tasks: Iterable[Json]) -> list[tuple[int, int]]:
    place = {item.name: at for at, item in enumerate(campaign.items)}
    return [(place[task["first"]], place[task["second"]]) for task in tasks]


def _array(pairs: Sequence[tuple[int, int]]) -> Pairs:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _draw(campaign: Campaign, *use: int) -> np.random.Generator:
    return np.random.default_rng([campaign.seed, *use])
