"""`plainly score`: read, score, print."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import IO, Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.records import csv_rows
from plainly.cli.engines import advice_to_skip
from plainly.cli.explain import explain
from plainly.cli.listing import list_metrics
from plainly.cli.notes import note
from plainly.cli.request import Request, resampling_of
from plainly.cli.score_parts import in_parts
from plainly.cli.score_parts import run as run_in_parts
from plainly.metrics import Metric
from plainly.scoring import evaluate_stream
from plainly.scoring.evaluator import KEEP
from plainly.scoring.local import Measured


def run(options: argparse.Namespace) -> None:
    if options.list:
        list_metrics(options.format or "table", options.output)
        return
    if in_parts(options):
        with advice_to_skip():
            run_in_parts(options)
        return
    if (options.output or "").lower().endswith(".parquet"):
        raise PlainlyError("Parquet is for the scores of segments: say --per-segment")
    form = options.format or ("json" if options.per_segment else "table")
    if options.per_segment and form not in ("json", "csv"):
        raise PlainlyError("--per-segment prints json (one object a line) or csv")
    request = Request(options)
    if options.explain_sari is not None:
        explain(request, options, form)
        return
    metrics = request.metrics()
    with writing(options.output) as out:
        evaluation = evaluate_stream(
            request.chunks,
            metrics,
            baselines=request.baselines,
            threads=options.threads,
            keep=0 if options.no_intervals or options.per_segment else KEEP,
            intervals=resampling_of(options),
            each=_segment_writer(out, metrics, form) if options.per_segment else None,
        )
        if not options.per_segment:
            evaluation = request.finish(evaluation)
            out.write(evaluation.table(form, options.components))
    request.notes(evaluation)
    if evaluation.size > KEEP and not (options.quiet or options.no_intervals or options.per_segment):
        note(f"note: no intervals for more than {KEEP:,} segments; plainly compare computes them")


def _segment_writer(out: IO[str], metrics: list[Metric], form: str) -> Callable[[Measured], None]:
    """Writes one row a segment and system as chunks come in."""
    labels = [metric.label for metric in metrics]
    put = csv_rows(out) if form == "csv" else None
    if put:
        put(["segment", "id", "system", *labels])
    position = 0

    def write(measured: Measured) -> None:
        nonlocal position
        corpus = measured.corpus
        scores = {
            system: [metric.score(rows).value.tolist() for metric, rows in zip(metrics, statistics, strict=True)]
            for system, statistics in measured.statistics.items()
        }
        for i in range(len(corpus)):
            identifier = corpus.ids[i] if corpus.ids else None
            for system, columns in scores.items():
                values = [None if column[i] != column[i] else column[i] for column in columns]  # NaN: unscored
                if put:
                    cells = ["" if value is None else value for value in values]
                    put([position + i, identifier or "", system, *cells])
                else:
                    row: dict[str, Any] = {"segment": position + i}
                    if identifier is not None:
                        row["id"] = identifier
                    row |= {"system": system, "scores": dict(zip(labels, values, strict=True))}
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
        position += len(corpus)

    return write
