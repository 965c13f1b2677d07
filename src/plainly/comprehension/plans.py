"""Plans in files, to be kept with the answers: CSV with one row a question, or JSONL with one line a participant.

CSV has the columns `experiment`, `seed`, `participant`, `place` (of the text, from 1), `passage`, `version`, `number`
(of the question, from 1), `question` and `answers`: the order in which they are shown, as places in the experiment's
list from 0, with blanks between. The correct answer of an experiment file is at 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.base.records import Target, is_jsonl, opened, write_csv, write_lines
from plainly.comprehension.design import Asked, Plan, Reading, Sheet
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.rows import cell_text, table_rows

COLUMNS = ("experiment", "seed", "participant", "place", "passage", "version", "number", "question", "answers")


def write_plan(plan: Plan, target: Target) -> None:
    """Write it as CSV, a row a question, or as JSONL, a line a sheet, if the name ends so."""
    with opened(target) as out:
        if is_jsonl(target):
            head = {"experiment": plan.experiment, "seed": plan.seed}
            write_lines(({**head, **asdict(sheet)} for sheet in plan.sheets), out)
        else:
            write_csv(COLUMNS, _rows(plan), out)


def read_plan(path: str | Path) -> Plan:
    """The plan of a file that `write_plan` wrote."""
    sheets: dict[int, list[tuple[str, str, list[Asked]]]] = {}
    heads: set[tuple[str, int]] = set()
    for place, row in table_rows(path):
        heads.add((cell_text(row.get("experiment"), place, "experiment"), _number(row, "seed", place)))
        if len(heads) > 1:
            raise PlainlyError("another experiment or seed than above; a file holds one plan", place=place)
        participant = _number(row, "participant", place)
        if "readings" in row:
            if participant in sheets:
                raise PlainlyError(f"participant {participant} is there twice", place=place)
            sheets[participant] = list(_readings(row["readings"], place))
            continue
        _add(sheets.setdefault(participant, []), row, place)
    if not sheets:
        raise PlainlyError(f"{shown(str(path))} holds no plan")
    (experiment, seed), *_ = heads
    return Plan(
        experiment,
        seed,
        tuple(
            Sheet(participant, tuple(Reading(passage, version, tuple(asked)) for passage, version, asked in texts))
            for participant, texts in sheets.items()
        ),
    )


def _rows(plan: Plan) -> Iterator[tuple[str | int, ...]]:
    for sheet in plan.sheets:
        for place, reading in enumerate(sheet.readings, 1):
            for number, asked in enumerate(reading.questions, 1):
                head = (plan.experiment, plan.seed, sheet.participant)
                text = (place, reading.passage, reading.version)
                yield (*head, *text, number, asked.question, " ".join(map(str, asked.answers)))


def _add(texts: list[tuple[str, str, list[Asked]]], row: Mapping[str, Any], place: Place) -> None:
    """One more question of a participant. Texts and questions come in their order."""
    for name in COLUMNS:
        if not cell_text(row.get(name), place, name):
            raise PlainlyError(f"{name} is missing", place=place)
    text, passage, version = _number(row, "place", place), str(row["passage"]), str(row["version"])
    if text == len(texts) + 1:
        texts.append((passage, version, []))
    if text != len(texts) or texts[-1][:2] != (passage, version):
        raise PlainlyError(f"text {text} of this participant is out of order", place=place)
    asked = texts[-1][2]
    if _number(row, "number", place) != len(asked) + 1:
        raise PlainlyError(f"question {row['number']} is out of order", place=place)
    asked.append(Asked(str(row["question"]), _order(str(row["answers"]).split(), place)))


def _readings(content: Any, place: Place) -> Iterator[tuple[str, str, list[Asked]]]:
    try:
        for reading in content:
            asked = [Asked(str(item["question"]), _order(item["answers"], place)) for item in reading["questions"]]
            yield str(reading["passage"]), str(reading["version"]), asked
    except (TypeError, KeyError):
        raise PlainlyError(
            "readings is a list of passage, version and questions (question, answers)", place=place
        ) from None


def _order(numbers: list[Any], place: Place) -> tuple[int, ...]:
    texts = [str(number) for number in numbers]
    found = tuple(int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) < 4)
    if not found or len(found) < len(texts) or sorted(found) != list(range(len(found))):
        raise PlainlyError("answers must be an order of the numbers from 0 on, as 2 0 1 3", place=place)
    return found


def _number(row: Mapping[str, Any], name: str, place: Place) -> int:
    text = cell_text(row.get(name), place, name)
    if not (text.isascii() and text.isdecimal()):
        raise PlainlyError(f"{name} must be a whole number from 0 on", place=place)
    return int(text)
