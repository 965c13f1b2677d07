"""What ratings tell, as every face prints it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from plainly.findings import Column, Findings, Message, Note, Table, column, joined, message
from plainly.findings.kappa_words import BOUNDS, IN_WORDS, in_words
from plainly.ratings.analysis import Analysis

_column = partial(column, "ratings")
UNITS = {"both": "items and raters", "items": "items", "raters": "raters"}
"""What is drawn anew, in words."""


def findings(found: Analysis) -> Findings:
    """All tables of an analysis: systems, pairs of systems, agreement, raters."""
    return Findings(
        tables=(_systems(found), _pairs(found), _agreement(found), _raters(found)),
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
            *(Column("p", "p"), Column("p (Holm)", "p")),
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
