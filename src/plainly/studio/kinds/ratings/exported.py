"""Answers as the command line reads them: ratings.csv and ratings.jsonl; and what was rated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from plainly.base.records import as_text, write_lines, write_records
from plainly.ratings import Range, Rating
from plainly.ratings.formats import COLUMNS, records_of
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Item
from plainly.studio.kinds.ratings import scales
from plainly.studio.kinds.ratings.pages import is_check

JSON_LINES = "application/x-ndjson"


def ratings_of(campaign: Campaign, given: Sequence[Given]) -> list[Rating]:
    """One for each output and scale of each page."""
    return [
        Rating(
            rater=each.person.code,
            item=each.task["item"],
            system=output["system"],
            scale=scale,
            value=None if values[scale] is None else float(values[scale]),
            seconds=each.seconds,
            time=each.time,
            page=str(each.place + 1),
            role=output["role"],
            expected=Range.of(output["expected"][scale]) if scale in output.get("expected", {}) else None,
        )
        for each in given
        for output, values in zip(each.task["outputs"], each.answer["ratings"], strict=True)
        for scale in scales.names(campaign.settings)
    ]


def export_files(campaign: Campaign, given: Sequence[Given]) -> list[ExportFile]:
    """Fine with no answers: then ratings.csv has a header only."""
    records = records_of(ratings_of(campaign, given))
    checks = [item for item in campaign.items if is_check(item)]
    outputs = [item for item in campaign.items if not is_check(item)]
    return [
        ExportFile("ratings.csv", as_text(lambda out: write_records(records, COLUMNS, out))),
        ExportFile("ratings.jsonl", as_text(lambda out: write_lines(records, out)), JSON_LINES),
        ExportFile("outputs.jsonl", "".join(_lines(outputs, False)), JSON_LINES),
        *([ExportFile("checks.jsonl", "".join(_lines(checks, True)), JSON_LINES)] if checks else []),
    ]


def _lines(items: Sequence[Item], of_checks: bool) -> Iterator[str]:
    """One line an output, or a check, as a new campaign reads them."""
    for item in items:
        for output in item.content["outputs"]:
            line = {"id": item.name, "source": item.content["source"], "output": output["text"]}
            line |= output["expected"] if of_checks else {"system": output["system"], "role": output["role"]}
            yield json.dumps(line, ensure_ascii=False) + "\n"
