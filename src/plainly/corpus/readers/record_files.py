"""A file of records, whatever its format: one record a segment, or one row a segment and system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.long_tables import in_segments, is_long
from plainly.corpus.readers.records import LOOK_AHEAD, Record, check_record, refused


class RecordFile:
    """The records of a file, taken from the front."""

    unit = "record"
    runs: Mapping[str, Sequence[str]] = MappingProxyType({})
    """Of systems that ran several times, as a table in long form says: the names of their runs."""

    def __init__(self, name: str, records: Iterator[Record], lenient: bool = False) -> None:
        self.name = name
        self.taken = 0
        self._lenient = lenient
        first = list(islice(records, LOOK_AHEAD))
        if not first:
            raise PlainlyError(f"{name}: there are no records")
        if is_long(first):
            first, self.systems, self.runs = in_segments(chain(first, records))
            self.unit, records = "segment", iter(())
        else:
            self.systems = list(dict.fromkeys(chain.from_iterable(record.outputs for record in first)))
        self.usable = any(record.refusal is None for record in first)
        """Whether one of the first records can be used."""
        self.has_ids = next((record for record in first if record.refusal is None), first[0]).id is not None
        self._known = frozenset(self.systems)
        self._records = chain(first, records)

    def take(self, count: int) -> list[Record]:
        """The next `count` records; fewer at the end of the file."""
        records = list(islice(self._records, count))
        self.taken += len(records)
        for i, record in enumerate(records):
            if record.refusal is None:
                try:
                    check_record(record, self._known, self.has_ids)
                except PlainlyError as error:
                    records[i] = refused(record.place, error, self._lenient)
        return records

    def count_rest(self) -> int:
        """The number of records that were not taken; ends the reading."""
        return sum(1 for _ in self._records)
