"""`plainly ranking rate`: ratings of texts; how well methods foretell judgements; how many raters are enough."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.signature import signed
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.judgement_inputs import judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.inference.estimates import Estimate
from plainly.ranking import Judgements, Ranking, Text, cross_validate, estimator, majority, rate, read_judgements
from plainly.ranking.fewer import Way, fewer_raters
from plainly.ranking.heldout import FIGURES, HeldOut

SNIPPET = 60
"""Characters of a text that are shown beside its rating."""
LOWEST = {"harder": "easiest", "easier": "hardest"}


def run(options: argparse.Namespace) -> None:
    if options.cross_validate and options.fewer_raters:
        raise PlainlyError("--cross-validate and --fewer-raters are two studies; ask for one of them")
    if options.ties and options.votes != "majority" and not options.fewer_raters:
        raise PlainlyError("--ties is a rule of --votes majority")
    if options.against and not options.fewer_raters:
        raise PlainlyError("--against is the yardstick of --fewer-raters")
    methods = methods_of(options)
    protect_inputs(options.output, [*options.judgements, *(options.against or [])], options.texts)
    judgements, texts = judgements_of(options)
    if options.cross_validate:
        text = _held_out(judgements, methods, options)
    elif options.fewer_raters:
        text = _fewer(judgements, methods, options)
    else:
        text = _rated(judgements, texts, methods, options)
    with writing(options.output) as out:
        out.write(text)


def _rated(judgements: Judgements, texts: list[Text], methods: list[str], options: argparse.Namespace) -> str:
    if len(methods) > 1 or ":" in methods[0]:
        raise PlainlyError("--method takes one method here; several are compared by --cross-validate")
    ranking = rate(
        judgements,
        methods[0],
        votes=options.votes,
        ties=options.ties,
        scale=options.scale,
        interval=options.interval,
        resamples=options.resamples,
        seed=options.seed,
        confidence=options.confidence,
        disconnected=options.disconnected,
        **settings_for(methods[0], options, methods),
    )
    if options.format == "json":
        return _json(ranking.to_dict())
    headers = ["text", "rating", "low", "high", "rank", "rank low", "rank high", "score", "matches"]
    rows: list[list[Cell]] = [
        [
            row.text,
            *_cells([row.rating]),
            *(_whole(row.rank.value), _whole(row.rank.low), _whole(row.rank.high)),
            row.score,
            row.matches,
        ]
        for row in ranking.by_rank()
    ]
    if texts:
        wording = {text.id: text.text for text in texts}
        headers.append("wording")
        for row in rows:
            row.append(_snippet(wording[str(row[0])]))
    places = 3 if ranking.method == "bradley-terry" else 1
    decimals = [0, places, places, places, 1, 0, 0, 4, 0, *([0] if texts else [])]
    return _table(headers, rows, options.format, decimals, _lines(ranking, options), ranking.signature)


def _lines(ranking: Ranking, options: argparse.Namespace) -> list[str]:
    lines = [f"rank 1 is the {LOWEST[ranking.direction]} text: winning means to be {ranking.direction}"]
    if ranking.settings["interval"] != "none":
        lines.append(
            f"low and high: {options.confidence:.0%} of {options.resamples} {_DRAWN[ranking.settings['interval']]}, "
            f"seed {options.seed}"
        )
    if ranking.position:
        at = ranking.position
        lines.append(f"to be shown first helps by {at.value:.3f} logits [{at.low:.3f}, {at.high:.3f}]")
    return [*lines, *ranking.notes]


_DRAWN = {
    "posterior": "draws of what the method believes",
    "orders": "random orders of the judgements",
    "bootstrap-judgements": "resamples of the judgements",
    "bootstrap-raters": "resamples of the raters",
}


def _held_out(judgements: Judgements, methods: list[str], options: argparse.Namespace) -> str:
    if options.votes == "majority":
        judgements = majority(judgements, options.ties, options.seed)
    found = cross_validate(
        judgements,
        {name: estimator(name, **settings_for(name, options, methods)) for name in methods},
        folds=options.folds,
        repeats=options.repeats,
        resampling=studied_resampling(options, "pair"),
    )
    signature = signed(
        "ranking-cross-validation",
        {
            "votes": options.votes,
            **({"ties": options.ties} if options.ties else {}),
            **{name: value for method in methods for name, value in settings_for(method, options, methods).items()},
            **{name: getattr(options, name) for name in ("folds", "repeats", "confidence", "resamples", "seed")},
        },
    )
    if options.format == "json":
        return _json({"signature": signature, "methods": [row.to_dict() for row in found]})
    names = [name.replace("_", "-") for name in FIGURES]
    headers = ["method", *(head for name in names for head in (name, f"{name} low", f"{name} high"))]
    rows = [[row.method, *_cells([getattr(row, name) for name in FIGURES])] for row in found]
    return _table(headers, rows, options.format, 3, [*_ahead(found), _folded(found[0], options)], signature)


def _ahead(found: Sequence[HeldOut]) -> list[str]:
    base = found[0].method
    return [
        f"{row.method} minus {base}: "
        + ", ".join(
            f"{name.replace('_', '-')} {at.value:+.3f} [{at.low:+.3f}, {at.high:+.3f}]"
            for name, at in row.ahead.items()
        )
        for row in found[1:]
    ]


def _folded(row: HeldOut, options: argparse.Namespace) -> str:
    return (
        f"{row.judgements} judgements of {row.pairs} pairs in {row.folds} folds, {row.repeats} times; "
        f"low and high: {options.confidence:.0%} intervals, bootstrap over pairs, {options.resamples} resamples"
    )


def _fewer(judgements: Judgements, methods: list[str], options: argparse.Namespace) -> str:
    try:
        counts = [int(count) for count in options.fewer_raters.split(",")]
    except ValueError:
        raise PlainlyError(f"--fewer-raters takes numbers, as 1,3,5, not {options.fewer_raters!r}") from None
    against = read_judgements(options.against, options.winner) if options.against else None
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
        against=against,
        draws=options.draws,
        seed=options.seed,
        confidence=options.confidence,
    )
    signature = signed(
        "ranking-fewer-raters",
        {
            "against": "others" if against is None else "file",
            **({"ties": options.ties} if options.ties else {}),
            **{name: getattr(options, name) for name in ("draws", "confidence", "seed")},
        },
    )
    if options.format == "json":
        return _json({"signature": signature, "rows": [row.to_dict() for row in found]})
    headers = ["raters", "judgements", "method", "draws", "spearman", "spearman low", "spearman high"]
    rows = [[row.raters, row.judgements, row.way, row.draws, *_cells([row.spearman])] for row in found]
    lines = [
        "spearman: mean over draws, of ratings by the drawn raters and by "
        + ("the raters left out" if against is None else "the yardstick")
        + f"; low and high: {options.confidence:.0%} of the draws"
    ]
    return _table(headers, rows, options.format, [0, 0, 0, 0, 3, 3, 3], lines, signature)


def _cells(found: Sequence[Estimate]) -> list[Cell]:
    return [number for figure in found for number in (figure.value, figure.low, figure.high)]


def _table(
    headers: list[str], rows: Any, form: str, decimals: int | list[int], lines: list[str], signature: str
) -> str:
    """The table with its signature: on a line of its own, in CSV as a column."""
    if form == "csv":
        return render([*headers, "signature"], [[*row, signature] for row in rows], form, 3)
    return with_lines(render(headers, rows, form, decimals), [*lines, signature], form)


def _json(content: dict[str, Any]) -> str:
    return json.dumps({"plainly": __version__, **content}, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _whole(rank: float) -> Cell:
    """A shared rank may be between two whole ones, and there may be none."""
    return int(rank) if rank.is_integer() else rank


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[: SNIPPET - 1] + "…"
