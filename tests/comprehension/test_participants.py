"""Who took part: each participant once, in bands or by what is commonest, and in a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from plainly.comprehension.analysis import analyse
from plainly.comprehension.experiment import Experiment, Field
from plainly.comprehension.findings import findings
from plainly.comprehension.participants import MOST_VALUES, took_part
from plainly.comprehension.records import Answer, gathered
from plainly.comprehension.simulation import made_up_experiment, simulated
from plainly.inference import Resampling


def people(answered: Callable[..., Answer], said: Sequence[Mapping[str, str]]) -> list[Answer]:
    """Two answers of each."""
    return [
        answered(str(number), question, 0, 5.0, fields=fields)
        for number, fields in enumerate(said)
        for question in ("q1", "q2")
    ]


def test_values_by_how_common_they_are(answered: Callable[..., Answer]) -> None:
    said = [{"native_language": name} for name in ("Thai", "Basque", "", "Basque", "Basque")]
    (found,) = took_part(people(answered, said), [], None)
    assert [(str(group.name), group.participants, group.answers) for group in found.groups] == [
        ("Basque", 3, 6),
        ("Thai", 1, 2),
        ("not said", 1, 2),
    ]
    assert found.people == 5


def test_many_numbers_are_shown_in_bands(answered: Callable[..., Answer]) -> None:
    ages = (19, 20, 29, 30, 41, 58, 59, 59)
    answers = people(answered, [{"age": str(age)} for age in ages])
    (found,) = took_part(answers, [], None)
    assert [(str(group.name), group.participants) for group in found.groups] == [
        ("under 20", 1),
        ("20 to under 30", 2),
        ("30 to under 40", 1),
        ("40 to under 50", 1),
        ("50 and over", 3),
    ]
    (asked,) = took_part(answers, ["age:30:59"], None)  # in place of the bands
    assert [(str(group.name), group.participants) for group in asked.groups] == [
        ("under 30", 3),
        ("30 to under 59", 3),
        ("59 and over", 2),
    ]
    far = people(answered, [{"age": str(age)} for age in (1, 2, 3, 4, 5, 6, 1500)])
    (found,) = took_part(far, [], None)
    assert [str(group.name) for group in found.groups] == ["under 1000", "1000 and over"]


def test_rare_values_count_together_unless_asked_for(answered: Callable[..., Answer]) -> None:
    answers = people(answered, [{"profession": f"p{number}"} for number in range(MOST_VALUES + 3)])
    (short,), (full,) = took_part(answers, [], None), took_part(answers, ["profession"], None)
    assert (str(short.groups[-1].name), short.groups[-1].participants) == ("3 other values", 3)
    assert len(full.groups) == MOST_VALUES + 3
    assert short.people == full.people == MOST_VALUES + 3


def test_table_and_picture_say_the_same() -> None:
    answers = [
        replace(one, fields={**one.fields, "gender": ""}) for one in simulated(made_up_experiment(), 24).answers
    ]
    told = findings(analyse(gathered(answers), resampling=Resampling(20), permutations=99))
    table = next(table for table in told.tables if table.name == "participants")
    assert {str(row[0]) for row in table.rows} == {"age", "level"}  # nobody said a gender
    drawn = [(row["group"], row["participants"]) for chart in told.charts for row in chart.spec["data"]["values"]]
    assert drawn == [(str(row[1]), row[2]) for row in table.rows]
    assert sum(count for _, count in drawn) == 2 * 24
    first = f"{drawn[0][0]} {drawn[0][1]}; "
    assert told.charts[0].words.text().startswith(f"Participants: {first}")
    assert told.charts[0].words.text("de").startswith("Teilnehmende: unter ")


def test_what_people_wrote_freely_is_not_shown_unasked(answered: Callable[..., Answer], by_hand: Experiment) -> None:
    form = (Field("name", "Your name?"), Field("dyslexia", "Dyslexia?", "yes-no"))
    answers = people(answered, [{"name": "Ann Lee", "dyslexia": "yes"}, {"name": "Bo Li", "dyslexia": "no"}])
    experiment = replace(by_hand, form=form)
    assert [found.column for found in took_part(answers, [], experiment)] == ["dyslexia"]
    assert [found.column for found in took_part(answers, ["name"], experiment)] == ["name", "dyslexia"]
