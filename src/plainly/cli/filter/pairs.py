"""`plainly filter`: which pairs pass, and what becomes of the others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, writing
from plainly.cli.engines import RowsProgress, advice_to_skip, as_workers_find_it, engine_of
from plainly.cli.outputs import check_outputs, note_of_passed_over
from plainly.cli.printing import note, note_aside
from plainly.cli.request import choose_metrics, language_of, listed_names, with_known_columns
from plainly.corpus.readers import Inputs
from plainly.corpus.readers.files import STDIN
from plainly.filtering import Filter, run_filter
from plainly.filtering.findings import findings
from plainly.findings import printed
from plainly.metrics import Metric


def run(options: argparse.Namespace) -> None:
    asked = _asked(options)
    progress = RowsProgress(options.quiet)

    def metrics_of(names: Sequence[str], available: set[str]) -> list[Metric]:
        return choose_metrics(options, list(names), available, asked.inputs.lang, lambda: [])[0]

    with advice_to_skip(), engine_of(options) as engine:
        try:
            summary = run_filter(asked, metrics_of, engine, progress)
        finally:
            progress.end()
    told = findings(summary)
    with writing(None) as out:
        out.write(printed(told, options.format))
    for why, count in summary.problems.items():
        more = ", ..." if count > len(summary.places[why]) else ""
        note(f"left out: {count:,} for: {why} ({', '.join(summary.places[why])}{more})")
    if not options.quiet:
        if passed_over := note_of_passed_over(asked.inputs.data):
            note(passed_over)
        note_aside(options, told)
        for path in (asked.output, asked.dropped):
            if path is not None:
                note(f"wrote {path}")


def _asked(options: argparse.Namespace) -> Filter:
    lang = language_of(options, "en")
    if options.idf:
        raise PlainlyError("--idf weighs by all references at once; it does not go with a run in parts")
    if options.examples < 0:
        raise PlainlyError(f"--examples must be at least 0, not {options.examples}")
    if not options.dry_run and options.output is None:
        raise PlainlyError("where shall the rows go? Say -o FILE, or --dry-run for the summary alone")
    options.unit = "segment"
    output, dropped = (None, None) if options.dry_run else (options.output, options.dropped)
    check_outputs(options.data, {"-o": output, "--dropped": dropped})
    for option, path in (("--output", output), ("--dropped", dropped)):
        if path is not None and not places.is_url(path):
            if path == "-":
                raise PlainlyError(f"{option} takes a file; the summary goes to standard output")
            check_writable(path)
    return Filter(
        with_known_columns(
            Inputs(
                data=_data(options),
                data_format=options.data_format,
                columns=options.columns or {},
                empty_reference=options.empty_reference,
                lang=lang,
            ),
            options.quiet,
        ),
        keep=options.keep,
        unique=listed_names(options.unique),
        system=options.of,
        scores=None if options.with_scores is None else tuple(listed_names(options.with_scores)),
        output=output,
        dropped=dropped,
        examples=options.examples,
        seed=options.seed,
        on_error=options.on_error or "stop",
    )


def _data(options: argparse.Namespace) -> str:
    data: str = options.data
    return data if data == STDIN else as_workers_find_it(data, options)
