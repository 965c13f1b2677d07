"""A practice passage, instructed questions, and questions that are asked once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.base import Campaign, Given, Kind, Person
from plainly.studio.kinds.gold import dealt, practice_for
from plainly.studio.texts import say

PRACTICE = """\
name: practice
lang: en
passages:
  - id: tea
    seconds: 20
    versions:
      - {id: only, text: "Boil the water. Then pour it over the leaves."}
    questions:
      - id: tea-1
        text: What comes first?
        correct: The water boils.
        distractors: [It is poured., It cools.]
why: {tea-1: The first sentence says it.}
"""
CHECKS = """\
questions:
  - {text: "Please choose the second answer.", answers: [One, Two, Three], correct: 2}
"""
Make = Callable[..., Campaign]


def test_a_practice_passage(kind: Kind, make_campaign: Make) -> None:
    campaign = make_campaign(practice=PRACTICE)
    tasks = [one.task for one in practice_for(kind, campaign, 1, 1)]
    shown = [kind.shown(campaign, task) for task in tasks]
    assert [one["phase"] for one in shown] == ["ready", "reading", "ready", "question"]
    assert {(one["text"], one["texts"], one["questions"]) for one in shown} == {(1, 1, 1)}
    assert (shown[0]["seconds"], shown[1]["seconds"]) == (20, 20)
    assert shown[1]["words"] == "Boil the water. Then pour it over the leaves."
    assert [len(task.keys() & {"expected"}) for task in tasks] == [0, 0, 0, 1]
    question = tasks[-1]
    assert sorted(shown[-1]["answers"]) == ["It cools.", "It is poured.", "The water boils."]
    place = shown[-1]["answers"].index("The water boils.")
    for chosen in (None, 0, 1, 2):
        answer = kind.checked(campaign, question, {"place": chosen, "over": False})
        assert kind.right(campaign, question, answer) == float(chosen == place)
        said = "–" if chosen is None else f"{shown[-1]['answers'][chosen]} {'✓' if chosen == place else '✗'}"
        assert kind.told(campaign, question, answer, say("en")) == f"What comes first? {said}"
    assert [kind.told(campaign, task, {}, say("en")) for task in tasks[:3]] == ["", "", ""]
    assert (kind.expected(campaign, question, say("de")), question["why"]) == (
        "The water boils.",
        "The first sentence says it.",
    )
    orders = {str(kind.varied(question, np.random.default_rng(seed))["answers"]) for seed in range(30)}
    assert len(orders) == 6


def test_checks_and_repeats_stand_behind_the_questions_of_a_text(kind: Kind, make_campaign: Make) -> None:
    campaign = make_campaign(checks=CHECKS, repeats=0.25)  # 8 questions, 2 of them once more
    tasks = kind.tasks(campaign, 1, [])
    before = [kind.shown(campaign, task) for task in tasks]
    found = dealt(kind, campaign, 1, tasks, 0, 0)
    assert [one.task["phase"] for one in found if not one.role] == [one["phase"] for one in before]
    assert sorted(one.role for one in found if one.role) == ["check", "repeat", "repeat"]
    for text in (1, 2):
        block = [one for one in found if one.task["text"] == text]
        roles = [one.role for one in block]
        assert not any(roles[: 3 + 4])  # ready, the passage, ready, four questions
        shown = [kind.shown(campaign, one.task) for one in block]
        assert {one["questions"] for one in shown} == {len(block) - 3}
        assert [one["number"] for one in shown[3:]] == list(range(1, len(block) - 2))
    (check,) = (one.task for one in found if one.role == "check")
    assert kind.shown(campaign, check)["answers"] == ["One", "Two", "Three"]  # "the second" must be the second
    assert [kind.checks(campaign, check, {"place": place})[1] for place in (None, 0, 1, 2)] == [1, 1, 0, 1]
    for one in found:
        if one.role == "repeat":
            first = found[one.task["repeats"]].task
            assert one.task["question"] == first["question"]
            assert one.task["answers"] == list(reversed(first["answers"]))
            assert first["number"] <= 2  # two questions come in between


def test_without_them_nothing_changes(kind: Kind, make_campaign: Make, campaign: Campaign) -> None:
    tasks = kind.tasks(campaign, 1, [])
    assert [one.task for one in dealt(kind, campaign, 1, tasks, 0, 0)] == kind.tasks(campaign, 1, [])
    assert kind.shown(campaign, tasks[0])["questions"] == 4


@pytest.mark.parametrize(("first", "second", "same"), [(0, 3, 1.0), (0, 0, 0.0), (None, 1, None), (2, None, None)])
def test_the_same_answer_wherever_it_stands(
    kind: Kind, campaign: Campaign, first: int | None, second: int | None, same: float | None
) -> None:
    person = Person("P001", 1)
    task: dict[str, Any] = {"answers": [2, 0, 3, 1]}
    before = Given(person, 3, task, {"place": first}, 1.0, "")
    again = Given(person, 9, {"answers": [1, 3, 0, 2]}, {"place": second}, 1.0, "")
    assert kind.agreed(campaign, before, again) == same


@pytest.mark.parametrize(
    ("slot", "content", "words"),
    [
        (
            "checks",
            "questions: [{text: Why, answers: [b, c], correct: 3}]",
            "correct is the number of the right answer",
        ),
        ("checks", "questions: [{text: Why, answers: [b], correct: 1}]", "it needs 2 to 26 different answers"),
        ("checks", "questions: [{text: Why, answers: [b, b], correct: 1}]", "it needs 2 to 26 different answers"),
        ("checks", "questions: []", "questions are missing"),
        ("checks", "items: []", "a file of checks is a table with questions"),
        ("practice", PRACTICE.replace("tea-1: The", "tea-2: The"), "why: unknown question 'tea-2'"),
        ("practice", PRACTICE.replace("passages", "passage"), "passage"),
    ],
)
def test_what_is_refused(make_campaign: Make, slot: str, content: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=f"{slot}\\.yaml.*{words}"):
        make_campaign(**{slot: content})


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_practice_in_a_browser(hall: Any, look: Callable[..., Any], experiment_text: str) -> None:
    page = look(hall.open(experiment_text, practice=PRACTICE).invite())
    page.set_default_timeout(20_000)
    page.get_by_label("How old are you?").fill("30")
    page.get_by_label("well", exact=True).check()
    page.get_by_label("I agree.").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Show the text").click()
    page.get_by_role("button", name="I have read the text").click()
    page.get_by_role("button", name="Start the questions").click()
    page.get_by_text("The water boils.").click()
    page.keyboard.press("Enter")
    page.locator(".feedback[data-right=yes]").wait_for()
    said = page.locator(".feedback").text_content()
    assert "The first sentence says it." in said
    assert "100 % of the practice was right. Now the study begins." in said
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Show the text").wait_for()
    assert page.locator("#practice").is_hidden()
    assert hall.gathered[2] == []
