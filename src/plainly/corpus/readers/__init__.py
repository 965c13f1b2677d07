"""Reads test sets and system outputs from files, in chunks, so that memory does not grow with the files."""

from __future__ import annotations

from collections.abc import Iterator

from plainly.base.errors import PlainlyError
from plainly.corpus.corpus import Corpus, concatenate
from plainly.corpus.readers.inputs import Inputs, check_inputs, chunks, recognised

__all__ = ["Inputs", "read", "read_corpus", "recognised"]


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
