"""Reads the annotations that the options of `plainly operations` name."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, refuse_overwriting
from plainly.base.messages import Note, message
from plainly.cli.printing import tell
from plainly.corpus import catalogue
from plainly.corpus.readers.files import open_path, shown
from plainly.operations import AnnotatedPair, Typology, assetann, load_typology
from plainly.operations.formats import Rules, is_yawat, read
from plainly.operations.published import Tokens, beside, published_files


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
    files = [named_files(f"--{option}", [*_by_name(getattr(options, option))]) for option in wanted]
    paths = [path for listed in files for _, path in listed]
    tokens = _token_files(options, paths)
    refuse_overwriting(options.output, [*paths, *(path for files in tokens for path in files)])
    check_writable(options.output)
    rest = iter(tokens)
    sets = []
    for listed in files:
        pairs = [pair for name, path in listed for pair in read(path, *next(rest), **{names: name}, rules=rules)]
        check_different(pairs)
        sets.append(pairs)
    tell(rules.notes.told(), options.quiet)
    return sets


def named_files(option: str, items: Sequence[str]) -> list[tuple[str, str]]:
    """NAME=FILE or FILE, whose name is then that of the file without its ending."""
    files: list[tuple[str, str]] = []
    for item in items:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = Path(item.removesuffix(".gz")).stem, item
        if not equals and not name and Path(item).is_dir():
            raise PlainlyError(f"{option}: {shown(path)} is a folder, not a file")
        if not name or not path:
            raise PlainlyError(f"{option} takes NAME=FILE, not {item!r}")
        if name in (known for known, _ in files):
            raise PlainlyError(f"{option}: the name {name!r} is there twice; give other names, as NAME=FILE")
        files.append((name, path))
    return files


def _by_name(items: Sequence[str]) -> Iterator[str]:
    """The items, with the files of an entry of the catalogue in the place of its name."""
    for item in items:
        title, _, name = item.rpartition("=")
        if "." in name or name not in catalogue.names() or Path(name).exists():
            yield item
            continue
        files = published_files(name)
        if title and len(files) > 1:
            raise PlainlyError(f"{name} has {len(files)} files of annotations, which cannot all be {title!r}")
        yield from (f"{title or origin}={path}" for origin, path in files)


def check_different(pairs: Sequence[AnnotatedPair]) -> None:
    """Refuse two annotations of one pair by one annotator, which would count twice."""
    seen = set()
    for pair in pairs:
        key = (pair.id, pair.origin, pair.annotator)
        if key in seen:
            raise PlainlyError(f"pair {pair.id!r} of {pair.origin!r} is there twice, annotated by {pair.annotator!r}")
        seen.add(key)


def crp_of_output(output: str | None) -> str | None:
    """The .crp file that goes with an .aln file to be written; None for JSONL. Refuses other endings."""
    if output is None or output == "-":
        return None
    if output.endswith(".gz"):
        raise PlainlyError("annotations are written unpacked; leave .gz out of the name")
    return str(Path(output).with_suffix(".crp")) if is_yawat(output) else None


def _token_files(options: argparse.Namespace, paths: Sequence[str]) -> list[Tokens]:
    """For each file of annotations: sources, targets, crp. Options go in order to the .aln files that need them.

    Those need tokens that have no .crp file beside them; or all, if --crp names as many files.
    """
    if options.crp and (options.sources or options.targets):
        raise PlainlyError("--crp brings both sides; leave --sources and --targets out")
    yawat = [is_yawat(path) for path in paths]
    every = len(options.crp) == sum(yawat)  # a .crp file for each, even where one lies beside it
    named = bool(options.crp or options.sources or options.targets)
    found = [
        beside(path, released=not named) if of_yawat and not every else None
        for path, of_yawat in zip(paths, yawat, strict=True)
    ]
    needing = [of_yawat and tokens is None for of_yawat, tokens in zip(yawat, found, strict=True)]
    released = [tokens[0] for tokens in found if tokens and tokens[0]]
    if released:
        said = "tokens of ASSETann are read from {folder}"
        told = message("operations.released-tokens", said, folder=shown(str(Path(str(released[0])).parent)))
        tell([Note(told)], options.quiet)
    count = sum(needing)
    if count and not options.crp and not (options.sources and options.targets):
        for path, needs in zip(paths, needing, strict=True):
            if needs:
                open_path(path).close()  # a file that is not there needs no tokens, and is named as such
        raise PlainlyError(".aln files hold no tokens; give --sources and --targets, or --crp")
    given = options.crp or options.targets
    if len(given) != count:
        which = "--crp" if options.crp else "--targets"
        each = "each .aln file, or for each" if options.crp else "each .aln file"
        needed = f"{sum(yawat)} or {count}" if options.crp and count < sum(yawat) else f"{count}"
        one_each = f"{which} takes one file for {each} that has no .crp file of its name beside it"
        raise PlainlyError(f"{one_each}: {needed} are needed, {len(given)} given")
    rest = iter(given)
    return [
        tokens or (None, None, None)
        if not needs
        else (None, None, next(rest))
        if options.crp
        else (options.sources, next(rest), None)
        for needs, tokens in zip(needing, found, strict=True)
    ]
