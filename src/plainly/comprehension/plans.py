"""Plans in files, to be kept with the answers: CSV with one row a question, or JSONL with one line a participant.

CSV has the columns `experiment`, `seed`, `participant`, `place` (of the text, from 1), `passage`, `version`, `number`
(of the question, from 1), `question` and `answers`: the order in which they are shown, as places in the experiment's
list from 0, with blanks between. The correct answer of an experiment file is at 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from plainly.base.records import Target, is_jsonl, opened, write_csv, write_lines
from plainly.comprehension.design import Plan

COLUMNS = ("experiment", "seed", "participant", "place", "passage", "version", "number", "question", "answers")


def write_plan(plan: Plan, target: Target) -> None:
    """Write it as CSV, a row a question, or as JSONL, a line a sheet, if the name ends so."""
    with opened(target) as out:
        if is_jsonl(target):
            head = {"experiment": plan.experiment, "seed": plan.seed}
            write_lines(({**head, **asdict(sheet)} for sheet in plan.sheets), out)
        else:
            write_csv(COLUMNS, _rows(plan), out)


def _rows(plan: Plan) -> Iterator[tuple[str | int, ...]]:
    for sheet in plan.sheets:
        for place, reading in enumerate(sheet.readings, 1):
            for number, asked in enumerate(reading.questions, 1):
                head = (plan.experiment, plan.seed, sheet.participant)
                text = (place, reading.passage, reading.version)
                yield (*head, *text, number, asked.question, " ".join(map(str, asked.answers)))
