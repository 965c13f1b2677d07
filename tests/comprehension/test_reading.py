"""How fast texts are read: worked by hand, against other programs, and on readers whose speed is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.comprehension import Analysis, Answer, Experiment, analyse, gathered, made_up_experiment, simulated
from plainly.comprehension.findings import findings
from plainly.comprehension.formats import read_records, write_records
from plainly.comprehension.reading import readings_of
from plainly.findings import printed
from plainly.inference import Resampling

Make = Callable[..., Answer]
FEW = Resampling(resamples=50)


def read(answers: list[Answer], milliseconds: dict[str, str]) -> list[Answer]:
    """The answers with the reading times of their participants."""
    return [
        replace(answer, fields={**answer.fields, "reading_time": milliseconds.get(answer.participant, "")})
        for answer in answers
    ]


@pytest.fixture
def four_readers(answered: Make) -> list[Answer]:
    """Two of each version, each with two answers. Both versions have 8 words."""
    versions = {"ann": "complex", "ben": "complex", "cem": "simplified", "dan": "simplified"}
    answers = [
        answered(who, question, 0, 10.0, version=version, row=row)
        for row, (who, version) in enumerate(versions.items())
        for question in ("q1", "q2")
    ]
    return read(answers, {"ann": "8000", "ben": "2000", "cem": "4000", "dan": "1000"})


def test_by_hand(four_readers: list[Answer], by_hand: Experiment) -> None:
    """8 words in 8, 2, 4 and 1 seconds are 60, 240, 120 and 480 words per minute: geometric means of 120 and 240,
    and 4 and 2 seconds. Log rates of both versions have a standard deviation of log 4 / sqrt(2)."""
    found = analyse(gathered(four_readers, by_hand), by_hand, resampling=FEW)
    rows = {row.version: row for row in found.reading}
    assert rows["complex"].words_per_minute.value == pytest.approx(120)
    assert rows["simplified"].words_per_minute.value == pytest.approx(240)
    assert [rows[name].seconds for name in ("complex", "simplified")] == pytest.approx([4, 2])
    assert {(row.words, row.participants) for row in found.reading} == {(8, 2)}
    whole, single = found.reading_tests
    assert (whole.passage, single.passage) == (None, "1")
    for test in (whole, single):
        assert (test.of_version, test.of_baseline) == pytest.approx((240, 120))
        assert test.difference.value == pytest.approx(2)
        assert test.effect == pytest.approx(math.log(2) / (math.log(4) / math.sqrt(2)))
        assert (test.participants, test.answers) == (4, 4)
        assert test.p == pytest.approx(exact_p([60, 240, 120, 480], [-1, -1, 1, 1]))


def exact_p(rates: list[float], sides: list[int]) -> float:
    """From every way to exchange the sides, with loops and nothing else."""

    def difference(labels: list[int]) -> float:
        one, other = ([math.log(r) for r, s in zip(rates, labels, strict=True) if s == side] for side in (1, -1))
        return sum(one) / len(one) - sum(other) / len(other) if one and other else math.nan

    observed = abs(difference(sides))
    tried = [
        difference([side * (-1 if number >> place & 1 else 1) for place, side in enumerate(sides)])
        for number in range(2 ** len(sides))
    ]
    tried = [value for value in tried if not math.isnan(value)]
    return sum(abs(value) >= observed - 1e-9 for value in tried) / len(tried)


def with_speeds(people: int, faster: float, seed: int) -> tuple[Experiment, list[Answer]]:
    """Simulated answers, of readers who read other versions than the first faster; with `faster` 1, as fast."""
    experiment = made_up_experiment(passages=2)
    draw = np.random.default_rng(seed)
    speed = {str(number): 200 * math.exp(draw.normal(0, 0.3)) for number in range(1, people + 1)}
    times: dict[tuple[str, str], str] = {}
    answers = []
    for answer in simulated(experiment, people, seed=seed).answers:
        rate = speed[answer.participant] * (faster if answer.version == "simplified" else 1)
        key = (answer.participant, answer.passage)
        # 16 sentences of 10 words each: "Part 1 of 1 is complex and says one thing."
        times.setdefault(key, f"{60_000 * 160 / (rate * math.exp(draw.normal(0, 0.1))):.0f}")
        answers.append(replace(answer, fields={**answer.fields, "reading_time": times[key]}))
    return experiment, answers


def test_a_known_effect_is_found_and_said_in_both_languages() -> None:
    experiment, answers = with_speeds(40, 1.25, seed=3)
    found = analyse(gathered(answers, experiment), experiment, resampling=Resampling(resamples=200))
    whole = found.reading_tests[0]
    assert whole.significant
    assert 1.25 in whole.difference
    told = findings(found, brief=True)
    assert [name for name in told.names if "reading" in name] == ["reading", "reading-tests"]
    percent = f"{100 * (whole.difference.value - 1):.0f}"
    assert f"faster reading with simplified than with complex: supported: {percent}% more words per minute" in (
        printed(told)
    )
    german = printed(told, lang="de")
    assert f"Schnelleres Lesen mit simplified als mit complex: bestätigt: {percent} % mehr Wörter" in german
    assert "Wie schnell wird jeder Text gelesen?" in german
    assert not [table.question for table in told.tables if table.question.text("de") == table.question.text()]
    (chart,) = [chart for chart in findings(found).charts if chart.name == "reading"]
    assert [row["text"] for row in chart.spec["data"]["values"]][:2] == ["1, complex", "1, simplified"]


def test_slower_reading_is_the_opposite_and_no_effect_is_not_shown() -> None:
    for faster, said in ((0.8, "the opposite holds"), (1.0, "not shown")):
        experiment, answers = with_speeds(40, faster, seed=5)
        found = analyse(gathered(answers, experiment), experiment, resampling=FEW)
        verdict = found.reading_tests[0].verdict.text()
        assert verdict.startswith(said)
        assert "words per minute" in verdict


def test_no_effect_is_seldom_shown() -> None:
    """40 experiments without any effect: 2 are expected below .05, and more than 6 in one of 200 cases."""
    small = 0
    for seed in range(40):
        experiment, answers = with_speeds(16, 1.0, seed=100 + seed)
        found = analyse(
            gathered(answers, experiment), experiment, resampling=Resampling(resamples=2), permutations=400
        )
        small += found.reading_tests[0].p < 0.05
    assert small <= 6


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """The geometric mean of all readers' rates is 200. 95% of 200 intervals: 190, and at least 180 in all but 1 of
    a thousand cases."""
    held = 0
    for seed in range(200):
        experiment, answers = with_speeds(24, 1.0, seed=1000 + seed)
        found = analyse(
            gathered(answers, experiment), experiment, resampling=Resampling(resamples=400), permutations=1
        )
        held += 200 in found.reading[0].words_per_minute
    assert held >= 180


def test_what_answers_say_is_untouched_by_reading_times(four_readers: list[Answer], by_hand: Experiment) -> None:
    def told(found: Analysis) -> object:
        return (found.texts, found.pairs, found.hypotheses, found.items)

    timed = analyse(gathered(four_readers, by_hand), by_hand, resampling=FEW)
    plain = analyse(gathered(read(four_readers, {}), by_hand), by_hand, resampling=FEW)
    assert repr(told(timed)) == repr(told(plain))  # NaN is not NaN
    assert (plain.reading, plain.reading_tests) == ((), ())
    assert not [name for name in findings(plain).names if "reading" in name]
    assert not [chart for chart in findings(plain).charts if chart.name == "reading"]


def test_times_that_cannot_be_right(four_readers: list[Answer], by_hand: Experiment) -> None:
    answers = read(four_readers, {"ann": "0", "ben": "90000000", "cem": "4000", "dan": "1000"})
    found = readings_of(answers, by_hand)
    assert [one.participant for one in found.all] == ["cem", "dan"]
    assert [note.text() for note in found.notes] == [
        "left out: 2 readings with a reading_time of 0, less, or more than a day"
    ]
    several = [replace(four_readers[0], fields={"reading_time": "1000"}, order=5), *four_readers]
    found = readings_of(several, by_hand)
    assert found.all[0].seconds == 8
    assert [note.text() for note in found.notes] == [
        "1 reading with several values of reading_time: the first one counts"
    ]
    with pytest.raises(PlainlyError, match="reading_time must be a number of milliseconds, not 'soon'"):
        readings_of(read(four_readers, {"ann": "soon"}), by_hand)


def test_a_reading_that_the_limit_ended_is_counted(four_readers: list[Answer], by_hand: Experiment) -> None:
    found = readings_of(four_readers, replace(by_hand, reading_seconds=4))
    assert [one.cut for one in found.all] == [True, False, True, False]
    assert "2 readings lasted as long as the text was shown" in found.notes[0].text()


def test_times_in_other_units_are_asked_about(four_readers: list[Answer], by_hand: Experiment) -> None:
    def scaled(factor: float) -> list[Answer]:
        return [
            replace(answer, fields={"reading_time": str(float(answer.fields["reading_time"]) * factor)})
            for answer in four_readers
        ]

    assert readings_of(scaled(1), by_hand).notes == ()
    # 8 words in 8, 2, 4 and 1 seconds are 60, 240, 120 and 480 words per minute, whose median is above 100.
    (fast,) = readings_of(scaled(1 / 1000), by_hand).notes
    assert "words per minute; is reading_time in seconds?" in fast.text()
    assert "ist reading_time in Sekunden?" in fast.text("de")
    (slow,) = readings_of(scaled(1000), by_hand).notes
    assert "words per minute; is reading_time in milliseconds?" in slow.text()
    assert "ist reading_time in Millisekunden?" in slow.text("de")


def test_without_the_experiment_a_note_says_what_is_missing(four_readers: list[Answer]) -> None:
    found = analyse(gathered(four_readers), resampling=FEW)
    assert found.reading == ()
    assert "there are reading times, but words per minute need the experiment" in map(str, found.notes)


def test_an_empty_table_says_what_reading_takes(four_readers: list[Answer], by_hand: Experiment) -> None:
    def notes(answers: list[Answer]) -> list[str]:
        found = analyse(gathered(answers, by_hand), by_hand, resampling=FEW, permutations=1)
        return [str(note.message) for note in findings(found, table="reading-tests").notes]

    untimed = (
        "there is nothing to show in the table reading-tests: it takes a column reading_time, and the experiment"
    )
    assert untimed in notes(read(four_readers, {}))
    of_one_version = notes([answer for answer in four_readers if answer.version == "complex"])
    assert "there is nothing to show in the table reading-tests" in of_one_version
    assert "no passage was read in two versions: there is nothing to compare" in of_one_version


def test_from_a_file(four_readers: list[Answer], by_hand: Experiment, tmp_path: Path) -> None:
    path = str(tmp_path / "answers.csv")
    write_records(four_readers, path)
    found = analyse(read_records(path, by_hand), by_hand, resampling=FEW)
    assert found.reading_tests[0].difference.value == pytest.approx(2)
