"""`plainly ratings score`: how good systems are on each scale, and how far one can trust it."""

from __future__ import annotations

import argparse
import json

from plainly.base.errors import PlainlyError
from plainly.base.files import refuse_overwriting, writing
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.columns import named_columns
from plainly.cli.study_tables import Table, p_cell, printed
from plainly.ranking.results import Figure
from plainly.ratings import Analysis, Drawing, Range, analyse, read_ratings
from plainly.ratings.formats import COLUMNS


def run(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, options.files)
    ratings = read_ratings(
        options.files,
        scales=[name.strip() for name in options.scales.split(",")] if options.scales else (),
        columns=named_columns(options.columns, COLUMNS),
        ranges=dict(_range(text) for text in options.ranges),
    )
    found = analyse(
        ratings,
        values=options.values,
        checks=options.checks,
        most_failed=options.most_failed,
        alpha=options.alpha,
        references=tuple(options.reference),
        drawing=Drawing(options.draw, options.resamples, options.seed, options.level),
    )
    with writing(options.output) as out:
        out.write(_text(found, options))


def _range(text: str) -> tuple[str, Range]:
    scale, equals, bounds = text.rpartition("=")
    try:
        return scale if equals else "", Range.of(bounds)
    except ValueError:
        raise PlainlyError(f"--range needs LOW..HIGH or SCALE=LOW..HIGH, as 1..5, not {text!r}") from None


def _text(found: Analysis, options: argparse.Namespace) -> str:
    if options.format == "json":
        return json.dumps({"plainly": __version__, **found.to_dict()}, ensure_ascii=False, indent=2) + "\n"
    chosen = next((name for name in ("pairs", "agreement", "raters") if getattr(options, name)), "systems")
    table = _tables(found, options.format)[chosen]
    if options.format == "csv":
        rows = [[*row, found.signature] for row in table.rows]
        table = Table(table.title, [*table.headers, "signature"], rows)
    drawn = {"both": "items and raters", "items": "items", "raters": "raters"}[options.draw]
    lines = [
        *found.notes,
        f"low and high: {options.level:.0%} intervals, {options.resamples} resamples of "
        f"{'items' if chosen in ('agreement', 'raters') else drawn}",
        found.signature,
    ]
    return printed({chosen: table}, chosen, options.format, lines)


def _tables(found: Analysis, form: str) -> dict[str, Table]:
    ceiling = any(row.to_ceiling is not None for row in found.systems)
    scales = [part.scale for part in found.agreement]
    return {
        "systems": Table(
            "Systems",
            [
                *("scale", "system", "role", "items", "raters", "ratings", "unjudged"),
                *_bounded("mean"),
                *(_bounded("to ceiling") if ceiling else ()),
            ],
            [
                [
                    *(row.scale, row.system, row.role, row.items, row.raters, row.ratings, row.unjudged),
                    *_cells(row.mean),
                    *(_cells(row.to_ceiling) if ceiling else ()),
                ]
                for row in found.systems
            ],
            [0] * 7 + [2] * (6 if ceiling else 3),
        ),
        "pairs": Table(
            "Pairs of systems",
            ["scale", "system", "less", "items", *_bounded("difference"), "p", "p (Holm)"],
            [
                [
                    *(row.scale, row.first, row.second, row.items),
                    *_cells(row.difference),
                    *(p_cell(p, form) for p in (row.p, row.p_holm)),
                ]
                for row in found.pairs
            ],
            2,
        ),
        "agreement": Table(
            "Agreement",
            ["scale", "raters", "outputs", "ratings", "taken as", *_bounded("alpha"), *_bounded("with others")],
            [
                [
                    *(row.scale, row.raters, row.outputs, row.ratings, row.level),
                    *_cells(row.alpha),
                    *_cells(row.with_others),
                ]
                for row in found.agreement
            ],
            3,
        ),
        "raters": Table(
            "Raters",
            [
                *("rater", "counts", "ratings", "unjudged", "median seconds", "one value", "same on all"),
                *("checks", "failed"),
                *(f"with others: {scale}" for scale in scales),
                "flags",
            ],
            [
                [
                    row.rater,
                    "yes" if row.kept else "no",
                    row.habits.ratings,
                    row.habits.unjudged,
                    row.habits.median_seconds,
                    row.habits.one_value,
                    row.habits.same_on_all,
                    row.habits.checks,
                    row.habits.failed,
                    *(row.with_others[scale].value if scale in row.with_others else None for scale in scales),
                    ", ".join(row.flags),
                ]
                for row in found.raters
            ],
            [0] * 4 + [1, 2, 2, 0, 0] + [2] * len(scales) + [0],
        ),
    }


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]


def _cells(figure: Figure | None) -> list[Cell]:
    return [None, None, None] if figure is None else [figure.value, figure.low, figure.high]
