"""Who judges which pairs: the same, shared out, or chosen by the answers so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from plainly.studio.kinds.ranking.kind import Ranking

Make = Callable[..., Any]


def pair(task: Any) -> frozenset[str]:
    return frozenset((task["first"], task["second"]))


def test_all_judge_the_same_pairs_in_orders_of_their_own(kind: Ranking, make: Make) -> None:
    campaign = make(12, matches=4)
    one, other = (kind.tasks(campaign, number, []) for number in (1, 2))
    assert len(one) == 12 * 4 // 2
    assert {(pair(task), task["match"]) for task in one} == {(pair(task), task["match"]) for task in other}
    assert [pair(task) for task in one] != [pair(task) for task in other]
    assert len(set(map(pair, one))) == len(one)
    met = Counter(text for task in one for text in pair(task))
    assert set(met.values()) == {4}
    assert kind.tasks(campaign, 1, [other]) == one  # from the seed and the number alone
    assert kind.total(campaign, len(one)) == len(one)


def test_sides_are_balanced_and_differ_between_people(kind: Ranking, make: Make) -> None:
    campaign = make(12, matches=6)
    left: Counter[str] = Counter()
    ways: dict[frozenset[str], set[str]] = {}
    for number in range(1, 21):
        own = kind.tasks(campaign, number, [])
        counts = Counter(task["first"] for task in own)
        assert all(2 <= counts[f"t{text}"] <= 4 for text in range(12))  # of 6
        left += counts
        for task in own:
            ways.setdefault(pair(task), set()).add(task["first"])
    assert all(len(firsts) == 2 for firsts in ways.values())  # each pair is shown both ways
    assert set(left.values()) <= set(range(55, 66))


def test_pairs_are_shared_out(kind: Ranking, make: Make) -> None:
    campaign = make(12, matches=5, sharing="shared", per_person=10)
    everyone: list[list[Any]] = []
    for number in range(1, 4):
        everyone.append(kind.tasks(campaign, number, everyone))
    dealt = [pair(task) for tasks in everyone for task in tasks]
    assert len(dealt) == len(set(dealt)) == 30  # 12 * 5 / 2: each pair went to one
    fourth = kind.tasks(campaign, 4, everyone)
    assert set(map(pair, fourth)) <= set(dealt)
    assert len(set(map(pair, fourth))) == 10


def test_shared_pairs_whoever_begins_first(kind: Ranking, make: Make) -> None:
    campaign = make(12, matches=5, sharing="shared", per_person=10)
    third = kind.tasks(campaign, 3, [])
    second = kind.tasks(campaign, 2, [third])
    first = kind.tasks(campaign, 1, [second, third])
    assert len({pair(task) for tasks in (first, second, third) for task in tasks}) == 30
    # Number 2 was deleted: the fourth takes what they had.
    fourth = kind.tasks(campaign, 4, [first, third])
    assert {pair(task) for task in fourth} == {pair(task) for task in second}


def test_common_pairs_come_first(kind: Ranking, make: Make) -> None:
    campaign = make(12, matches=5, sharing="shared", per_person=10, common=4)
    one = kind.tasks(campaign, 1, [])
    other = kind.tasks(campaign, 2, [one])
    assert set(map(pair, one[:4])) == set(map(pair, other[:4]))
    assert not set(map(pair, one[4:])) & set(map(pair, other[4:]))


@pytest.mark.parametrize("strategy", ["swiss", "information"])
def test_adaptive_pairs(kind: Ranking, make: Make, crowd: Callable[..., Any], strategy: str) -> None:
    campaign = make(20, pairs=strategy, per_person=45, common=3)
    people = crowd(campaign)
    for _ in range(4):
        people.judge()
    assert kind.total(campaign, 10) == 45
    for own in people.tasks:
        assert len(own) == 45
        assert len(set(map(pair, own))) == 45  # nobody judges a pair twice
    assert {pair(task) for task in people.tasks[0][:3]} == {pair(task) for task in people.tasks[1][:3]}
    judged = Counter(text for own in people.tasks for task in own for text in pair(task))
    assert min(judged.values()) >= 10  # of 18 on average
    # Later pairs are of texts that are close: they were found by ratings, not by chance (mean distance 7).
    late = [task for own in people.tasks[2:] for task in own[20:]]
    apart = np.mean([abs(int(task["first"][1:]) - int(task["second"][1:])) for task in late])
    assert apart < 6


def test_adaptive_pairs_end_when_there_are_no_more(kind: Ranking, make: Make, crowd: Callable[..., Any]) -> None:
    campaign = make(5, pairs="swiss", per_person=200)
    people = crowd(campaign)
    people.judge()
    assert {pair(task) for task in people.tasks[0]} == {
        frozenset(two) for two in combinations(["t0", "t1", "t2", "t3", "t4"], 2)
    }
    assert kind.total(campaign, 3) == 10


def test_skipped_pairs_teach_nothing_and_break_nothing(kind: Ranking, make: Make, crowd: Callable[..., Any]) -> None:
    campaign = make(8, pairs="information", per_person=12, skip=True, ties=True)
    people = crowd(campaign)
    people.judge(choice="skip")
    people.judge(choice="tie")
    people.judge()
    assert [len(own) for own in people.tasks] == [12, 12, 12]


def test_only_the_wording_reaches_the_browser(kind: Ranking, make: Make) -> None:
    campaign = make(4)
    [task, *_] = kind.tasks(campaign, 1, [])
    shown = kind.shown(campaign, task)
    assert shown == {
        "first": f"This is text number {task['first'][1:]}.",
        "second": f"This is text number {task['second'][1:]}.",
    }
    assert set(kind.public(campaign)) == {"question", "ties", "skip", "guideline"}
