"""Columns of rows as a corpus: the fast way for rows in which nothing is odd, wherever they were read.

What is odd is left to `make_record`, row by row: it knows what to say of it, or what else to make of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columns import layout
from plainly.corpus.readers.files import MAX_LINE
from plainly.corpus.readers.records import Rules
from plainly.corpus.text_checks import first_blank

Texts = list[str | None]
Values = Sequence[Any]
NOTHING = type(None)


class Odd(Exception):
    """There is something that only a look at each row can judge."""


def corpus_of(columns: Mapping[str, Values], rules: Rules, systems: Sequence[str], has_ids: bool) -> Corpus:
    """The corpus that `make_record` would make of the rows; raises `Odd` where that is not sure."""
    if "outputs" in columns:
        raise Odd
    count = len(next(iter(columns.values())))
    plan = layout(tuple(columns))
    outputs = {system: _texts(columns[name]) for system, name in plan.outputs}
    if "lang" in columns and set(_texts(columns["lang"])) - {None, rules.lang}:
        raise Odd
    ids = _labels(columns["id"]) if "id" in columns else [None] * count
    if any((label is None) == has_ids for label in ids):
        raise Odd
    documents = _labels(columns["document"]) if "document" in columns else []
    return Corpus(
        _not_blank(_texts(columns["source"])) if "source" in columns else [None] * count,
        _references({name: columns[name] for name in plan.references}, rules.empty_reference) or [()] * count,
        {system: outputs.get(system) or [None] * count for system in systems},
        ids if has_ids else None,  # type: ignore[arg-type]  # none of them is None
        documents if any(label is not None for label in documents) else None,
        _metadata({name: columns[name] for name in plan.metadata}),
        rules.lang,
    )


def _texts(values: Iterable[Any]) -> Texts:
    texts = list(values)
    kinds = set(map(type, texts))
    if not kinds <= {str, NOTHING}:
        raise Odd
    present = [text for text in texts if text is not None] if NOTHING in kinds else texts
    together = "".join(present)
    if "\0" in together or (len(together) > MAX_LINE and max(map(len, present)) > MAX_LINE):
        raise Odd
    if not together.isascii():
        try:
            together.encode()
        except UnicodeEncodeError:  # half a character
            raise Odd from None
    return texts


def _not_blank(texts: Texts) -> Texts:
    if first_blank([text for text in texts if text is not None]) is not None:
        raise Odd
    return texts


def _references(columns: Mapping[str, Values], empty: str) -> list[tuple[str, ...]]:
    groups: list[tuple[Any, ...]]
    lists = columns.get("references", ())
    if lists and set(map(type, lists)) <= {list, NOTHING}:
        groups = [tuple(texts or ()) for texts in lists]
        texts = _texts(chain.from_iterable(groups))
    else:
        groups = list(zip(*columns.values(), strict=True))
        texts = [text for column in columns.values() for text in _texts(column)]
    if empty != "keep":
        _not_blank(texts)
    if None in texts:
        groups = [tuple(text for text in group if text is not None) for group in groups]
    return groups


def _labels(values: Values) -> Texts:
    """Names, which may be whole numbers."""
    if set(map(type, values)) <= {int, NOTHING}:
        return [None if number is None else str(number) for number in values]
    return _texts(values)


def _metadata(columns: Mapping[str, Values]) -> list[dict[str, Any]] | None:
    if not columns:
        return None
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
