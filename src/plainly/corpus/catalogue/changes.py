"""What is done to a file between download and use. A change is a pure function: the parts in, the stored file out.

Whatever a change makes is held against the checksum of the stored file, so a change may trust its input.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

from plainly.base.records import csv_rows

Change = Callable[[Sequence[bytes]], bytes]


def final_newline(parts: Sequence[bytes]) -> bytes:
    """A line feed is added at the end where there is none."""
    (data,) = parts
    return data if data.endswith(b"\n") else data + b"\n"


def qats_train(parts: Sequence[bytes]) -> bytes:
    """The columns come in one order for all parts of QATS; labels are in lower case."""
    (table,) = parts
    rows = [line.split("\t") for line in _lines(table)[1:]]
    return _qats((source, simple, g, m, s, overall) for source, simple, g, s, m, overall in rows)


def qats_test(parts: Sequence[bytes]) -> bytes:
    """Sources, simplifications and labels, which are three files, become one table like that of `qats_train`."""
    sources, simplifications, labels = map(_lines, parts)
    rows = zip(sources, simplifications, labels[1:], strict=True)
    return _qats(
        (source, simple, g, m, s, overall) for source, simple, row in rows for overall, g, m, s in [row.split("\t")]
    )


def abgb_second_reference(parts: Sequence[bytes]) -> bytes:
    """The second wording of each test source, looked up in the full corpus; an empty line where there is none.

    EASSE-DE ships a file of second references, but its lines do not belong to the lines of the sources.
    """
    corpus, sources = parts
    wordings: dict[str, list[str]] = {}
    for source, wording in list(_csv(corpus))[1:]:
        wordings.setdefault(_blanks(source), []).append(_blanks(wording))
    return _text(wordings[_blanks(source)][1] for source in _lines(sources))


def line_breaks_in_cells(parts: Sequence[bytes]) -> bytes:
    """In a CSV file, line breaks inside cells become blanks, so that a row is a line."""
    (table,) = parts
    out = io.StringIO()
    put = csv_rows(out)
    for row in _csv(table):
        put([_blanks(cell) if "\n" in cell else cell for cell in row])
    return out.getvalue().encode()


CHANGES: Mapping[str, Change] = {
    "final newline": final_newline,
    "qats train": qats_train,
    "qats test": qats_test,
    "abgb second reference": abgb_second_reference,
    "line breaks in cells": line_breaks_in_cells,
}


def _qats(rows: Iterable[Sequence[str]]) -> bytes:
    header = ("original", "simplification", "grammaticality", "meaning", "simplicity", "overall")
    return _text("\t".join(row) for row in [header, *((*row[:2], *map(str.lower, row[2:])) for row in rows)])


def _lines(data: bytes) -> list[str]:
    return data.decode().removesuffix("\n").split("\n")


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _csv(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def _blanks(text: str) -> str:
    """Any white space is one blank, and none is at the edges."""
    return " ".join(text.split())
