"""People whose answers do not count: rows of theirs say why, in the column `left_out`.

The studio writes the column when an owner leaves somebody out. What reads judgements, annotations, answers or ratings
passes over such rows, so that the command line has the numbers of the dashboard.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from plainly.base.messages import plural
from plainly.corpus.readers.releases import PlacedRow

log = logging.getLogger("plainly")
LEFT_OUT = "left_out"
_NOT = ("", "0", "no", "false")
"""What says that somebody is not left out, in files of others."""


def is_left_out(cell: Any) -> bool:
    """Whether the cell of that column says so: any reason does."""
    return cell is not None and str(cell).strip().casefold() not in _NOT


def counted_rows(rows: Iterable[PlacedRow]) -> Iterator[PlacedRow]:
    """The rows that count, without the column. How many do not is said at the end."""
    left, file = 0, ""
    for place, row in rows:
        if is_left_out(row.get(LEFT_OUT)):
            left, file = left + 1, place.file
            continue
        yield place, {name: cell for name, cell in row.items() if name != LEFT_OUT} if LEFT_OUT in row else row
    tell(file, left)


def tell(file: str, left: int) -> None:
    """Say on standard error, or in the log of a program, that rows of a file do not count."""
    if left:
        log.warning("note: %s: %s of people who were left out; they do not count", file, plural(left, "row"))
