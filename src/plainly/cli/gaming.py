"""`plainly gaming`: how easily is a metric fooled, by which edits, at what cost?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date

from plainly.cli.notes import ProgressLine, note
from plainly.cli.request import Request
from plainly.corpus import Corpus
from plainly.corpus.readers.steps import concatenate
from plainly.errors import PlainlyError, UnknownName
from plainly.evaluation.results import range_in_words, reference_range
from plainly.files import writing
from plainly.gaming import POST_HOC, Study, cheapest, deceptions, get, names, post_hoc, study, table, verdicts
from plainly.gaming.replication import NAME, PROFILE
from plainly.gaming.verdicts import judged_metrics, rule_of
from plainly.metrics import Metric
from plainly.report.assets import chart_library
from plainly.report.gaming import gaming_page
from plainly.tables import Cell, render, with_lines
from plainly.version import __version__


def run(options: argparse.Namespace) -> None:
    if options.list:
        rows: list[list[Cell]] = [[name, get(name).about] for name in names()]
        print(render(["edit", "what it does"], rows, options.format or "table"), end="")
        return
    page = (options.output or "").endswith(".html")
    if page and options.format:
        raise PlainlyError(f"{options.output} becomes a page; for --format {options.format} choose another ending")
    if page:
        chart_library()  # if it is missing, say so before the work
    options.format = options.format or "table"
    if options.by_system and not options.verdicts:
        raise PlainlyError("--by-system goes with --verdicts")
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
    with writing(options.output) as out:
        if options.post_hoc and not page:
            out.write(_post_hoc(corpus, options))
            return
        if options.deceive:
            _pair(options.deceive, list(corpus.outputs))
        found = _study(corpus, metrics, edits, levels, options)
        if page:
            out.write(gaming_page(found, corpus, date.today().isoformat()))
        else:
            out.write(_text(found, _signatures(found, corpus), options))
    if not options.quiet:
        for metric in metrics:
            if metric.facts.caution:
                note(f"caution: {metric.facts.caution}")
        if page:
            note(f"wrote {options.output}")


def _study(
    corpus: Corpus, metrics: list[Metric], edits: list[str], levels: list[float], options: argparse.Namespace
) -> Study:
    line = ProgressLine(options.quiet)
    try:
        return study(
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


def _text(found: Study, signatures: dict[str, str], options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {"plainly": __version__, **found.to_dict(), "signatures": signatures}
        content["verdicts"] = [verdict.to_dict() for verdict in verdicts(found)]
        if options.deceive:
            pair = deceptions(found, *_pair(options.deceive, found.systems))
            content["deceptions"] = [asdict(deception) for deception in pair]
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if options.verdicts and options.by_system:
        headers = ["metric", "edit", "system", "rule", "as it is", "edited", "gain", "a segment", "passed"]
        rows = list(_verdict_rows(found))
    elif options.verdicts:
        headers = ["edit", "rule", *judged_metrics(found)]
        rows = list(_tally_rows(found))
    elif options.deceive:
        headers = ["metric", "edit", "lifts", "above", "gap", "segments", "share"]
        rows = list(_deception_rows(found, options.deceive))
    else:
        headers = ["metric", "system", "edit", *(f"{level:g} %" for level in found.levels), "sd at the last"]
        rows = list(_curve_rows(found, options.components))
    lines = [
        f"{found.size} segments, {found.trials} trials, seed {found.seed}, levels "
        + ("nested" if found.nested else "independent"),
        *signatures.values(),
    ]
    return with_lines(render(headers, rows, options.format, 4), lines, options.format)


def _post_hoc(corpus: Corpus, options: argparse.Namespace) -> str:
    found = post_hoc(corpus)
    if found is None:
        raise PlainlyError(f"for language {corpus.lang!r}, none of these can be counted: {', '.join(POST_HOC)}")
    if options.format == "json":
        return found.to_json() + "\n"
    return found.table(options.format)


def _tally_rows(found: Study) -> Iterator[list[Cell]]:
    """One row an edit, one column a metric: with how many systems the metric keeps the rule."""
    tallies = table(verdicts(found))
    for edit in found.edits:
        cells: list[Cell] = []
        for label in judged_metrics(found):
            tally = tallies[label][edit]
            kept = "-" if not tally.judged else "yes" if tally.passed == tally.judged else "NO"
            cells.append(f"{kept} {tally.passed}/{tally.judged}" if tally.judged else kept)
        yield [edit, rule_of(edit), *cells]


def _curve_rows(found: Study, components: bool) -> Iterator[list[Cell]]:
    for label in found.metrics:
        for system, by_edit in found.curves.items():
            for edit, curves in by_edit.items():
                curve = curves[label]
                for part in [None, *(curve.components if components else ())]:
                    spreads = curve.spreads(part)
                    name = label if part is None else f"{label}.{part}"
                    yield [name, system, edit, *(spread.mean for spread in spreads), spreads[-1].sd]


def _verdict_rows(found: Study) -> Iterator[list[Cell]]:
    for verdict in verdicts(found):
        passed = {True: "yes", False: "NO", None: "-"}[verdict.passed]
        numbers: list[Cell] = [verdict.unedited, verdict.edited.mean, verdict.gain, verdict.gain_per_segment]
        yield [verdict.metric, verdict.edit, verdict.system, verdict.rule, *numbers, passed]


def _deception_rows(found: Study, pair: str) -> Iterator[list[Cell]]:
    tried = deceptions(found, *_pair(pair, found.systems))
    best = cheapest(tried)
    for deception in {**{each.metric: each for each in tried}, **best}.values():
        cells: list[Cell] = [deception.worse, deception.better, deception.gap, deception.segments]
        if deception.share is None:
            yield [deception.metric, "none lifts it", *cells, None]
        else:
            yield [deception.metric, deception.edit, *cells, f"{deception.share:.1%}"]


def _pair(text: str, systems: list[str]) -> tuple[str, str]:
    first, comma, second = text.partition(",")
    for name in (first, second):
        if not comma or name not in systems:
            raise UnknownName("system (--deceive takes two, A,B)", name or text, systems)
    if first == second:
        raise PlainlyError(f"--deceive takes two systems, not {first} twice")
    return first, second


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
