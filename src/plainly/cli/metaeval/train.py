"""`plainly metaeval train`: one metric learned from judgements, and whether it beats the best of its inputs."""

from __future__ import annotations

import argparse
from dataclasses import replace

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, writing
from plainly.cli.metaeval.study import check_ratings_given, read_judged
from plainly.cli.options import studied_resampling
from plainly.cli.printing import note, note_aside
from plainly.cli.request import listed_names
from plainly.findings import printed
from plainly.inference.resampling import check_at_least
from plainly.metaeval import JudgedSet, load
from plainly.metaeval.choices import available
from plainly.metaeval.grouping import grouped
from plainly.metaeval.quality import Inputs, Trained, train, usual_inputs
from plainly.metaeval.quality.findings import findings

NOT_BETTER = 1
"""The exit status where a model was asked for and is not worth writing."""


def run(options: argparse.Namespace) -> int | None:
    check_at_least("resamples", studied_resampling(options, "segment").resamples, 1)
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
    told = findings(found)
    with writing(None) as out:
        out.write(printed(told, options.format))
    note_aside(options, told)
    if options.output and not options.quiet:
        note(_of_the_file(found, options, written))
    return NOT_BETTER if options.output and not written else None


def _judged(options: argparse.Namespace) -> list[JudgedSet]:
    """The sets to learn from."""
    names = listed_names(options.ratings_set)
    if not names and not options.ratings:
        raise PlainlyError(
            "give --ratings FILE with the texts, or --ratings-set NAMES with --ratings-folder FOLDER (see --help)"
        )
    check_ratings_given(options)
    judged = [load(name, _folder(options), options.values) for name in names]
    if options.ratings:
        judged.insert(
            0, read_judged(argparse.Namespace(**{**vars(options), "ratings_set": None, "ratings_folder": None}))
        )
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
    if both := sorted(set(names) & set(listed_names(options.ratings_set))):
        raise PlainlyError(f"{both[0]} is both --ratings-set and --held-out; what is learned from cannot be a test")
    return [load(name, _folder(options), options.values) for name in names]


def _folder(options: argparse.Namespace) -> str:
    if not options.ratings_folder:
        raise PlainlyError("published ratings need --ratings-folder, the folder with their files")
    return str(options.ratings_folder)


def _inputs(judged: list[JudgedSet], options: argparse.Namespace) -> list[str]:
    if options.inputs is not None:
        return listed_names(options.inputs)
    return usual_inputs(set.intersection(*map(available, judged)), judged[0].lang)


def _of_the_file(found: Trained, options: argparse.Namespace, written: bool) -> str:
    if not written:
        return f"note: {options.output} is not written; --anyway writes it"
    if not found.better:
        return f"caution: {options.output} holds a metric that is not shown to be better than a single one"
    return f"wrote {options.output}"
