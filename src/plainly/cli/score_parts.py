"""`plainly score` for big data: in parts, each written as it is done, on as many cores or machines as there are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.files import check_regular, check_writable, writing
from plainly.cli.engines import RowsProgress, as_workers_find_it, engine_of
from plainly.cli.notes import note
from plainly.cli.outputs import check_outputs, note_of_passed_over
from plainly.cli.request import Request, resampling_of
from plainly.corpus.readers.inputs import STDIN, several
from plainly.scoring.blocks import FEWEST
from plainly.scoring.partitioned import evaluation_of, job_for
from plainly.scoring.partitions import plan
from plainly.scoring.problems import SHOWN, Problems
from plainly.scoring.runs import Run


def in_parts(options: argparse.Namespace) -> bool:
    """Whether the options ask for a run in parts: an option that only those have, or data in several files."""
    asked = (options.statistics, options.workers, options.scheduler, options.slurm, options.on_error)
    said = options.resume or any(value is not None for value in asked) or writes_parquet(options)
    return said or bool(options.data and several(options.data))


def writes_parquet(options: argparse.Namespace) -> bool:
    """Whether the scores of segments go to Parquet: to a file of that ending, or to a folder."""
    output = options.output or ""
    by_name = output.lower().endswith(".parquet") or _is_folder(output)
    return options.format == "parquet" or (options.per_segment and by_name)


def run(options: argparse.Namespace) -> None:
    """Score in parts, and print the table of totals."""
    _check(options)
    if options.data and options.data != STDIN:
        options.data = as_workers_find_it(options.data, options)
    if options.statistics:
        options.statistics = as_workers_find_it(options.statistics, options)
    request = Request(options, in_parts=True)
    form = "table" if options.format in (None, "parquet") else options.format
    scores = _scores_path(options)
    on_error = options.on_error or "stop"
    statistics = options.statistics and options.statistics.rstrip("/") + "/"
    check_outputs(options.data, {"-o": scores or options.output, "--statistics": statistics})
    if scores is not None and not scores.endswith("/") and not places.is_url(scores):
        check_writable(scores)
        check_regular(str(places.local(scores)))
    planned = plan(request.inputs, on_error)
    metrics = request.metrics()
    job = job_for(planned, metrics, request.baselines, on_error)
    work = Run(planned, job, scores, options.statistics)
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
    with writing(None if scores is not None else options.output) as out:
        out.write(evaluation.table(form, options.components))
    if summary.problems:
        _tell(summary.problems)
    if options.quiet:
        return
    if passed_over := note_of_passed_over(options.data):
        note(passed_over)
    request.notes(evaluation, summary.tokenised)
    for metric in metrics:
        if metric.label in summary.refusals:
            note(f"note: {metric.remark_on(*summary.refusals[metric.label])}")
    if evaluation.intervals is None and not options.no_intervals:
        note(f"note: no intervals: fewer than {FEWEST} blocks of {summary.blocks.size} segments")
    elif evaluation.intervals is not None and summary.blocks.documents is not None:
        one = "document" if summary.blocks.documents.bits == 0 else "group of documents"
        note(f"note: intervals come from resampled documents: {len(summary.blocks.documents.keys):,}, each a {one}")
    elif evaluation.intervals is not None and summary.blocks.size > 1:
        note(f"note: intervals come from resampled blocks of {summary.blocks.size} segments")


@contextmanager
def _advice_on_stop(work: Run) -> Iterator[None]:
    """Whoever stops a run hears how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if work.resumable:
            raise KeyboardInterrupt("say --resume to go on") from None
        raise


def _check(options: argparse.Namespace) -> None:
    if options.explain_sari is not None:
        raise PlainlyError("--explain-sari does not go with a run in parts")
    if options.unit == "document":
        raise PlainlyError("documents cannot be joined in a run in parts; leave --unit document out")
    if options.idf:
        raise PlainlyError("--idf weighs by all references at once; it does not go with a run in parts")
    if options.threads is not None:
        raise PlainlyError("a run in parts uses processes; say --workers, not --threads")
    if options.per_segment and not writes_parquet(options):
        raise PlainlyError("a run in parts writes the scores of segments as Parquet: -o FILE.parquet, or -o FOLDER/")
    if options.format == "parquet" and not options.output:
        raise PlainlyError("Parquet does not go to a terminal; say -o FILE.parquet")
    if options.format == "parquet" and options.output == STDIN:
        raise PlainlyError("Parquet does not go to standard output; say -o FILE.parquet")


def _scores_path(options: argparse.Namespace) -> str | None:
    """Where the scores of segments go; a folder ends in a slash."""
    if not writes_parquet(options):
        return None
    output = as_workers_find_it(options.output, options)
    return output.rstrip("/") + "/" if _is_folder(options.output) else output


def _is_folder(output: str) -> bool:
    if output.endswith(("/", os.sep)):
        return True
    here = places.local(output) if output else None
    return here is not None and Path(here).is_dir()


def _tell(problems: Problems) -> None:
    """What was left out, whoever asked for it: never silently."""
    for why, count in problems.counts.items():
        places_ = ", ".join(problems.places[why])
        more = ", ..." if count > len(problems.places[why]) == SHOWN else ""
        note(f"left out: {f'{count:,}' if count else 'nobody knows how many'} for: {why} ({places_}{more})")
