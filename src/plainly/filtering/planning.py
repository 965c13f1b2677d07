"""What is read in which pieces. Parquet files are cut; of others, the workers get the lines and read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from plainly.base.errors import Argument, BadInput, PlainlyError
from plainly.corpus.readers.files import STDIN, shown
from plainly.corpus.readers.inputs import Inputs, check_inputs, data_format, recognised, rules_of
from plainly.corpus.readers.records import Record, Rules, make_record
from plainly.filtering.file_rows import Rows
from plainly.filtering.sources import Source, open_source
from plainly.scoring.partitions import ROWS, Partition, plan

Item = tuple[Partition, Rows | None]
"""What a worker gets: where the rows are, or the rows themselves."""


@dataclass(frozen=True)
class Planned:
    """All that is known of the input before it is read to the end."""

    files: tuple[str, ...]
    source: Source
    kind: str  # its format
    systems: tuple[str, ...]
    has_ids: bool
    rules: Rules
    total: int | None
    problems: tuple[tuple[str, str, int], ...]  # what is left out as a whole: the place, why, and how many rows
    items: Callable[[], Iterator[Item]] = field(repr=False)


def planned(inputs: Inputs, on_error: str, stack: ExitStack) -> Planned:
    """The plan for the input; files are closed with the stack."""
    if inputs.data in (None, STDIN):
        raise PlainlyError("a filter reads its rows twice; give the name of a file", place=Argument("data"))
    check_inputs(inputs)
    inputs, _ = recognised(inputs)
    kind = data_format(inputs)
    path = str(inputs.data)
    if kind == "parquet":
        found = plan(inputs, on_error)
        return Planned(
            found.files,
            open_source(path, kind, found.files, stack, found.rules.columns),
            kind,
            found.systems,
            found.has_ids,
            found.rules,
            found.total,
            found.problems,
            lambda: ((partition, None) for partition in found.partitions()),
        )
    rules = rules_of(inputs)
    source = open_source(path, kind, (), stack, rules.columns)
    feed = open_source(path, kind, (), stack, rules.columns)
    records = list(_records(source.first(), rules, on_error))
    if not records:
        raise PlainlyError(f"{shown(path)}: there are no records")
    systems = dict.fromkeys(system for record in records for system in record.outputs)
    return Planned(
        (path,), source, kind, tuple(systems), records[0].id is not None, rules, None, (), lambda: _lines(path, feed)
    )


def _records(rows: Rows, rules: Rules, on_error: str) -> Iterator[Record]:
    for number in range(len(rows)):
        try:
            yield make_record(rows.place(number), rows.fields(number), rules)
        except PlainlyError as error:
            if on_error == "stop":
                raise BadInput.of(error) from None


def _lines(path: str, feed: Source) -> Iterator[Item]:
    number = first = 0
    while True:
        rows = feed.take(Partition(number, first, path, first, first + ROWS))
        if not len(rows):
            return
        yield Partition(number, first, path, first, first + len(rows)), rows
        number, first = number + 1, first + len(rows)
