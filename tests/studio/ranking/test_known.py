"""Pairs whose easier text is known, for practice and as checks; and pairs that are shown once more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Given, Json, Person
from plainly.studio.kinds.gold import dealt
from plainly.studio.kinds.options import completed
from plainly.studio.texts import say

TEXTS = "id,text\n" + "".join(f"t{number},Text number {number}.\n" for number in range(6))
KNOWN = "first,second,easier,why\nt1,A long and winding text.,first,It is short.\nOne.,t2,t2,\n"


def campaign_of(folder: Path, practice: str = "", checks: str = "", **options: Any) -> Campaign:
    kind = get_kind("ranking")
    files = {"texts": folder / "texts.csv"}
    files["texts"].write_text(TEXTS, "utf-8")
    for slot, content in (("practice", practice), ("checks", checks)):
        if content:
            files[slot] = folder / f"{slot}.csv"
            files[slot].write_text(content, "utf-8")
    material = kind.read(files, {**completed(kind, options), "lang": "en"})
    return Campaign("c", "ranking", "x", "en", 5, material.settings, material.items)


def practice(campaign: Campaign) -> list[Json]:
    return list(campaign.settings["gold"]["practice"])


def test_what_the_file_says(tmp_path: Path) -> None:
    campaign = campaign_of(tmp_path, practice=KNOWN)
    first, second = practice(campaign)
    assert first["texts"] == {"first": "Text number 1.", "second": "A long and winding text."}
    assert (first["expected"], first["why"]) == ("first", "It is short.")
    assert (second["expected"], second["why"]) == ("second", "")
    kind = get_kind("ranking")
    assert kind.shown(campaign, first) == first["texts"]  # nothing that would give the answer away
    assert kind.right(campaign, first, {"choice": "first"}) == 1
    assert kind.right(campaign, first, {"choice": "second"}) == 0
    assert kind.expected(campaign, first, say("de")) == "Der erste Text ist leichter."
    assert [kind.told(campaign, first, {"choice": one}, say("en")) for one in ("second", "tie")] == [
        "A long and winding text. > Text number 1.",
        "Both the same: Text number 1. · A long and winding text.",
    ]
    harder = practice(campaign_of(tmp_path, practice=KNOWN, question="harder"))
    assert [task["expected"] for task in harder] == ["second", "first"]
    asked = campaign_of(tmp_path, question="harder")
    assert kind.expected(asked, harder[0], say("en")) == "the second text is harder"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("first,second,easier\na,b,c\n", r"practice\.csv:2: easier must be first or second, not c"),
        ("first,second,easier\na,b,tie\n", "easier must be first or second, not tie"),
        ("first,second,easier\na,a,first\n", "both texts are the same"),
        ("first,second,easier\na,,first\n", "second is missing"),
        ("first,second\na,b\n", "easier"),
        ("first,second,easier\n", "holds no pairs"),
        ("first,second,easier\n" + "a,b,first\n" * 201, "more than 200 tasks"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        campaign_of(tmp_path, practice=content)


def test_a_tie_is_known_where_ties_are_allowed(tmp_path: Path) -> None:
    (task,) = practice(campaign_of(tmp_path, practice="first,second,easier\na,b,tie\n", ties=True))
    assert task["expected"] == "tie"
    assert get_kind("ranking").expected(campaign_of(tmp_path), task, say("en")) == "both are the same"


def test_sides_are_by_chance_and_the_right_answer_goes_along(tmp_path: Path) -> None:
    campaign = campaign_of(tmp_path, practice=KNOWN)
    kind, (task, _) = get_kind("ranking"), practice(campaign)
    seen = {kind.varied(task, np.random.default_rng(seed))["expected"] for seed in range(20)}
    assert seen == {"first", "second"}
    for seed in range(20):
        found = kind.varied(task, np.random.default_rng(seed))
        assert found["texts"][found["expected"]] == "Text number 1."


def test_a_pair_comes_again_with_its_sides_changed(tmp_path: Path) -> None:
    campaign = campaign_of(tmp_path, checks=KNOWN, repeats=0.2, matches=4)  # 12 pairs, 2 of them twice
    kind = get_kind("ranking")
    tasks = kind.tasks(campaign, 1, [])
    found = dealt(kind, campaign, 1, tasks, 0, 0)
    assert [one.task for one in found if one.role == ""] == tasks
    again = [one.task for one in found if one.role == "repeat"]
    assert len(again) == 2
    for task in again:
        first = found[task["repeats"]].task
        assert (task["first"], task["second"], task["match"]) == (first["second"], first["first"], first["match"])
    assert sum(one.role == "check" for one in found) == 2
    assert found == dealt(kind, campaign, 1, tasks, 0, 0)  # chance is that of the campaign's seed
    other = dealt(kind, campaign, 2, tasks, 0, 0)
    assert [one.role for one in other] != [one.role for one in found]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("first", "second", 1.0),
        ("first", "first", 0.0),
        ("tie", "tie", 1.0),
        ("tie", "first", 0.0),
        ("skip", "first", None),
    ],
)
def test_the_same_text_is_the_same_answer(tmp_path: Path, first: str, second: str, same: float | None) -> None:
    campaign, kind, person = campaign_of(tmp_path), get_kind("ranking"), Person("P001", 1)
    task = {"first": "t1", "second": "t2", "match": "1"}
    before = Given(person, 0, task, {"choice": first}, 1.0, "")
    again = Given(person, 9, {"first": "t2", "second": "t1", "match": "1"}, {"choice": second}, 1.0, "")
    assert kind.agreed(campaign, before, again) == same


@pytest.mark.parametrize("block", [0, 10, 20])
def test_adaptive_campaigns_have_checks_and_repeats_in_every_block(tmp_path: Path, block: int) -> None:
    known = "first,second,easier\n" + "".join(f"a{number},b,first\n" for number in range(3))
    campaign = campaign_of(tmp_path, checks=known, repeats=0.1, pairs="swiss", per_person=15)
    kind = get_kind("ranking")
    tasks = [{"first": f"t{number % 5}", "second": "t5", "match": ""} for number in range(min(10, 15 - block))]
    roles = [one.role for one in dealt(kind, campaign, 1, tasks, block, block)] if tasks else []
    # The checks have their places a sixth, a half and five sixths along the 15 pairs: at 2.5, 7.5 and 12.5.
    assert roles.count("check") == {0: 2, 10: 1, 20: 0}[block]
    assert roles.count("repeat") == {0: 1, 10: 1, 20: 0}[block]
