"""`plainly metaeval train`: one metric learned from judgements, and whether it beats the best of its inputs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.metaeval.study import check_ratings_given, read_judged
from plainly.cli.notes import note
from plainly.cli.options import studied_resampling
from plainly.cli.request import listed_names
from plainly.cli.study_tables import estimate_cells
from plainly.corpus.readers.checks import plural
from plainly.inference.resampling import check_at_least
from plainly.metaeval import JudgedSet, load
from plainly.metaeval.grouping import grouped
from plainly.metaeval.quality import Inputs, Trained, Validation, train, usual_inputs

NOT_BETTER = 1
"""The exit status where a model was asked for and is not worth writing."""


def run(options: argparse.Namespace) -> int | None:
    check_at_least("resamples", options.resamples, 1)
    if options.anyway and not options.output:
        raise PlainlyError("--anyway goes with --output")
    check_writable(options.output)
    dimensions = listed_names(options.dimension)
    if not dimensions:
        raise PlainlyError("--dimension names nothing that was judged")
    unseen, judged = _held_out(options), _judged(options)
    inputs = Inputs.named(_inputs([*judged, *unseen], options), judged[0].lang)
    resampling = studied_resampling(options, "segment")
    found = train(judged, dimensions, inputs, unseen=unseen, resampling=resampling, threads=options.threads)
    written = bool(options.output) and (found.better or options.anyway)
    if written:
        with writing(options.output) as out:
            out.write(found.model.text())
    with writing(None) as out:
        out.write(_text(found, options.format))
    if not options.quiet:
        for line in _remarks(found, options, written):
            note(line)
    return NOT_BETTER if options.output and not written else None


def _judged(options: argparse.Namespace) -> list[JudgedSet]:
    """The sets to learn from."""
    names = listed_names(options.dataset)
    if not names and not options.ratings:
        raise PlainlyError("give --ratings FILE with the texts, or --dataset NAMES with --folder DIR (see --help)")
    check_ratings_given(options)
    judged = [load(name, _folder(options), options.values) for name in names]
    if options.ratings:
        judged.insert(0, read_judged(argparse.Namespace(**{**vars(options), "dataset": None, "folder": None})))
    if not options.split_by:
        return judged
    return [part for own in judged for part in _split(own, options.split_by)]


def _split(judged: JudgedSet, field: str) -> list[JudgedSet]:
    if field not in judged.fields:
        if not judged.fields:
            raise PlainlyError(f"{judged.name} has no fields that it could be split by")
        raise PlainlyError(f"{judged.name}: {UnknownName('field', field, judged.fields)}")
    groups = grouped(judged.fields[field])
    return [replace(judged.select(rows), name=f"{judged.name}: {group}") for group, rows in groups.items()]


def _held_out(options: argparse.Namespace) -> list[JudgedSet]:
    names = listed_names(options.held_out)
    if both := sorted(set(names) & set(listed_names(options.dataset))):
        raise PlainlyError(f"{both[0]} is both --dataset and --held-out; what is learned from cannot be a test")
    return [load(name, _folder(options), options.values) for name in names]


def _folder(options: argparse.Namespace) -> str:
    if not options.folder:
        raise PlainlyError("published data sets need --folder, the folder with their files")
    return str(options.folder)


def _inputs(judged: list[JudgedSet], options: argparse.Namespace) -> list[str]:
    if options.inputs is not None:
        return listed_names(options.inputs)
    available = {"source", "references"}
    for own in judged:
        if not any(text is not None for text in own.sources):
            available.discard("source")
        if not any(own.references):
            available.discard("references")
    return usual_inputs(available, judged[0].lang)


def _text(found: Trained, form: str) -> str:
    if form == "json":
        content = {
            "plainly": __version__,
            "verdict": found.verdict,
            "better": found.better,
            "model": found.model.to_dict(),
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    headers = [
        *("tested on", "learned from", "outputs", "combined", "low", "high"),
        *("best single", "its r", "ahead", "low", "high", "verdict", "best afterwards", "its r"),
    ]
    table = render(headers, [_cells(test) for test in found.validations], form, 3)
    return table if form == "csv" else with_lines(table, [found.verdict, *_weights(found)], form)


def _cells(test: Validation) -> list[Cell]:
    return [
        test.tested_on,
        " + ".join(test.trained_on) or "itself, in folds",
        test.n,
        *estimate_cells(test.combined.estimate),
        test.single,
        test.by_single.value,
        *estimate_cells(test.gap.difference),
        test.verdict,
        test.afterwards,
        test.by_afterwards,
    ]


def _weights(found: Trained) -> list[str]:
    """The inputs, the heaviest first."""
    model = found.model
    order = np.argsort(-np.abs(model.weights), kind="stable")
    said = ", ".join(f"{model.inputs[place]} {model.weights[place]:+.2f}" for place in order.tolist())
    return [f"learned from {plural(model.about['outputs'], 'output')}, weights in spreads: {said}"]


def _remarks(found: Trained, options: argparse.Namespace, written: bool) -> Iterator[str]:
    tested: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for test in found.validations:
        if test.left_out:
            tested.setdefault((test.trained_on, test.left_out), []).append(test.tested_on)
    for (_, count), names in tested.items():
        yield f"note: {plural(count, 'output')} too much like {' and '.join(names)} were kept out of what it learned"
    yield from (f"note: {line}" for line in found.notes)
    for name in found.untested:
        yield f"note: {name} is no test: what is left to learn from is too much like it"
    if written and not found.better:
        yield f"caution: {options.output} holds a metric that is not shown to be better than a single one"
    elif written:
        yield f"wrote {options.output}"
    elif options.output:
        yield f"note: {options.output} is not written; --anyway writes it"
