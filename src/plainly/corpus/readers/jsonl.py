"""Records as JSON, one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.readers.columns import refuse_missing
from plainly.corpus.readers.files import MAX_RECORD, InputFile, LineFile, shown
from plainly.corpus.readers.records import LOOK_AHEAD, Record, Rules, make_record, refused


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
