"""Ranking: two texts side by side, and the question which one is easier (or harder) to understand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.base import (
    Campaign,
    ExportFile,
    FileSlot,
    Given,
    Json,
    Kind,
    Material,
    Option,
    Person,
    Say,
    Summary,
)
from plainly.studio.kinds.ranking import results
from plainly.studio.kinds.ranking.exported import export_files
from plainly.studio.kinds.ranking.matches import first_tasks, further_tasks
from plainly.studio.kinds.ranking.reading import MOST_TASKS, is_adaptive, planned, read

TABLES = (".csv", ".tsv", ".jsonl", ".csv.gz", ".tsv.gz", ".jsonl.gz")
STRATEGIES = ("balanced", "random", "swiss", "information", "fixed")


class Ranking(Kind):
    """Many decisions between two texts make a ranking of all."""

    name = "ranking"
    files = (FileSlot("texts", TABLES), FileSlot("pairs", TABLES, required=False))
    options = (
        Option("pairs", "choice", "balanced", STRATEGIES),
        Option("sharing", "choice", "same", ("same", "shared")),
        Option("matches", "whole", 8, least=1, most=1000),
        Option("per_person", "whole", 0, least=0, most=MOST_TASKS),
        Option("common", "whole", 0, least=0, most=1000),
        Option("question", "choice", "easier", ("easier", "harder")),
        Option("ties", "switch", False),
        Option("skip", "switch", False),
        Option("guideline", "text", ""),
    )
    undoable = True
    page_texts = ("ask", "choose", "first", "second", "tie", "skip", "keys", "guideline")

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        return read(files, options)

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        return first_tasks(campaign, number, others)

    def more_tasks(self, campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
        return further_tasks(campaign, number, own, given)

    def total(self, campaign: Campaign, made: int) -> int:
        if not is_adaptive(campaign.settings):
            return made
        return max(made, planned(campaign.settings, len(campaign.items)))

    def shown(self, campaign: Campaign, task: Json) -> Json:
        """The wording alone: an id might tell where a text comes from."""
        return {side: campaign.by_name[task[side]].content["text"] for side in ("first", "second")}

    def public(self, campaign: Campaign) -> Json:
        return {name: campaign.settings[name] for name in ("question", "ties", "skip", "guideline")}

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        allowed = ["first", "second", *(("tie",) if campaign.settings["ties"] else ())]
        allowed += ["skip"] if campaign.settings["skip"] else []
        choice = answer.get("choice") if isinstance(answer, dict) and len(answer) == 1 else None
        if not isinstance(choice, str) or choice not in allowed:
            raise PlainlyError(f"the answer must be a choice: {', '.join(allowed)}")
        return {"choice": choice}

    def counts(self, task: Json, answer: Json) -> bool:
        return bool(answer["choice"] != "skip")

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        return export_files(campaign, given)

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        return results.summary(campaign, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        return results.report(campaign, given, date)
