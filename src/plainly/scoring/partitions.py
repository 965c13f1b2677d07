"""What a big run is made of: partitions, each a range of rows of one file, or texts that were read already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from plainly.base import places
from plainly.base.errors import BadInput, MissingResource, Place, PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers.columns import layout
from plainly.corpus.readers.files import STDIN, open_input, shown, spans
from plainly.corpus.readers.inputs import Inputs, Refused, check_inputs, chunks, data_format, recognised, rules_of
from plainly.corpus.readers.jsonl import jsonl_records
from plainly.corpus.readers.long_tables import is_long
from plainly.corpus.readers.parquet import Described, describe, parquet_records
from plainly.corpus.readers.record_files import RecordFile
from plainly.corpus.readers.records import LOOK_AHEAD, Rules

ROWS = 16_384
"""Segments of a partition: small enough to spread over many workers, large enough to be worth a file of their own."""
EXACT = 50_000
"""Runs of at most so many segments are resampled segment by segment: see `plainly.scoring.blocks`."""

IN_ONE_GO = "runs of a system, or a row for each segment and system, are scored in one go, not in parts"


@dataclass(frozen=True)
class Partition:
    """Some consecutive segments: rows start .. stop - 1 of a Parquet file, so many lines, or the texts themselves.

    `first` is the number of its first segment in the whole.
    """

    number: int
    first: int
    path: str
    start: int
    stop: int
    corpus: Corpus | None = None
    refused: tuple[Refused, ...] = ()  # of the corpus: what the reader could not use
    header: int = 0  # lines above the first one of the corpus
    facts: tuple[int, str] | None = None  # the size and time of the file when the run was planned
    span: tuple[int, int] | None = None  # of lines of JSON: the bytes where they begin and end

    def __len__(self) -> int:
        return self.stop - self.start

    def place(self, row: int) -> str:
        """Where a row of its file stands, as readers say it."""
        if self.corpus is None and self.span is None:
            return f"{shown(self.path)}: row {row + 1}"
        return f"{'standard input' if self.path == STDIN else shown(self.path)}:{row + 1 + self.header}"

    def __str__(self) -> str:
        return f"{shown(self.path)}: rows {self.start + 1} to {self.stop}"


@dataclass(frozen=True)
class Plan:
    """What is read, and in which partitions. `total` is None where only reading to the end will tell."""

    files: tuple[str, ...]
    schema: dict[str, str]
    systems: tuple[str, ...]
    has_ids: bool
    has_documents: bool
    metadata: tuple[tuple[str, str], ...]
    """What else is known of segments and may be kept: the name, and the type of its column in Parquet."""
    total: int | None
    rules: Rules
    partitions: Callable[[], Iterator[Partition]] = field(repr=False)
    problems: tuple[tuple[str, str, int], ...] = ()
    """What is left out as a whole: the place, why, and how many segments."""


def plan(inputs: Inputs, on_error: str = "stop", rows: int = ROWS) -> Plan:
    """The plan of a run. Parquet files and lines of JSON are read where they are measured; all else is read here."""
    check_inputs(inputs)
    inputs, _ = recognised(inputs)
    kind = data_format(inputs) if inputs.data is not None and not inputs.systems else ""
    if kind == "parquet":
        return _of_parquet(inputs, on_error, rows)
    planned = _of_lines(inputs, on_error, rows) if kind == "jsonl" and Path(inputs.data or "").is_file() else None
    return planned or _of_texts(inputs, on_error, rows)


def _of_parquet(inputs: Inputs, on_error: str, rows: int) -> Plan:
    rules = rules_of(inputs)
    files = places.listed(inputs.data or "", ".parquet")
    described: dict[str, Described] = {}
    facts: dict[str, tuple[int, str]] = {}
    problems: list[tuple[str, str, int]] = []
    schema: dict[str, str] | None = None
    for path in files:
        try:
            facts[path] = places.size_and_time(path)
            found = describe(path, rules.columns)
        except PlainlyError as error:
            if on_error == "stop":
                raise _bad_file(error, files) from None
            problems.append((shown(path), error.message, 0))
            continue
        described[path] = found
        schema = schema or found.columns
        if drift := _drift(schema, found.columns):
            complaint = f"it differs from {shown(next(iter(described)))}: {drift}"
            if on_error == "stop":
                raise _bad_file(PlainlyError(complaint, place=Place(shown(path))), files)
            problems.append((shown(path), complaint, found.rows))
    if schema is None:
        raise PlainlyError(f"{shown(inputs.data or '')}: none of its files can be read: {problems[0][1]}")
    left_out = {place for place, _, _ in problems}
    total = sum(found.rows for found in described.values())
    with_rows = [path for path, found in described.items() if found.rows and shown(path) not in left_out]
    if not with_rows:
        raise PlainlyError(f"{shown(next(iter(described)))}: there are no records")
    systems, has_ids = _first_records(with_rows[0], schema, rules, on_error)

    def partitions() -> Iterator[Partition]:
        number = first = 0
        for path, found in described.items():
            for start in range(0, found.rows, rows):
                stop = min(start + rows, found.rows)
                if shown(path) not in left_out:
                    yield Partition(number, first, path, start, stop, facts=facts[path])
                    number += 1
                first += stop - start

    metadata = ((name, _kind(schema[name])) for name in layout(tuple(schema)).metadata)
    return Plan(
        tuple(files),
        schema,
        systems,
        has_ids,
        "document" in schema,
        tuple((name, kind) for name, kind in metadata if kind),
        total,
        rules,
        partitions,
        tuple(problems),
    )


def _bad_file(error: PlainlyError, files: list[str]) -> PlainlyError:
    """One of several files may be left out; the only one may not."""
    return error if len(files) == 1 or isinstance(error, MissingResource) else BadInput.of(error, "files")


def _kind(type_: str) -> str:
    """As which type a column of metadata is kept; "" for lists and the like, which are not kept."""
    plain = _plain(type_)
    if plain in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"):
        return "int64"
    if plain in ("float", "double", "halffloat"):
        return "double"
    if plain in ("bool", "uint64"):
        return plain
    return "" if plain.startswith(("list", "struct", "map", "fixed_size_list", "binary", "dictionary")) else "string"


def _drift(schema: dict[str, str], columns: dict[str, str]) -> str:
    """How the columns of a file differ from those of the first, in words."""
    for name, kind in schema.items():
        if name not in columns:
            return f"there is no column {shown(name)!r}"
        if _plain(columns[name]) != _plain(kind):
            return f"the column {shown(name)!r} has the type {columns[name]}, not {kind}"
    new = next((name for name in columns if name not in schema), None)
    return "" if new is None else f"the column {shown(new)!r} is new"


def _plain(kind: str) -> str:
    """Types that hold the same values have one name."""
    if kind.startswith("dictionary<values=string"):
        return "string"
    return kind.replace("large_", "").replace("string_view", "string").replace("item: ", "element: ")


def _first_records(path: str, schema: dict[str, str], rules: Rules, on_error: str) -> tuple[tuple[str, ...], bool]:
    """The systems, and whether records have ids: what the first records say that can be used."""
    lenient = on_error == "skip"
    file = RecordFile(shown(path), parquet_records(path, rules._replace(lenient=lenient)), lenient)
    if file.unit != RecordFile.unit:
        raise PlainlyError(IN_ONE_GO)
    columns = [system for system, _ in layout(tuple(schema)).outputs]
    return tuple(dict.fromkeys([*columns, *file.systems])), file.has_ids if file.usable else "id" in schema


def _of_lines(inputs: Inputs, on_error: str, rows: int) -> Plan | None:
    """Of a file of JSON, one record a line; None where it is packed, or its lines are no whole segments."""
    path, rules, lenient = inputs.data or "", rules_of(inputs), on_error == "skip"
    facts = places.size_and_time(path)
    with open_input(path) as file:
        if file.packed:
            return None
        first = list(islice(jsonl_records(file, rules._replace(lenient=lenient)), LOOK_AHEAD))
    if is_long(first):
        return None
    records = RecordFile(shown(path), iter(first), lenient)

    def partitions() -> Iterator[Partition]:
        number = start = 0
        with open_input(path) as file:
            for begin, end, count in spans(file, rows):
                yield Partition(number, start, path, start, start + count, facts=facts, span=(begin, end))
                number, start = number + 1, start + count

    size = 0
    for partition in partitions():
        size = partition.stop
        if size > EXACT:
            break
    return Plan(
        (path,),
        {},
        tuple(records.systems),
        records.has_ids,
        any(record.document is not None for record in first),
        tuple((name, "string") for name in dict.fromkeys(name for record in first for name in record.metadata)),
        size if size <= EXACT else None,
        rules,
        partitions,
    )


def _of_texts(inputs: Inputs, on_error: str, rows: int) -> Plan:
    """The driver reads, and ships texts. It reads the first ones now: they say what there is, and if it is much."""
    refused: list[Refused] | None = [] if on_error == "skip" else None
    source = chunks(inputs, rows, refused)
    ahead: list[Corpus] = []
    size = 0
    total: int | None = None
    for corpus in source:
        ahead.append(corpus)
        size += len(corpus)
        if size > EXACT:
            break
    else:
        total = size
    if not ahead:
        raise PlainlyError("there are no segments")
    if ahead[0].runs:
        raise PlainlyError(IN_ONE_GO)
    header = 1 if inputs.data is not None and data_format(inputs) in ("csv", "tsv") else 0
    names = [inputs.data, inputs.sources, *inputs.references, *inputs.systems.values()]
    files = tuple(name for name in names if name is not None)

    def partitions() -> Iterator[Partition]:
        number = first = 0
        held = list(ahead)
        ahead.clear()
        for corpora in (iter(held), source):
            for corpus in corpora:
                end = first + len(corpus)
                wrong = tuple(one for one in refused or () if first <= one[0] < end)
                yield Partition(number, first, files[0], first, end, corpus, wrong, header)
                number, first = number + 1, end
                if refused:
                    refused[:] = [one for one in refused if one[0] >= end]
            held.clear()

    return Plan(
        files,
        {},
        tuple(ahead[0].outputs),
        ahead[0].ids is not None,
        any(corpus.documents for corpus in ahead),
        tuple((name, "string") for name in dict.fromkeys(name for corpus in ahead for name in _names(corpus))),
        total,
        rules_of(inputs),
        partitions,
    )


def _names(corpus: Corpus) -> Iterator[str]:
    """The names of all metadata of a corpus."""
    for values in corpus.metadata or ():
        yield from values
