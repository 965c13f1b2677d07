"""Lists of pairs in files: CSV, TSV or JSONL with `first`, `second` and, where pairs have names, `match`.

The lists of ARTS (`match_id`, `first_id`, `second_id`) are read too. Other columns do not matter: a file of
judgements is also a list of pairs.
"""

from __future__ import annotations

from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import open_input
from plainly.corpus.readers.rows import cell_text, read_table
from plainly.ranking.judging import Pair

COLUMNS = {"first": "first_id", "second": "second_id", "match": "match_id"}


def read_pairs(path: str | Path) -> list[Pair]:
    """The pairs of a file, in order."""
    found = []
    with open_input(str(path)) as file:
        for number, row in read_table(file, str(path), (*COLUMNS, *COLUMNS.values())):
            place = f"{file.name}:{number}"
            cells = {name: cell_text(row.get(name, row.get(other)), place, name) for name, other in COLUMNS.items()}
            for name in ("first", "second"):
                if not cells[name]:
                    raise PlainlyError(f"{place}: {name} is missing")
            found.append(Pair(**cells, place=place))
    if not found:
        raise PlainlyError(f"{path} holds no pairs")
    return found
