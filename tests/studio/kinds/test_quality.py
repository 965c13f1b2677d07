"""How far people agree with themselves, with an interval that knows whose answers they are; and checks."""

from __future__ import annotations

import math
from types import ModuleType

import pytest

from plainly.inference.proportions import share
from plainly.studio.kinds.base import Campaign, Given, Person
from plainly.studio.kinds.dashboards import Summary
from plainly.studio.kinds.dealt import CHECK, PRACTICE, REPEAT, STUDY, Role
from plainly.studio.kinds.quality import agreement_with_oneself, with_quality
from plainly.studio.texts import say


def test_independent_answers_have_wilsons_interval() -> None:
    # Eight people with a repeat each, six of them the same: one answer a person is no cluster, but
    # 8/7 * sum((y - 0.75)^2) / 64 = 8/7 * 1.5 / 64 = 0.0267857; alone: 0.75 * 0.25 / 8 = 0.0234375; effect 8/7.
    found = agreement_with_oneself([[1.0]] * 6 + [[0.0]] * 2)
    expected = share(6 * 7 / 8, 7)
    assert (found.value, found.n) == (0.75, 8)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_answers_of_one_person_are_alike() -> None:
    # Two people, four repeats each, one always the same, one never: 2/1 * (2^2 + 2^2) / 64 = 0.25, alone 0.03125:
    # the effect is 8, so there is one answer's worth of knowledge.
    found = agreement_with_oneself([[1.0] * 4, [0.0] * 4])
    expected = share(0.5, 1)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, expected.low, expected.high))


def test_whoever_always_agrees_may_still_be_wrong_next_time() -> None:
    found = agreement_with_oneself([[1.0] * 5, [], [1.0] * 5])
    assert (found.value, found.high, found.n) == (1.0, 1.0, 10)
    assert found.low == pytest.approx(share(10, 10).low)
    assert math.isnan(agreement_with_oneself([[], []]).value)


def test_the_dashboard_says_it(toy: ModuleType) -> None:
    campaign = Campaign("c", "toy", "x", "en", 1, {}, toy.material("cat", "dog").items)
    kind, person = toy.Toy(), Person("P001", 1)

    def given(place: int, yes: bool, role: Role = STUDY, **more: object) -> Given:
        task = {"item": "w0", **more}
        return Given(person, place, task, {"yes": yes}, 1.0, "2026-01-01T00:00:00+00:00", 0, role)

    study = [given(0, True), given(1, False)]
    beside = [
        given(2, True, CHECK, expected={"yes": False}),
        given(3, True, CHECK, expected={"yes": True}),
        given(4, True, REPEAT, repeats=0),
        given(5, True, REPEAT, repeats=1),
        given(6, True, REPEAT, repeats=99),  # the first answer was taken back
    ]
    before = Summary(suspicious={"P001": ("too quick",)})
    found = with_quality(before, kind, campaign, study, beside, say("en"))
    assert [(one.label, one.number.value) for one in found.headlines] == [
        ("Failed attention checks", 1),
        ("Same answer the second time, %", 50.0),
    ]
    assert found.suspicious == {"P001": ("too quick", "failed 1 of 2 attention checks")}
    assert found.tables[0].rows == (("P001", 2, 1, 2, 50.0),)
    assert with_quality(before, kind, campaign, study, [], say("en")) == before


def test_who_came_no_further_than_practice_is_not_counted_among_those_who_had_checks(toy: ModuleType) -> None:
    campaign = Campaign("c", "toy", "x", "en", 1, {}, toy.material("cat", "dog").items)

    def given(number: int, place: int, role: Role, **more: object) -> Given:
        person, task = Person(f"P00{number}", number), {"item": "w0", **more}
        return Given(person, place, task, {"yes": True}, 1.0, "2026-01-01T00:00:00+00:00", 0, role)

    wrong, right = {"expected": {"yes": False}}, {"expected": {"yes": True}}
    beside = [given(1, 1, CHECK, **wrong), given(2, 1, CHECK, **right), given(3, -1, PRACTICE, **wrong)]
    found = with_quality(Summary(), toy.Toy(), campaign, [given(1, 0, STUDY), given(2, 0, STUDY)], beside, say("en"))
    assert found.message == ("Careful: 1 of 2 people failed attention checks (P001).",)
