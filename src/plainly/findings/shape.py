"""The one shape in which every study says what it found: a verdict, tables, charts, notes, signatures, plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from plainly.base.errors import UnknownName
from plainly.base.messages import Message, Note, message
from plainly.inference.estimates import Estimate

Kind = Literal["text", "count", "number", "estimate", "p", "flags"]
Value: TypeAlias = "Estimate | Message | float | int | str | Sequence[str] | None"


@dataclass(frozen=True)
class Column:
    """A column: how programs name it, how people read it."""

    name: str
    kind: Kind = "text"
    digits: int = 2
    title: Message | None = None
    """What people read above it; without one, the name."""
    better: Literal["", "higher", "lower"] = ""
    for_people: bool = True
    """Whether people see it; programs get every column."""
    detail: bool = False
    """Whether a narrow table, as in a paper, does without it."""


def column(
    room: str, name: str, kind: Kind = "text", digits: int = 2, key: str = "", for_people: bool = True
) -> Column:
    """A column whose title other languages have as ROOM.column.KEY; the key is the name, unless another is given."""
    title = message(f"{room}.column.{key or name.replace(' ', '-')}", name)
    return Column(name, kind, digits, title, for_people=for_people)


@dataclass(frozen=True)
class Cell:
    """A value with marks, as `best`; a printer decides how they look. Without marks, the bare value will do."""

    value: Value
    marks: frozenset[str] = frozenset()


Row: TypeAlias = "Sequence[Cell | Value]"


@dataclass(frozen=True)
class Table:
    """Rows under a question. Cells are values, never formatted texts."""

    name: str
    """By which it is asked for. Tables of one name are one table for programs."""
    question: Message
    columns: Sequence[Column]
    rows: Sequence[Row]
    keys: Mapping[str, Value] = field(default_factory=dict)
    """What all rows share: for people in the question, for programs columns of their own, before the others."""
    legend: Sequence[Message] = ()
    """What explains this table alone."""
    detail_marks: frozenset[str] = frozenset()
    """Marks that a narrow table does without, because others say the same."""
    on_detail: Sequence[Message] = ()
    """The lines of the legend that explain columns of detail and such marks."""
    long: Table | None = None
    """The same for programs, where people get the rows turned into columns."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"a row of the table {self.name} has another number of cells than the table has columns")


@dataclass(frozen=True)
class Chart:
    """A picture as a Vega-Lite specification, with words for those who cannot see it."""

    name: str
    question: Message
    words: Message
    spec: Mapping[str, Any]


SERIES = [f"var(--series-{i})" for i in range(1, 8)]
"""The colours of a chart, in order: CSS variables, so that the stylesheet decides on light, dark and print."""


@dataclass(frozen=True)
class Findings:
    """What a study found. Every face prints this, and nothing else."""

    tables: Sequence[Table] = ()
    verdict: Sequence[Message] = ()
    """The answer, in one sentence or a few."""
    charts: Sequence[Chart] = ()
    notes: Sequence[Note] = ()
    signatures: Sequence[str] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    """The result as plain data: what JSON prints."""

    @property
    def names(self) -> list[str]:
        """Of the tables, each once."""
        return list(dict.fromkeys(table.name for table in self.tables))

    @property
    def warnings(self) -> list[Message]:
        """That the texts look wrong; whoever reads the numbers must know it."""
        return list(dict.fromkeys(note.message for note in self.notes if note.kind == "warning"))

    def only(self, *names: str) -> Findings:
        """The same findings with these tables alone."""
        for name in names:
            if name not in self.names:
                raise UnknownName("table", name, self.names)
        return replace(self, tables=[table for table in self.tables if table.name in names])
