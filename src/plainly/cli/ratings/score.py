"""`plainly ratings score`: how good systems are on each scale, and how far one can trust it."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, refuse_overwriting
from plainly.cli.options import studied_resampling
from plainly.cli.printing import print_findings
from plainly.ratings import Range, analyse, read_ratings
from plainly.ratings.findings import findings

OF_GROUPS = ("groups", "group-pairs", "contrasts", "texts")


def run(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, options.files)
    check_writable(options.output)
    if options.table in OF_GROUPS and not options.by:
        raise PlainlyError(f"--table {options.table} needs --by: a column that says to which group a rater belongs")
    ratings = read_ratings(
        options.files,
        scales=[name.strip() for name in options.scales.split(",")] if options.scales else (),
        columns=options.columns,
        ranges=dict(_range(text) for text in options.range),
        groups=options.by,
    )
    found = analyse(
        ratings,
        values=options.values or "raw",
        checks=options.checks,
        most_failed=options.most_failed,
        alpha=options.measurement,
        references=tuple(options.reference),
        by=options.by,
        draw=options.draw,
        resampling=studied_resampling(options, "item and rater"),
    )
    print_findings(options, findings(found), [options.table or ("groups" if options.by else "systems")])


def _range(text: str) -> tuple[str, Range]:
    scale, equals, bounds = text.rpartition("=")
    try:
        return scale if equals else "", Range.of(bounds)
    except ValueError:
        raise PlainlyError(f"--range needs LOW..HIGH or SCALE=LOW..HIGH, as 1..5, not {text!r}") from None
