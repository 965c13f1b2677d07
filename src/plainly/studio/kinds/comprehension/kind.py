"""Comprehension: timed passages, and questions about them with no way back.

A participant's tasks come one at a time, and the next one reaches the browser when the answer to the one before is
stored. So nothing of a passage is there before the reader is ready, and nothing is left of it when questions come.
The server's own times say when each task began: when the one before was done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.comprehension.design import Reading
from plainly.studio.kinds import gold
from plainly.studio.kinds.base import (
    Campaign,
    ExportFile,
    FileSlot,
    Given,
    Item,
    Json,
    Kind,
    Material,
    Option,
    Person,
)
from plainly.studio.kinds.comprehension import known, results
from plainly.studio.kinds.comprehension.material import read_material, sheet_of
from plainly.studio.kinds.dashboards import Say, Summary
from plainly.studio.kinds.dealt import Dealt

KEYS = {"ready": {"ready"}, "reading": {"done", "over", "before"}, "question": {"done", "place", "over", "before"}}
"""Of answers, by the phase of their task."""
LONGEST = 1e9
"""Seconds that a task may have been open before the page was loaded again: no limit, but a number."""


class Comprehension(Kind):
    """What do readers understand, and how fast?"""

    name = "comprehension"
    files = (FileSlot("experiment", (".yaml", ".yml")), known.PRACTICE, known.CHECKS)
    options = (
        Option("seed", "whole", 12345, least=0, most=2**31 - 1),
        Option("reading_limit", "switch", True),
        Option("countdown", "switch", True),
        *gold.OPTIONS,
    )
    asks_about = ("passage",)
    ahead = 1
    timed = True
    page_texts = ("text", "question", "ready", "over", "read", "left", "resumed", "choose", "answer", "keys")

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        found = read_material(files["experiment"], options)
        practice = known.read_practice(files["practice"]) if "practice" in files else []
        checks = known.read_checks(files["checks"]) if "checks" in files else []
        settings = {**found.settings, **gold.settings_of(files, practice, checks)}
        return replace(found, settings=settings, notes=(*found.notes, *gold.notes_of(settings)))

    def more(self, campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
        raise PlainlyError(
            "who reads which text in which version is balanced over all texts, so none can be added; duplicate the "
            "campaign instead"
        )

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        sheet = sheet_of(campaign, max(number, 1))  # the owner's preview, number 0, shows the first one
        return [task for text, reading in enumerate(sheet.readings, 1) for task in _tasks(text, reading)]

    def shown(self, campaign: Campaign, task: Json) -> Json:
        beside = "words" in task or "asked" in task  # what is for practice, or a check, holds all that it shows
        passage = {} if beside else campaign.by_name[task["passage"]].content
        head = {
            "phase": task["phase"],
            "text": task["text"],
            "texts": task["texts"] if "texts" in task else len(campaign.items),
            "questions": task["questions"] if "questions" in task else len(passage["questions"]),
        }
        limits = {
            "reading": {**passage, **task}.get("seconds") if campaign.settings["reading_limit"] else None,
            "questions": campaign.settings["answer_seconds"],
        }
        if task["phase"] == "ready":
            return {**head, "for": task["for"], "seconds": limits[task["for"]]}
        if task["phase"] == "reading":
            return {**head, "words": _words(passage, task), "seconds": limits["reading"]}
        question = task.get("asked") or next(item for item in passage["questions"] if item["id"] == task["question"])
        return {
            **head,
            "number": task["number"],
            "question": question["text"],
            "answers": [question["answers"][place] for place in task["answers"]],
            "seconds": limits["questions"],
        }

    def public(self, campaign: Campaign) -> Json:
        return {"countdown": campaign.settings["countdown"]}

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        if not isinstance(answer, Mapping) or not set(answer) <= KEYS[task["phase"]]:
            raise PlainlyError("this is no answer to this task")
        if task["phase"] == "ready":
            return {"ready": True}
        if "done" in answer:
            return _begun(answer)
        kept: dict[str, Any] = {"over": answer.get("over", False), "before": _before(answer.get("before"))}
        if not isinstance(kept["over"], bool):
            raise PlainlyError("over is true or false")
        if task["phase"] == "question":
            kept["place"] = _place(answer, len(task["answers"]))
        return kept

    def done(self, answer: Json) -> bool:
        return bool(answer.get("done", True))

    def claimed(self, answer: Json, seconds: float | None) -> float | None:
        """With the time before the page was loaded again, if it was."""
        return None if seconds is None else seconds + answer.get("before", 0.0)

    def waits(self, answer: Json) -> bool:
        """Where the owner asks for it: texts and questions, unless their own limit ended them."""
        return "ready" not in answer and not answer.get("over")

    def counts(self, task: Json, answer: Json) -> bool:
        """Answers to questions; nobody cares how long it takes to say that one is ready."""
        return task["phase"] == "question" and answer.get("place") is not None

    def right(self, campaign: Campaign, task: Json, answer: Json) -> float:
        return known.right(task, answer)

    def expected(self, campaign: Campaign, task: Json, say: Say) -> str:
        return known.said(task)

    def varied(self, task: Json, draw: np.random.Generator) -> Json:
        return known.varied(task, draw)

    def early(self, tasks: Sequence[Json]) -> Sequence[Json]:
        return known.early(tasks)

    def again(self, campaign: Campaign, task: Json) -> Json | None:
        return known.again(task) if task["phase"] == "question" else None

    def agreed(self, campaign: Campaign, first: Given, again: Given) -> float | None:
        return known.agreed(first, again)

    def mixed(
        self,
        tasks: Sequence[Dealt],
        checks: Sequence[Dealt],
        chosen: Sequence[tuple[Json, Json]],
        draw: np.random.Generator,
    ) -> list[Dealt]:
        return known.mixed(tasks, checks, chosen, draw)

    def wording(self, item: Item) -> str:
        return str(item.content["versions"][0]["text"])

    def told(self, campaign: Campaign, task: Json, answer: Json, say: Say) -> str:
        """The question with what was chosen, and whether it is correct; of a text, its version."""
        if task["phase"] == "ready":
            return ""
        if task["phase"] == "reading":
            return str(task.get("version", ""))
        shown = self.shown(campaign, task)
        place = answer.get("place")
        if place is None:
            return f"{shown['question']} –"
        return (
            f"{shown['question']} {shown['answers'][place]} {'✓' if self._correct(campaign, task, answer) else '✗'}"
        )

    def _correct(self, campaign: Campaign, task: Json, answer: Json) -> bool:
        if "expected" in task:
            return self.right(campaign, task, answer) == 1
        questions = campaign.by_name[task["passage"]].content["questions"]
        correct = next(one["correct"] for one in questions if one["id"] == task["question"])
        return bool(task["answers"][answer["place"]] == correct)

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        return results.exports(campaign, people, given)

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        return results.summary(campaign, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        return results.report(campaign, given, date)


def _words(passage: Json, task: Json) -> str:
    if "words" in task:
        return str(task["words"])
    return str(next(item["text"] for item in passage["versions"] if item["id"] == task["version"]))


def _tasks(text: int, reading: Reading) -> list[Json]:
    """What a participant does with the text of this number."""
    read = {"text": text, "passage": reading.passage, "version": reading.version}
    return [
        {**read, "phase": "ready", "for": "reading"},
        {**read, "phase": "reading"},
        {**read, "phase": "ready", "for": "questions"},
        *(
            {
                "phase": "question",
                **read,
                "number": number,
                "question": asked.question,
                "answers": list(asked.answers),
            }
            for number, asked in enumerate(reading.questions, 1)
        ),
    ]


def _begun(answer: Mapping[str, Any]) -> Json:
    """Not an answer yet: the browser says that it shows the task now, so that a reload does not begin it again."""
    if set(answer) != {"done"} or answer["done"] is not False:
        raise PlainlyError("done is false, and stands alone")
    return {"done": False}


def _before(seconds: Any) -> float:
    """How long the task was open before the page was loaded again; 0: it was not."""
    if seconds is None:
        return 0.0
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds <= LONGEST:
        raise PlainlyError("before is a number of seconds")
    return float(seconds)


def _place(answer: Mapping[str, Any], places: int) -> int | None:
    """Of the chosen answer on the screen, from 0; None: no answer was chosen."""
    place = answer.get("place")
    if "place" not in answer or not (place is None or isinstance(place, int)) or isinstance(place, bool):
        raise PlainlyError("place is the number of the chosen answer from 0, or null")
    if place is not None and not 0 <= place < places:
        raise PlainlyError(f"there are answers 0 to {places - 1}, not {place}")
    return place
