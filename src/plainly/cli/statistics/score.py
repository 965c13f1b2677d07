"""`plainly statistics score`: scores of all segments of a folder, or of groups of them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.cli.notes import note
from plainly.cli.request import listed_names, resampling_of
from plainly.cli.statistics_inputs import chosen_metrics
from plainly.scoring.presentation import between, heading
from plainly.scoring.statistics import Folder, Slices, scores_by


def run(options: argparse.Namespace) -> None:
    by = listed_names(options.by)
    if options.by is not None and not by:
        raise PlainlyError("--by names no column")
    folder = Folder(options.folder, chosen_metrics(options))
    intervals = None if options.no_intervals else resampling_of(options)
    with writing(options.output) as out:
        found = scores_by(folder, by, where=options.where, intervals=intervals)
        out.write(_text(found, options.format))
    if not options.quiet:
        for text in found.notes:
            note(f"note: {text}")


def _text(found: Slices, form: str) -> str:
    if form == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if form == "csv":
        headers = ["system", "metric", "score", "ci_low", "ci_high", "scored", "unscored", "signature"]
        return render([*found.by, "segments", *headers], list(_long(found)), form)
    headers, decimals = [*found.by, "segments", "system"], [0] * (len(found.by) + 2)
    for metric in found.metrics.values():
        headers.append(heading(metric))
        decimals.append(metric.facts.decimals)
        if found.intervals:
            headers.append(f"{found.intervals.confidence:.0%} interval")
            decimals.append(0)
    return with_lines(render(headers, list(_wide(found)), form, decimals), list(_below(found)), form)


def _wide(found: Slices) -> Iterator[list[Cell]]:
    for part in found.slices:
        for system, results in part.systems.items():
            row: list[Cell] = [*part.group, part.segments, system]
            for label, result in results.items():
                row.append(result.score)
                if found.intervals:
                    row.append(between(result.estimate, found.metrics[label].facts.decimals))
            yield row


def _long(found: Slices) -> Iterator[list[Cell]]:
    for part in found.slices:
        for system, results in part.systems.items():
            for label, result in results.items():
                bounds: list[Cell] = [result.estimate.low, result.estimate.high]
                counts: list[Cell] = [result.scored, result.unscored, result.signature]
                yield [*part.group, part.segments, system, label, result.score, *bounds, *counts]


def _below(found: Slices) -> Iterator[str]:
    drawn = found.intervals
    segments = f"{found.segments:,} segment" + ("s" if found.segments != 1 else "")
    yield segments + (f", {drawn.resamples} resamples, seed {drawn.seed}" if drawn else "")
    for system in found.slices[0].systems:
        unscored = {
            label: sum(part.systems[system][label].unscored for part in found.slices) for label in found.metrics
        }
        for label, count in unscored.items():
            if count:
                yield f"{label} left {count:,} of {found.segments:,} segments of {system} unscored"
    results = (results[label] for label in found.metrics for results in found.slices[0].systems.values())
    yield from dict.fromkeys(result.signature for result in results)
