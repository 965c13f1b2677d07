"""Reads all files of a run in step and makes chunks of a corpus from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import Any, TypeVar

from plainly.base.errors import PlainlyError
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.checks import Refused, Track, blank_lines, check_sources, group_references, uneven
from plainly.corpus.readers.files import LineFile, open_input, shown
from plainly.corpus.readers.inputs import Inputs, data_format
from plainly.corpus.readers.jsonl import jsonl_records
from plainly.corpus.readers.parquet import parquet_records
from plainly.corpus.readers.records import Record, RecordFile, Rules
from plainly.corpus.readers.tables import table_records

T = TypeVar("T")


def chunks(inputs: Inputs, size: int, refused: list[Refused] | None = None) -> Iterator[Corpus]:
    """The segments of the input files in order, at most `size` at a time.

    With a list for those that are refused, they are no error: they are entered there, and have no texts.
    """
    with ExitStack() as stack:
        yield from _read_in_step(_Files(inputs, stack, refused is not None), inputs, size, refused)


def concatenate(parts: Sequence[Corpus]) -> Corpus:
    """One corpus from its chunks, which have the same systems and language."""
    first = parts[0]
    return Corpus(
        _joined(part.sources for part in parts),
        _joined(part.references for part in parts),
        {name: _joined(part.outputs[name] for part in parts) for name in first.outputs},
        None if first.ids is None else _joined(part.ids or () for part in parts),
        _joined_or_none([part.documents for part in parts], parts, None),
        _joined_or_none([part.metadata for part in parts], parts, {}),
        first.lang,
    )


class _Files:
    """The open files of a run; they are closed with the stack."""

    def __init__(self, inputs: Inputs, stack: ExitStack, lenient: bool) -> None:
        def lines(path: str) -> LineFile:
            return LineFile(stack.enter_context(open_input(path, inputs.stdin)))

        self.data = None if inputs.data is None else _open_data(inputs, stack, lenient)
        self.sources = None if inputs.sources is None else lines(inputs.sources)
        self.references = [lines(path) for path in inputs.references]
        self.systems = {name: lines(path) for name, path in inputs.systems.items()}
        if self.data and (twice := [name for name in self.data.systems if name in self.systems]):
            raise PlainlyError(
                f"system {shown(twice[0])!r} is in {self.data.name} and in {self.systems[twice[0]].name}; "
                f"give one of them another name"
            )

    def tracks(self) -> list[Track]:
        one = [file for file in (self.data, self.sources) if file is not None]
        return [*one, *self.references, *self.systems.values()]


def _open_data(inputs: Inputs, stack: ExitStack, lenient: bool) -> RecordFile:
    path, kind = inputs.data or "", data_format(inputs)
    rules = Rules(inputs.lang, inputs.empty_reference, lenient)
    if kind == "parquet":
        rows = parquet_records(path, rules)
        stack.callback(rows.close)
        return RecordFile(shown(path), rows, lenient)
    file = stack.enter_context(open_input(path, inputs.stdin))
    records = jsonl_records(file, rules) if kind == "jsonl" else table_records(file, rules, kind)
    return RecordFile(file.name, records, lenient)


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
            yield _from_records(files.data, records, outputs, inputs.lang)
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
            )
        start += count


def _from_records(file: RecordFile, records: Sequence[Record], more: dict[str, Sequence[str]], lang: str) -> Corpus:
    documents = [record.document for record in records]
    metadata = [record.metadata for record in records]
    return Corpus(
        [record.source for record in records],
        [record.references for record in records],
        {**{name: [record.outputs.get(name) for record in records] for name in file.systems}, **more},
        [record.id or "" for record in records] if file.has_ids else None,
        documents if any(document is not None for document in documents) else None,
        metadata if any(metadata) else None,
        lang,
    )


def _joined(parts: Iterable[Iterable[T]]) -> list[T]:
    return list(chain.from_iterable(parts))


def _joined_or_none(columns: Sequence[Sequence[Any] | None], parts: Sequence[Corpus], default: Any) -> Any:
    """The column, if any chunk has it; a chunk without it has the default."""
    if all(column is None for column in columns):
        return None
    return _joined(
        [default] * len(part) if column is None else column for column, part in zip(columns, parts, strict=True)
    )
