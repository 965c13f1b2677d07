"""`plainly score`: read, score, print; here in one go, or in parts on many cores or machines."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.files import check_regular, check_writable, writing
from plainly.cli.engines import RowsProgress, advice_to_skip, as_workers_find_it, engine_of
from plainly.cli.explain import explain
from plainly.cli.gates import bounds_of, refuse_bounds, status
from plainly.cli.listing import metric_list
from plainly.cli.options import form_for
from plainly.cli.outputs import check_outputs, note_of_passed_over
from plainly.cli.printing import note, print_findings, tell
from plainly.cli.request import Request, refuse_profile, resampling_of
from plainly.corpus.readers.files import STDIN
from plainly.corpus.readers.inputs import several
from plainly.metrics import Metric
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import KEEP
from plainly.scoring.partitioned import evaluation_of, job_for
from plainly.scoring.partitions import plan
from plainly.scoring.problems import SHOWN, Problems
from plainly.scoring.runs import Run
from plainly.scoring.segment_rows import SEGMENTS, Rows, segment_writer

ROWS_AS_TEXT = "--per-segment prints json (one object a line) or csv"


def run(options: argparse.Namespace) -> int | None:
    if options.list:
        refuse_bounds(options, "--list")
        refuse_profile(options, "--list has all metrics")
        options.format = options.format or form_for(options.output)
        print_findings(options, metric_list())
    elif _needs_parts(options):
        with advice_to_skip():
            return _in_parts(options)
    else:
        return _in_one_go(options)
    return None


def _in_one_go(options: argparse.Namespace) -> int | None:
    if (options.output or "").lower().endswith(".parquet"):
        raise PlainlyError("Parquet is for the scores of segments: say --per-segment")
    options.format = options.format or (_segments_form if options.per_segment else form_for)(options.output)
    rows = SEGMENTS.get(options.format)
    if options.per_segment and rows is None:
        raise PlainlyError(ROWS_AS_TEXT)
    if options.explain_sari is not None:
        refuse_bounds(options, "--explain-sari")
        refuse_profile(options, "--explain-sari goes through all settings")
    request = Request(options)
    if options.explain_sari is not None:
        explain(request, options)
        return None
    metrics = request.metrics()
    gates = bounds_of(options, metrics)
    check_writable(options.output)
    if options.per_segment and rows is not None:
        return status(gates.failures(_each_segment(options, request, metrics, rows)))
    evaluation = evaluate_stream(
        request.chunks,
        metrics,
        baselines=request.baselines,
        threads=options.threads,
        keep=0 if options.no_intervals else KEEP,
        intervals=resampling_of(options),
    )
    evaluation = request.finish(evaluation)
    print_findings(options, evaluation.findings(options.components))
    return status(gates.failures(evaluation))


def _each_segment(options: argparse.Namespace, request: Request, metrics: list[Metric], rows: Rows) -> Evaluation:
    """The score of each segment alone, written as chunks come in."""
    with writing(options.output) as out:
        evaluation = evaluate_stream(
            request.chunks,
            metrics,
            baselines=request.baselines,
            threads=options.threads,
            keep=0,
            intervals=resampling_of(options),
            each=segment_writer(metrics, rows(out, [metric.label for metric in metrics])),
        )
    tell(replace(evaluation, left_out=request.left_out).notes, options.quiet)
    return evaluation


def _segments_form(path: str | None) -> str:
    """The form of the scores of segments that the ending of a file says."""
    return "csv" if (path or "").lower().endswith(".csv") else "json"


def _needs_parts(options: argparse.Namespace) -> bool:
    """Whether the options ask for a run in parts: an option that only those have, or data in several files."""
    asked = (options.write_statistics, options.workers, options.scheduler, options.slurm, options.on_error)
    said = options.resume or any(value is not None for value in asked) or _writes_parquet(options)
    return said or bool(options.data and several(options.data))


def _writes_parquet(options: argparse.Namespace) -> bool:
    """Whether the scores of segments go to Parquet: to a file of that ending, or to a folder."""
    output = options.output or ""
    by_name = output.lower().endswith(".parquet") or _is_folder(output)
    return _in_parts_alone(options) or (options.per_segment and by_name)


def _text_rows(options: argparse.Namespace) -> str | None:
    """The form of the scores of segments where a run in parts writes them as text, and else nothing."""
    if not options.per_segment or _writes_parquet(options):
        return None
    form = options.format or _segments_form(options.output)
    if SEGMENTS.get(form) is None:
        raise PlainlyError(ROWS_AS_TEXT)
    return str(form)


def _in_parts_alone(options: argparse.Namespace) -> bool:
    """Whether the form that is asked for is one that only runs in parts write."""
    return options.format in SEGMENTS and SEGMENTS[options.format] is None


def _in_parts(options: argparse.Namespace) -> int | None:
    """Big data: in parts, each written as it is done, on as many cores or machines as there are."""
    _check_parts(options)
    if options.data and options.data != STDIN:
        options.data = as_workers_find_it(options.data, options)
    if options.write_statistics:
        options.write_statistics = as_workers_find_it(options.write_statistics, options)
    request = Request(options, in_parts=True)
    if request.inputs.runs:
        raise PlainlyError("runs of a system are scored in one go; leave --workers and the like out")
    scores = _scores_path(options)
    rows = _text_rows(options)
    said = None if rows or _in_parts_alone(options) else options.format
    options.format = said or form_for(None if scores is not None else options.output)
    on_error = options.on_error or "stop"
    statistics = options.write_statistics and options.write_statistics.rstrip("/") + "/"
    check_outputs(options.data, {"-o": scores or options.output, "--write-statistics": statistics})
    if scores is not None and not scores.endswith("/") and not places.is_url(scores):
        check_writable(scores)
        check_regular(str(places.local(scores)))
    planned = plan(request.inputs, on_error)
    metrics = request.metrics()
    gates = bounds_of(options, metrics)
    job = replace(job_for(planned, metrics, request.baselines, on_error), form=rows or "parquet")
    work = Run(planned, job, scores, options.write_statistics)
    progress = RowsProgress(options.quiet)
    with engine_of(options) as engine, _advice_on_stop(work):
        work.prepare(options.resume)
        try:
            summary = work.measure(engine, progress)
        finally:
            progress.end()
    evaluation = evaluation_of(summary, metrics, None if options.no_intervals else resampling_of(options))
    evaluation = request.finish(evaluation)
    with _advice_on_stop(work):
        work.finish(summary)
    if summary.problems:
        _tell_problems(summary.problems)
    if not options.quiet and (passed_over := note_of_passed_over(options.data)):
        note(passed_over)
    if scores is not None:
        options.output = None
    print_findings(options, evaluation.findings(options.components))
    return status(gates.failures(evaluation))


@contextmanager
def _advice_on_stop(work: Run) -> Iterator[None]:
    """Whoever stops a run hears how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if work.resumable:
            raise KeyboardInterrupt("say --resume to go on") from None
        raise


