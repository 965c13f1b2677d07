"""`plainly ranking agreement`: how far raters agree, and who looks careless."""

from __future__ import annotations

import argparse
import json
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.judgement_inputs import judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.cli.study_tables import Table, printed
from plainly.inference.estimates import Estimate
from plainly.ranking import Agreement, agreement, read_judgements
from plainly.ranking.careless import words_of
from plainly.ranking.raters import GroupAlpha, RaterRow
from plainly.ranking.replication import replication


def run(options: argparse.Namespace) -> None:
    protect_inputs(options.output, [*options.judgements, *(options.gold or [])], options.texts)
    if options.format == "csv" and not options.table:
        raise PlainlyError("--format csv holds one table; say which, for example --table raters")
    if options.gold and options.against:
        raise PlainlyError("--gold and --against are two yardsticks; give one of them")
    judgements, texts = judgements_of(options)
    gold = read_judgements(options.gold, options.winner) if options.gold else None
    found = agreement(
        judgements,
        gold=gold,
        by=options.by,
        words=words_of({text.id: text.text for text in texts}),
        resampling=studied_resampling(options, "match"),
        **_chosen(options),
    )
    with writing(options.output) as out:
        out.write(_text(found, options))


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The yardstick and the method of rating: as asked for, or as in a study."""
    if options.replicate:
        studied = dict(replication(options.replicate))
        if options.gold:
            del studied["against"]
        return {**studied, "printed_kappa": True}
    methods = methods_of(options)
    if len(methods) > 1:
        raise PlainlyError("--method takes one method here")
    settings = settings_for(methods[0], options, methods)
    return {"against": options.against, "ties": options.ties, "method": methods[0], "settings": settings}


def _text(found: Agreement, options: argparse.Namespace) -> str:
    if options.format == "json":
        return json.dumps({"plainly": __version__, **found.to_dict()}, ensure_ascii=False, indent=2) + "\n"
    replicated = ["kappa as printed"] if options.replicate else []
    timed = ["seconds a word"] if options.texts else []
    tables = {
        "raters": Table(
            "Raters and the yardstick",
            [
                "rater",
                "judgements",
                "compared",
                *(name for head in ("share", "kappa") for name in _bounded(head)),
                *replicated,
                *(name for head in ("spearman", "kendall") for name in _bounded(head)),
            ],
            [_rater_cells(row) for row in found.raters],
            4 if options.replicate else 3,
        ),
        "habits": Table(
            "Habits of raters",
            ["rater", "median seconds", *timed, "first wins", "repeated", "of these as before", "flags"],
            [_habit_cells(row, bool(timed)) for row in found.raters],
            [0, 1, *([3] if timed else []), 3, 0, 0, 0],
        ),
        "groups": Table(
            "Krippendorff's alpha",
            ["column", "group", "raters", "matches", "judgements", *_bounded("alpha")],
            [_group_cells(group) for group in found.groups],
            4 if options.replicate else 3,
        ),
    }
    if options.format == "csv":
        tables = {
            name: Table(table.title, [*table.headers, "signature"], [[*row, found.signature] for row in table.rows])
            for name, table in tables.items()
        }
    lines = [
        *found.notes,
        f"low and high: {options.confidence:.0%} intervals, {options.resamples} resamples of matches; "
        "spearman and kendall: of texts",
        found.signature,
    ]
    return printed(tables, options.table, options.format, lines)


def _rater_cells(row: RaterRow) -> list[Cell]:
    return [
        row.rater,
        row.judgements,
        row.compared,
        *_cells(row.share),
        *_cells(row.kappa),
        *([] if row.printed_kappa is None else [row.printed_kappa]),
        *_cells(row.spearman),
        *_cells(row.kendall),
    ]


def _habit_cells(row: RaterRow, timed: bool) -> list[Cell]:
    kept = row.habits
    return [
        row.rater,
        kept.median_seconds,
        *([kept.seconds_per_word] if timed else []),
        kept.first_share,
        kept.repeated,
        kept.consistent,
        ", ".join(row.flags),
    ]


def _group_cells(group: GroupAlpha) -> list[Cell]:
    named = [group.column, group.value] if group.column else ["all", ""]
    return [*named, group.raters, group.matches, group.judgements, *_cells(group.alpha)]


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]


def _cells(figure: Estimate) -> list[Cell]:
    return [figure.value, figure.low, figure.high]
