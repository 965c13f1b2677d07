"""A batch of Arrow columns as a corpus, column by column: the fast way for rows in which nothing is odd.

What is odd is left to `make_record`, row by row: it knows what to say of it, or what else to make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columns import layout
from plainly.corpus.readers.files import MAX_LINE
from plainly.corpus.readers.records import Rules
from plainly.corpus.text_checks import first_blank

Texts = list[str | None]
TEXTS = ("string", "large_string", "null")
LISTS = ("list<", "large_list<")
NUMBERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))


class Odd(Exception):
    """There is something that only a look at each row can judge."""


def corpus_of(batch: Any, rules: Rules, systems: Sequence[str], has_ids: bool) -> Corpus:
    """The corpus that `make_record` would make of the rows; raises `Odd` where that is not sure."""
    count = batch.num_rows
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    plan = layout(tuple(columns))
    if "outputs" in columns:
        raise Odd
    outputs = {system: _texts(columns[name]) for system, name in plan.outputs}
    if "lang" in columns and set(_texts(columns["lang"])) - {None, rules.lang}:
        raise Odd
    ids = _labels(columns["id"]) if "id" in columns else [None] * count
    if any((label is None) == has_ids for label in ids):
        raise Odd
    documents = _labels(columns["document"]) if "document" in columns else []
    return Corpus(
        _not_blank(_texts(columns["source"])) if "source" in columns else [None] * count,
        _references([columns[name] for name in plan.references], rules.empty_reference) or [()] * count,
        {system: outputs.get(system) or [None] * count for system in systems},
        ids if has_ids else None,  # type: ignore[arg-type]  # none of them is None
        documents if any(label is not None for label in documents) else None,
        _metadata({name: columns[name] for name in plan.metadata}),
        rules.lang,
    )


def _texts(array: Any) -> Texts:
    if str(array.type) not in TEXTS:
        raise Odd
    texts: Texts = _values(array)
    present = [text for text in texts if text is not None] if array.null_count else texts
    if "\0" in "".join(present) or max(map(len, present), default=0) > MAX_LINE:  # type: ignore[arg-type]
        raise Odd
    return texts


def _not_blank(texts: Texts) -> Texts:
    if first_blank([text for text in texts if text is not None]) is not None:
        raise Odd
    return texts


def _references(columns: Sequence[Any], empty: str) -> list[tuple[str, ...]]:
    if len(columns) == 1 and str(columns[0].type).startswith(LISTS):
        (lists,) = columns
        texts = _texts(lists.flatten())
        groups = _cut(texts, lists.value_lengths().to_pylist())
        columns_of_texts = [texts]
    else:
        columns_of_texts = [_texts(array) for array in columns]
        groups = list(zip(*columns_of_texts, strict=True))
    if empty != "keep":
        for texts in columns_of_texts:
            _not_blank(texts)
    if any(None in texts for texts in columns_of_texts):
        groups = [tuple(text for text in group if text is not None) for group in groups]
    return groups  # type: ignore[return-value]  # none of them is None now


def _cut(texts: Texts, lengths: Sequence[int | None]) -> list[tuple[str | None, ...]]:
    bounds = [0]
    for length in lengths:
        bounds.append(bounds[-1] + (length or 0))
    return [tuple(texts[start:end]) for start, end in pairwise(bounds)]


def _labels(array: Any) -> Texts:
    """Names, which may be whole numbers."""
    if str(array.type) in NUMBERS:
        return [None if number is None else str(number) for number in _values(array)]
    return _texts(array)


def _metadata(columns: dict[str, Any]) -> list[dict[str, Any]] | None:
    if not columns:
        return None
    rows = zip(*map(_values, columns.values()), strict=True)
    return [dict(zip(columns, cells, strict=True)) for cells in rows]


def _values(array: Any) -> list[Any]:
    try:
        values: list[Any] = array.to_pylist()
    except (ValueError, OverflowError):  # not UTF-8, or a time that Python cannot hold
        raise Odd from None
    return values
