"""What to read: the input files, what must hold for those that belong together, and their segments, read in step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO, Protocol

from plainly.base import places
from plainly.base.errors import Argument, BadInput, Place, PlainlyError, Remedy, UnknownName
from plainly.base.messages import Message, plural
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columns import NAMES, called
from plainly.corpus.readers.files import MAX_RECORD, STDIN, InputFile, LineFile, open_input, shown
from plainly.corpus.readers.jsonl import jsonl_records, parse_object
from plainly.corpus.readers.parquet import opened, parquet_records
from plainly.corpus.readers.record_files import RecordFile
from plainly.corpus.readers.records import Record, Rules, as_corpus
from plainly.corpus.readers.releases import release_of
from plainly.corpus.readers.tables import ROWS, table_records
from plainly.corpus.references import is_blank
from plainly.corpus.text_checks import IF_EMPTY, first_blank

Refused = tuple[int, str, str]
"""A segment that cannot be used: its number, its place in the files, and why."""

FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet"}
EMPTY_REFERENCE = ("error", "missing", "keep")
RECORDS: Mapping[str, Callable[[InputFile, Rules], Iterator[Record]]] = {
    "jsonl": jsonl_records,
    **{kind: partial(table_records, kind=kind) for kind in ROWS},
}
"""What reads the records of a text file, by its format."""


@dataclass(frozen=True)
class Inputs:
    """The files of a run. Every path may be "-" (standard input), but only one of them."""

    sources: str | None = None
    references: tuple[str, ...] = ()
    systems: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of systems that ran several times: the names that their runs have among the systems."""
    data: str | None = None
    """One file of records; systems may be added to it as line files."""
    data_format: str | None = None
    """jsonl, csv, tsv or parquet; None: by the ending of the name of `data`."""
    columns: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """What the data call things: source, references (one column or several), output, id, system ... and names of
    systems, each with the column that holds it."""
    empty_reference: str = "error"
    """What an empty reference is: an error, "missing" (there is none here) or "keep" (an empty text)."""
    documents: Sequence[str | None] | None = None
    """Of each segment of line files: the document it belongs to."""
    metadata: Sequence[Mapping[str, Any]] | None = None
    """Of each segment of line files: whatever else is known of it."""
    lang: str = "en"
    stdin: BinaryIO | None = None
    """Read in the place of standard input."""


def check_inputs(inputs: Inputs) -> None:
    """Refuses what cannot be read whatever stands in the files."""
    if inputs.sources is None and not inputs.systems and inputs.data is None:
        raise PlainlyError("nothing to read: give sources, systems or a data file")
    if inputs.data is not None and (inputs.sources is not None or inputs.references):
        raise PlainlyError(
            f"sources and references are taken from {inputs.data}; give them there or as line files, not both"
        )
    if inputs.columns and inputs.data is None:
        raise PlainlyError("columns are those of a data file; there is none", place=Argument("columns"))
    called(inputs.columns)
    if inputs.empty_reference not in EMPTY_REFERENCE:
        raise UnknownName("rule for empty references", inputs.empty_reference, EMPTY_REFERENCE)
    paths = list(_paths(inputs))
    for use, path in paths:
        if not path:
            raise PlainlyError(f"the file name for {use} is empty")
    on_stdin = [use for use, path in paths if path == STDIN]
    if len(on_stdin) > 1:
        raise PlainlyError(f"standard input (-) can be read only once, but is given for {' and '.join(on_stdin)}")
    if nameless := [path for name, path in inputs.systems.items() if not name.strip()]:
        raise PlainlyError(f"{nameless[0]}: a system needs a name")
    if inputs.data is not None:
        data_format(inputs)


def rules_of(inputs: Inputs, lenient: bool = False) -> Rules:
    """What is said of records."""
    return Rules(inputs.lang, inputs.empty_reference, lenient, called(inputs.columns))


def data_format(inputs: Inputs) -> str:
    """The format of the data: as said, else by the ending of its name. Several files are Parquet."""
    path = inputs.data or ""
    known = sorted(set(FORMATS.values()))
    if inputs.data_format is not None:
        if inputs.data_format not in known:
            raise UnknownName("data format", inputs.data_format, known)
        found = inputs.data_format
    else:
        name = path.lower().removesuffix(".gz")
        endings = [ending for ending in FORMATS if name.endswith(ending)]
        if endings:
            found = FORMATS[endings[0]]
        elif path and several(path):
            found = "parquet"
        else:
            said = f"nothing says whether it is {', '.join(known[:-1])} or {known[-1]}"
            raise PlainlyError(said, place=Place(path), remedy=Remedy("data_format"))
    if found == "parquet" and path == STDIN:
        raise PlainlyError("Parquet cannot be read from standard input; give the name of a file")
    return found


