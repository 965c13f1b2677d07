"""What the judgements say so far: the files of an export, and the dashboard. All numbers are those of the study."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from plainly.base.records import as_text, write_csv
from plainly.corpus.readers.left_out import LEFT_OUT
from plainly.findings import Findings
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import RESAMPLES as ENOUGH
from plainly.inference.resampling import Resampling
from plainly.ranking import Agreement, Judgement, Judgements, Ranking, agreement, rate, write_judgements
from plainly.ranking.careless import flags, habits, words_of
from plainly.ranking.findings import (
    agreement_findings,
    rating_findings,
    snippet,
    uncertain_table,
)
from plainly.ranking.formats import COLUMNS
from plainly.ranking.judgements import ends
from plainly.ranking.ratings import FLAT
from plainly.report import specs
from plainly.report.ranking import ranking_page
from plainly.studio.kinds.base import JSON_LINES, Campaign, ExportFile, Given, Item
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
from plainly.studio.kinds.ranking.matches import all_matches, is_adaptive

SNIPPET = 120
"""Characters of a text that stand beside its numbers."""
SKIPPED = ("first", "second", "rater", "time", "seconds", "match", LEFT_OUT)
RESAMPLES = 200
"""While answers come in: enough to see, quick enough to look often."""
UNCERTAIN, CONTESTED = 15, 12
NAMED = 30
"""Up to so many texts, the chart of the ranking has their names."""
NOTHING = Estimate(math.nan)


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
        ExportFile(
            "judgements.csv",
            as_text(lambda out: write_judgements(judgements, out)) if judgements else _table(COLUMNS, []),
        ),
        ExportFile("texts.jsonl", "".join(map(_line, campaign.items)), JSON_LINES),
    ]
    if not is_adaptive(campaign.settings):
        names = [item.name for item in campaign.items]
        pairs = [(match, names[one], names[other]) for one, other, match in all_matches(campaign)]
        found.append(ExportFile("pairs.csv", _table(("match", "first", "second"), pairs)))
    if campaign.settings["skip"]:
        skipped = [_judgement(each) for each in given if each.answer["choice"] == "skip"]
        rows = [[getattr(item, name, item.groups.get(name)) for name in SKIPPED] for item in skipped]
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
        groups=given.columns(COLUMNS),
    )


def _line(item: Item) -> str:
    return (
        json.dumps({"id": item.name, "text": item.content["text"], **item.content["fields"]}, ensure_ascii=False)
        + "\n"
    )


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return as_text(lambda out: write_csv(columns, rows, out))


def growing(campaign: Campaign, given: Sequence[Given], say: Say) -> Iterator[Summary]:
    """For the dashboard: the counts and the ranking, then with the side, then with what the raters agree on."""
    judgements = judgements_of(campaign, given)
    skipped = sum(each.answer["choice"] == "skip" for each in given)
    counts = [counted(say("ranking.judgements"), len(judgements) if judgements else 0)]
    if campaign.settings["skip"]:
        counts.append(counted(say("ranking.skipped"), skipped))
    if judgements is None:
        yield Summary(tuple(counts), message=(say("ranking.note.none"),))
        return
    ranking = rate(judgements, resamples=RESAMPLES, disconnected=True)
    texts = {item.name: str(item.content["text"]) for item in campaign.items}
    places = median(row.rank.high - row.rank.low + 1 for row in ranking.rows)
    reach = Headline(say("ranking.places"), Estimate(places), say("ranking.places.note", count=len(ranking.rows)))
    first = Summary(
        (*counts, reach),
        pictures=(_ladder(ranking, texts, say),),
        message=_message(ranking, places, say),
        notes=tuple(_notes(campaign, judgements, say)),
    )
    told = summary_of(_findings(ranking, judgements, texts), say.lang)
    yield replace(first, tables=told.tables, signatures=told.signatures, notes=(*first.notes, *told.notes))
    found = _agreement(judgements, texts, RESAMPLES)
    sides = rate(judgements, interval="none", disconnected=True, position=True)
    position = Headline(say("ranking.position"), sides.position or NOTHING, say("ranking.position.note"))
    told = summary_of(_findings(ranking, judgements, texts, found), say.lang)
    yield replace(
        first,
        headlines=(*first.headlines, _alpha(found, say), position),
        tables=told.tables,
        signatures=told.signatures,
        notes=(*first.notes, *told.notes),
        pictures=(*first.pictures, *(_kappas(found, say) if found else ())),
        suspicious=_suspicious(judgements, texts, found, say),
    )


def _findings(
    ranking: Ranking, judgements: Judgements, texts: Mapping[str, str], found: Agreement | None = None
) -> Findings:
    """The ranking, what is uncertain about it, and as soon as known the raters and what they disagree about."""
    alike = _alike(ranking)
    ranked = rating_findings(ranking, texts, ordered=not alike, letters=SNIPPET)
    agreed = agreement_findings(found) if found else Findings()
    return Findings(
        tables=(
            *ranked.tables,
            *(() if alike else (uncertain_table(ranking, UNCERTAIN),)),  # no number is known to be enough
            *agreed.tables,
        ),
        notes=(*ranked.notes, *agreed.notes),
        signatures=(*ranked.signatures, *agreed.signatures),
    )


def _alike(ranking: Ranking) -> bool:
    """Whether the judgements do not tell the texts apart at all: then their order is an accident."""
    width = ranking.settings.get("prior-sd")
    return isinstance(width, (int, float)) and width < FLAT


def _message(ranking: Ranking, places: float, say: Say) -> tuple[str, ...]:
    """Whether the two ends of the ranking are sure, and how far the places between them are."""
    rows = ranking.by_rank()
    first, last = rows[0], rows[-1]
    if _alike(ranking) or first.rank.high >= last.rank.low:
        return (say("ranking.message.alike"),)
    hard, easy = (first, last) if ends(ranking.direction)[0] == "hardest" else (last, first)
    sure = say("ranking.message.ends", hard=hard.text, easy=easy.text)
    return (sure, say("ranking.message.places", places=decimal(places, 0, say), count=len(rows)))


def report(campaign: Campaign, given: Sequence[Given], date: str) -> str | None:
    """The page of `plainly ranking report`, with as many resamples as there."""
    judgements = judgements_of(campaign, given)
    if judgements is None:
        return None
    texts = {item.name: str(item.content["text"]) for item in campaign.items}
    ranking = rate(judgements, disconnected=True)
    return ranking_page(ranking, judgements, _agreement(judgements, texts), texts, date, campaign.name)


def _agreement(judgements: Judgements, texts: Mapping[str, str], resamples: int = ENOUGH) -> Agreement | None:
    """None with a single rater."""
    if len(judgements.raters) < 2:
        return None
    return agreement(judgements, words=words_of(texts), pairs=CONTESTED, resampling=Resampling(resamples))


def _alpha(found: Agreement | None, say: Say) -> Headline:
    alpha = found.groups[0].alpha if found else NOTHING
    known = math.isfinite(alpha.value)
    return Headline(say("ranking.alpha"), alpha, say("ranking.alpha.note" if known else "ranking.alpha.none"))


def _suspicious(
    judgements: Judgements, texts: Mapping[str, str], found: Agreement | None, say: Say
) -> dict[str, tuple[str, ...]]:
    if found:
        odd = {row.rater: row.flags for row in found.raters}
    else:  # nobody to compare with; habits of one's own show all the same
        own = habits(judgements, words_of(texts))[0]
        odd = {judgements.raters[0]: flags(own, [own], NOTHING, math.nan, [], 0)}
    return {rater: tuple(say(f"ranking.flag.{flag}") for flag in why) for rater, why in odd.items() if why}


def _ladder(ranking: Ranking, texts: Mapping[str, str], say: Say) -> Picture:
    rows = ranking.by_rank()
    low, high = (say(f"ranking.{end}") for end in ends(ranking.direction))
    values = [
        {**_charted(row.text, row.rating, "text"), "place": place, "wording": snippet(texts[row.text], SNIPPET)}
        for place, row in enumerate(rows, 1)
    ]
    reach = {"low": decimal(rows[0].rating.value, 2, say), "high": decimal(rows[-1].rating.value, 2, say)}
    spec = specs.ladder(say("ranking.picture.ranking.axis", low=low, high=high), say("ranking.rating"))
    if len(rows) <= NAMED:
        spec = specs.intervals(
            [row.text for row in reversed(rows)], say("ranking.rating"), {}, "text", told=["wording"]
        )
    words = say("ranking.picture.ranking.words", count=len(rows), **reach)
    return charted("ranking", say("ranking.picture.ranking", end=high), words, spec, values)


def _kappas(found: Agreement, say: Say) -> Iterator[Picture]:
    raters = sorted((row for row in found.raters if math.isfinite(row.kappa.value)), key=lambda row: -row.kappa.value)
    if raters:
        values = [_charted(row.rater, row.kappa, "rater", "baseline" if row.flags else "system") for row in raters]
        title = say("ranking.picture.raters")
        told = "; ".join(f"{row.rater} {row.kappa.value:.2f}" for row in raters)
        spec = specs.intervals([row.rater for row in raters], say("ranking.picture.raters.axis"), {}, "rater")
        yield charted("raters", title, f"{title} {told}.", spec, values)


def _charted(name: str, number: Estimate, field: str, kind: str = "system") -> dict[str, Any]:
    """A row of a chart, with as many digits as can be seen."""
    rounded = replace(number, value=round(number.value, 4), low=round(number.low, 4), high=round(number.high, 4))
    return interval_values(name, rounded, kind, field)


def _notes(campaign: Campaign, judgements: Judgements, say: Say) -> Iterator[str]:
    if left := len(campaign.items) - len(judgements.texts):
        yield say("ranking.note.unjudged", count=left, all=len(campaign.items))
    yield say("ranking.note.live", count=RESAMPLES)
