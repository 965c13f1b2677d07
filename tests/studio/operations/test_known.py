"""Pairs whose annotation is known: for practice, and as checks, also where nothing may be marked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.base import Kind, Material
from plainly.studio.kinds.gold import dealt
from plainly.studio.texts import say

GOLD = {
    "id": "g1",
    "source": ["The", "feline", "slept", "soundly"],
    "target": ["The", "cat", "slept"],
    "groups": [
        {"source": [1], "target": [1], "label": "synonym"},
        {"source": [3], "target": [], "label": "delmod"},
    ],
    "why": "A feline is a cat.",
}
FAULTY = {"id": "g2", "source": ["Yes"], "target": ["No"], "groups": [{"source": [0], "target": [0], "label": "err"}]}
ODD = {"source": [0], "target": [0], "label": "odd"}
Make = Callable[..., Material]


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def with_gold(read: Make, write: Callable[..., Any], tools: Any) -> Any:
    same = write("checks.csv", [("x", "Nothing was changed .", "Nothing was changed .")])
    practice = write("practice.jsonl", lines(GOLD, FAULTY))
    return tools.campaign_of(read({"pairs": write("pairs.csv"), "practice": practice, "checks": same}, repeats=0.5))


def test_what_the_files_say(kind: Kind, with_gold: Any) -> None:
    assert [item.name for item in with_gold.items] == ["a", "b", "c", "d"]
    first, faulty = with_gold.settings["gold"]["practice"]
    assert first["why"] == "A feline is a cat."
    shown = kind.shown(with_gold, first)
    assert shown["draft"]["groups"] == []  # the right answer stays here
    assert shown["source"] == GOLD["source"]
    assert kind.shown(with_gold, faulty)["draft"]["erroneous"] is False
    assert kind.expected(with_gold, first, say("en")) == (
        "feline → cat: Synonym\nsoundly → nothing: Deletion of a modifier"
    )
    assert kind.expected(with_gold, faulty, say("en")) == "Faulty simplification"
    (check,) = with_gold.settings["gold"]["checks"]
    assert check["expected"] == {"groups": [], "erroneous": False}
    assert kind.expected(with_gold, check, say("de")) == say("de")("operations.nothing")


def test_how_much_of_an_annotation_is_right(kind: Kind, with_gold: Any, tools: Any) -> None:
    gold, faulty = with_gold.settings["gold"]["practice"]
    synonym, deletion = tools.group([1], [1], "synonym"), tools.group([3], [], "delmod")

    def right(task: Any, *groups: Any, **more: Any) -> float:
        return kind.right(with_gold, task, kind.checked(with_gold, task, tools.answer(*groups, **more)))

    assert right(gold, synonym, deletion) == 1
    answer = kind.checked(with_gold, gold, tools.answer(synonym, erroneous=True, done=False))
    assert kind.told(with_gold, gold, answer, say("en")) == "feline → cat (synonym); err; not finished"
    assert right(gold, synonym) == pytest.approx(2 / 3)  # 2 * 1 / (2 + 1)
    assert right(gold, tools.group([1], [1], "hyperonym"), deletion) == 0.5  # 2 * 1 / (2 + 2)
    assert right(gold, synonym, deletion, tools.group([0], [0], "synonym")) == 0.8  # 2 * 2 / (2 + 3)
    assert right(gold) == 0
    assert right(gold, synonym, deletion, erroneous=True) == 0
    assert right(faulty, erroneous=True) == 1
    assert right(faulty) == 0
    (check,) = with_gold.settings["gold"]["checks"]
    assert right(check) == 1
    assert right(check, tools.group([0], [0], "synonym")) == 0
    unmarked, marked = (tools.answer(*groups) for groups in ((), (tools.group([0], [0], "synonym"),)))
    assert [kind.checks(with_gold, check, one) for one in (unmarked, marked)] == [(1, 0), (1, 1)]


def test_they_stand_among_the_pairs(kind: Kind, with_gold: Any) -> None:
    found = dealt(kind, with_gold, 1, kind.tasks(with_gold, 1, []), 0, 0)
    assert sorted(one.role for one in found) == ["", "", "", "", "check", "repeat", "repeat"]
    for one in found:
        assert kind.shown(with_gold, one.task)["source"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("checks.csv", "id,source,simplification\nx,A b,A c\n", "checks.csv: pair x: nothing is known of it"),
        (
            "checks.jsonl",
            lines({**GOLD, "groups": [{"source": [0], "target": [0], "label": "odd"}]}),
            "unknown label",
        ),
        ("checks.jsonl", lines({**GOLD, "why": 5}), "checks.jsonl:1: why must be text"),
    ],
)
def test_what_is_refused(read: Make, write: Callable[..., Any], name: str, content: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        read({"pairs": write("pairs.csv"), "checks": write(name, content)})


def test_practice_in_a_browser(
    read: Make, write: Callable[..., Any], link: Callable[..., str], look: Callable[..., Any], app: Any
) -> None:
    from plainly.studio.store.overview import given

    practice = write("practice.jsonl", lines(GOLD))
    page = look(link(read({"pairs": write("pairs.csv"), "practice": practice})))
    assert "Practice 1 of 1" in page.locator("#practice").text_content()
    page.keyboard.press("d")  # nothing is marked
    page.locator(".feedback").wait_for()
    said = page.locator(".feedback").text_content()
    assert "Not quite." in said
    assert "feline → cat: Synonym" in said
    assert "A feline is a cat." in said
    page.keyboard.press("e")  # the pair is there to look at only
    page.get_by_role("button", name="Continue").click()
    page.locator(".feedback").wait_for(state="detached")
    assert "Second try" in page.locator("#practice").text_content()
    page.locator(".operations").get_by_text("feline").click()
    page.locator(".operations").get_by_text("cat", exact=True).click()
    page.locator("[data-label=synonym]").click()
    page.locator(".operations").get_by_text("soundly").click()
    page.locator("[data-label=delmod]").click()
    page.keyboard.press("d")
    page.locator(".feedback[data-right=yes]").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.locator(".feedback").wait_for(state="detached")
    assert page.locator("#practice").is_hidden()
    assert page.locator("#count").text_content() == "0/4"
    with app.state.database.reading() as session:
        assert given(session, app.state.last_campaign) == []
