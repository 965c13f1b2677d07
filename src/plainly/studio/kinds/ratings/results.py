"""What is known so far: means of systems, differences, agreement, and whose answers one should look at.

All numbers are those of `plainly ratings score ratings.csv` on the exported file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from plainly.inference.estimates import CONFIDENCE
from plainly.inference.resampling import USUAL, Resampling
from plainly.ratings import Analysis, Range, SystemScore, analyse, gathered
from plainly.ratings.findings import findings
from plainly.report import specs
from plainly.studio.kinds.base import Campaign, Figure, Given, Picture, Say, Summary
from plainly.studio.kinds.ratings import scales
from plainly.studio.kinds.ratings.exported import ratings_of
from plainly.studio.kinds.summaries import summary_of
from plainly.studio.kinds.words import number

MANY, FEWER = 20_000, 200
"""With more ratings than this, so many resamples while the campaign runs."""


def summary(campaign: Campaign, given: Sequence[Given], say: Say) -> Summary:
    """For the owner's dashboard."""
    ratings = gathered(ratings_of(campaign, given))
    if not ratings.judged:
        return Summary(message=(say("ratings.note.nothing"),))
    fewer = len(ratings.entries) > MANY
    found = analyse(ratings, resampling=Resampling(resamples=FEWER) if fewer else USUAL)
    told = summary_of(findings(found), say.lang)
    return replace(
        told,
        figures=tuple(_figures(found, say)),
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


def _message(found: Analysis, say: Say) -> Iterator[str]:
    """The best system on each scale, and how many of the differences between systems are sure."""
    systems = [row for row in _best_first(found) if row.role == "output" and math.isfinite(row.mean.value)]
    best: dict[str, SystemScore] = {}
    for row in systems:
        best.setdefault(row.scale, row)
    if not best:
        return
    several = len({row.system for row in systems}) > 1
    told = [
        say(
            "ratings.message.scale",
            scale=_scale(row.scale, say),
            system=row.system,
            mean=number(row.mean.value, 2, say),
        )
        for row in best.values()
    ]
    yield say("ratings.message.best" if several else "ratings.message.means", listed="; ".join(told))
    outputs = {row.system for row in systems}
    pairs = [row for row in found.pairs if {row.first, row.second} <= outputs and math.isfinite(row.p_holm)]
    if several and pairs:
        sure = sum(row.p_holm < 1 - CONFIDENCE for row in pairs)
        yield say("ratings.message.sure", sure=sure, count=len(pairs))


def _scale(name: str, say: Say) -> str:
    """The name of a scale: our own ones have it in every language."""
    return say(f"ratings.scale.{name}.name") if name in scales.BUNDLED else name


def _figures(found: Analysis, say: Say) -> Iterator[Figure]:
    count = sum(row.habits.ratings for row in found.raters)
    yield Figure(say("ratings.figure.ratings"), count, note=say("ratings.figure.ratings.note"))
    checks, failed = (sum(getattr(row.habits, name) for row in found.raters) for name in ("checks", "failed"))
    if checks:
        yield Figure(say("ratings.figure.failed"), failed, note=say("ratings.figure.failed.note", count=checks))
    for row in found.agreement:
        label = say("ratings.figure.alpha", scale=_scale(row.scale, say))
        note = "" if math.isfinite(row.alpha.value) else say("ratings.figure.alpha.none")
        yield Figure(label, *_bounds(row.alpha), note)


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
        rows = []
        for row in own:
            value, low, high = _bounds(row.mean)
            kind = "baseline" if row.role == "reference" else "system"
            rows.append({"system": row.system, "kind": kind, "score": value, "low": low, "high": high})
        told = "; ".join(f"{row.system} {number(row.mean.value, 2, say)}" for row in own)
        title = say("ratings.picture.scale", scale=_scale(scale, say))
        axis = say("ratings.picture.axis", scale=_scale(scale, say), low=f"{whole.low:g}", high=f"{whole.high:g}")
        spec = specs.intervals([row.system for row in own], axis, {}, ends=(whole.low, whole.high))
        yield Picture(f"scale-{place}", title, f"{title} {told}.", {**spec, "data": {"values": rows}})


def _bounds(figure: Any) -> tuple[float | None, float | None, float | None]:
    return _number(figure.value), _number(figure.low), _number(figure.high)


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return float(value) if math.isfinite(value) else None
