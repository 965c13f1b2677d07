"""`plainly compare`: which system is better, and how sure are we?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.notes import note, tell
from plainly.cli.request import Request
from plainly.cli.statistics_inputs import statistics_of
from plainly.inference import Comparison
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.presentation import between, heading, how_much, signatures, unscored
from plainly.scoring.statistics import compare_folder


def run(options: argparse.Namespace) -> None:
    if options.statistics:
        with statistics_of(options) as folder, writing(options.output) as out:
            evaluation, comparison = compare_folder(folder, **_comparing(options))
            out.write(_text(evaluation, comparison, options))
    else:
        request = Request(options)
        metrics = request.metrics()
        with writing(options.output) as out:
            evaluation = evaluate_stream(
                request.chunks, metrics, baselines=request.baselines, threads=options.threads, keep=sys.maxsize
            )
            evaluation = request.finish(evaluation)
            comparison = evaluation.compare(**_comparing(options))
            out.write(_text(evaluation, comparison, options))
    tell(evaluation.notes, options.quiet)
    if not options.quiet:
        for text in comparison.notes:
            note(f"note: {text}")


def _comparing(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "baseline": options.baseline,
        "resamples": options.resamples,
        "seed": options.seed,
        "confidence": options.confidence,
        "interval": options.interval,
        "method": options.test,
    }


def _text(evaluation: Evaluation, comparison: Comparison, options: argparse.Namespace) -> str:
    if options.format == "json":
        return as_json(evaluation, comparison)
    if options.pairs or options.format == "csv":
        return pairs_table(evaluation, comparison, options.format)
    return systems_table(evaluation, comparison, options.format)


def as_json(evaluation: Evaluation, comparison: Comparison) -> str:
    signed = {
        system: {label: result.signature for label, result in results.items()}
        for system, results in evaluation.systems.items()
    }
    content = {"plainly": __version__, **comparison.to_dict(), "signatures": signed}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def systems_table(evaluation: Evaluation, comparison: Comparison, form: str) -> str:
    """One row a system: score, interval, rank interval, and a mark where it differs from the baseline."""
    headers = ["system"]
    for metric in evaluation.metrics.values():
        headers += [heading(metric), f"{comparison.settings.resampling.confidence:.0%} interval", "rank"]
    rows = [
        [system, *(cell for label in evaluation.metrics for cell in _cells(evaluation, comparison, system, label))]
        for system in comparison.systems
    ]
    settings = comparison.settings
    lines = [_sampling(evaluation, comparison), *unscored(evaluation)]
    if settings.baseline is not None:
        lines.append(f"* differs from {settings.baseline}: p < {settings.alpha:g} after Holm's correction")
    lines.append(
        f"1 is the best rank; a range holds the ranks in {settings.resampling.confidence:.0%} of the resamples"
    )
    for label in evaluation.metrics:
        gap = comparison.typical_mdd[label]
        if gap == gap:  # not NaN: there is a pair
            digits = evaluation.metrics[label].facts.decimals
            lines.append(
                f"{label}: a typical pair must differ by about {gap:.{digits}f} to be told apart in a single test"
            )
    return with_lines(render(headers, rows, form), [*lines, *signatures(evaluation)], form)


def pairs_table(evaluation: Evaluation, comparison: Comparison, form: str) -> str:
    """One row a pair of systems and metric; in CSV with the signature of the first system."""
    headers = ["metric", "first", "second", "difference", "low", "high", "p", "p (Holm)", "effect", "better"]
    rows: list[list[Cell]] = [
        [
            pair.metric,
            pair.first,
            pair.second,
            pair.difference,
            pair.estimate.low,
            pair.estimate.high,
            pair.p,
            pair.p_holm,
            pair.effect,
            (pair.better or "neither") if pair.significant else "not shown",
        ]
        for pair in comparison.pairs
    ]
    if not rows:
        raise PlainlyError("there is only one system: nothing to compare it with")
    if form == "csv":
        headers.append("signature")
        for row, pair in zip(rows, comparison.pairs, strict=True):
            row.append(evaluation[pair.first][pair.metric].signature)
        return render(headers, rows, form)
    lines = [_sampling(evaluation, comparison), *unscored(evaluation), *signatures(evaluation)]
    return with_lines(render(headers, rows, form, [0, 0, 0, 2, 2, 2, 4, 4, 2, 0]), lines, form)


def _sampling(evaluation: Evaluation, comparison: Comparison) -> str:
    chosen = comparison.settings
    drawn = chosen.resampling
    trials = f" of {chosen.trials} trials" if chosen.trials > drawn.resamples else ""
    said = f"{drawn.resamples} resamples, seed {drawn.seed}, paired {chosen.method}{trials}"
    return f"{how_much(evaluation)}, {said}"


def _cells(evaluation: Evaluation, comparison: Comparison, system: str, label: str) -> list[Cell]:
    standing = comparison[system][label]
    digits = evaluation.metrics[label].facts.decimals
    mark = ""
    baseline = comparison.settings.baseline
    if baseline is not None and system != baseline and comparison.pair(system, baseline, label).significant:
        mark = "*"
    score = "-" if standing.score != standing.score else f"{standing.score:.{digits}f}{mark}"
    rank = "-"
    if standing.rank_interval is not None:
        low, high = standing.rank_interval
        rank = str(low) if low == high else f"{low}-{high}"
    return [score, between(standing.estimate, digits), rank]
