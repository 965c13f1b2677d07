"""The score of each segment alone, row by row: one a segment and system, as JSON Lines or CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from plainly.base.records import csv_rows
from plainly.metrics import Metric
from plainly.scoring.evaluator import Measured

PutRow = Callable[[int, str | None, str, Sequence[float | None]], None]
"""Writes the number of a segment, its id if it has one, a system and its scores; None where there is none."""
Rows = Callable[[IO[str], Sequence[str]], PutRow]
"""A stream and the names of metrics -> what writes rows there."""


def _lines(out: IO[str], labels: Sequence[str]) -> PutRow:
    """One JSON object a line; an id where there is one."""
    encode = json.JSONEncoder(ensure_ascii=False).encode  # once: `json.dumps` would make one for each row

    def put(segment: int, identifier: str | None, system: str, scores: Sequence[float | None]) -> None:
        named = {} if identifier is None else {"id": identifier}
        row = {"segment": segment, **named, "system": system, "scores": dict(zip(labels, scores, strict=True))}
        out.write(encode(row) + "\n")

    return put


def _cells(out: IO[str], labels: Sequence[str]) -> PutRow:
    """Rows of CSV below a header; what is not there is an empty cell."""
    write = csv_rows(out)
    write(["segment", "id", "system", *labels])

    def put(segment: int, identifier: str | None, system: str, scores: Sequence[float | None]) -> None:
        write([segment, identifier or "", system, *("" if score is None else score for score in scores)])

    return put


SEGMENTS: Mapping[str, Rows | None] = {
    "json": _lines,
    "csv": _cells,
    "parquet": None,  # a run in parts writes it
}
"""What writes the scores of segments, row by row, by its form."""


ENDINGS = {"json": "jsonl", "csv": "csv", "parquet": "parquet"}
"""What the names of files of each form end in."""


def put_rows(
    put: PutRow, segments: Sequence[int], ids: Sequence[str | None], scores: Mapping[str, Sequence[Sequence[float]]]
) -> None:
    """One row a segment and system, from the scores of a system: one column a metric, NaN where there is none."""
    columns = {
        system: [[None if score != score else score for score in column] for column in by_metric]
        for system, by_metric in scores.items()
    }
    rows = {system: list(zip(*by_metric, strict=True)) for system, by_metric in columns.items()}
    for i, (segment, identifier) in enumerate(zip(segments, ids, strict=True)):
        for system, values in rows.items():
            put(segment, identifier, system, values[i])


def segment_writer(metrics: Sequence[Metric], put: PutRow) -> Callable[[Measured], None]:
    """Writes one row a segment and system as chunks come in."""
    position = 0

    def write(measured: Measured) -> None:
        nonlocal position
        corpus = measured.corpus
        scores = {
            system: [metric.score(rows).value.tolist() for metric, rows in zip(metrics, statistics, strict=True)]
            for system, statistics in measured.statistics.items()
        }
        put_rows(put, range(position, position + len(corpus)), corpus.ids or [None] * len(corpus), scores)
        position += len(corpus)

    return write
