"""Practice passages, instructed questions, and questions that are asked once more.

The file of practice is an experiment of its own: each passage is read in its first version, and every answer has
feedback. A table `why` says why, by the ids of questions. Checks are questions that need no passage, as "Please
choose the second answer"; their answers stay in the order of the file. They stand behind the questions of a text, and
so do questions that are asked once more: no time of the study is measured across them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from plainly.base.declarations import Fault, Table, insist, made, tables
from plainly.base.errors import UnknownName
from plainly.comprehension.experiment import MOST_ANSWERS, Experiment, Passage, experiment_from
from plainly.corpus.readers.descriptions import read_description
from plainly.studio.kinds.base import FileSlot, Given, Json
from plainly.studio.kinds.dealt import CHECK, REPEAT, Dealt

YAML = (".yaml", ".yml")
PRACTICE = FileSlot("practice", YAML, required=False)
CHECKS = FileSlot("checks", YAML, required=False)
LONGEST = 2000
FEWEST_BETWEEN = 2
"""Questions that come before one is asked once more."""


@dataclass(frozen=True)
class _Instructed:
    """A question as the file of checks has it."""

    text: str
    answers: tuple[str, ...]
    correct: int


def read_practice(path: Path) -> list[Json]:
    """Tasks that hold their passage."""
    experiment, reasons = read_description(path, _experiment)
    passages = experiment.passages
    return [task for number, one in enumerate(passages, 1) for task in _practice(one, number, len(passages), reasons)]


def read_checks(path: Path) -> list[Json]:
    """Tasks that hold their question; `correct` counts the answers from 1."""
    found = read_description(path, _checks)
    return [
        {
            **dict.fromkeys(("passage", "version"), ""),
            **dict.fromkeys(("text", "number", "questions"), 0),
            "phase": "question",
            "asked": {"text": one.text, "answers": list(one.answers)},
            "answers": list(range(len(one.answers))),
            "expected": one.correct - 1,
        }
        for one in found
    ]


def mixed(
    tasks: Sequence[Dealt], checks: Sequence[Dealt], chosen: Sequence[tuple[Json, Json]], draw: np.random.Generator
) -> list[Dealt]:
    """Checks behind the questions of a text each, and questions once more behind those of their own text."""
    texts = list(dict.fromkeys(one.task["text"] for one in tasks))
    order = [texts[at] for at in draw.permutation(len(texts)).tolist()]
    more: dict[int, list[Dealt]] = {text: [] for text in texts}
    for place, check in enumerate(checks):
        text = order[place % len(order)]
        first = next(one.task for one in tasks if one.task["text"] == text)
        own = {key: first[key] for key in ("text", "passage", "version")}
        more[text].append(Dealt(CHECK, {**check.task, **own}))
    for task, again in chosen:
        more[task["text"]].append(Dealt(REPEAT, again))
    return [
        one for text in texts for one in _numbered([one for one in tasks if one.task["text"] == text], more[text])
    ]


def early(tasks: Sequence[Json]) -> list[Json]:
    """Questions that have enough others behind them."""
    asked = [task for task in tasks if task["phase"] == "question"]
    last = {task["text"]: task["number"] for task in asked}
    return [task for task in asked if task["number"] <= last[task["text"]] - FEWEST_BETWEEN]


def again(task: Json) -> Json:
    """The question with its answers in the opposite order."""
    return {**task, "answers": list(reversed(task["answers"]))}


def agreed(first: Given, once_more: Given) -> float | None:
    """Whether the same answer was chosen, wherever it stood; None where none was chosen."""
    chosen = [
        None if one.answer["place"] is None else one.task["answers"][one.answer["place"]]
        for one in (first, once_more)
    ]
    return None if None in chosen else float(chosen[0] == chosen[1])


def right(task: Json, answer: Json) -> float:
    place = answer["place"]
    return float(place is not None and task["answers"][place] == task["expected"])


def said(task: Json) -> str:
    return str(task["asked"]["answers"][task["expected"]])


def _numbered(block: Sequence[Dealt], more: Sequence[Dealt]) -> list[Dealt]:
    """A text with further questions behind its own; all of them know how many there are. The tasks are new ones."""
    asked = sum(one.task["phase"] == "question" for one in block)
    for one in (*block, *more) if more else ():
        cast(dict[str, Any], one.task)["questions"] = asked + len(more)
    for number, one in enumerate(more, asked + 1):
        cast(dict[str, Any], one.task)["number"] = number
    return [*block, *more]


def varied(task: Json, draw: np.random.Generator) -> Json:
    """The answers of practice by chance; those of checks in the order of the file."""
    if "asked" not in task or "why" not in task:
        return dict(task)
    return {**task, "answers": draw.permutation(len(task["answers"])).tolist()}


def _practice(passage: Passage, text: int, texts: int, reasons: Mapping[str, str]) -> list[Json]:
    read = {
        "text": text,
        "texts": texts,
        "questions": len(passage.questions),
        "words": passage.versions[0].text,
        "seconds": passage.seconds,
    }
    asked = [
        {
            **read,
            "phase": "question",
            "number": number,
            "asked": {"text": question.text, "answers": list(question.answers)},
            "answers": list(range(len(question.answers))),
            "expected": question.correct,
            "why": reasons.get(question.id, ""),
        }
        for number, question in enumerate(passage.questions, 1)
    ]
    ready = [{**read, "phase": "ready", "for": what} for what in ("reading", "questions")]
    return [ready[0], {**read, "phase": "reading"}, ready[1], *asked]


def _experiment(table: Any) -> tuple[Experiment, Mapping[str, str]]:
    """An experiment, and why its answers are right, by question: other experiments know of no reasons."""
    insist(isinstance(table, Table), "a file of practice is an experiment: name, lang, passages, ...")
    reasons = table.pop("why", {})
    found = experiment_from(table)
    known = [question.id for passage in found.passages for question in passage.questions]
    insist(isinstance(reasons, Mapping), "why is a table of texts by the ids of questions")
    for name, text in reasons.items():
        insist(name in known, f"why: {UnknownName('question', str(name), known)}")
        insist(
            isinstance(text, str) and len(text) <= LONGEST, f"why: {name}: a text of {LONGEST:,} characters at most"
        )
    return found, reasons


def _checks(table: Any) -> list[_Instructed]:
    insist(isinstance(table, Table) and set(table) == {"questions"}, "a file of checks is a table with questions")
    found = [
        made(_Instructed, entry, f"question {number}") for number, entry in enumerate(tables(table, "questions"), 1)
    ]
    for number, one in enumerate(found, 1):
        texts = (one.text, *one.answers)
        if not all(text.strip() and len(text) <= LONGEST for text in texts):
            raise Fault(f"question {number}: texts have 1 to {LONGEST:,} characters")
        if not 2 <= len(one.answers) <= MOST_ANSWERS or len(set(one.answers)) < len(one.answers):
            raise Fault(f"question {number}: it needs 2 to {MOST_ANSWERS} different answers")
        if not 1 <= one.correct <= len(one.answers):
            raise Fault(f"question {number}: correct is the number of the right answer, from 1 to {len(one.answers)}")
    insist(bool(found), "questions are missing")
    return found
