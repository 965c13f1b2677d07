"""`plainly score`: read, score, print."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterator
from typing import IO, Any

from plainly.cli.explain import explain
from plainly.cli.listing import list_metrics
from plainly.cli.output import note, writing
from plainly.cli.request import Request
from plainly.cli.tables import Cell, render
from plainly.cluster import Measured
from plainly.errors import PlainlyError
from plainly.evaluation import Evaluation, Resampling, evaluate_stream
from plainly.inference import RESAMPLES
from plainly.metrics import Metric

KEEP = 50_000  # segments whose statistics are kept for intervals: memory must not grow with the input
ARROWS = {"higher": " ↑", "lower": " ↓", "none": ""}


def run(options: argparse.Namespace) -> None:
    if options.list:
        list_metrics(options.format or "table", options.output)
        return
    form = options.format or ("json" if options.per_segment else "table")
    if options.per_segment and form not in ("json", "csv"):
        raise PlainlyError("--per-segment prints json (one object a line) or csv")
    request = Request(options)
    if options.explain_sari is not None:
        explain(request, options, form)
        return
    metrics = request.metrics()
    with writing(options.output) as out:
        each: Callable[[Measured], None] = lambda measured: None  # noqa: E731
        if options.per_segment:
            each = _segment_writer(out, metrics, form)
        evaluation = evaluate_stream(
            request.chunks,
            metrics,
            baselines=request.baselines,
            threads=options.threads,
            keep=0 if options.no_intervals or options.per_segment else KEEP,
            intervals=Resampling(
                RESAMPLES if options.resamples is None else options.resamples,
                options.seed,
                options.interval,
                options.level,
            ),
            each=each,
        )
        if not options.per_segment:
            evaluation = request.finish(evaluation)
            out.write(present(evaluation, form, options.components))
    request.notes(evaluation)
    if evaluation.segments > KEEP and not (options.quiet or options.no_intervals or options.per_segment):
        note(f"note: no intervals for more than {KEEP:,} segments; plainly compare computes them")


def present(evaluation: Evaluation, form: str, components: bool = False) -> str:
    """An evaluation as text in one of the table formats."""
    if form == "json":
        return json.dumps(evaluation.to_dict(), ensure_ascii=False, indent=2) + "\n"
    if form == "csv":
        return render(
            ["system", "metric", "score", "ci_low", "ci_high", "scored", "unscored", "signature"],
            list(_long(evaluation, components)),
            form,
        )
    headers, decimals = ["system"], [0]
    for label, metric in evaluation.metrics.items():
        headers.append(label.replace(metric.name, metric.facts.title, 1) + ARROWS[metric.facts.direction])
        decimals.append(metric.facts.decimals)
        if evaluation.intervals:
            headers.append(f"{evaluation.intervals.level:.0%} interval")
            decimals.append(0)
        parts = _component_names(evaluation, label) if components else []
        headers += [f"{label}.{name}" for name in parts]
        decimals += [metric.facts.decimals] * len(parts)
    rows: list[list[Cell]] = []
    for system, results in evaluation.systems.items():
        row: list[Cell] = [system]
        for label, result in results.items():
            row.append(result.score)
            if evaluation.intervals:
                row.append(between(result.ci, evaluation.metrics[label].facts.decimals))
            if components:
                row += [result.components.get(name) for name in _component_names(evaluation, label)]
        rows.append(row)
    text = render(headers, rows, form, decimals)
    if form != "table":
        return text
    signatures = dict.fromkeys(
        results[label].signature for label in evaluation.metrics for results in evaluation.systems.values()
    )
    segments = "1 segment" if evaluation.segments == 1 else f"{evaluation.segments} segments"
    if evaluation.intervals:
        segments += f", {evaluation.intervals.resamples} resamples, seed {evaluation.intervals.seed}"
    return text + f"\n{segments}\n" + "".join(f"{signature}\n" for signature in signatures)


def between(ci: tuple[float, float] | None, decimals: int) -> str:
    """An interval in words; a dash where there is none."""
    if ci is None or ci[0] != ci[0]:
        return "-"
    return f"{ci[0]:.{decimals}f} to {ci[1]:.{decimals}f}"


def _long(evaluation: Evaluation, components: bool) -> Iterator[list[Cell]]:
    for system, results in evaluation.systems.items():
        for label, result in results.items():
            counts: list[Cell] = [result.scored, result.unscored, result.signature]
            yield [system, label, result.score, *(result.ci or (None, None)), *counts]
            if components:
                for name, value in result.components.items():
                    yield [system, f"{label}.{name}", value, None, None, *counts]


def _component_names(evaluation: Evaluation, label: str) -> list[str]:
    return list(next(iter(evaluation.systems.values()))[label].components)


def _segment_writer(out: IO[str], metrics: list[Metric], form: str) -> Callable[[Measured], None]:
    """Writes one row a segment and system as chunks come in."""
    labels = [metric.label for metric in metrics]
    table = csv.writer(out, lineterminator="\n") if form == "csv" else None
    if table:
        table.writerow(["segment", "id", "system", *labels])
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
                if table:
                    cells = ["" if value is None else value for value in values]
                    table.writerow([position + i, identifier or "", system, *cells])
                else:
                    row: dict[str, Any] = {"segment": position + i}
                    if identifier is not None:
                        row["id"] = identifier
                    row |= {"system": system, "scores": dict(zip(labels, values, strict=True))}
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
        position += len(corpus)

    return write
