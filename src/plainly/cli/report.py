"""`plainly report`: one HTML page to read, search, print and share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.cli.notes import ProgressLine, note
from plainly.cli.operations.tag import note_advice
from plainly.cli.request import Request
from plainly.cli.statistics.inputs import statistics_of, tell_cautions
from plainly.corpus import Corpus, catalogue
from plainly.corpus.baselines import BASELINES, possible_baselines
from plainly.corpus.readers.steps import concatenate
from plainly.gaming import Study, study
from plainly.inference import RESAMPLES, Comparison
from plainly.metrics import GROUPS, Metric
from plainly.operations.profile import Profile, profile, tagged
from plainly.operations.shares import Sampling
from plainly.operations.tagger import AUTO
from plainly.operations.tagger import load as load_labeller
from plainly.replication import load
from plainly.replication import run as run_benchmark
from plainly.report import BACKGROUND, background_metrics, build
from plainly.report.assets import chart_library
from plainly.report.benchmark import benchmark_markdown, benchmark_page, summary
from plainly.scoring import Evaluation, Resampling, evaluate_stream
from plainly.scoring.evaluator import CHUNK
from plainly.scoring.statistics import compare_folder, without_texts


def run(options: argparse.Namespace) -> None:
    if options.benchmark:
        _benchmark(options)
        return
    if options.statistics:
        _from_statistics(options)
        return
    by_default = options.baselines is None
    if by_default:
        options.baselines = ",".join(BASELINES)
    request = Request(options)
    chart_library()  # if it is missing, say so before the work
    metrics = request.metrics()
    with writing(options.output) as out:
        corpus = _whole(request)
        baselines = possible_baselines(corpus) if by_default else request.baselines
        systems = [*corpus.outputs, *baselines]
        against = _against(options.baseline, systems)
        evaluation = evaluate_stream(
            corpus.chunks(CHUNK),
            [*metrics, *background_metrics([metric.label for metric in metrics], corpus, _shared(options))],
            baselines=baselines,
            threads=options.threads,
            keep=sys.maxsize,
        )
        evaluation = request.finish(evaluation)
        comparison = evaluation.compare(**_comparing(options))
        shown = _headline(metrics, evaluation, options.metrics)
        fooled = _gaming([evaluation.metrics[label] for label in shown], corpus, options) if options.gaming else None
        doings = _operations([evaluation.metrics[label] for label in shown], corpus, options)
        page = build(
            evaluation,
            corpus,
            comparison,
            title=options.title,
            headline=shown,
            against=against,
            seed=options.seed,
            files=_files(options),
            date=date.today().isoformat(),
            gaming=fooled,
            operations=doings,
        )
        out.write(page)
    request.notes(evaluation)
    _tell(comparison, page, options)


def _from_statistics(options: argparse.Namespace) -> None:
    """The page of what was measured before: without texts, and without studies that need them."""
    if options.gaming or options.operations:
        raise PlainlyError("--gaming and --operations need the texts, which --statistics does not have")
    chart_library()  # if it is missing, say so before the work
    with statistics_of(options) as folder, writing(options.output) as out:
        evaluation, comparison = compare_folder(folder, **_comparing(options))
        page = build(
            evaluation,
            evaluation.corpus or without_texts(folder),
            comparison,
            title=options.title,
            headline=_headline(list(folder.metrics.values()), evaluation, options.metrics or "all"),
            against=_against(options.baseline, list(evaluation.systems)),
            seed=options.seed,
            files={"Statistics": ", ".join(Path(path).name for path in options.statistics)},
            date=date.today().isoformat(),
        )
        out.write(page)
    tell_cautions(evaluation, options.quiet)
    _tell(comparison, page, options)


def _comparing(options: argparse.Namespace) -> dict[str, Any]:
    """How systems are compared: all in pairs."""
    return {
        "resamples": options.resamples,
        "seed": options.seed,
        "level": options.level,
        "interval": options.interval,
        "method": options.test,
    }


def _tell(comparison: Comparison, page: str, options: argparse.Namespace) -> None:
    if options.quiet:
        return
    for text in comparison.notes:
        note(f"note: {text}")
    if options.output != "-":
        note(f"wrote {options.output}: {len(page.encode('utf-8', 'surrogatepass')) / 1e6:.1f} MB")


def _operations(metrics: Sequence[Metric], corpus: Corpus, options: argparse.Namespace) -> Profile | None:
    if options.operations is None:
        return None
    if options.operations == AUTO and not options.quiet:
        note_advice(corpus.lang)
    labeller = load_labeller(options.operations, corpus.lang)
    sampling = Sampling(options.resamples or RESAMPLES, options.seed, options.level)
    return profile(tagged(corpus, labeller), corpus, metrics, sampling=sampling)


def _gaming(metrics: Sequence[Metric], corpus: Corpus, options: argparse.Namespace) -> Study:
    line = ProgressLine(options.quiet)
    try:
        return study(
            corpus,
            metrics=metrics,
            threads=options.threads,
            progress=line.bar,
        )
    finally:
        line.end()


def _benchmark(options: argparse.Namespace) -> None:
    """The tables of a benchmark: a page, or Markdown or JSON where the name of the file says so."""
    texts = [options.sources, options.references, options.system, options.data, options.test_set, options.statistics]
    if any(texts) or options.metrics or options.demo or options.lang:
        raise PlainlyError("--benchmark says what to score; leave the other inputs, --metrics and --lang out")
    if options.output != "-" and Path(options.output).suffix not in (".html", ".md", ".json"):
        raise PlainlyError(f"{options.output} must end in .html, .md or .json, which says what to write")
    benchmark = load(options.benchmark)
    resampling = Resampling(options.resamples or RESAMPLES, options.seed, options.interval, options.level)
    progress = None if options.quiet else note
    with writing(options.output) as out:
        outcome = run_benchmark(benchmark, resampling, progress)
        if options.output.endswith(".md"):
            out.write(benchmark_markdown(outcome))
        elif options.output.endswith(".json"):
            out.write(json.dumps(outcome.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
        else:
            out.write(benchmark_page(outcome, date.today().isoformat()))
    if not options.quiet:
        for sentence in summary(outcome):
            note(f"note: {sentence}")
        if options.output != "-":
            note(f"wrote {options.output}")


def _whole(request: Request) -> Corpus:
    chunks = list(request.chunks)
    if not chunks:
        raise PlainlyError("there is nothing to score: no segments")
    return concatenate(chunks)


def _against(name: str | None, systems: Sequence[str]) -> str | None:
    if name is None:
        return "identity" if "identity" in systems and len(systems) > 1 else None
    if name not in systems:
        raise UnknownName("system", name, systems)
    return name


def _shared(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of the background metrics."""
    shared = {"tokenizer": options.tokenizer, "lowercase": options.lowercase}
    return {name: value for name, value in shared.items() if value is not None}


def _headline(metrics: Sequence[Metric], evaluation: Evaluation, requested: str | None) -> list[str]:
    """The metrics of the main table: what was asked for; of "all", what does not belong to the second table.

    A group is for the second table too, unless nothing else was asked for.
    """
    labels = [metric.label for metric in metrics if metric.label in evaluation.metrics]
    asked = requested.split(",") if requested else []
    second = {*BACKGROUND} if "all" in asked else set()
    second.update(*(members for name, members in GROUPS.items() if "all" in asked or name in asked))
    return [label for label in labels if label in asked or label not in second] or labels


def _files(options: argparse.Namespace) -> dict[str, str]:
    if options.demo:
        return {"Test set": "the demo set of plainly"}
    if options.test_set:
        entry = catalogue.info(options.test_set)
        return {"Test set": f"{entry.name}: {entry.title}", "Licence": entry.licence.name, "Paper": entry.paper}
    found = {"Records": options.data, "Sources": options.sources}
    named = {what: Path(path).name for what, path in found.items() if path}
    if options.references:
        named["References"] = ", ".join(Path(path).name for path in options.references)
    if options.system:
        named["Outputs"] = ", ".join(Path(item.rpartition("=")[2]).name for item in options.system)
    return named
