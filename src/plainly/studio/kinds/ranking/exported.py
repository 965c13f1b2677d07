"""Answers as the command line reads them: judgements.csv, texts.jsonl, pairs.csv, and what was skipped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plainly.base.records import as_text, write_csv
from plainly.ranking import Judgement, Judgements, write_judgements
from plainly.ranking.formats import COLUMNS
from plainly.studio.cells import safe
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Item
from plainly.studio.kinds.ranking.matches import all_matches
from plainly.studio.kinds.ranking.reading import is_adaptive

SKIPPED = ("first", "second", "rater", "time", "seconds", "match")


def judgements_of(campaign: Campaign, given: Sequence[Given]) -> Judgements | None:
    """What was decided, of the texts that were judged, in the order of the campaign; None if nothing was."""
    items = [_judgement(each) for each in given if each.answer["choice"] != "skip"]
    if not items:
        return None
    judged = {text for item in items for text in (item.first, item.second)}
    texts = [item.name for item in campaign.items if item.name in judged]
    return Judgements.of(items, campaign.settings["question"], texts)


def export_files(campaign: Campaign, given: Sequence[Given]) -> list[ExportFile]:
    """All files; those of texts and pairs are the same whatever was answered."""
    judgements = judgements_of(campaign, given)
    found = [
        ExportFile("judgements.csv", _written(judgements) if judgements else _table(COLUMNS, [])),
        ExportFile("texts.jsonl", "".join(map(_line, campaign.items)), "application/x-ndjson"),
    ]
    if not is_adaptive(campaign.settings):
        names = [item.name for item in campaign.items]
        pairs = [(match, names[one], names[other]) for one, other, match in all_matches(campaign)]
        found.append(ExportFile("pairs.csv", _table(("match", "first", "second"), pairs)))
    if campaign.settings["skip"]:
        skipped = [_judgement(each) for each in given if each.answer["choice"] == "skip"]
        rows = [[getattr(item, name) for name in SKIPPED] for item in skipped]
        found.append(ExportFile("skipped.csv", _table(SKIPPED, rows)))
    return found


def _judgement(given: Given) -> Judgement:
    task, choice = given.task, given.answer["choice"]
    return Judgement(
        task["first"],
        task["second"],
        task[choice] if choice in ("first", "second") else None,
        given.person.code,
        given.time,
        given.seconds,
        match=task["match"],
        groups={_column(name): safe(value) for name, value in given.person.fields.items()},
    )


def _column(field: str) -> str:
    """The column of a field of the form: its id, unless a judgement has a column of that name itself."""
    return f"form_{field}" if field in COLUMNS else safe(field)


def _written(judgements: Judgements) -> str:
    """Exactly as the ranking room writes them."""
    return as_text(lambda out: write_judgements(judgements, out))


def _line(item: Item) -> str:
    return (
        json.dumps({"id": item.name, "text": item.content["text"], **item.content["fields"]}, ensure_ascii=False)
        + "\n"
    )


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return as_text(lambda out: write_csv(columns, rows, out))
