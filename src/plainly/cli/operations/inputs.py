"""Reads the annotations that the options of `plainly operations` name."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from plainly.cli.notes import note
from plainly.errors import PlainlyError
from plainly.operations import AnnotatedPair, Typology, assetann, load_typology
from plainly.operations.formats import Rules, is_yawat, read


def typology_of(options: argparse.Namespace) -> Typology:
    """The labels of this run."""
    return load_typology(options.typology) if options.typology else assetann()


def rules_of(options: argparse.Namespace) -> Rules:
    """How this run reads annotations."""
    aliases = {}
    for item in options.alias:
        name, equals, label = item.partition("=")
        if not (name and equals and label):
            raise PlainlyError(f"--alias takes NAME=LABEL, not {item!r}")
        if name in aliases:
            raise PlainlyError(f"--alias names {name!r} twice")
        aliases[name] = label
    return Rules(typology_of(options), aliases, options.repair)


def annotations_of(
    options: argparse.Namespace, names: Literal["origin", "annotator"] = "origin", rules: Rules | None = None
) -> list[AnnotatedPair]:
    """The pairs of --annotations. The name of a file says where its pairs come from, or who annotated them."""
    return annotation_sets(options, ["annotations"], names, rules)[0]


def annotation_sets(
    options: argparse.Namespace,
    wanted: Sequence[str],
    names: Literal["origin", "annotator"] = "origin",
    rules: Rules | None = None,
) -> list[list[AnnotatedPair]]:
    """The pairs of several options that name annotations, with notes on what is accepted but not quite right.

    Token files go to the .aln files in the order of the options.
    """
    rules = rules or rules_of(options)
    files = [named_files(f"--{option}", getattr(options, option)) for option in wanted]
    paths = [path for listed in files for _, path in listed]
    tokens = _token_files(options, paths)
    protect([*paths, *(path for files in tokens for path in files if path)], options.output)
    rest = iter(tokens)
    sets = []
    for listed in files:
        pairs = [pair for name, path in listed for pair in read(path, *next(rest), **{names: name}, rules=rules)]
        check_different(pairs)
        sets.append(pairs)
    if not options.quiet:
        for line in rules.notes.lines():
            note(f"note: {line}")
    return sets


def named_files(option: str, items: Sequence[str]) -> list[tuple[str, str]]:
    """NAME=FILE or FILE, whose name is then that of the file without its ending."""
    files: list[tuple[str, str]] = []
    for item in items:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = Path(item.removesuffix(".gz")).stem, item
        if not name or not path:
            raise PlainlyError(f"{option} takes NAME=FILE, not {item!r}")
        if name in (known for known, _ in files):
            raise PlainlyError(f"{option}: the name {name!r} is there twice; give other names, as NAME=FILE")
        files.append((name, path))
    return files


def check_different(pairs: Sequence[AnnotatedPair]) -> None:
    """Refuse two annotations of one pair by one annotator, which would count twice."""
    seen = set()
    for pair in pairs:
        key = (pair.id, pair.origin, pair.annotator)
        if key in seen:
            raise PlainlyError(f"pair {pair.id!r} of {pair.origin!r} is there twice, annotated by {pair.annotator!r}")
        seen.add(key)


def protect(inputs: Sequence[str], output: str | None) -> None:
    """Refuse to write over what is read."""
    if output is None or not Path(output).is_file():
        return
    for path in inputs:
        if Path(path).exists() and Path(path).samefile(output):
            raise PlainlyError(f"--output {output} is an input of this run; choose another file")


def _token_files(
    options: argparse.Namespace, paths: Sequence[str]
) -> list[tuple[str | None, str | None, str | None]]:
    """For each file of annotations: sources, targets, crp. Options go in order to the .aln files that need them."""
    if options.crp and (options.sources or options.targets):
        raise PlainlyError("--crp brings both sides; leave --sources and --targets out")
    beside = [_crp_beside(path) if is_yawat(path) and not options.crp else None for path in paths]
    needing = [is_yawat(path) and crp is None for path, crp in zip(paths, beside, strict=True)]
    count = sum(needing)
    if count and not options.crp and not (options.sources and options.targets):
        raise PlainlyError(".aln files hold no tokens; give --sources and --targets, or --crp")
    given = options.crp or options.targets
    if len(given) != count:
        which = "--crp" if options.crp else "--targets"
        one_each = f"{which} takes one file for each .aln file that has no .crp file of its name beside it"
        raise PlainlyError(f"{one_each}: {count} are needed, {len(given)} given")
    rest = iter(given)
    return [
        (None, None, crp)
        if not needs
        else (None, None, next(rest))
        if options.crp
        else (options.sources, next(rest), None)
        for needs, crp in zip(needing, beside, strict=True)
    ]


def _crp_beside(path: str) -> str | None:
    """YAWAT keeps the tokens of NAME.aln in NAME.crp."""
    crp = Path(path.removesuffix(".gz")).with_suffix(".crp")
    return str(crp) if crp.is_file() else None
