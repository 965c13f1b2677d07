"""Plans: what they promise, for any experiment and any number of participants."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.comprehension.design import Asked, Plan, Reading, Sheet, block_size, make_plan, williams_square
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.plans import write_plan
from plainly.comprehension.simulation import made_up_experiment

from ..cases import each

PAPER = made_up_experiment()
SIZES = st.tuples(st.integers(2, 4), st.integers(1, 3), st.integers(1, 40), st.integers(0, 2**40))


def _experiment(versions: int, times: int) -> Experiment:
    return made_up_experiment(versions * times, (1, 4, 5), (2, 5), tuple(f"v{number}" for number in range(versions)))


def _counts(plan: Plan, *names: str) -> Counter[Any]:
    """How often passages, versions and places come together."""
    return Counter(
        tuple({"passage": item.passage, "version": item.version, "place": place}[name] for name in names)
        for sheet in plan.sheets
        for place, item in enumerate(sheet.readings)
    )


@given(SIZES)
def test_what_each_participant_reads(size: tuple[int, int, int, int]) -> None:
    versions, times, participants, seed = size
    experiment = _experiment(versions, times)
    plan = make_plan(experiment, participants, seed)
    assert [sheet.participant for sheet in plan.sheets] == list(range(1, participants + 1))
    for sheet in plan.sheets:
        # Every passage once: so never two versions of one.
        assert sorted(item.passage for item in sheet.readings) == sorted(item.id for item in experiment.passages)
        assert set(Counter(item.version for item in sheet.readings).values()) == {times}
        places = [experiment.version_ids.index(item.version) for item in sheet.readings]
        assert all((after - before) % versions == 1 for before, after in pairwise(places))  # they alternate
        for reading in sheet.readings:
            asked = {question.id: question for question in experiment.passage(reading.passage).questions}
            assert sorted(item.question for item in reading.questions) == sorted(asked)
            for item in reading.questions:
                assert sorted(item.answers) == list(range(len(asked[item.question].answers)))


@given(SIZES)
def test_balance_after_any_number_of_participants(size: tuple[int, int, int, int]) -> None:
    versions, times, participants, seed = size
    experiment = _experiment(versions, times)
    plan = make_plan(experiment, participants, seed)
    read = _counts(plan, "passage", "version")
    for passage in experiment.passages:
        counts = [read[passage.id, version] for version in experiment.version_ids]
        assert max(counts) - min(counts) <= 1
    shown = Counter(
        (item.question, place, answer)
        for sheet in plan.sheets
        for reading in sheet.readings
        for item in reading.questions
        for place, answer in enumerate(item.answers)
    )
    for passage in experiment.passages:
        for question in passage.questions:
            answers = range(len(question.answers))
            counts = [shown[question.id, place, answer] for place in answers for answer in answers]
            assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(("versions", "times"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)])
def test_balance_after_a_block(versions: int, times: int) -> None:
    passages = versions * times
    block = block_size(passages, versions)
    plan = make_plan(_experiment(versions, times), 2 * block, 7)
    assert len(set(_counts(plan, "passage", "version", "place").values())) == 1
    assert len(_counts(plan, "passage", "version", "place")) == passages * versions * passages
    after = Counter(
        (before.passage, item.passage) for sheet in plan.sheets for before, item in pairwise(sheet.readings)
    )
    assert len(after) == passages * (passages - 1)
    assert len(set(after.values())) == 1


@each("size", range(1, 12))
def test_williams_square(size: int) -> None:
    """Williams (1949): n orders if n is even, else 2 n; each thing follows each other equally often."""
    rows = williams_square(size)
    times = 1 if size % 2 == 0 or size == 1 else 2
    assert len(rows) == size * times
    assert set(Counter((place, thing) for row in rows for place, thing in enumerate(row)).values()) == {times}
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert set(follows.values()) <= {times}
    assert len(follows) == size * (size - 1)


def test_the_orders_of_the_paper() -> None:
    """Four texts, two of each kind, in one of two sequences."""
    sequences = Counter(
        "-".join(item.version for item in sheet.readings) for sheet in make_plan(PAPER, 104, 1).sheets
    )
    assert sequences == {
        "complex-simplified-complex-simplified": 52,
        "simplified-complex-simplified-complex": 52,
    }


def test_a_longer_plan_begins_with_the_shorter() -> None:
    short, long = make_plan(PAPER, 13, 5), make_plan(PAPER, 60, 5)
    assert long.sheets[:13] == short.sheets
    assert make_plan(PAPER, 13, 6).sheets != short.sheets


@settings(max_examples=15)
@given(SIZES, st.sampled_from(["csv", "jsonl"]))
def test_files(tmp_path_factory: pytest.TempPathFactory, size: tuple[int, int, int, int], ending: str) -> None:
    versions, times, participants, seed = size
    plan = make_plan(_experiment(versions, times), participants, seed)
    path = tmp_path_factory.mktemp("plans") / f"plan.{ending}"
    write_plan(plan, path)
    assert _plan_of(path) == plan


def _plan_of(path: Path) -> Plan:
    """The plan that a file holds, question by question."""
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines())) if path.suffix == ".csv" else []
    sheets: dict[int, dict[tuple[str, str], list[Asked]]] = {}
    for row in rows:
        texts = sheets.setdefault(int(row["participant"]), {})
        asked = texts.setdefault((row["passage"], row["version"]), [])
        assert (int(row["place"]), int(row["number"])) == (len(texts), len(asked) + 1)
        asked.append(Asked(row["question"], tuple(map(int, row["answers"].split()))))
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for row in rows:
            sheets[row["participant"]] = {
                (reading["passage"], reading["version"]): [
                    Asked(asked["question"], tuple(asked["answers"])) for asked in reading["questions"]
                ]
                for reading in row["readings"]
            }
    ((experiment, seed),) = {(row["experiment"], int(row["seed"])) for row in rows}
    made = (
        Sheet(number, tuple(Reading(*text, tuple(asked)) for text, asked in texts.items()))
        for number, texts in sheets.items()
    )
    return Plan(experiment, seed, tuple(made))


@pytest.mark.parametrize(
    ("passages", "versions", "participants", "message"),
    [
        (3, ("a", "b"), 4, "3 passages cannot be shared out equally between 2 versions"),
        (2, ("a",), 4, "has one version only"),
        (2, ("a", "b"), 0, "1 to 100000 participants, not 0"),
        (2, ("a", "b"), 10**9, "1 to 100000 participants"),
    ],
)
def test_refused(passages: int, versions: tuple[str, ...], participants: int, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        make_plan(made_up_experiment(passages, versions=versions), participants)
