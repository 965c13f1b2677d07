"""`plainly gaming`: how easily is a metric fooled, by which edits, at what cost?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.notes import ProgressLine, note
from plainly.cli.request import Request
from plainly.corpus import Corpus
from plainly.corpus.readers.steps import concatenate
from plainly.gaming import (
    POST_HOC,
    Study,
    available,
    broken,
    cheapest,
    deceptions,
    get,
    names,
    possible,
    post_hoc,
    study,
    table,
    undecided,
    verdicts,
)
from plainly.gaming.replication import NAME, PROFILE
from plainly.gaming.verdicts import judged_metrics, rule_of
from plainly.metrics import Metric
from plainly.report.assets import chart_library
from plainly.report.gaming import gaming_page
from plainly.report.words import plural
from plainly.scoring.results import range_in_words, reference_range
from plainly.text.languages import get_language


def run(options: argparse.Namespace) -> None:
    page = (options.output or "").lower().endswith((".html", ".htm"))
    if page and options.format not in (None, "html"):
        raise PlainlyError(f"{options.output} becomes a page; for --format {options.format} choose another ending")
    if page and not options.list:
        chart_library()  # if it is missing, say so before the work
    options.format = options.format or "table"
    if options.list:
        _list(options)
        return
    if options.by_system and not options.verdicts:
        raise PlainlyError("--by-system goes with --verdicts")
    request = Request(options)
    strengths = _strengths(options.strengths)
    metrics = list(_metrics(options, request))
    chunks = list(request.chunks)
    if not chunks:
        raise PlainlyError("there is nothing to edit: no segments")
    if request.baselines:
        raise PlainlyError("--baselines are not edited; the edits copy-source and copy-reference take their place")
    corpus = concatenate(chunks)
    edits = _edits(options, corpus)
    with writing(options.output) as out:
        if options.post_hoc and not page:
            out.write(_post_hoc(corpus, options))
            return
        pair = _pair(options.deceive, list(corpus.outputs)) if options.deceive else None
        found = _study(corpus, metrics, edits, strengths, options)
        if page:
            out.write(gaming_page(found, corpus, date.today().isoformat(), pair=pair))
        else:
            out.write(_text(found, _signatures(found, corpus), pair, options))
    if not options.quiet:
        for remark in _remarks(found, pair, options):
            note(remark)
        if page:
            note(f"wrote {options.output}")


def _list(options: argparse.Namespace) -> None:
    chosen = (
        names() if options.lang is None else possible(get_language(options.lang).code, ["source", "references"])[0]
    )
    if options.format == "json":
        text = json.dumps({name: get(name).about for name in chosen}, ensure_ascii=False, indent=2) + "\n"
    else:
        text = render(["edit", "what it does"], [[name, get(name).about] for name in chosen], options.format)
    with writing(options.output) as out:
        out.write(text)
    for fault in broken():
        note(f"note: {fault}")


def _study(
    corpus: Corpus, metrics: list[Metric], edits: list[str], strengths: list[float], options: argparse.Namespace
) -> Study:
    line = ProgressLine(options.quiet)
    try:
        return study(
            corpus,
            metrics=metrics,
            edits=edits,
            strengths=strengths,
            trials=options.trials,
            seed=options.seed,
            nested=not options.independent_strengths,
            threads=options.threads,
            progress=line.bar,
        )
    finally:
        line.end()


def _remarks(found: Study, pair: tuple[str, str] | None, options: argparse.Namespace) -> Iterator[str]:
    """What the numbers alone do not say."""
    for strength, count in zip(found.strengths, found.edited_segments, strict=True):
        if strength and not count:
            yield f"note: {strength:g} % of {found.size} segments is less than one: nothing was edited there"
    for system in found.systems:
        for label in found.metrics:
            if missing := found.unscored(system, label):
                yield f"note: {label} left {missing} of {found.size} segments of {system} unscored"
    undirected = [label for label, metric in found.metrics.items() if metric.facts.direction == "none"]
    if undirected and (options.verdicts or options.output):
        yield f"note: without a better end, no rule applies to {', '.join(undirected)}"
    if pair:
        yield from (f"note: nothing to flip for {label}: {why}" for label, why in undecided(found, *pair).items())
    cautions = dict.fromkeys(metric.facts.caution for metric in found.metrics.values() if metric.facts.caution)
    yield from (f"caution: {caution}" for caution in cautions)


def _text(found: Study, signatures: dict[str, str], pair: tuple[str, str] | None, options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {"plainly": __version__, **found.to_dict(), "signatures": signatures}
        content["verdicts"] = [verdict.to_dict() for verdict in verdicts(found)]
        if pair:
            content["deceptions"] = [asdict(deception) for deception in deceptions(found, *pair)]
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if options.verdicts and options.by_system:
        headers = ["metric", "edit", "system", "rule", "as it is", "edited", "gain", "changed", "gain each", "passed"]
        rows = list(_verdict_rows(found))
    elif options.verdicts:
        headers = ["edit", "rule", *judged_metrics(found)]
        rows = list(_tally_rows(found))
    elif pair:
        headers = ["metric", "edit", "lifts", "above", "gap", "segments", "share"]
        rows = list(_deception_rows(found, pair))
    else:
        headers = ["metric", "system", "edit", *(f"{strength:g} %" for strength in found.strengths), "sd at the last"]
        rows = list(_curve_rows(found, options.components))
    counts = ", ".join(map(str, found.edited_segments))
    drawn = "nested" if found.nested else "independent"
    trials = f"{plural(found.size, 'segment')}, {plural(found.trials, 'trial')}, seed {found.seed}"
    lines = [f"{trials}, strengths {drawn}; segments edited: {counts}", *signatures.values()]
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
        numbers: list[Cell] = [verdict.unedited, verdict.edited.mean, verdict.gain]
        changed: list[Cell] = [f"{verdict.changed:.0%}", verdict.gain_per_segment]
        yield [verdict.metric, verdict.edit, verdict.system, verdict.rule, *numbers, *changed, passed]


def _deception_rows(found: Study, pair: tuple[str, str]) -> Iterator[list[Cell]]:
    tried = deceptions(found, *pair)
    best = cheapest(tried)
    for deception in {**{each.metric: each for each in tried}, **best}.values():
        cells: list[Cell] = [deception.worse, deception.better, deception.gap, deception.segments]
        if deception.share is None:
            yield [deception.metric, "none lifts it", *cells, None]
        else:
            yield [deception.metric, deception.edit, *cells, f"{deception.share:.1%}"]


def _pair(text: str, systems: list[str]) -> tuple[str, str]:
    """The two systems of A,B; a name may hold a comma itself."""
    for first in systems:
        for second in systems:
            if f"{first},{second}" == text and first != second:
                return first, second
    first, comma, second = text.partition(",")
    if not comma or first == second:
        raise PlainlyError(f"--deceive takes two systems, as A,B, not {text!r}")
    raise UnknownName("system", first if first not in systems else second, systems)


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
    if request.lang != "en":
        raise PlainlyError(f"the profile {NAME} counts as in English; it does not fit language {request.lang!r}")
    yield from PROFILE.values()


def _edits(options: argparse.Namespace, corpus: Corpus) -> list[str]:
    chosen = [name.strip() for name in options.edits.split(",") if name.strip()]
    if not chosen:
        raise PlainlyError("--edits names no edit")
    for name in chosen:
        if name != "all":
            get(name)
    if "all" not in chosen:
        return chosen
    every, left_out = possible(corpus.lang, available(corpus))
    if not options.quiet:
        for name, why in left_out.items():
            note(f"note: the edit {name} is left out: {why}")
        for fault in broken():
            note(f"note: {fault}")
    return list(dict.fromkeys(extra for name in chosen for extra in (every if name == "all" else [name])))


def _strengths(text: str) -> list[float]:
    try:
        strengths = [float(part) for part in text.split(",")]
    except ValueError:
        raise PlainlyError(f"--strengths takes numbers from 0 to 100, as 0,10,50,100, not {text!r}") from None
    return strengths
