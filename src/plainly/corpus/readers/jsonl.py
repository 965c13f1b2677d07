"""Records as JSON, one object per line."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columnar import Odd, corpus_of
from plainly.corpus.readers.columns import layout, refuse_missing, view
from plainly.corpus.readers.files import MAX_RECORD, InputFile, LineFile, Span, open_path, refuse_changed, shown
from plainly.corpus.readers.records import (
    LOOK_AHEAD,
    LeaveOut,
    Record,
    Rules,
    as_corpus,
    check_record,
    make_record,
    refused,
)

BATCH = 2048


def jsonl_records(file: InputFile, rules: Rules) -> Iterator[Record]:
    """The records of the file in order."""
    found: dict[str, None] = {}  # the names of fields, as long as one may still come that somebody named
    number = 0
    for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
        place = Place(file.name, number)
        try:
            fields = parse_object(place, line)
            if rules.columns and number <= LOOK_AHEAD:
                found.update(dict.fromkeys(fields))
            record = make_record(place, fields, rules)
        except PlainlyError as error:
            record = refused(place, error, rules.lenient)
        if number == LOOK_AHEAD:
            refuse_missing(file.name, found, rules.columns)
        yield record
    if 0 < number < LOOK_AHEAD:
        refuse_missing(file.name, found, rules.columns)


def read_lines(
    path: str,
    span: tuple[int, int],
    start: int,
    rules: Rules,
    systems: Sequence[str],
    has_ids: bool,
    leave_out: LeaveOut | None = None,
    unchanged: tuple[int, str] | None = None,
) -> Iterator[Corpus]:
    """The records on some lines of a file, in chunks: the bytes of the span, which have `start` lines before them.

    `systems` and `has_ids` are what the first records of the file have. Every line has a segment. With `leave_out`, a
    line that cannot be used is told there, and its segment has no text at all. `unchanged` are the size and the time
    that the file had when it was cut: of another file, none is read.
    """
    refuse_changed(path, unchanged)
    with open_path(path) as stream:
        lines = LineFile(Span(shown(path), stream, *span), MAX_RECORD, first=start + 1)
        while some := lines.take(BATCH):
            try:
                yield corpus_of(_columns(some, rules, systems), rules, systems, has_ids)
            except (Odd, PlainlyError):
                places = (Place(lines.name, number + 1) for number in range(start, start + len(some)))
                records = [
                    _record(place, line, rules, systems, has_ids, leave_out)
                    for place, line in zip(places, some, strict=True)
                ]
                yield as_corpus(records, systems, has_ids, rules.lang)
            start += len(some)


def _columns(lines: Sequence[str], rules: Rules, systems: Collection[str]) -> dict[str, Sequence[Any]]:
    """The fields of all lines, where all have the same; raises `Odd` where they do not, or a system is new."""
    try:
        rows, ends = zip(*map(DECODER.raw_decode, lines), strict=True)
    except (ValueError, RecursionError):
        raise Odd from None
    if list(ends) != list(map(len, lines)) or set(map(type, rows)) != {dict} or len(set(map(tuple, rows))) > 1:
        raise Odd
    columns = dict(zip(rows[0], zip(*map(dict.values, rows), strict=True), strict=True))
    columns = {name: columns[own] for name, own in view(tuple(columns), rules.columns)}
    if not {system for system, _ in layout(tuple(columns)).outputs} <= set(systems):
        raise Odd
    return columns


def _record(
    place: Place, line: str, rules: Rules, systems: Collection[str], has_ids: bool, leave_out: LeaveOut | None
) -> Record:
    try:
        record = make_record(place, parse_object(place, line), rules)
        check_record(record, systems, has_ids)
    except PlainlyError as error:
        record = refused(place, error, leave_out is not None)
        if leave_out is not None:
            leave_out(place.number - 1, str(place), error.message)
    return record


def parse_object(place: Place, line: str) -> dict[str, Any]:
    """The object on a line; a fault names the place."""
    if not line.strip():
        raise PlainlyError("blank line; each line is one JSON object", place=place)
    try:
        fields = DECODER.decode(line)
    except json.JSONDecodeError as error:
        hint = "; each line is one JSON object" if line.strip() in ("[", "{") else ""
        raise PlainlyError(f"bad JSON at column {error.colno}: {error.msg}{hint}", place=place) from None
    except (ValueError, RecursionError) as error:
        # A key that is there twice, a number of thousands of digits, brackets nested a thousand deep.
        raise PlainlyError(f"bad JSON: {error}", place=place) from None
    if not isinstance(fields, dict):
        raise PlainlyError("not a JSON object; each line is one JSON object", place=place)
    return fields


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"{shown(twice)!r} is there twice")
    return fields


DECODER = json.JSONDecoder(object_pairs_hook=_unique)
"""Made once: `json.loads` would make one for each line."""