def recognised(inputs: Inputs) -> tuple[Inputs, Message | None]:
    """The same with the columns of a release, if the header of the data is known; and what is to be told of it.

    Names that were given count more. Standard input cannot be looked at before it is read.
    """
    if inputs.data is None or inputs.data == STDIN or places.local(inputs.data) is None:
        return inputs, None
    return known_columns(inputs, inputs.data, _header(inputs))


def known_columns(inputs: Inputs, name: str, header: Sequence[str]) -> tuple[Inputs, Message | None]:
    """The same where the header is at hand; `name` is that of the table."""
    release = release_of(shown(name), header, "texts")
    if release is None or not {*header}.isdisjoint(NAMES):
        return inputs, None
    named = called(inputs.columns)
    taken = {name for name, _ in named} | {own for _, column in named for own in (column, *column.split("+"))}
    found = {name: own for name, own in release.called(header).items() if taken.isdisjoint((name, own))}
    if not found:
        return inputs, None
    return replace(inputs, columns={**found, **inputs.columns}), release.told(shown(name), found)


def _header(inputs: Inputs) -> Sequence[str]:
    """The names of the columns of the data; none where they cannot be read, which the reader will say."""
    path = inputs.data or ""
    try:
        kind = data_format(inputs)
        if kind == "parquet":
            with opened(places.listed(path, ".parquet")[0]) as parquet:
                names: list[str] = parquet.schema_arrow.names
                return names
        with open_input(path) as file:
            if kind == "jsonl":
                return list(parse_object(Place(file.name, 1), next(iter(LineFile(file, MAX_RECORD)))))
            return next(ROWS[kind](file))[1]
    except PlainlyError:
        return []


def several(path: str) -> bool:
    """Whether a path may stand for several files: a folder, a pattern, or something on another machine."""
    here = places.local(path)
    return here is None or here.is_dir() or ("*" in path and not here.exists())


def _paths(inputs: Inputs) -> Iterator[tuple[str, str]]:
    if inputs.sources is not None:
        yield "the sources", inputs.sources
    for number, path in enumerate(inputs.references):
        yield f"reference {number}", path
    for name, path in inputs.systems.items():
        yield f"system {name!r}", path
    if inputs.data is not None:
        yield "the data", inputs.data


def chunks(inputs: Inputs, size: int, refused: list[Refused] | None = None) -> Iterator[Corpus]:
    """The segments of the input files in order, at most `size` at a time.

    With a list for those that are refused, they are no error: they are entered there, and have no texts.
    """
    with ExitStack() as stack:
        yield from _read_in_step(_Files(inputs, stack, refused is not None), inputs, size, refused)


class _Files:
    """The open files of a run; they are closed with the stack."""

    def __init__(self, inputs: Inputs, stack: ExitStack, lenient: bool) -> None:
        def lines(path: str) -> LineFile:
            return LineFile(stack.enter_context(open_input(path, inputs.stdin)))

        self.data = None if inputs.data is None else _open_data(inputs, stack, lenient)
        self.sources = None if inputs.sources is None else lines(inputs.sources)
        self.references = [lines(path) for path in inputs.references]
        self.systems = {name: lines(path) for name, path in inputs.systems.items()}
        if self.data and (twice := _systems(self.data.systems, self.data.runs) & _systems(self.systems, inputs.runs)):
            name = min(twice)
            file = self.systems[inputs.runs.get(name, [name])[0]]
            raise PlainlyError(
                f"system {shown(name)!r} is in {self.data.name} and in {file.name}; give one of them another name"
            )

    def tracks(self) -> list[Track]:
        one = [file for file in (self.data, self.sources) if file is not None]
        return [*one, *self.references, *self.systems.values()]


def _systems(outputs: Iterable[str], runs: Mapping[str, Sequence[str]]) -> set[str]:
    """The systems that outputs are of: a system of several runs is one."""
    of = {run: system for system, own in runs.items() for run in own}
    return {of.get(name, name) for name in outputs}


def _open_data(inputs: Inputs, stack: ExitStack, lenient: bool) -> RecordFile:
    path, kind = inputs.data or "", data_format(inputs)
    rules = rules_of(inputs, lenient)
    if kind == "parquet":
        rows = parquet_records(path, rules)
        stack.callback(rows.close)
        return RecordFile(shown(path), rows, lenient)
    file = stack.enter_context(open_input(path, inputs.stdin))
    return RecordFile(file.name, RECORDS[kind](file, rules), lenient)


