"""Why a condition cannot be computed, in words of the filter: Polars speaks of types and names that nobody wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plainly.corpus.readers.files import shown

if TYPE_CHECKING:
    import polars

_NOT_CONVERTED = re.compile("conversion .* failed")
_NO_PATTERN = re.compile("regex error|regex parse|compiled regex")
_WRONG_NUMBER = re.compile("expects? .*argument|no function matches")
_UNREADABLE = re.compile("unable to (parse|find)|invalid expression|unexpected|sql parser")


def complaint(error: BaseException, columns: Sequence[str], frame: polars.DataFrame) -> str:
    """What Polars found wrong with a condition on these columns of the frame."""
    said = str(error)
    if _NOT_CONVERTED.search(said):
        return "not every value there can be converted; with try_cast in place of cast, the others are unknown"
    if _NO_PATTERN.search(said):
        return "this is no regular expression"
    if _WRONG_NUMBER.search(said):
        return "a function has too many arguments, or too few"
    if _UNREADABLE.search(said):
        return "something is missing or in the wrong place; a condition is like sari > 30 or genre in ('news', 'web')"
    kinds = {column: _kind(frame.schema[column]) for column in columns}
    holdings = ", ".join(f"{shown(column.partition(':')[2])} holds {kind}" for column, kind in kinds.items())
    return f"these values do not go together{': ' if holdings else ''}{holdings}{_advice(kinds)}"


def _kind(kind: polars.DataType) -> str:
    import polars

    if kind == polars.String or kind in (polars.Categorical, polars.Enum):
        return "texts"
    if kind == polars.Boolean:
        return "true or false"
    if kind == polars.Null:
        return "nothing"
    if kind.is_numeric():
        return "numbers"
    if kind.is_temporal():
        return "dates or times"
    return "lists or the like, which no filter can use"


def _advice(kinds: dict[str, str]) -> str:
    """How to make the values comparable."""
    names = {kind: shown(column.partition(":")[2]) for column, kind in reversed(kinds.items())}
    if "dates or times" in names:
        return f"; say cast({names['dates or times']} as text) to compare with a text such as '2020-06-01'"
    if "texts" in names:
        return f"; say try_cast({names['texts']} as int) to compare with numbers"
    if "numbers" in names:
        return f"; say cast({names['numbers']} as text) to compare with texts"
    return ""
