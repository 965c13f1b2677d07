"""`plainly data`: the catalogue of test sets at the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, refuse_overwriting, writing
from plainly.base.messages import plural
from plainly.base.records import Record, write_records
from plainly.cli.faults import worded
from plainly.cli.printing import ProgressLine, note, print_findings
from plainly.corpus.catalogue import store
from plainly.corpus.catalogue.entries import KINDS, Entry, File, info, names
from plainly.corpus.catalogue.fetching import Progress, fetch, must_accept, needed
from plainly.corpus.catalogue.model_cards import ModelCard, card_of, model_cards
from plainly.corpus.catalogue.obtaining import Way, cure, way
from plainly.corpus.catalogue.use import ready
from plainly.corpus.readers.columns import refuse_missing
from plainly.corpus.readers.pickles import pickled_table
from plainly.findings import Column, Findings, Note, Table, message, plain
from plainly.findings.shape import Value


def run(options: argparse.Namespace) -> None:
    actions = {"list": _list, "show": _show, "fetch": _fetch, "path": _path, "verify": _verify, "convert": _convert}
    actions[options.action](options)


def _list(options: argparse.Namespace) -> None:
    entries = [info(name) for name in names()]
    columns = [
        *map(Column, ("name", "kind", "language", "domain")),
        *(Column(name, "count") for name in ("segments", "references", "systems")),
        *map(Column, ("licence", "here")),
    ]
    table = Table(
        "data sets", message("cli.data-sets", "Which data sets are there?"), columns, list(map(_row, entries))
    )
    print_findings(options, Findings([table], data={"data_sets": list(map(_facts, entries))}))


def _row(entry: Entry) -> list[Value]:
    counts = [entry.segments, entry.references, len(entry.systems)]
    return [entry.name, entry.kind, entry.language, entry.domain, *counts, _licence(entry), _here(entry)]


def _licence(entry: Entry) -> str:
    return entry.licence.name.partition(":")[0] + (", non-commercial" if entry.licence.non_commercial else "")


def _here(entry: Entry) -> str:
    there = store.present(entry)
    if store.here(entry):
        return "yes"
    return f"{there} of {len(entry.files)} files" if there else _ABSENT[way(entry)]


_ABSENT: Mapping[Way, str] = {"fetch": "no", "by hand": "no, by hand", "ask": "no, restricted"}


def _show(options: argparse.Namespace) -> None:
    model = card_of(options.name)
    found = model or _entry(options.name)
    citation = found.citation.strip()
    if options.bibtex:
        with writing(options.output) as out:
            out.write(f"{citation}\n")
        return
    question = message("cli.test-set", "What is known of {name}?", name=found.name)
    rows, data = (_model(found), asdict(found)) if isinstance(found, ModelCard) else (_card(found), _facts(found))
    table = Table("facts", question, [Column("fact"), Column("value")], list(rows))
    notes = [Note(plain(line)) for line in citation.splitlines()]
    print_findings(options, Findings([table], notes=notes, data=data))


def _entry(name: str) -> Entry:
    every = [*names(), *model_cards()]
    if name not in every:
        raise UnknownName("test set or system", name, every)
    return info(name)


def _model(card: ModelCard) -> list[tuple[str, str]]:
    return [
        ("name", card.name),
        ("kind", "system: a model whose outputs are in the catalogue"),
        ("model", card.model),
        ("training data", card.training_data),
        ("address", card.address),
        ("papers", ", ".join(card.papers)),
        ("outputs", ", ".join(card.outputs)),
        ("test sets", ", ".join(name for name in names() if {*card.outputs} & {*info(name).systems}) or "none"),
        *(("note", text) for text in card.notes),
    ]


def _card(entry: Entry) -> list[tuple[str, str]]:
    return [
        ("name", entry.name),
        ("kind", f"{entry.kind}: {KINDS[entry.kind]}"),
        *((name, str(getattr(entry, name))) for name in ("title", "about", "language", "domain", "readers", "form")),
        *((name, str(getattr(entry, name))) for name in ("segments", "references")),
        ("systems", ", ".join(entry.systems) or "none"),
        *(("system", _in_a_line(system, card)) for system in entry.systems if (card := card_of(system))),
        ("licence", entry.licence.name),
        ("terms", entry.licence.terms),
        ("commercial use", _commercial_use(entry)),
        ("origin", entry.origin),
        ("paper", entry.paper),
        ("files", f"{len(entry.files)}, {_weight(entry)}; here: {_here(entry)}"),
        ("how to get it", cure(entry)),
        *(("file", _file(file)) for file in entry.files if way(entry) != "fetch"),
        *(("note", text) for text in entry.notes),
    ]


def _file(file: File) -> str:
    return f"{file.name} ({file.records:,} records: {', '.join(file.columns)})" if file.records else file.name


def _in_a_line(system: str, card: ModelCard) -> str:
    named = system if system == card.name else f"{system} ({card.name})"
    return f"{named}: {card.model}; training data: {card.training_data}"


def _commercial_use(entry: Entry) -> str:
    if entry.licence.non_commercial:
        return "not allowed"
    if entry.restricted:
        return "ask"
    return "not stated; ask the authors" if entry.licence.name == "not stated" else "allowed"


def _fetch(options: argparse.Namespace) -> None:
    entries = [info(name) for name in dict.fromkeys(options.names)]
    for entry in entries:  # all questions come before the first transfer
        if not options.accept_licence and must_accept(entry) and needed(entry) and way(entry) == "fetch":
            _ask(entry)
    line = ProgressLine(options.quiet)
    for entry in entries:
        try:
            paths = fetch(entry.name, accept_licence=True, tell=lambda at: line.show(_how_far(at)))
        finally:
            line.end()
        count = len(entry.required)
        what = f"{len(paths)} of {count} files fetched" if paths else f"{count} of {count} files are there already"
        if not options.quiet:
            print(f"{entry.name}: {what}, in {store.folder()}")


def _ask(entry: Entry) -> None:
    terms = f"{entry.licence.name}: {entry.licence.terms}"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise PlainlyError(f"{entry.name} has terms to accept: say --accept-licence to fetch it. {terms}")
    note(f"{entry.name}, {terms}")
    print("Do you accept these terms? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise PlainlyError(f"the licence of {entry.name} was not accepted; nothing was fetched")


def _path(options: argparse.Namespace) -> None:
    entry = info(options.name)
    files = [file for file in entry.files if not options.only or file.role == options.only]
    if not files:
        raise PlainlyError(f"{entry.name} has no file with the role {options.only}")
    others = _ready(entry, files)
    for file in files:
        print(store.place(file))
    if others:
        note(f"{entry.name}: {_other(others)}")


def _verify(options: argparse.Namespace) -> None:
    faults = []
    for entry in [info(name) for name in dict.fromkeys(options.names)]:
        count = len(entry.required)
        try:
            others = _ready(entry, entry.required)
        except PlainlyError as fault:
            faults.append(worded(fault))
        else:
            right = f"; {_other(others)}" if others else ""
            there = f"{count - len(others)} of {count} files are there and right"
            print(f"{entry.name}: {there}, in {store.folder()}{right}")
    if faults:
        raise PlainlyError("; ".join(faults))


def _ready(entry: Entry, files: Sequence[File]) -> list[File]:
    """The files among these that are there, but not byte for byte."""
    others: list[File] = []
    ready(entry, files, others.append)
    return others


def _other(files: Sequence[File]) -> str:
    """Says that files are used all the same."""
    return (
        f"{plural(len(files), 'file')} not byte for byte as in the catalogue, but with its columns, ids and number "
        f"of records; nobody checked the rest (the first: {files[0].name})"
    )


def _convert(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, [options.file])
    check_writable(options.output)
    rows = _named(pickled_table(options.file), options)
    write_records(rows, _header(rows), options.output)
    if options.output and not options.quiet:
        note(f"{options.output}: {plural(len(rows), 'row')}")


def _named(rows: Sequence[Record], options: argparse.Namespace) -> Sequence[Record]:
    """With the names that were asked for; a column of such a name that is not meant is left out."""
    columns: Mapping[str, str] = options.columns or {}
    refuse_missing(options.file, _header(rows), tuple(columns.items()))
    if options.number in {*columns, *_header(rows)}:
        raise PlainlyError(f"--number {options.number}: there is a column of that name; say another one")
    unread = {*columns, *columns.values()}
    return [
        {
            **({options.number: number} if options.number else {}),
            **{name: row[column] for name, column in columns.items() if column in row},
            **{name: cell for name, cell in row.items() if name not in unread},
        }
        for number, row in enumerate(rows)
    ]


def _header(rows: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _facts(entry: Entry) -> dict[str, Any]:
    cards = {system: asdict(card) for system in entry.systems if (card := card_of(system))}
    return {
        **asdict(entry),
        "systems": list(entry.systems),
        **({"model_cards": cards} if cards else {}),
        "here": _here(entry),
    }


def _weight(entry: Entry) -> str:
    return "of unknown size" if entry.restricted else _size(sum(file.bytes for file in entry.files))


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 50_000 else f"{count:,} bytes"


def _how_far(at: Progress) -> str:
    return f"{at.name}: {at.bytes / 1e6:.2f} of {at.total_bytes / 1e6:.2f} MB, {at.files} of {at.total_files} files"
