"""`plainly gaming`: how easily is a metric fooled, by which edits, at what cost?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from plainly.cli.notes import ProgressLine, note
from plainly.cli.request import Request
from plainly.corpus import Corpus
from plainly.corpus.readers.steps import concatenate
from plainly.errors import PlainlyError, UnknownName
from plainly.evaluation.results import range_in_words, reference_range
from plainly.files import writing
from plainly.gaming import Study, cheapest, deceptions, get, names, study, verdicts
from plainly.gaming.replication import NAME, PROFILE
from plainly.metrics import Metric
from plainly.tables import Cell, render, with_lines
from plainly.version import __version__


def run(options: argparse.Namespace) -> None:
    if options.list:
        rows: list[list[Cell]] = [[name, get(name).about] for name in names()]
        print(render(["edit", "what it does"], rows, options.format), end="")
        return
    request = Request(options)
    edits = _edits(options.edits)
    levels = _levels(options.levels)
    metrics = list(_metrics(options, request))
    chunks = list(request.chunks)
    if not chunks:
        raise PlainlyError("there is nothing to edit: no segments")
    if request.baselines:
        raise PlainlyError("--baselines are not edited; the edits copy-source and copy-reference take their place")
    corpus = concatenate(chunks)
    line = ProgressLine(options.quiet)
    with writing(options.output) as out:
        try:
            found = study(
                corpus,
                metrics=metrics,
                edits=edits,
                levels=levels,
                trials=options.trials,
                seed=options.seed,
                nested=not options.independent_levels,
                threads=options.threads,
                progress=lambda done, all_: line.show(f"measured {done} of {all_} groups of segments"),
            )
        finally:
            line.end()
        out.write(_text(found, _signatures(found, corpus), options))
    if not options.quiet:
        for metric in metrics:
            if metric.facts.caution:
                note(f"caution: {metric.facts.caution}")


def _text(found: Study, signatures: dict[str, str], options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {"plainly": __version__, **found.to_dict(), "signatures": signatures}
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if options.verdicts:
        headers = ["metric", "edit", "system", "rule", "as it is", "edited", "gain", "passed"]
        rows = list(_verdict_rows(found))
    elif options.deceive:
        headers = ["metric", "edit", "lifts", "above", "gap", "segments", "share"]
        rows = list(_deception_rows(found, options.deceive))
    else:
        headers = ["metric", "system", "edit", *(f"{level:g} %" for level in found.levels), "sd at the last"]
        rows = list(_curve_rows(found))
    lines = [
        f"{found.size} segments, {found.trials} trials, seed {found.seed}, levels "
        + ("nested" if found.nested else "independent"),
        *signatures.values(),
    ]
    return with_lines(render(headers, rows, options.format, 4), lines, options.format)


def _curve_rows(found: Study) -> Iterator[list[Cell]]:
    for label in found.metrics:
        for system, by_edit in found.curves.items():
            for edit, curves in by_edit.items():
                spreads = curves[label].spreads()
                yield [label, system, edit, *(spread.mean for spread in spreads), spreads[-1].sd]


def _verdict_rows(found: Study) -> Iterator[list[Cell]]:
    for verdict in verdicts(found):
        passed = {True: "yes", False: "NO", None: "-"}[verdict.passed]
        numbers: list[Cell] = [verdict.unedited, verdict.edited.mean, verdict.gain]
        yield [verdict.metric, verdict.edit, verdict.system, verdict.rule, *numbers, passed]


def _deception_rows(found: Study, pair: str) -> Iterator[list[Cell]]:
    first, comma, second = pair.partition(",")
    for name in (first, second):
        if not comma or name not in found.systems:
            raise UnknownName("system (--deceive takes two, A,B)", name or pair, found.systems)
    for deception in cheapest(deceptions(found, first, second)).values():
        share = None if deception.share is None else f"{deception.share:.1%}"
        cells: list[Cell] = [deception.metric, deception.edit, deception.worse, deception.better]
        yield [*cells, deception.gap, deception.segments, share]


def _signatures(found: Study, corpus: Corpus) -> dict[str, str]:
    references = range_in_words(reference_range(set(corpus.reference_counts.tolist())))
    return {label: metric.signature(references) for label, metric in found.metrics.items()}


def _metrics(options: argparse.Namespace, request: Request) -> Iterator[Metric]:
    if options.profile is None:
        yield from request.metrics()
        return
    if options.profile != NAME:
        raise UnknownName("profile", options.profile, [NAME])
    if options.metrics:
        raise PlainlyError("--profile brings its own metrics; leave --metrics out")
    yield from PROFILE.values()


def _edits(text: str) -> list[str]:
    if text == "all":
        return names()
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    for name in chosen:
        get(name)
    if not chosen:
        raise PlainlyError("--edits names no edit")
    return chosen


def _levels(text: str) -> list[float]:
    try:
        levels = [float(part) for part in text.split(",")]
    except ValueError:
        raise PlainlyError(f"--levels takes numbers from 0 to 100, as 0,10,50,100, not {text!r}") from None
    return levels
