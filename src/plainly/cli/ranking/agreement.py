"""`plainly ranking agreement`: how far raters agree, and who looks careless."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.cli.judgement_inputs import columns_of, judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.cli.printing import print_findings
from plainly.ranking import agreement, read_judgements
from plainly.ranking.careless import words_of
from plainly.ranking.findings import agreement_findings
from plainly.ranking.formats import read_scores
from plainly.ranking.scored import Scored


def run(options: argparse.Namespace) -> None:
    protect_inputs(options.output, [*options.judgements, *(options.gold or [])], options.texts, options.scores)
    if options.gold and options.yardstick:
        raise PlainlyError("--gold and --yardstick are two yardsticks; give one of them")
    judgements, texts = judgements_of(options)
    gold = read_judgements(options.gold, options.winner, columns=columns_of(options)[0]) if options.gold else None
    worded = {text.id: text.text for text in texts}
    found = agreement(
        judgements,
        gold=gold,
        by=options.by,
        alpha=options.alpha_kind,
        words=words_of(worded),
        scores=_scores(options, judgements.texts),
        pairs=options.top,
        resampling=studied_resampling(options, "match"),
        **_chosen(options),
    )
    shown = agreement_findings(found, worded)
    if options.table and options.table not in {table.name for table in shown.tables}:
        raise PlainlyError(f"there is no table {options.table}: {ABSENT[options.table]}")
    print_findings(options, shown, [options.table] if options.table else ())


ABSENT = {
    "scores": "give --scores",
    "contested": "no two raters differ about a pair",
    "votes": "group the votes, as --by level, of pairs about which raters differ",
}


def _scores(options: argparse.Namespace, known: Sequence[str]) -> list[Scored]:
    if options.high and not options.scores:
        raise PlainlyError("--high says what --scores mean; give these, too")
    if not options.scores:
        return []
    if not options.high:
        raise PlainlyError("what does a high score, or a late position, mean? --high harder, or --high easier")
    return [Scored(Path(options.scores).stem, read_scores(options.scores, known), options.high)]


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The yardstick and the method of rating."""
    methods = methods_of(options)
    if len(methods) > 1:
        raise PlainlyError("--method takes one method here")
    settings = settings_for(methods[0], options, methods)
    return {"against": options.yardstick, "ties": options.ties, "method": methods[0], "settings": settings}
