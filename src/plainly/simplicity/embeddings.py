"""Embeddings of texts: those of a file, or of an encoder on this machine.

A file is JSONL with `id` and `embedding`, a list of numbers; or any table with `id`, all other columns of which are
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.problems import Problems
from plainly.corpus.readers.rows import Needed, cell_text, table_rows
from plainly.metrics import Array

EMBEDDING = "embedding"


def read_embeddings(path: Any, ids: Sequence[str]) -> Array:
    """One embedding a text, in the order of the ids; those of other texts are passed over."""
    wanted, found = set(ids), dict[str, Array]()
    problems = Problems()
    for place, row in table_rows(path, Needed.of("id", also=("text_id",))):
        with problems.caught():
            key = "id" if "id" in row else "text_id"
            name = cell_text(row.pop(key, None), place, "id")
            if name in found:
                raise PlainlyError(f"text {shown(name)} is there twice", place=place)
            if name in wanted:
                found[name] = _numbers(row, place)
                if len(found[name]) != len(next(iter(found.values()))):
                    raise PlainlyError(f"text {shown(name)} has an embedding of another length", place=place)
    problems.refuse()
    if missing := next((name for name in ids if name not in found), None):
        raise PlainlyError(f"text {shown(missing)} has no embedding", place=Place(str(path)))
    return np.stack([found[name] for name in ids])


def _numbers(row: dict[str, Any], place: Place) -> Array:
    values = row.get(EMBEDDING, list(row.values()))
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros(0)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise PlainlyError(f"an embedding is a list of numbers in {EMBEDDING}, or one number a column", place=place)
    return numbers


def encoded(texts: Sequence[str], model: str) -> Array:
    """The embeddings of an encoder: a folder, or a name in the cache of the hub."""
    from plainly.models.encoders import encode_sentences, get_encoder

    return np.stack([sentence.vector for sentence in encode_sentences(get_encoder(model), texts)])
