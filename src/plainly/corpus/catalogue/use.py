"""Test sets and published outputs, ready to score. Nothing here uses the network."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from plainly.base.arguments import checks_arguments
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.corpus.catalogue import store
from plainly.corpus.catalogue.contents import unfit
from plainly.corpus.catalogue.entries import KINDS, Entry, File, info
from plainly.corpus.catalogue.obtaining import cure
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers import Inputs, read_corpus
from plainly.corpus.readers.files import LineFile, open_input

SIMPLIFICATION = "simplification"
Other = Callable[[File], object]


@checks_arguments
def load(name: str) -> Corpus:
    """Sources and references of a test set, without outputs.

    Metadata come along where the test set has them, and documents where it says which column names them.
    Where sources are not published they are None.
    """
    entry = _test_set(name)
    ready(entry, [file for file in entry.files if file.role not in ("system", "licence")])
    rows = _rows(entry)
    if entry.having("table"):
        corpus = Corpus([row["original"] for row in rows], lang=entry.language)
    elif entry.having("source"):
        corpus = read_corpus(_line_files(entry))
    else:
        corpus = Corpus([None] * entry.segments, lang=entry.language)
    return replace(corpus, metadata=rows, documents=_documents(entry, rows)) if rows else corpus


def published(name: str) -> dict[str, list[str]]:
    """The published outputs on a test set: system -> one text a segment; empty if there are none.

    The simplifications of a table are those of several systems that it does not name.
    """
    entry = _test_set(name)
    outputs = _outputs(entry)
    ready(entry, [*outputs.values(), *entry.having("table")])
    if entry.having("table"):
        return {SIMPLIFICATION: [row[SIMPLIFICATION] for row in _rows(entry)]}
    return {system: _lines(store.place(file)) for system, file in outputs.items()}


def inputs(name: str, systems: Mapping[str, str], against_published: bool = False) -> Inputs:
    """The files of a test set with the outputs of systems (name -> file), for `plainly.corpus.readers.read`.

    `against_published` adds the published systems.
    """
    entry = _test_set(name)
    if entry.having("table"):
        raise PlainlyError(
            f"{name} has labels, not references; use it from Python: plainly.corpus.catalogue.load({name!r})"
        )
    others = _outputs(entry) if against_published else {}
    if against_published and not others:
        raise PlainlyError(f"there are no published outputs on {name}")
    if twice := sorted(set(systems) & set(others)):
        raise PlainlyError(f"{twice[0]!r} is the name of a published system; give yours another name")
    ready(entry, [*entry.having("source"), *entry.having("reference"), *entry.having("metadata"), *others.values()])
    rows = _rows(entry)
    paths = {system: str(store.place(file)) for system, file in others.items()}
    return replace(
        _line_files(entry),
        systems={**systems, **paths},
        documents=_documents(entry, rows),
        metadata=rows or None,
    )


def path(entry: str, file: str, other: Other | None = None) -> Path:
    """Where a file of an entry is; `file` is its name in the data folder, such as "asset/asset.test.orig".

    `other` is told of the file if it has other bytes than that of the catalogue, but what counts. Without it, such a
    file is refused.
    """
    known = info(entry)
    there = {one.name: one for one in known.files}
    if file not in there:
        raise UnknownName(f"file of {entry}", file, there)
    ready(known, [there[file]], other)
    return store.place(there[file])


def ready(entry: Entry, files: Iterable[File], other: Other | None = None) -> None:
    """Refuses to go on unless the files are there and have the right checksums.

    `other` is told of each file that has another, but what counts. Without it, such a file is refused, too.
    """
    files = list(files)
    states = {file: store.state(file) for file in files}
    if missing := [file.name for file in files if states[file] == "missing"]:
        what = "its files are" if not store.present(entry) else _first(missing)
        raise MissingResource(f"{entry.name} is not on this machine: {what} not in {store.folder()}; {cure(entry)}")
    for file in files:
        if states[file] == "wrong":
            why = unfit(entry, file) if other else "wrong checksum"
            if why or other is None:
                raise MissingResource(f"{store.place(file)} is not the file of the catalogue ({why}); {cure(entry)}")
            other(file)


def _first(missing: list[str]) -> str:
    first, *others = missing
    return f"{first} and {len(others)} more of its files are" if others else f"{first} is"


def _test_set(name: str) -> Entry:
    entry = info(name)
    if entry.kind != "test set":
        raise PlainlyError(
            f"{name} is no test set: it holds {entry.kind} ({KINDS[entry.kind]}); "
            f"'plainly data path {name}' prints where its files are"
        )
    return entry


def _outputs(entry: Entry) -> dict[str, File]:
    """The published outputs; of a restricted set, those that are there."""
    return {system: file for system, file in entry.systems.items() if file in entry.required or store.there(file)}


def _line_files(entry: Entry) -> Inputs:
    sources = [str(store.place(file)) for file in entry.having("source")]
    return Inputs(
        sources=sources[0] if sources else None,
        references=tuple(str(store.place(file)) for file in entry.having("reference")),
        empty_reference=entry.empty_reference,
        lang=entry.language,
    )


def _documents(entry: Entry, rows: list[dict[str, str]]) -> list[str | None] | None:
    return [row[entry.documents] for row in rows] if rows and entry.documents else None


def _rows(entry: Entry) -> list[dict[str, str]]:
    """The rows of the table or of the metadata: column -> cell."""
    for file in [*entry.having("table"), *entry.having("metadata")]:
        with store.place(file).open(encoding="utf-8", newline="") as stream:
            if file.name.endswith(".csv"):
                return list(csv.DictReader(stream))
            return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return []


def _lines(path: Path) -> list[str]:
    r"""The lines of a file; they end at "\n" and nowhere else."""
    with open_input(str(path)) as file:
        return [*LineFile(file, keep_return=True)]
