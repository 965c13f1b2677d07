"""Answers in files: CSV, TSV or JSONL, with the columns of Table 1 of Temnikova and Maneva (2013).

Needed are `user`, `pair` (the passage), `text` (its version), `question`, `answer` (a number from 0, as the
experiment lists them; empty where none was given) and `time` (milliseconds). There may be `completed` and `correct`
(0 or 1), `order`, and `version` (the name of the version, where `text` is only a number). Rows with a reason in
`left_out` do not count. All other columns, such as `entry`, `age`, `gender`, `profession`, `domain_background`,
`native_language` and `level`, are kept as they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plainly.base import records
from plainly.base.errors import Place, PlainlyError, Remedy
from plainly.base.records import Target
from plainly.comprehension.records import MILLISECONDS, MOST_SHOWN, OF_READERS, Answer, FaultRule, Records, gathered
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.frames import NAME
from plainly.corpus.readers.left_out import counted_rows
from plainly.corpus.readers.rows import Needed, any_text, cell_text, table_rows

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

NEEDED = ("user", "pair", "text", "question", "answer", "time")
COLUMNS = (*NEEDED, "completed", "correct", "order", "version")
PARTICIPANT = ("entry", *OF_READERS)
"""The other columns of Table 1, in its order; they come first in files that plainly writes."""

OTHER_WORDS = {
    "user": ("participant", "subject", "worker", "workerid", "pid", "rater", "reader"),
    "pair": ("passage", "item", "story"),
    "text": ("version", "condition"),
    "question": ("questionid",),
    "answer": ("response", "choice"),
    "time": ("rt", "duration", "ms"),
}
"""What columns are called in files of others; a file with such names is not read, but its reader is told."""
YES_NO = {"1": True, "y": True, "yes": True, "true": True, "0": False, "n": False, "no": False, "false": False}


def read_records(
    path: Any,
    experiment: Experiment | None = None,
    faults: FaultRule = "refuse",
    by: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> Records:
    """The answers of a file or a data frame, checked by `plainly.comprehension.records.gathered`.

    `columns` says what columns are called there, as {"user": "PROLIFIC_PID"}.
    """
    return gathered(read_answers(path, columns), experiment, faults, by)


def read_answers(path: Any, columns: Mapping[str, str] | None = None) -> list[Answer]:
    """The answers as the table has them. Only what cannot be read is refused: all such rows together."""
    answers = []
    refusals: list[str] = []
    asked: Counter[str] = Counter()
    for place, row in counted_rows(table_rows(path, Needed.of(*NEEDED, other=OTHER_WORDS), columns)):
        for column in NEEDED:
            if column not in row:
                other = Remedy("columns", f"{column}=COLUMN", "if it has another name")
                raise PlainlyError(
                    f"{column} is missing; answers need {', '.join(NEEDED)}", place=place, remedy=other
                )
        try:
            answer = _answer(_without_nan(row), place, asked)
        except PlainlyError as error:
            refusals.append(str(error))
            continue
        asked[answer.participant] += 1
        answers.append(answer)
    if refusals:
        more = [f"and {len(refusals) - MOST_SHOWN} more"] if len(refusals) > MOST_SHOWN else []
        raise PlainlyError("; ".join([*refusals[:MOST_SHOWN], *more]))
    if not answers:
        raise PlainlyError(f"{shown(path if isinstance(path, str) else NAME)} holds no answers")
    return answers


def write_records(answers: Sequence[Answer], target: Target) -> None:
    """Write them as CSV, or as JSONL if the name ends so."""
    found = {name for answer in answers for name in answer.fields}
    extra = [*(name for name in PARTICIPANT if name in found), *sorted(found - set(PARTICIPANT))]
    names = [*extra, *(name for name in COLUMNS if name != "version")]
    rows = [{name: value for name, value in _cells(answer, extra).items() if value != ""} for answer in answers]
    records.write_records(rows, names, target)


def _answer(row: Mapping[str, Any], place: Place, asked: Mapping[str, int]) -> Answer:
    cells = {key: cell_text(row[key], place, key) for key in ("user", "pair", "text", "question")}
    version = cell_text(row.get("version"), place, "version")
    for key, value in cells.items():
        if not value:
            raise PlainlyError(f"{key} is empty", place=place)
    fields = {key: any_text(value, place, key) for key, value in row.items() if key not in COLUMNS}
    completed = _flag(row.get("completed"), place, "completed")
    order = _whole(row.get("order"), place, "order")
    return Answer(
        participant=cells["user"],
        passage=cells["pair"],
        version=version or cells["text"],
        question=cells["question"],
        answer=_whole(row["answer"], place, "answer"),
        correct=_flag(row.get("correct"), place, "correct"),
        seconds=_seconds(row["time"], place),
        order=asked.get(cells["user"], 0) if order is None else order,
        row=place.number,
        fields={**fields, "text": cells["text"]} if version else fields,
        completed=completed is not False,
        file=place.file,
    )


def _without_nan(row: Mapping[str, Any]) -> dict[str, Any]:
    """Other programs write NaN into JSON where a cell is empty."""
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}


def _seconds(value: Any, place: Place) -> float:
    if value is None or str(value).strip() == "":
        return math.nan
    try:
        milliseconds = float(value)
    except (TypeError, ValueError, OverflowError):
        milliseconds = math.nan
    if isinstance(value, bool) or not math.isfinite(milliseconds):
        raise PlainlyError(f"time must be a number of milliseconds, not {shown(str(value))}", place=place)
    return milliseconds / MILLISECONDS


def _whole(value: Any, place: Place, name: str) -> int | None:
    text = _number_text(value, place, name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise PlainlyError(f"{name} must be a whole number from 0 on, or empty, not {shown(text)}", place=place)
    return int(text)


def _number_text(value: Any, place: Place, name: str) -> str:
    """A cell as text; other programs write the whole number 1 as 1.0."""
    text = str(value) if isinstance(value, float) else cell_text(value, place, name)
    whole, point, rest = text.partition(".")
    return whole if whole and point and rest and not rest.strip("0") else text


def _flag(value: Any, place: Place, name: str) -> bool | None:
    text = str(value).lower() if isinstance(value, bool) else _number_text(value, place, name).lower()
    if text and text not in YES_NO:
        raise PlainlyError(f"{name} must be 1 or 0, not {shown(text)}", place=place)
    return YES_NO.get(text)


def _cells(answer: Answer, extra: Sequence[str]) -> dict[str, Any]:
    return {
        **{name: answer.fields.get(name, "") for name in extra},
        "user": answer.participant,
        "pair": answer.passage,
        "text": answer.version,
        "question": answer.question,
        "answer": "" if answer.answer is None else answer.answer,
        "time": "" if math.isnan(answer.seconds) else round(answer.seconds * MILLISECONDS, 3),
        "completed": int(answer.completed),
        "correct": "" if answer.correct is None else int(answer.correct),
        "order": answer.order,
    }