def _check_parts(options: argparse.Namespace) -> None:
    if options.explain_sari is not None:
        raise PlainlyError("--explain-sari does not go with a run in parts")
    if options.unit == "document":
        raise PlainlyError("documents cannot be joined in a run in parts; leave --unit document out")
    if options.idf:
        raise PlainlyError("--idf weighs by all references at once; it does not go with a run in parts")
    if options.threads is not None:
        raise PlainlyError("a run in parts uses processes; say --workers, not --threads")
    if _in_parts_alone(options) and options.output in (None, "", STDIN):
        where = "standard output" if options.output else "a terminal"
        raise PlainlyError(f"Parquet does not go to {where}; say -o FILE.parquet")
    if options.per_segment and options.output in (None, "", STDIN):
        raise PlainlyError(
            "a run in parts writes the scores of segments to a file: -o FILE, or -o FOLDER/ for Parquet"
        )


def _scores_path(options: argparse.Namespace) -> str | None:
    """Where the scores of segments go; a folder ends in a slash."""
    if not options.per_segment and not _writes_parquet(options):
        return None
    output = as_workers_find_it(options.output, options)
    return output.rstrip("/") + "/" if _is_folder(options.output) else output


def _is_folder(output: str) -> bool:
    if output.endswith(("/", os.sep)):
        return True
    here = places.local(output) if output else None
    return here is not None and Path(here).is_dir()


def _tell_problems(problems: Problems) -> None:
    """What was left out, whoever asked for it: never silently."""
    for why, count in problems.counts.items():
        places_ = ", ".join(problems.places[why])
        more = ", ..." if count > len(problems.places[why]) == SHOWN else ""
        note(f"left out: {f'{count:,}' if count else 'nobody knows how many'} for: {why} ({places_}{more})")
