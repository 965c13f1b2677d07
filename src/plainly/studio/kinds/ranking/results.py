"""What the judgements say so far: ranking, what is uncertain, agreement, who looks careless. All from the study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from plainly.findings import Findings
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import RESAMPLES as ENOUGH
from plainly.inference.resampling import Resampling
from plainly.ranking import Agreement, Judgements, Ranking, agreement, rate
from plainly.ranking.careless import flags, habits, words_of
from plainly.ranking.findings import (
    ENDS,
    agreement_findings,
    contested_table,
    rating_findings,
    uncertain_table,
)
from plainly.ranking.ratings import FLAT
from plainly.report import specs
from plainly.report.ranking import ranking_page
from plainly.studio.kinds.base import Campaign, Figure, Given, Picture, Say, Summary
from plainly.studio.kinds.ranking.exported import judgements_of
from plainly.studio.kinds.summaries import summary_of
from plainly.studio.kinds.words import number

RESAMPLES = 200
"""While answers come in: enough to see, quick enough to look often."""
UNCERTAIN, CONTESTED = 15, 12
SNIPPET = 120
NAMED = 30
"""Up to so many texts, the chart of the ranking has their names."""
NOTHING = Estimate(math.nan, math.nan, math.nan)


def summary(campaign: Campaign, given: Sequence[Given], say: Say) -> Summary:
    """For the dashboard."""
    judgements = judgements_of(campaign, given)
    skipped = sum(each.answer["choice"] == "skip" for each in given)
    counted = [Figure(say("ranking.judgements"), len(judgements) if judgements else 0)]
    if campaign.settings["skip"]:
        counted.append(Figure(say("ranking.skipped"), skipped))
    if judgements is None:
        return Summary(tuple(counted), message=(say("ranking.note.none"),))
    ranking = rate(judgements, resamples=RESAMPLES, disconnected=True)
    sides = rate(judgements, interval="none", disconnected=True, position=True)
    texts = {item.name: str(item.content["text"]) for item in campaign.items}
    found = _agreement(judgements, texts, RESAMPLES)
    places = median(row.rank.high - row.rank.low + 1 for row in ranking.rows)
    figures = [
        *counted,
        Figure(say("ranking.places"), places, note=say("ranking.places.note", count=len(ranking.rows))),
        _alpha(found, say),
        _figure(say("ranking.position"), sides.position or NOTHING, say("ranking.position.note")),
    ]
    told = summary_of(_findings(ranking, judgements, texts, found), say.lang)
    return replace(
        told,
        figures=tuple(figures),
        pictures=(_ladder(ranking, texts, say), *(_kappas(found, say) if found else ())),
        suspicious=_suspicious(judgements, texts, found, say),
        message=_message(ranking, places, say),
        notes=(*_notes(campaign, judgements, say), *told.notes),
    )


def _findings(
    ranking: Ranking, judgements: Judgements, texts: Mapping[str, str], found: Agreement | None
) -> Findings:
    """The ranking, what is uncertain about it, the raters, and what they disagree about."""
    alike = _alike(ranking)
    ranked = rating_findings(ranking, texts, ordered=not alike, letters=SNIPPET)
    agreed = agreement_findings(found) if found else Findings()
    return Findings(
        tables=(
            *ranked.tables,
            *(() if alike else (uncertain_table(ranking, UNCERTAIN),)),  # no number is known to be enough
            *agreed.tables,
            contested_table(judgements, CONTESTED),
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
    hard, easy = (first, last) if ENDS[ranking.direction][0] == "hardest" else (last, first)
    sure = say("ranking.message.ends", hard=hard.text, easy=easy.text)
    return (sure, say("ranking.message.places", places=number(places, 0, say), count=len(rows)))


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
    return agreement(judgements, words=words_of(texts), resampling=Resampling(resamples))


def _alpha(found: Agreement | None, say: Say) -> Figure:
    alpha = found.groups[0].alpha if found else NOTHING
    known = math.isfinite(alpha.value)
    return _figure(say("ranking.alpha"), alpha, say("ranking.alpha.note" if known else "ranking.alpha.none"))


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
    low, high = (say(f"ranking.{end}") for end in ENDS[ranking.direction])
    values = [
        {
            "place": place,
            "score": _rounded(row.rating.value),
            "low": _rounded(row.rating.low),
            "high": _rounded(row.rating.high),
            "text": row.text,
            "wording": _snippet(texts[row.text]),
        }
        for place, row in enumerate(rows, 1)
    ]
    ends = {"low": number(rows[0].rating.value, 2, say), "high": number(rows[-1].rating.value, 2, say)}
    axis = say("ranking.picture.ranking.axis", low=low, high=high)
    spec = specs.ladder(axis, say("ranking.rating"))
    if len(rows) <= NAMED:
        spec = specs.intervals([row.text for row in reversed(rows)], say("ranking.rating"), {}, "text")
        values = [{**value, "kind": "system"} for value in values]
    words = say("ranking.picture.ranking.words", count=len(rows), **ends)
    return Picture("ranking", say("ranking.picture.ranking", end=high), words, _with_rows(spec, values))


def _kappas(found: Agreement, say: Say) -> Iterator[Picture]:
    raters = sorted((row for row in found.raters if math.isfinite(row.kappa.value)), key=lambda row: -row.kappa.value)
    if not raters:
        return
    values = [
        {
            "rater": row.rater,
            "kind": "baseline" if row.flags else "system",
            **{"score": _rounded(row.kappa.value), "low": _rounded(row.kappa.low), "high": _rounded(row.kappa.high)},
        }
        for row in raters
    ]
    title = say("ranking.picture.raters")
    told = "; ".join(f"{row.rater} {row.kappa.value:.2f}" for row in raters)
    spec = specs.intervals([row.rater for row in raters], say("ranking.picture.raters.axis"), {}, "rater")
    yield Picture("raters", title, f"{title} {told}.", _with_rows(spec, values))


def _notes(campaign: Campaign, judgements: Judgements, say: Say) -> Iterator[str]:
    if left := len(campaign.items) - len(judgements.texts):
        yield say("ranking.note.unjudged", count=left, all=len(campaign.items))
    yield say("ranking.note.live", count=RESAMPLES)


def _with_rows(spec: specs.Spec, rows: Sequence[Mapping[str, Any]]) -> specs.Spec:
    return {**spec, "data": {"values": list(rows)}}


def _figure(label: str, number: Estimate, note: str = "") -> Figure:
    return Figure(label, _finite(number.value), _finite(number.low), _finite(number.high), note)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[: SNIPPET - 1] + "…"
