"""`plainly report`: one HTML page to read, search, print and share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.base.messages import plain, plural
from plainly.cli.printing import WorkLine, note, tell
from plainly.cli.request import Request, asked_profile, comparing_of, listed_names, resampling_of
from plainly.cli.statistics_inputs import statistics_of
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES, concatenate, possible_baselines
from plainly.gaming import Study, study
from plainly.inference.runs import members_of
from plainly.metrics import Metric
from plainly.operations.profile import Profile, profile_of
from plainly.operations.tagger import AUTO, Tagger, advice
from plainly.report import Report, headline_of, report_of
from plainly.report.assets import chart_library
from plainly.report.figures import check_folder, write_figures
from plainly.report.read_files import files_read, test_set_title
from plainly.scoring import evaluate_stream
from plainly.scoring.evaluator import CHUNK
from plainly.scoring.statistics import compare_folder, without_texts


def run(options: argparse.Namespace) -> None:
    check_folder(options.figures)
    if options.statistics:
        _from_statistics(options)
        return
    by_default = options.baselines is None
    if by_default:
        options.baselines = ",".join(BASELINES)
    request = Request(options)
    resampling_of(options)  # what is wrong with it is said before the work
    chart_library()  # if it is missing, say so before the work
    metrics = request.metrics()
    with _stages(options) as stage, writing(options.output) as out:
        corpus = _whole(request)
        baselines = possible_baselines(corpus) if by_default else request.baselines
        against = _against(options.baseline, [*_systems(corpus), *baselines])
        stage(f"scoring {plural(len(corpus), 'segment')} by {', '.join(metric.label for metric in metrics)}")
        evaluation = evaluate_stream(
            corpus.chunks(CHUNK),
            metrics,
            baselines=baselines,
            threads=options.threads,
            keep=sys.maxsize,
        )
        evaluation = replace(request.finish(evaluation), corpus=corpus)
        shown = headline_of(list(evaluation.metrics), listed_names(options.metrics))
        scored = [evaluation.metrics[label] for label in shown]
        report = report_of(
            evaluation,
            title=options.title,
            test_set=_test_set(options),
            headline=shown,
            against=against,
            files=_files(options),
            threads=options.threads,
            background=_shared(options),
            gaming=_gaming(scored, corpus, options) if options.gaming else None,
            operations=_operations(scored, corpus, options),
            progress=stage,
            **comparing_of(options),
        )
        out.write(report.page)
    _tell(report, options)
    _draw(report, options)


def _from_statistics(options: argparse.Namespace) -> None:
    """The page of what was measured before: without texts, and without studies that need them."""
    if options.gaming or options.operations:
        raise PlainlyError("--gaming and --operations need the texts, which --statistics does not have")
    chart_library()  # if it is missing, say so before the work
    with _stages(options) as stage, statistics_of(options) as folder, writing(options.output) as out:
        stage("comparing systems")
        comparison = compare_folder(folder, **comparing_of(options))
        evaluation = comparison.evaluation
        against = _against(options.baseline, list(evaluation.systems))
        shown = headline_of(list(evaluation.metrics), listed_names(options.metrics) or ["all"])
        report = report_of(
            evaluation if evaluation.corpus is not None else replace(evaluation, corpus=without_texts(folder)),
            title=options.title,
            test_set=_test_set(options),
            headline=shown,
            against=against and compare_folder(folder, baseline=against, **comparing_of(options)),
            files={"Statistics": ", ".join(Path(path).name for path in options.statistics)},
            comparison=comparison,
            progress=stage,
        )
        out.write(report.page)
    _tell(report, options)
    _draw(report, options)


def _draw(report: Report, options: argparse.Namespace) -> None:
    """The charts of the page as files, where they are asked for."""
    if options.figures is None:
        return
    names = write_figures(report.charts, options.figures)
    if not options.quiet:
        note(f"wrote {options.figures}: {plural(len(names), 'figure')}, each as SVG and PDF")


def _tell(report: Report, options: argparse.Namespace) -> None:
    tell(report.evaluation.notes, options.quiet)
    if options.quiet:
        return
    for text in report.comparison.notes:
        note(f"note: {text}")
    if options.output != "-":
        note(f"wrote {options.output}: {len(report.page.encode('utf-8', 'surrogatepass')) / 1e6:.1f} MB")


@contextmanager
def _stages(options: argparse.Namespace) -> Iterator[Callable[[str], None]]:
    """Says what is being done: on a terminal in one line, elsewhere in a line each."""
    line = WorkLine(options.quiet)
    try:
        yield lambda stage: line.stage(plain(stage))
    finally:
        line.end()


def _operations(metrics: Sequence[Metric], corpus: Corpus, options: argparse.Namespace) -> Profile | None:
    if options.operations is None:
        return None
    if options.operations == AUTO:
        tell(advice(corpus.lang), options.quiet)
    tagger = Tagger(options.operations, corpus.lang)
    watch = WorkLine(options.quiet)
    try:
        in_catalogue = bool(options.test_set)
        return profile_of(corpus, tagger, metrics, resampling_of(options), in_catalogue=in_catalogue, watch=watch)
    finally:
        watch.end()


def _gaming(metrics: Sequence[Metric], corpus: Corpus, options: argparse.Namespace) -> Study:
    line = WorkLine(options.quiet)
    line.stage(plain(f"trying to fool {len(metrics)} metrics"))
    try:
        return study(
            corpus,
            metrics=metrics,
            threads=options.threads,
            progress=line.progress,
        )
    finally:
        line.end()


def _whole(request: Request) -> Corpus:
    chunks = list(request.chunks)
    if not chunks:
        raise PlainlyError("there is nothing to score: no segments")
    return concatenate(chunks)


def _against(name: str | None, systems: Sequence[str]) -> str | None:
    if name is not None and name not in systems:
        raise UnknownName("system", name, systems)
    return name


def _shared(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of the background metrics."""
    shared = {"tokenizer": options.tokenizer, "lowercase": options.lowercase}
    said = {name: value for name, value in shared.items() if value is not None}
    profile = asked_profile(options)
    return said if profile is None else {**said, **profile.background}


def _systems(corpus: Corpus) -> list[str]:
    """The systems of the outputs: a system of several runs is one."""
    return list(members_of(corpus.outputs, corpus.runs))


def _test_set(options: argparse.Namespace) -> str:
    """Its name: as the catalogue has it, else that of the file that holds it."""
    systems = [item.partition("=")[2] or item for item in options.system]
    files = [*(options.statistics or ()), options.data, options.sources, *options.references, *systems]
    return test_set_title(options.test_set, options.demo, files)


def _files(options: argparse.Namespace) -> dict[str, str]:
    outputs = [item.rpartition("=")[2] for item in options.system]
    given = (options.data, options.sources, options.references, outputs)
    return files_read(options.test_set, options.demo, *given)
