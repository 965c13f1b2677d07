"""Ratings: outputs on scales, one at a time or all of a source together, with attention checks and references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.studio.kinds import gold
from plainly.studio.kinds.base import (
    Campaign,
    ExportFile,
    Given,
    Json,
    Kind,
    Material,
    Option,
    Person,
)
from plainly.studio.kinds.dashboards import Say, Summary
from plainly.studio.kinds.ratings import known, results, scales
from plainly.studio.kinds.ratings.pages import LAYOUTS, tasks_for, texts_of
from plainly.studio.kinds.ratings.reading import (
    CHECKS,
    OUTPUTS,
    PRACTICE,
    SCALES_OF_CHECKS,
    more_material,
    read_material,
)

SHARED = (("assignment", ("shared",)),)


class Ratings(Kind):
    """How good are the outputs of systems?"""

    name = "ratings"
    files = (OUTPUTS, CHECKS, PRACTICE)
    options = (
        Option("scales", "lines", ["fluency", "meaning", "simplicity"]),
        Option("answers", "choice", "likert", ("likert", "slider")),
        Option("points", "whole", 5, least=2, most=10, when=(("answers", ("likert",)),)),
        Option("unsure", "switch", True),
        Option("source", "switch", True),
        Option("layout", "choice", "one", tuple(LAYOUTS)),
        Option("assignment", "choice", "same", ("same", "shared")),
        Option("raters", "whole", 3, least=1, most=1000, when=SHARED),
        Option("load", "whole", 0, least=0, most=5000, when=SHARED),
        Option("checks", "number", 0.1, least=0, most=0.5),
        *(Option(name, "line", usual, when=(("checks", ()),)) for name, usual in SCALES_OF_CHECKS.items()),
        *gold.OPTIONS,
    )
    undoable = True
    grows = True
    page_texts = ("heading", "source", "output", "scale", "end", "unsure", "unset", "next", "missing", "keys")

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        return read_material(files, options)

    def more(self, campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
        return more_material(campaign, files, options)

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        return tasks_for(campaign, number, others)

    def shown(self, campaign: Campaign, task: Json) -> Json:
        kept = task["source"] if "source" in task else campaign.by_name[task["item"]].content["source"]
        return {"source": kept if campaign.settings["source"] else None, "outputs": texts_of(campaign, task)}

    def public(self, campaign: Campaign) -> Json:
        whole = scales.values(campaign.settings)
        return {
            "scales": campaign.settings["scales"],
            "answers": campaign.settings["answers"],
            "lowest": int(whole.low),
            "highest": int(whole.high),
            "unsure": campaign.settings["unsure"],
        }

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        return scales.checked_ratings(campaign.settings, len(task["outputs"]), answer)

    def right(self, campaign: Campaign, task: Json, answer: Json) -> float:
        return known.right(task, answer)

    def expected(self, campaign: Campaign, task: Json, say: Say) -> str:
        return known.said(task, say)

    def checks(self, campaign: Campaign, task: Json, answer: Json) -> tuple[int, int]:
        return known.failed(task, answer)

    def again(self, campaign: Campaign, task: Json) -> Json | None:
        return known.again(task)

    def agreed(self, campaign: Campaign, first: Given, again: Given) -> float | None:
        return known.agreed(campaign.settings, first, again)

    def told(self, campaign: Campaign, task: Json, answer: Json, say: Say) -> str:
        rated = zip(task["outputs"], answer["ratings"], strict=True)
        return "; ".join(f"{output.get('system') or '–'}: {_rated(values)}" for output, values in rated)

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        return results.export_files(campaign, given)

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        return results.summary(campaign, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        return results.report(campaign, given, date)


def _rated(values: Json) -> str:
    return ", ".join(f"{scale} {'–' if value is None else value}" for scale, value in values.items())
