"""Reads test sets and system outputs: files in chunks, so that memory does not grow with them, and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.corpus import Corpus, concatenate
from plainly.corpus.readers.columns import refuse_missing
from plainly.corpus.readers.frames import NAME, frame_rows
from plainly.corpus.readers.inputs import (
    Inputs,
    check_inputs,
    chunks,
    corpus_of_records,
    known_columns,
    recognised,
    rules_of,
)
from plainly.corpus.readers.records import make_record

__all__ = ["Inputs", "from_table", "read", "read_corpus", "recognised"]


def read(inputs: Inputs, chunk_size: int = 2048) -> Iterator[Corpus]:
    """The segments of the input files in order, at most `chunk_size` at a time."""
    if chunk_size < 1:
        raise PlainlyError(f"the chunk size must be at least 1, not {chunk_size}")
    check_inputs(inputs)
    inputs, _ = recognised(inputs)
    return chunks(inputs, chunk_size)


def read_corpus(inputs: Inputs) -> Corpus:
    """All segments of the input files as one corpus."""
    return concatenate(list(read(inputs)))


def from_table(
    table: Any,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    *,
    lang: str = "en",
    empty_reference: str = "error",
) -> Corpus:
    """The corpus of a table: a data frame of any kind, a mapping of columns, a list of records, or a file's name.

    Columns are called as in files of records; `columns` says what they are called here, as
    {"source": "original", "references": ["ref1", "ref2"], "muss": "muss_output"}. Missing is None or NaN.

    >>> table = {"original": ["It ceased."], "plain": ["It stopped."]}
    >>> from_table(table, {"source": "original", "mine": "plain"}).outputs
    {'mine': ['It stopped.']}
    """
    if not isinstance(columns, (Mapping, type(None))):
        raise PlainlyError("columns is a mapping, as {'source': 'original', 'references': ['ref1', 'ref2']}")
    given = dict(columns or {})
    if isinstance(table, (str, Path)):
        return read_corpus(Inputs(data=str(table), columns=given, empty_reference=empty_reference, lang=lang))
    names, rows = frame_rows(table)
    inputs, _ = known_columns(Inputs(columns=given, empty_reference=empty_reference, lang=lang), NAME, names)
    rules = rules_of(inputs)
    refuse_missing(NAME, names, rules.columns)
    records = (make_record(Place(NAME, row=number), row, rules) for number, row in enumerate(rows, 1))
    return corpus_of_records(NAME, records, inputs)
