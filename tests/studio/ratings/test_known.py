"""Practice with known ratings, checks that screen people out, and pages that are rated once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.base import Given, Person
from plainly.studio.kinds.gold import dealt
from plainly.studio.texts import say

PRACTICE = """id,source,output,meaning,fluency,why
x1,The cat sat.,The cat sat.,4..5,5,It is a copy.
x2,The cat sat.,Sat cat the.,,1..2,
"""


def test_what_the_file_says(kind: Any, make: Callable[..., Any]) -> None:
    campaign = make(practice=PRACTICE)
    assert len(campaign.items) == 6  # nothing of it is an item of the study
    copy, mixed = campaign.settings["gold"]["practice"]
    assert kind.shown(campaign, copy) == {"source": "The cat sat.", "outputs": ["The cat sat."]}
    assert copy["expected"] == {"fluency": "5", "meaning": "4..5"}
    assert (copy["why"], mixed["why"]) == ("It is a copy.", "")
    assert kind.expected(campaign, copy, say("en")) == "fluency: 5; meaning: 4 to 5"
    assert kind.shown(make(practice=PRACTICE, source=False), copy)["source"] is None


@pytest.mark.parametrize(
    ("fluency", "meaning", "right"), [(5, 4, 1.0), (5, 3, 0.5), (4, 1, 0.0), (5, None, 0.5), (None, None, 0.0)]
)
def test_how_much_of_an_answer_is_right(
    kind: Any, make: Callable[..., Any], fluency: int | None, meaning: int | None, right: float
) -> None:
    campaign = make(practice=PRACTICE)
    answer = {"ratings": [{"fluency": fluency, "meaning": meaning, "simplicity": 1}]}
    assert kind.right(campaign, campaign.settings["gold"]["practice"][0], answer) == right
    told = kind.told(campaign, campaign.settings["gold"]["practice"][0], answer, say("en"))
    assert told.endswith(f": fluency {fluency or '–'}, meaning {meaning or '–'}, simplicity 1")


def test_what_is_refused(make: Callable[..., Any]) -> None:
    with pytest.raises(PlainlyError, match=r"practice\.csv:2: fluency must lie within 1\.\.5, not 7"):
        make(practice="id,source,output,fluency\na,b,c,7\n")
    with pytest.raises(PlainlyError, match=r"practice\.csv:2: a check needs an expected value"):
        make(practice="id,source,output,why\na,b,c,d\n")


def test_checks_of_a_page_fail_as_the_study_counts_them(kind: Any, make: Callable[..., Any]) -> None:
    campaign = make(checks=0.5)
    pages = [task for task in kind.tasks(campaign, 1, []) if task["outputs"][0]["role"] == "check"]
    for task in pages:
        ((scale, expected),) = task["outputs"][0]["expected"].items()
        low, high = map(int, expected.split(".."))
        for value, failed in ((low, 0), (high, 0), (3, 1), (None, 0)):
            answer = {"ratings": [dict.fromkeys(("fluency", "meaning", "simplicity"), 3) | {scale: value}]}
            assert kind.checks(campaign, task, answer) == (1, failed)
    output = kind.tasks(make(checks=0), 1, [])[0]
    assert kind.checks(campaign, output, {"ratings": [dict.fromkeys(("fluency", "meaning", "simplicity"), 3)]}) == (
        0,
        0,
    )


@pytest.mark.parametrize("layout", ["one", "together"])
def test_pages_come_again_without_their_checks(kind: Any, make: Callable[..., Any], layout: str) -> None:
    campaign = make(checks=0.5, repeats=0.5, layout=layout)
    found = dealt(kind, campaign, 1, kind.tasks(campaign, 1, []), 0, 0)
    again = [one.task for one in found if one.role == "repeat"]
    assert again
    for task in again:
        first = found[task["repeats"]].task
        assert task["item"] == first["item"]
        assert task["outputs"] == [output for output in first["outputs"] if output["role"] != "check"]


@pytest.mark.parametrize(
    ("answers", "second", "same"),
    [
        ("likert", {"fluency": 3, "meaning": 4}, 0.5),
        ("likert", {"fluency": 3, "meaning": None}, 1.0),
        ("likert", {"fluency": None, "meaning": None}, None),
        ("slider", {"fluency": 13, "meaning": 16}, 0.5),  # within 10 points of 3 and 5, and not
    ],
)
def test_the_same_rating_twice(
    kind: Any, make: Callable[..., Any], answers: str, second: dict[str, int | None], same: float | None
) -> None:
    campaign = make(answers=answers, scales=["fluency", "meaning"])
    page = {"item": "s1", "outputs": [{"system": "cut", "role": "output"}]}
    first, again = (
        Given(Person("P001", 1), place, page, {"ratings": [values]}, 1.0, "")
        for place, values in enumerate(({"fluency": 3, "meaning": 5}, second))
    )
    assert kind.agreed(campaign, first, again) == same


def test_practice_in_a_browser(
    invite: Callable[..., list[str]], look: Callable[..., Any], stored: Callable[[], list[Given]]
) -> None:
    (link,) = invite(practice=PRACTICE, checks=0, unsure=False)
    page = look(link)
    page.get_by_role("button", name="Start").click()
    for keys, title, more in (
        ("555", "Right.", "It is a copy."),
        ("135", "Right.", "100 % of the practice was right"),
    ):
        page.locator("form.ratings").wait_for()
        assert page.locator("#practice").is_visible()
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.locator(".feedback").wait_for()
        said = page.locator(".feedback").text_content()
        assert title in said
        assert more in said
        page.keyboard.press("Enter")  # on the button, which has the focus
        page.locator(".feedback").wait_for(state="detached")
    assert page.locator("#practice").is_hidden()
    assert page.locator("#count").text_content() == "0/18"
    assert stored() == []
