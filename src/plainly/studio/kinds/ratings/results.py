"""What came out so far: the files of an export (what was rated, and how), and the dashboard.

All numbers are those of `plainly ratings score ratings.csv` on the exported file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from plainly.base.groups import grouped
from plainly.base.records import as_text, write_lines, write_records
from plainly.findings import Column, Findings
from plainly.inference.estimates import CONFIDENCE
from plainly.inference.resampling import USUAL, Resampling
from plainly.ranking.findings import snippet
from plainly.ratings import Analysis, Range, Rating, SystemScore, analyse, gathered
from plainly.ratings.findings import findings
from plainly.ratings.formats import COLUMNS, TEXTS, columns_of, records_of
from plainly.report import specs
from plainly.studio.kinds.base import JSON_LINES, Campaign, ExportFile, Given, Item, Json
from plainly.studio.kinds.dashboards import (
    Headline,
    Picture,
    Say,
    Summary,
    charted,
    counted,
    decimal,
    interval_values,
    summary_of,
)
from plainly.studio.kinds.oddities import said_of_failures
from plainly.studio.kinds.ratings import scales
from plainly.studio.kinds.ratings.pages import is_check, texts_of
from plainly.studio.kinds.reports import report_of

SNIPPET = 60
"""Characters of an output in a table."""
MANY, FEWER = 20_000, 200
"""With more ratings than this, so many resamples while the campaign runs."""


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
            words=_words(campaign, each.task),
            page=str(each.place + 1),
            role=output["role"],
            expected=Range.of(output["expected"][scale]) if scale in output.get("expected", {}) else None,
            groups=each.columns((*COLUMNS, *TEXTS)),
        )
        for each in given
        for output, values in zip(each.task["outputs"], each.answer["ratings"], strict=True)
        for scale in scales.names(campaign.settings)
    ]


def _words(campaign: Campaign, task: Json) -> int:
    """Of all texts on a page, by spaces: too few where a script has none, so that nobody is suspected there."""
    source = campaign.by_name[task["item"]].content["source"] if campaign.settings["source"] else ""
    return sum(len(text.split()) for text in (source, *texts_of(campaign, task)))


def export_files(campaign: Campaign, given: Sequence[Given]) -> list[ExportFile]:
    """Fine with no answers: then ratings.csv has a header only."""
    ratings = ratings_of(campaign, given)
    records = records_of(ratings)
    checks = [item for item in campaign.items if is_check(item)]
    outputs = [item for item in campaign.items if not is_check(item)]
    return [
        ExportFile("ratings.csv", as_text(lambda out: write_records(records, columns_of(ratings), out))),
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


def summary(campaign: Campaign, given: Sequence[Given], say: Say) -> Summary:
    """For the owner's dashboard."""
    ratings = gathered(ratings_of(campaign, given))
    if not ratings.judged:
        return Summary(message=(say("ratings.note.nothing"),))
    fewer = len(ratings.entries) > MANY
    found = analyse(ratings, resampling=Resampling(resamples=FEWER) if fewer else USUAL)
    told = summary_of(_with_wording(findings(found), campaign, say), say.lang)
    return replace(
        told,
        headlines=tuple(_headlines(found, say)),
        pictures=tuple(_pictures(found, scales.values(campaign.settings), say)),
        suspicious={
            row.rater: tuple(
                say(f"ratings.flag.{flag.replace(' ', '-')}", failed=row.habits.failed, checks=row.habits.checks)
                for flag in row.flags
            )
            for row in found.raters
            if row.flags
        },
        message=tuple(_message(found, say)),
        notes=(*((say("ratings.note.resamples", count=FEWER),) if fewer else ()), *told.notes),
    )


def report(campaign: Campaign, given: Sequence[Given], date: str) -> str | None:
    """All tables of `plainly ratings score ratings.csv`, with as many resamples as there."""
    ratings = gathered(ratings_of(campaign, given))
    return report_of(campaign, date, [findings(analyse(ratings))]) if ratings.judged else None


