"""`plainly ranking rate`: ratings of texts; how well methods foretell judgements; how many raters are enough."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.cli.judgement_inputs import columns_of, judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.cli.printing import print_findings
from plainly.findings import Findings
from plainly.inference import RESAMPLES
from plainly.ranking import Judgements, Text, rate, read_judgements
from plainly.ranking.fewer_raters import Way, fewer_raters
from plainly.ranking.findings import fewer_findings, method_findings, rating_findings
from plainly.ranking.heldout import compare_methods


def run(options: argparse.Namespace) -> None:
    if options.cross_validate and options.fewer_raters:
        raise PlainlyError("--cross-validate and --fewer-raters are two studies; ask for one of them")
    if options.ties and options.votes != "majority" and not options.fewer_raters:
        raise PlainlyError("--ties is a rule of --votes majority")
    if options.gold and not options.fewer_raters:
        raise PlainlyError("--gold is the yardstick of --fewer-raters")
    methods = methods_of(options)
    protect_inputs(options.output, [*options.judgements, *options.gold], options.texts)
    judgements, texts = judgements_of(options)
    if options.cross_validate:
        found = _held_out(judgements, methods, options)
    elif options.fewer_raters:
        found = _fewer(judgements, methods, options)
    else:
        found = _rated(judgements, texts, methods, options)
    print_findings(options, found)


def _rated(judgements: Judgements, texts: list[Text], methods: list[str], options: argparse.Namespace) -> Findings:
    if len(methods) > 1 or ":" in methods[0]:
        raise PlainlyError("--method takes one method here; several are compared by --cross-validate")
    ranking = rate(
        judgements,
        methods[0],
        votes=options.votes,
        ties=options.ties,
        scale=options.scale,
        interval=options.uncertainty,
        resamples=RESAMPLES if options.resamples is None else options.resamples,
        seed=options.seed,
        confidence=options.confidence,
        disconnected=options.disconnected,
        **settings_for(methods[0], options, methods),
    )
    return rating_findings(ranking, {text.id: text.text for text in texts})


def _held_out(judgements: Judgements, methods: list[str], options: argparse.Namespace) -> Findings:
    found = compare_methods(
        judgements,
        {name: settings_for(name, options, methods) for name in methods},
        votes=options.votes,
        ties=options.ties,
        folds=options.folds,
        repeats=options.repeats,
        resampling=studied_resampling(options, "pair"),
    )
    return method_findings(found)


def _fewer(judgements: Judgements, methods: list[str], options: argparse.Namespace) -> Findings:
    try:
        counts = [int(count) for count in options.fewer_raters.split(",")]
    except ValueError:
        raise PlainlyError(f"--fewer-raters takes numbers, as 1,3,5, not {options.fewer_raters!r}") from None
    columns, _ = columns_of(options)
    ways = []
    for method in methods:
        name, _, votes = method.partition(":")
        if votes not in ("", "majority"):
            raise PlainlyError(f"--method takes NAME or NAME:majority here, not {method!r}")
        ways.append(Way(name, "majority" if votes else "all", options.ties, settings_for(name, options, methods)))
    found = fewer_raters(
        judgements,
        counts,
        ways,
        against=read_judgements(options.gold, options.winner, None, columns) if options.gold else None,
        draws=options.draws,
        seed=options.seed,
        confidence=options.confidence,
    )
    return fewer_findings(found)
