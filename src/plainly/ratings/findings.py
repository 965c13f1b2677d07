"""What ratings tell, as every face prints it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from plainly.findings import Column, Findings, Message, Note, Table, column, joined, message
from plainly.findings.kappa_words import BOUNDS, IN_WORDS, in_words
from plainly.inference.resampling import Resampling
from plainly.ratings.analysis import Analysis
from plainly.ratings.audiences import GroupScores

_column = partial(column, "ratings")
UNITS = {"both": "items and raters", "items": "items", "raters": "raters"}
"""What is drawn anew, in words."""
P = (Column("p", "p"), Column("p (Holm)", "p"))


def findings(found: Analysis) -> Findings:
    """All tables of an analysis: systems, pairs of systems, agreement, raters; and what groups of raters say."""
    return Findings(
        tables=(
            *(_systems(found), _pairs(found), _agreement(found), _raters(found), _contested(found)),
            *((_groups(found), _group_pairs(found), _contrasts(found), _texts(found)) if found.groups else ()),
        ),
        verdict=[sentence for group in found.groups for sentence in _suited(group, found.resampling)],
        notes=[Note(one) for one in found.notes],
        signatures=(found.signature,),
        data=found.data,
    )


def _systems(found: Analysis) -> Table:
    ceiling = any(row.to_ceiling is not None for row in found.systems)
    return Table(
        "systems",
        message("ratings.systems", "How good is each system on each scale?"),
        [
            *(_column("scale"), _column("system"), _column("role")),
            *(_column(name, "count") for name in ("items", "raters", "ratings", "unjudged")),
            replace(_column("mean", "estimate"), better="higher"),
            *([_column("to ceiling", "estimate")] if ceiling else []),
        ],
        [
            [
                *(_scale(row.scale), row.system, _word("role", row.role), row.items, row.raters, row.ratings),
                *(row.unjudged, row.mean),
                *([row.to_ceiling] if ceiling else []),
            ]
            for row in found.systems
        ],
        legend=[
            _drawn(found, found.drawn),
            *([message("ratings.ceiling", "to ceiling: less the mean of the references")] if ceiling else []),
        ],
    )


def _pairs(found: Analysis) -> Table:
    return Table(
        "pairs",
        message("ratings.pairs", "Do two systems differ?"),
        [
            *(_column("scale"), _column("system"), _column("less"), _column("items", "count")),
            _column("difference", "estimate"),
            *P,
        ],
        [
            [_scale(row.scale), row.first, row.second, row.items, row.difference, row.p, row.p_holm]
            for row in found.pairs
        ],
        legend=[
            _drawn(found, found.drawn),
            message("ratings.both", "on items that both have; p (Holm): corrected for the pairs of a scale"),
        ],
    )


def _agreement(found: Analysis) -> Table:
    return Table(
        "agreement",
        message("ratings.agreement", "How far do raters agree?"),
        [
            *(_column("scale"), *(_column(name, "count") for name in ("raters", "outputs", "ratings"))),
            _column("taken as"),
            Column("alpha", "estimate", 3),
            IN_WORDS,
            _column("with others", "estimate", 3),
        ],
        [
            [
                *(_scale(row.scale), row.raters, row.outputs, row.ratings),
                *(_word("measurement", row.measurement), row.alpha, in_words(row.alpha), row.with_others),
            ]
            for row in found.agreement
        ],
        legend=[
            _drawn(found, "items"),
            BOUNDS,
            message("ratings.others", "with others: mean correlation of a rater with the mean of the others"),
        ],
    )


def _raters(found: Analysis) -> Table:
    scales = [part.scale for part in found.agreement]
    return Table(
        "raters",
        message("ratings.raters", "Whose ratings should one look at?"),
        [
            *(_column("rater"), _column("counts"), _column("ratings", "count"), _column("unjudged", "count")),
            _column("median seconds", "number", 1),
            _column("one value", "number"),
            _column("same on all", "number"),
            *(_column("checks", "count"), _column("failed", "count")),
            *(
                Column(
                    f"with others: {scale}",
                    "number",
                    title=message("ratings.with-others-on", "with others: {scale}", scale=_scale(scale)),
                )
                for scale in scales
            ),
            _column("flags", "flags"),
        ],
        [
            [
                *(row.rater, _word("counts", "yes" if row.kept else "no"), row.habits.ratings, row.habits.unjudged),
                *(row.habits.median_seconds, row.habits.one_value, row.habits.same_on_all),
                *(row.habits.checks, row.habits.failed),
                *(row.with_others[scale].value if scale in row.with_others else None for scale in scales),
                joined(_word("flag", flag) for flag in row.flags),
            ]
            for row in found.raters
        ],
        legend=[
            message(
                "ratings.habits",
                "one value: share of the value given most often; same on all: share of outputs with the same value "
                "on all scales",
            )
        ],
    )


def _contested(found: Analysis) -> Table:
    return Table(
        "contested",
        message("ratings.contested", "On which outputs do raters differ most?"),
        [
            *(_column("scale"), _column("item"), _column("system"), _column("role")),
            *(_column("range", "number"), _column("deviation", "number", 2), _column("ratings by rater")),
        ],
        [
            [
                *(_scale(row.scale), row.item, row.system, _word("role", row.role), row.range, row.deviation),
                ", ".join(f"{rater} {value:g}" for rater, value in row.ratings.items()),
            ]
            for row in found.contested
        ],
        legend=[
            message(
                "ratings.spread", "range: from the lowest value to the highest; deviation: standard, as of a sample"
            )
        ],
    )


def _groups(found: Analysis) -> Table:
    return Table(
        "groups",
        message("ratings.groups", "What does each group of raters say?"),
        [
            *(_column("group"), _column("value"), _column("scale"), _column("system"), _column("role")),
            *(_column(name, "count") for name in ("items", "raters", "ratings")),
            replace(_column("mean", "estimate"), better="higher"),
        ],
        [
            [
                *(own.column, own.group, _scale(row.scale), row.system, _word("role", row.role)),
                *(row.items, row.raters, row.ratings, row.mean),
            ]
            for own in found.groups
            for row in own.systems
        ],
        legend=[
            _drawn(found, found.drawn),
            message("ratings.levels", "one group may be stricter than another: compare within a group"),
        ],
    )


def _group_pairs(found: Analysis) -> Table:
    return Table(
        "group-pairs",
        message("ratings.group-pairs", "Do two systems differ, for a group?"),
        [
            *(_column("group"), _column("value"), _column("scale"), _column("system"), _column("less")),
            *(_column("items", "count"), _column("difference", "estimate"), *P),
        ],
        [
            [
                *(own.column, own.group, _scale(row.scale), row.first, row.second),
                *(row.items, row.difference, row.p, row.p_holm),
            ]
            for own in found.groups
            for row in own.pairs
        ],
        legend=[
            _drawn(found, found.drawn),
            message("ratings.both-of-group", "p (Holm): corrected for the pairs of a group and scale"),
        ],
    )


def _contrasts(found: Analysis) -> Table:
    return Table(
        "contrasts",
        message("ratings.contrasts", "Does it depend on the group which of two systems is better?"),
        [
            *(_column("group"), _column("scale"), _column("system"), _column("less"), _column("value")),
            *(_column("less that of"), _column("items", "count"), _column("difference", "estimate"), *P),
        ],
        [
            [
                *(row.column, _scale(row.scale), row.first, row.second, row.group, row.other),
                *(row.items, row.difference, row.p, row.p_holm),
            ]
            for row in found.contrasts
        ],
        legend=[
            _drawn(found, found.drawn),
            message(
                "ratings.contrast",
                "difference: how far one group prefers the system to the other, less the same of another group; "
                "p (Holm): corrected for the rows of a scale",
            ),
        ],
    )


def _texts(found: Analysis) -> Table:
    return Table(
        "texts",
        message("ratings.texts", "Which texts suit a group?"),
        [
            *(_column("group"), _column("value"), _column("scale"), _column("item"), _column("system")),
            *(_column("role"), _column("raters", "count"), replace(_column("mean", "estimate"), better="higher")),
        ],
        [
            [
                *(own.column, own.group, _scale(row.scale), row.item, row.system, _word("role", row.role)),
                *(row.raters, row.mean),
            ]
            for own in found.groups
            for row in own.texts
        ],
        legend=[
            message(
                "ratings.student",
                "in brackets: {confidence:.0%} intervals (Student's t) over the raters of a text",
                confidence=found.resampling.confidence,
            )
        ],
    )


def _suited(group: GroupScores, resampling: Resampling) -> Iterator[Message]:
    """Which system a group rates highest on each scale, and from which it is told apart."""
    for scale in dict.fromkeys(row.scale for row in group.systems):
        rows = [row for row in group.systems if row.scale == scale and math.isfinite(row.mean.value)]
        if len(rows) < 2:
            continue
        best = max(rows, key=lambda row: row.mean.value)
        pairs = [row for row in group.pairs if row.scale == scale and best.system in (row.first, row.second)]
        alike = [
            row.second if row.first == best.system else row.first
            for row in pairs
            if not row.p_holm < 1 - resampling.confidence
        ]
        values = {
            "scale": _scale(scale),
            "column": group.column,
            "group": group.group,
            "system": best.system,
            "mean": f"{best.mean.value:.2f}",
        }
        if alike:
            yield message(
                "ratings.suits.unsure",
                "{scale}, {column} {group}: {system} has the highest mean ({mean}), not told apart from {alike}.",
                **values,
                alike=", ".join(alike),
            )
        else:
            yield message(
                "ratings.suits", "{scale}, {column} {group}: {system} suits best ({mean}), beyond chance.", **values
            )


def _drawn(found: Analysis, units: str) -> Message:
    resampling = found.resampling
    return message(
        "ratings.drawn",
        "in brackets: {confidence:.0%} intervals, {resamples} resamples of {units}",
        confidence=resampling.confidence,
        resamples=resampling.resamples,
        units=message(f"ratings.drawn.{units}", UNITS[units]),
    )


def _scale(name: str) -> Message:
    """Our own scales have a name in every language; others are called what their makers call them."""
    return message(f"ratings.scale.{name}", "{name}", name=name)


def _word(kind: str, name: str) -> Message:
    return message(f"ratings.{kind}.{name.replace(' ', '-')}", name)
