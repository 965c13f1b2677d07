"""Subsets of participants: each sign by hand, what is refused, and that nothing of others counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.cases import each

from plainly.base.conditions import Condition
from plainly.base.errors import PlainlyError
from plainly.comprehension.analysis import analyse
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.selection import Rules, select
from plainly.comprehension.where import chosen
from plainly.inference import Resampling

PEOPLE = {
    "ann": {"age": "19", "native_language": "Basque"},
    "bea": {"age": "45", "native_language": "Indian languages, other"},
    "cem": {"age": "59", "native_language": "Turkish"},
    "dan": {"age": "", "native_language": ""},
}


@pytest.fixture
def people(answered: Callable[..., Answer]) -> list[Answer]:
    """One answer of each."""
    return [answered(who, "q1", 0, 5.0, fields=fields) for who, fields in PEOPLE.items()]


@each(
    "text, who",
    [
        ("native_language=Basque", "ann"),
        ("native_language = Turkish , Basque", "ann cem"),
        ("native_language=Indian languages, other", "bea"),  # a comma that belongs to the value
        ("native_language=", "dan"),
        ("native_language!=Basque,Turkish", "bea dan"),  # who said nothing did not say these
        ("native_language!=", "ann bea cem"),
        ("age<45", "ann"),
        ("age<=45", "ann bea"),
        ("age>45", "cem"),
        ("age>=45.0", "bea cem"),
    ],
)
def test_each_sign_by_hand(text: str, who: str, people: list[Answer]) -> None:
    assert [answer.participant for answer in chosen(people, [Condition.of(text)])] == who.split()


def test_all_conditions_hold(people: list[Answer]) -> None:
    both = [Condition.of("age>=45"), Condition.of("native_language=Basque,Turkish")]
    assert [answer.participant for answer in chosen(people, both)] == ["cem"]
    assert len(chosen(people, [])) == 4


@each(
    "text, why",
    [
        ("native_language", "a condition is NAME=VALUE,VALUE"),
        ("=Basque", "a condition is NAME=VALUE,VALUE"),
        ("native_langage=Basque", "unknown column 'native_langage'; did you mean 'native_language'"),
        ("native_language=Basque,turkisch", "unknown value of native_language 'turkisch'; did you mean 'Turkish'"),
        ("age<young", "age<young: < needs a number, not 'young'"),
        ("native_language<5", "native_language is no number: 'Basque'"),
        ("age<19", "no participant has age<19"),
    ],
)
def test_what_is_refused(text: str, why: str, people: list[Answer]) -> None:
    with pytest.raises(PlainlyError, match=why):
        chosen(people, [Condition.of(text)])


def test_nothing_is_known_of_participants(four_answers: list[Answer]) -> None:
    with pytest.raises(PlainlyError, match="there is no column 'age'"):
        chosen(four_answers, [Condition.of("age>1")])


def test_others_are_counted_and_change_nothing(four_answers: list[Answer]) -> None:
    """The union of two groups is scored as if nobody else had taken part."""
    level = {"ann": "good", "bob": "some"}
    known = [replace(answer, fields={"level": level[answer.participant]}) for answer in four_answers]
    strangers = [
        replace(answer, participant=f"no {answer.participant}", seconds=99.0, fields={"level": "native"})
        for answer in four_answers
    ]
    everyone = gathered([*known, *strangers])
    rules = Rules(where=(Condition.of("level=good,some"),))
    counts = select(everyone, rules).counts
    assert (counts.answers, counts.others_answers, counts.counted_answers) == (8, 4, 4)
    assert (counts.participants, counts.others_participants, counts.counted_participants) == (4, 2, 2)
    few = Resampling(20)
    found = analyse(everyone, rules=rules, resampling=few)
    alone = analyse(Records(tuple(known)), resampling=few)
    for one, other in zip(found.texts, alone.texts, strict=True):
        assert (one.participants, one.answers, one.correct) == (other.participants, other.answers, other.correct)
        assert one.scores["c-score-simple"] == other.scores["c-score-simple"]
    assert found.texts[0].scores["c-score-simple"].value == pytest.approx(50 / 12)  # see test_scores.py
    assert "|where:level=good,some|" in found.signature
    assert "where" not in alone.signature
