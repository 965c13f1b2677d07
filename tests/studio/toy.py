"""Two kinds of campaigns that are small enough to see through.

Toy: every participant says yes or no to every item, may take the last answer back, and gets one more task, made of
the number of all answers so far. Book: tasks stay open to be changed, and work may be saved before it is done.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
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
from plainly.studio.kinds.dashboards import Say, Summary, counted


class Toy(Kind):
    name = "toy"
    files = (FileSlot("words", (".txt",)),)
    options = (Option("extra", "switch", True), Option("times", "whole", 1, least=1, most=5))
    ahead = 3
    undoable = True

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        words = files["words"].read_text("utf-8").split("\n")
        for number, word in enumerate(words[:-1], 1):
            if not word:
                raise PlainlyError(f"{files['words'].name}:{number}: empty")
        return material(*words[:-1], extra=bool(options["extra"]))

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        return [{"item": item.name} for item in campaign.items]

    def more_tasks(self, campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
        if not campaign.settings["extra"] or len(own) > len(campaign.items):
            return []
        return [{"item": campaign.items[0].name, "seen": len(given)}]

    def total(self, campaign: Campaign, made: int) -> int:
        return len(campaign.items) + bool(campaign.settings["extra"]) if made else 0

    def shown(self, campaign: Campaign, task: Json) -> Json:
        return {"word": campaign.by_name[task["item"]].content["word"], **task}

    def public(self, campaign: Campaign) -> Json:
        return {"question": "Is it short?"}

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        if not isinstance(answer, dict) or answer.get("yes") not in (True, False):
            raise PlainlyError("yes must be true or false")
        return {key: answer[key] for key in ("yes", "why", "done") if key in answer}

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(["participant", "item", "yes", "seconds", "revisions"])
        for one in given:
            writer.writerow([one.person.code, one.task["item"], one.answer["yes"], one.seconds, one.revisions])
        return [ExportFile("answers.csv", buffer.getvalue())]

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        return Summary(headlines=(counted("answers", len(given)),))


class Book(Toy):
    name = "book"
    undoable = False
    revisable = True

    def more_tasks(self, campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
        return []

    def total(self, campaign: Campaign, made: int) -> int:
        return made

    def done(self, answer: Json) -> bool:
        return bool(answer.get("done", True))

    def page_answer(self, campaign: Campaign, task: Json, answer: Json) -> Json:
        return {**answer, "page": True}


def material(*words: str, extra: bool = True) -> Material:
    items = tuple(Item(f"w{place}", {"word": word}) for place, word in enumerate(words))
    return Material(items, {"extra": extra}, ("word",), tuple((word,) for word in words))
