"""`plainly score`: read, score, print."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from plainly.cli.explain import explain
from plainly.cli.listing import list_metrics
from plainly.cli.output import note, writing
from plainly.cli.tables import Cell, render
from plainly.cluster import Measured
from plainly.corpus import Corpus
from plainly.corpus.baselines import BASELINES
from plainly.corpus.readers import Inputs, read
from plainly.errors import PlainlyError, UnknownName
from plainly.evaluation import Evaluation, evaluate_stream, runnable
from plainly.evaluation.scoring import prepare
from plainly.metrics import Metric
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

ARROWS = {"higher": " ↑", "lower": " ↓", "none": ""}


def run(options: argparse.Namespace) -> None:
    if options.list:
        list_metrics(options.format or "table", options.output)
        return
    get_language(options.lang)
    if options.tokenizer:
        get_tokenizer(options.tokenizer)
    baselines = _names(options.baselines)
    for name in baselines:
        if name not in BASELINES:
            raise UnknownName("baseline", name, BASELINES)
    if options.threads is not None and options.threads < 1:
        raise PlainlyError("--threads must be at least 1")
    form = options.format or ("json" if options.per_segment else "table")
    if options.per_segment and form not in ("json", "csv"):
        raise PlainlyError("--per-segment prints json (one object a line) or csv")

    chunks = _Watch(read(_inputs(options)), quiet=options.quiet)
    if options.explain_sari is not None:
        explain(chunks, options, form, baselines)
        return
    requested = _names(options.metrics) or None
    chosen, left_out, stream = runnable(requested, chunks, options.lang)
    metrics = prepare(chosen, options.lang, _settings(options))
    with writing(options.output) as out:
        each: Callable[[Measured], None] = lambda measured: None  # noqa: E731
        if options.per_segment:
            each = _segment_writer(out, metrics, form)
        evaluation = evaluate_stream(stream, metrics, baselines=baselines, threads=options.threads, each=each)
        if not options.per_segment:
            out.write(present(evaluation, form, options.components))
    if not options.quiet:
        _notes(evaluation, chunks, left_out)


def present(evaluation: Evaluation, form: str, components: bool = False) -> str:
    """An evaluation as text in one of the table formats."""
    if form == "json":
        return json.dumps(evaluation.to_dict(), ensure_ascii=False, indent=2) + "\n"
    if form == "csv":
        return render(
            ["system", "metric", "score", "scored", "unscored", "signature"],
            list(_long(evaluation, components)),
            form,
        )
    headers, decimals = ["system"], [0]
    for label, metric in evaluation.metrics.items():
        headers.append(label.replace(metric.name, metric.facts.title, 1) + ARROWS[metric.facts.direction])
        parts = _component_names(evaluation, label) if components else []
        headers += [f"{label}.{name}" for name in parts]
        decimals += [metric.facts.decimals] * (1 + len(parts))
    rows: list[list[Cell]] = []
    for system, results in evaluation.systems.items():
        row: list[Cell] = [system]
        for label, result in results.items():
            row.append(result.score)
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
    return text + f"\n{segments}\n" + "".join(f"{signature}\n" for signature in signatures)


def _long(evaluation: Evaluation, components: bool) -> Iterator[list[Cell]]:
    for system, results in evaluation.systems.items():
        for label, result in results.items():
            counts: list[Cell] = [result.scored, result.unscored, result.signature]
            yield [system, label, result.score, *counts]
            if components:
                for name, value in result.components.items():
                    yield [system, f"{label}.{name}", value, *counts]


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


def _inputs(options: argparse.Namespace) -> Inputs:
    systems: dict[str, str] = {}
    for item in options.system:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = Path(item).stem, item
        if not name or not path:
            raise PlainlyError(f"--system takes NAME=FILE, not {item!r}")
        if name in systems:
            raise PlainlyError(f"system {name!r} is given twice")
        systems[name] = path
    if options.demo:
        if options.sources or options.references or systems or options.data:
            raise PlainlyError("--demo brings its own files; leave --sources, --references, --system and --data out")
        return demo_inputs()
    if options.data and (options.sources or options.references):
        raise PlainlyError("--data brings sources and references; leave --sources and --references out")
    if not (options.sources or systems or options.data):
        raise PlainlyError("give --sources, --references and --system, or --data (see plainly score --help)")
    return Inputs(
        sources=options.sources,
        references=tuple(options.references),
        systems=systems,
        data=options.data,
        data_format=options.data_format,
        empty_reference=options.empty_reference,
        lang=options.lang,
    )


def demo_inputs() -> Inputs:
    """The bundled English demo test set and its systems."""
    folder = Path(str(files("plainly") / "demo" / "en"))
    return Inputs(
        sources=str(folder / "sources.txt"),
        references=tuple(str(path) for path in sorted(folder.glob("references.*.txt"))),
        systems={path.stem: str(path) for path in sorted((folder / "outputs").glob("*.txt"))},
    )


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    wanted = {
        "tokenizer": options.tokenizer,
        "lowercase": options.lowercase,
        "empty_operation": options.empty_operation,
        "reference_weighting": options.reference_weighting,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _names(text: str | None) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def _notes(evaluation: Evaluation, watch: _Watch, left_out: dict[str, str]) -> None:
    for name, why in left_out.items():
        note(f"note: {name} is left out: {why}")
    for label, metric in evaluation.metrics.items():
        if metric.facts.caution:
            note(f"caution: {metric.facts.caution}")
        for system, results in evaluation.systems.items():
            if results[label].unscored:
                unscored = f"{results[label].unscored} of {evaluation.segments} segments"
                note(f"note: {label} left {unscored} of {system} unscored")
    for system, count in watch.tokenised.items():
        if count >= 0.5 * evaluation.segments:
            note(
                f"note: {count} of {evaluation.segments} outputs of {system} end in ' .': they look tokenised; "
                "scores are not comparable with those of detokenised text"
            )


class _Watch:
    """Passes chunks on, shows progress on a terminal, and counts outputs that look tokenised."""

    def __init__(self, chunks: Iterable[Corpus], quiet: bool) -> None:
        self._chunks = iter(chunks)
        self._show = not quiet and sys.stderr.isatty()
        self._start = time.monotonic()
        self._segments = 0
        self._shown = False
        self.tokenised: dict[str, int] = {}

    def __iter__(self) -> Iterator[Corpus]:
        return self

    def __next__(self) -> Corpus:
        try:
            chunk = next(self._chunks)
        except BaseException:  # also StopIteration: what is printed next begins on a line of its own
            if self._shown:
                print(file=sys.stderr)
            raise
        for system, texts in chunk.outputs.items():
            marked = sum(1 for text in texts if text is not None and text.endswith(" ."))
            self.tokenised[system] = self.tokenised.get(system, 0) + marked
        self._segments += len(chunk)
        seconds = time.monotonic() - self._start
        if self._show and seconds > 1:
            rate = self._segments / seconds
            print(f"\r{self._segments:,} segments, {rate:,.0f} a second", end="", file=sys.stderr, flush=True)
            self._shown = True
        return chunk
