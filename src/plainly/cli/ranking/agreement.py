"""`plainly ranking agreement`: how far raters agree, and who looks careless."""

from __future__ import annotations

import argparse
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.cli.judgement_inputs import columns_of, judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.cli.printing import print_findings
from plainly.ranking import agreement, read_judgements
from plainly.ranking.careless import words_of
from plainly.ranking.findings import agreement_findings


def run(options: argparse.Namespace) -> None:
    protect_inputs(options.output, [*options.judgements, *(options.gold or [])], options.texts)
    if options.gold and options.yardstick:
        raise PlainlyError("--gold and --yardstick are two yardsticks; give one of them")
    judgements, texts = judgements_of(options)
    gold = read_judgements(options.gold, options.winner, columns=columns_of(options)[0]) if options.gold else None
    found = agreement(
        judgements,
        gold=gold,
        by=options.by,
        alpha=options.alpha_kind,
        words=words_of({text.id: text.text for text in texts}),
        resampling=studied_resampling(options, "match"),
        **_chosen(options),
    )
    print_findings(options, agreement_findings(found), [options.table] if options.table else ())


def _chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The yardstick and the method of rating."""
    methods = methods_of(options)
    if len(methods) > 1:
        raise PlainlyError("--method takes one method here")
    settings = settings_for(methods[0], options, methods)
    return {"against": options.yardstick, "ties": options.ties, "method": methods[0], "settings": settings}
