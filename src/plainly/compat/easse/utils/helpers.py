"""Small helpers that EASSE users import: files of lines, dictionaries, division."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError


def read_lines(filename: str | os.PathLike[str]) -> list[str]:
    """The lines of a UTF-8 file, without the blanks around them."""
    with Path(filename).open(encoding="utf-8") as file:
        try:
            return [line.strip() for line in file]
        except UnicodeDecodeError:
            raise PlainlyError(f"{filename} is not UTF-8 text; convert it first") from None


def read_split_lines(filename: str | os.PathLike[str], split_sep: str = "<::::>") -> list[list[str]]:
    """The lines of a file, each cut at `split_sep`, without the blanks around the parts."""
    return [[part.strip() for part in line.split(split_sep)] for line in read_lines(filename)]


def collapse_split_sentences(
    sys_sents: Sequence[Sequence[str]], refs_sents: Sequence[Sequence[Sequence[str]]]
) -> tuple[list[str], list[list[str]]]:
    """Sentences that were cut into parts as one string each: (outputs, references)."""
    return [" ".join(parts) for parts in sys_sents], [
        [" ".join(parts) for parts in sentences] for sentences in refs_sents
    ]


def add_dicts(*dicts: Mapping[Any, Any]) -> dict[Any, Any]:
    """All entries in one dictionary; a later one wins."""
    return {key: value for mapping in dicts for key, value in mapping.items()}


def get_temp_filepath(create: bool = False) -> Path:
    """A path for a temporary file that is not there yet, or with `create` is there and empty."""
    handle, name = tempfile.mkstemp()
    os.close(handle)
    path = Path(name)
    if not create:
        path.unlink()
    return path


def safe_divide(a: float, b: float) -> float:
    """a / b, or 0 where b is 0."""
    return a / b if b else 0