def _read_in_step(files: _Files, inputs: Inputs, size: int, refused: list[Refused] | None) -> Iterator[Corpus]:
    tracks = files.tracks()
    start = 0
    while True:
        taken = [track.take(size) for track in tracks]
        count = len(taken[0])
        if any(len(part) != count for part in taken):
            raise uneven(tracks, taken, len(files.references))
        if not count:
            return
        parts = iter(taken)
        records = next(parts) if files.data else None
        sources = next(parts) if files.sources else None
        references = [next(parts) for _ in files.references]
        outputs = dict(zip(files.systems, parts, strict=True))
        if files.data and records is not None:
            if refused is not None:
                refused += ((start + i, str(one.place), one.refusal) for i, one in enumerate(records) if one.refusal)
            yield _from_records(files.data, records, outputs, inputs)
        else:
            names = [file.name for file in files.references]
            empty = inputs.empty_reference
            if refused is not None:
                checked = dict(zip(names, references, strict=True)) if empty == "error" else {}
                refused += blank_lines(files.sources.name if files.sources else "", sources or (), checked, start)
                empty = "missing" if empty == "error" else empty
            elif files.sources and sources is not None:
                check_sources(files.sources.name, sources, start)
            groups = group_references(names, references, start, empty)
            yield Corpus(
                sources or [None] * count,
                groups,
                outputs,
                documents=inputs.documents and inputs.documents[start : start + count],
                metadata=inputs.metadata and inputs.metadata[start : start + count],
                lang=inputs.lang,
                runs=inputs.runs,
            )
        start += count


def corpus_of_records(name: str, rows: Iterator[Record], inputs: Inputs) -> Corpus:
    """The corpus of rows that are no file; `inputs` says what else is known of them."""
    file = RecordFile(name, rows)
    return _from_records(file, file.take(sys.maxsize), {}, inputs)


def _from_records(
    file: RecordFile, records: Sequence[Record], more: dict[str, Sequence[str]], inputs: Inputs
) -> Corpus:
    corpus = as_corpus(records, file.systems, file.has_ids, inputs.lang)
    return replace(corpus, outputs={**corpus.outputs, **more}, runs={**file.runs, **inputs.runs})


class Track(Protocol):
    """One of several files that are read in step."""

    name: str
    taken: int
    unit: str

    def take(self, count: int) -> Sequence[Any]: ...

    def count_rest(self) -> int: ...


def check_sources(name: str, lines: Sequence[str], start: int) -> None:
    """Refuses blank sources; `start` is the number of lines before these."""
    if (place := first_blank(lines)) is not None:
        raise BadInput("empty source", place=Place(name, start + place + 1))


def blank_lines(
    sources: str, lines: Sequence[str], references: Mapping[str, Sequence[str]], start: int
) -> Iterator[Refused]:
    """Segments whose source or reference is blank, each once; `start` is the number of lines before these."""
    found: dict[int, Refused] = {}
    columns = [
        (sources, lines, "empty source"),
        *((name, t, "empty reference") for name, t in references.items()),
    ]
    for name, texts, why in columns:
        if first_blank(texts) is not None:
            for i, text in enumerate(texts):
                if is_blank(text):
                    found.setdefault(i, (start + i, f"{name}:{start + i + 1}", why))
    return iter(sorted(found.values()))


def group_references(
    names: Sequence[str], columns: Sequence[Sequence[str]], start: int, empty: str
) -> list[tuple[str, ...]]:
    """The references of each segment, from the lines of one file per reference."""
    groups = list(zip(*columns, strict=True))
    if empty == "keep":
        return groups
    blanks = [first_blank(lines) for lines in columns]
    if empty == "error":
        for name, place in zip(names, blanks, strict=True):
            if place is not None:
                raise BadInput("empty reference", place=Place(name, start + place + 1), remedy=IF_EMPTY)
    if any(place is not None for place in blanks):
        groups = [tuple(text for text in group if not is_blank(text)) for group in groups]
    return groups


def uneven(tracks: Sequence[Track], last: Sequence[Sequence[Any]], reference_files: int) -> PlainlyError:
    """The files do not have the same number of lines; `last` is what was just taken from each."""
    counts = [track.taken + track.count_rest() for track in tracks]
    other = next(place for place, count in enumerate(counts) if count != counts[0])
    short, long = sorted((0, other), key=lambda place: counts[place])
    few, many = counts[short], counts[long]
    unit, long_unit = tracks[short].unit, tracks[long].unit
    message = (
        f"{tracks[short].name}: {unit} {few + 1} is missing: it has {plural(few, unit)}, "
        f"but {tracks[long].name} has {many if unit == long_unit else plural(many, long_unit)}"
    )
    beyond = last[long][few - tracks[short].taken + len(last[short]) :]
    if reference_files == counts[0] > 1 and len(set(counts[1 : 1 + reference_files])) == 1:
        hint = "; the references look transposed: give one file per reference, not one file per source"
    elif many == tracks[long].taken and all(isinstance(line, str) and is_blank(line) for line in beyond):
        hint = f"; the lines that {tracks[long].name} has more are blank"
    elif few > 1 and many % few == 0:
        times = many // few
        hint = f"; that is {times} times as many: if it holds {times} texts per segment, make it {times} files"
    else:
        hint = ""
    return PlainlyError(message + hint)