def _with_wording(told: Findings, campaign: Campaign, say: Say) -> Findings:
    """The outputs on which raters differ, with how they begin."""
    begins = {
        (item.name, output["system"]): snippet(output["text"], SNIPPET)
        for item in campaign.items
        for output in item.content["outputs"]
    }
    tables = [
        replace(
            table,
            columns=[*table.columns, Column(say("ratings.wording"))],
            rows=[[*row, begins.get((str(row[1]), str(row[2])), "")] for row in table.rows],
        )
        if table.name == "contested"
        else table
        for table in told.tables
    ]
    return replace(told, tables=tables)


def _message(found: Analysis, say: Say) -> Iterator[str]:
    """The highest means, with ties; whether anything is sure; and who failed attention checks."""
    systems = [row for row in _best_first(found) if row.role == "output" and math.isfinite(row.mean.value)]
    if not systems:
        return
    several = len({row.system for row in systems}) > 1
    told = [_highest(own, say) for own in grouped(systems, lambda row: row.scale).values()]
    yield say("ratings.message.highest" if several else "ratings.message.means", listed="; ".join(told))
    if several:
        yield _sure(found, {row.system for row in systems}, say)
    failed = [row.rater for row in found.raters if row.habits.failed]
    yield from said_of_failures(failed, len(found.raters), say)


def _highest(rows: Sequence[SystemScore], say: Say) -> str:
    """The system with the highest mean on a scale; all of them, where means are the same as far as they are shown."""
    mean, scale = decimal(rows[0].mean.value, 2, say), scales.title(rows[0].scale, say)
    names = [row.system for row in rows if decimal(row.mean.value, 2, say) == mean]
    if len(names) == 1:
        return say("ratings.message.scale", scale=scale, system=names[0], mean=mean)
    return say("ratings.message.tie", scale=scale, systems=", ".join(names), mean=mean)


def _sure(found: Analysis, outputs: Collection[str], say: Say) -> str:
    """How many differences between two systems are more than chance; without a test, none is."""
    pairs = [row for row in found.pairs if {row.first, row.second} <= set(outputs)]
    tested = [row for row in pairs if math.isfinite(row.p_holm)]
    sure = sum(row.p_holm < 1 - CONFIDENCE for row in tested)
    if not tested:
        return say("ratings.message.untested")
    return say("ratings.message.sure" if sure else "ratings.message.unsure", sure=sure, count=len(tested))


def _headlines(found: Analysis, say: Say) -> Iterator[Headline]:
    count = sum(row.habits.ratings for row in found.raters)
    yield counted(say("ratings.figure.ratings"), count, say("ratings.figure.ratings.note"))
    checks, failed = (sum(getattr(row.habits, name) for row in found.raters) for name in ("checks", "failed"))
    if checks:
        yield counted(say("ratings.figure.failed"), failed, say("ratings.figure.failed.note", count=checks))
    for row in found.agreement:
        label = say("ratings.figure.alpha", scale=scales.title(row.scale, say))
        note = "" if math.isfinite(row.alpha.value) else say("ratings.figure.alpha.none")
        yield Headline(label, row.alpha, note)


def _best_first(found: Analysis) -> list[SystemScore]:
    """Scale by scale; what has no mean comes last."""
    order = {scale: place for place, scale in enumerate(dict.fromkeys(row.scale for row in found.systems))}
    return sorted(
        found.systems,
        key=lambda row: (order[row.scale], -row.mean.value if math.isfinite(row.mean.value) else math.inf),
    )


def _pictures(found: Analysis, whole: Range, say: Say) -> Iterator[Picture]:
    for place, scale in enumerate(dict.fromkeys(row.scale for row in found.systems), 1):
        own = [row for row in _best_first(found) if row.scale == scale and math.isfinite(row.mean.value)]
        if not own:
            continue
        rows = [
            interval_values(row.system, row.mean, "baseline" if row.role == "reference" else "system") for row in own
        ]
        told = "; ".join(f"{row.system} {decimal(row.mean.value, 2, say)}" for row in own)
        title = say("ratings.picture.scale", scale=scales.title(scale, say))
        axis = say(
            "ratings.picture.axis", scale=scales.title(scale, say), low=f"{whole.low:g}", high=f"{whole.high:g}"
        )
        spec = specs.intervals([row.system for row in own], axis, {}, ends=(whole.low, whole.high))
        yield charted(f"scale-{place}", title, f"{title} {told}.", spec, rows)
