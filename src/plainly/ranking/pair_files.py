"""Lists of pairs in files: CSV, TSV or JSONL with `first`, `second` and, where pairs have names, `match`.

The lists of ARTS (`match_id`, `first_id`, `second_id`) are read too. Other columns do not matter: a file of
judgements is also a list of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.rows import Needed, cell_text, table_rows
from plainly.ranking.judging import Pair

COLUMNS = {"first": "first_id", "second": "second_id", "match": "match_id"}


def read_pairs(path: str | Path, columns: Mapping[str, str] | None = None) -> list[Pair]:
    """The pairs of a file, in order. `columns` says what columns are called there, as {"first": "left"}."""
    found = []
    for place, row in table_rows(path, Needed.of("first", "second", also=("match", *COLUMNS.values())), columns):
        cells = {name: cell_text(row.get(name, row.get(other)), place, name) for name, other in COLUMNS.items()}
        for name in ("first", "second"):
            if not cells[name]:
                raise PlainlyError(f"{name} is missing", place=place)
        found.append(Pair(**cells, place=str(place)))
    if not found:
        raise PlainlyError(f"{path} holds no pairs")
    return found
