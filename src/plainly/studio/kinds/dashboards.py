"""What a dashboard shows: headlines, tables, charts and words; and the way there from what a study found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from plainly.findings import Cell, Findings, Message, Table
from plainly.findings.printing import BEST, heading, marks, seen
from plainly.findings.shape import Value
from plainly.inference.estimates import Estimate, finite
from plainly.report import specs


class Say(Protocol):
    """An interface text by its key, in the reader's language: say("ranking.note.live", count=200)."""

    lang: str

    def __call__(self, key: str, **values: object) -> str: ...


@dataclass(frozen=True)
class Headline:
    """A number above everything else, perhaps with its interval; `note` says what it means, or why there is none."""

    label: str
    number: Estimate
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As the page gets it."""
        return {"label": self.label, **self.number.to_dict(), "note": self.note}


@dataclass(frozen=True)
class Grid:
    """A table for people; numbers stay numbers, so that JSON has them as they are."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    digits: tuple[int | None, ...] = ()
    """After the point, by column; None, or nothing: as many as the size of a number asks for."""


@dataclass(frozen=True)
class Picture:
    """A chart as a Vega-Lite specification (see plainly.report.specs), with words for those who cannot see it."""

    name: str
    """Short, as part of an address."""
    title: str
    words: str
    spec: Mapping[str, Any]


@dataclass(frozen=True)
class Summary:
    """What is known so far: for the owner's dashboard. Everything comes from a study."""

    headlines: tuple[Headline, ...] = ()
    tables: tuple[Grid, ...] = ()
    pictures: tuple[Picture, ...] = ()
    suspicious: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the code of a participant: why one should look at their answers."""
    message: tuple[str, ...] = ()
    """The main thing, in one or two plain sentences; it stands above everything else."""
    notes: tuple[str, ...] = ()
    """What the reader should know, in the reader's language."""
    study_notes: tuple[str, ...] = ()
    """What the study itself says, as on the command line: in English."""
    signatures: tuple[str, ...] = ()


def counted(label: str, number: int, note: str = "") -> Headline:
    """A headline that is a count."""
    return Headline(label, Estimate(number), note)


def summary_of(findings: Findings, lang: str) -> Summary:
    """Tables, charts, verdict, notes and signatures in the reader's language; numbers stay numbers."""
    return Summary(
        tables=tuple(_grid(table, lang) for table in findings.tables if table.rows),
        pictures=tuple(
            Picture(chart.name, chart.question.text(lang), chart.words.text(lang), chart.spec)
            for chart in findings.charts
        ),
        message=tuple(sentence.text(lang) for sentence in findings.verdict),
        notes=tuple(note.message.text(lang) for note in findings.notes),
        signatures=tuple(findings.signatures),
    )


def interval_values(name: str, number: Estimate, kind: str = "system", field: str = "system") -> dict[str, Any]:
    """One row of a chart of intervals (see `specs.intervals`)."""
    score, low, high = number.to_dict().values()
    return {field: name, "kind": kind, "score": score, "low": low, "high": high}


def charted(name: str, title: str, words: str, spec: specs.Spec, rows: Sequence[Mapping[str, Any]]) -> Picture:
    """A chart of these rows."""
    return Picture(name, title, words, {**spec, "data": {"values": list(rows)}})


def decimal(value: float, digits: int, say: Say) -> str:
    """A number within a sentence, as the reader's language writes it, with a real minus; no zero is negative."""
    written = f"{value:.{digits}f}"
    if not float(written):
        written = written.removeprefix("-")
    return written.replace(".", say("common.point")).replace("-", "−")


def _grid(table: Table, lang: str) -> Grid:
    """One table; an estimate is one cell with its value and bounds."""
    columns, rows = seen(table)
    return Grid(
        table.question.text(lang),
        tuple(heading(column, lang) for column in columns),
        tuple(tuple(_cell(value, lang) for value in row) for row in rows),
        "; ".join(line.text(lang) for line in table.legend),
        tuple(column.digits if column.kind in ("number", "estimate") else None for column in columns),
    )


def _cell(cell: Cell | Value, lang: str) -> str | float | Mapping[str, Any] | None:
    if isinstance(cell, Cell) and isinstance(cell.value, Estimate) and cell.marks:
        return {**cell.value.to_dict(), "best": BEST in cell.marks, "marks": marks(cell)}
    value = cell.value if isinstance(cell, Cell) else cell
    if isinstance(value, Message):
        return value.text(lang)
    if isinstance(value, Estimate):
        return value.to_dict()
    if isinstance(value, float):
        return finite(value)
    if value is None or isinstance(value, (str, int)):
        return value
    return ", ".join(value)
