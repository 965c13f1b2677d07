"""The tables of scores that stand in the page itself, so that they need no script."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from plainly.corpus import Corpus
from plainly.findings import cells
from plainly.findings import shape as findings
from plainly.inference import Comparison, Standing
from plainly.report.words import ARROWS, BETTER, NOTHING, number_for, p_text, verdict
from plainly.scoring import Evaluation

MARKS = {"better": "▲", "worse": "▼", "not told apart": "≈"}


@dataclass(frozen=True)
class Column:
    """The head of a metric's column."""

    label: str
    title: str
    arrow: str
    better: str
    about: str


@dataclass(frozen=True)
class Cell:
    """One score as it is shown. `order` is what the column is sorted by; empty where there is no score."""

    order: str
    score: str
    interval: str
    rank: str
    best: bool
    mark: str
    against: str
    unscored: int


@dataclass(frozen=True)
class Row:
    system: str
    baseline: bool
    against: bool
    cells: Sequence[Cell]


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Sequence[Row]


class Bounded(NamedTuple):
    """A number of a plain table, with marks, and with its interval in small print below it."""

    value: str
    interval: str
    marks: str = ""
    best: bool = False


@dataclass(frozen=True)
class Grid:
    """A plain table as it is shown: words in the columns at the left, numbers in the others."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str | Bounded]]
    words: int = 1
    sentences: Collection[int] = ()
    """Columns that hold sentences, from 0."""
    legend: Sequence[str] = ()

    def kind(self, column: int) -> str:
        """The class of a column's cells."""
        if column in self.sentences:
            return "long"
        return "" if column < self.words else "number"


def grid(table: findings.Table, lang: str = "en") -> Grid:
    """A table of findings as pages show it; intervals stand in small print."""
    columns, rows = cells.seen(table)
    words = sum(1 for _ in takewhile(lambda column: not cells.right_aligned(column), columns))
    return Grid(
        table.question.text(lang),
        [cells.heading(column, lang) for column in columns],
        [[_shown(cell, column, lang) for cell, column in zip(row, columns, strict=True)] for row in rows],
        words,
        [place for place in range(words, len(columns)) if not cells.right_aligned(columns[place])],
        legend=[line.text(lang) for line in table.legend],
    )


def _shown(cell: findings.Cell | findings.Value, column: findings.Column, lang: str) -> str | Bounded:
    bare, marks = (cell.value, cell.marks) if isinstance(cell, findings.Cell) else (cell, frozenset[str]())
    text = cells.shown(bare, column, lang)
    if column.kind != "estimate" or not (marks or " [" in text):
        return cells.shown(cell, column, lang)
    value, bracket, interval = text.partition(" [")
    return Bounded(value, bracket[1:] + interval, " ".join(sorted(marks - {"best"})), "best" in marks)


def score_table(
    evaluation: Evaluation, corpus: Corpus, comparison: Comparison, labels: Sequence[str], against: str | None
) -> Table:
    """Systems by metrics with intervals and ranks; with marks where a system is tested against another."""
    columns = []
    for label in labels:
        facts = evaluation.metrics[label].facts
        title = evaluation.metrics[label].title
        columns.append(Column(label, title, ARROWS[facts.direction], BETTER[facts.direction], facts.about))
    rows = [
        Row(
            system,
            system not in corpus.outputs,
            system == against,
            [_cell(evaluation, comparison, system, label, against) for label in labels],
        )
        for system in evaluation.systems
    ]
    return Table(columns, rows)


def _cell(evaluation: Evaluation, comparison: Comparison, system: str, label: str, against: str | None) -> Cell:
    metric, standing = evaluation.metrics[label], comparison[system][label]
    mark, words = "", ""
    if against is not None and system != against and math.isfinite(standing.score):
        pair = comparison.pair(system, against, label)
        found = verdict(pair)
        if metric.facts.direction != "none":
            mark = MARKS[found]
            words = f"{found} {'from' if found == 'not told apart' else 'than'} {against}, {p_text(pair.p_holm)}"
    low, high = standing.estimate.low, standing.estimate.high
    return Cell(
        order=repr(standing.score) if math.isfinite(standing.score) else "",
        score=number_for(metric, standing.score),
        interval=f"{number_for(metric, low)} to {number_for(metric, high)}" if math.isfinite(low) else "",
        rank=_rank(standing),
        best=standing.best,
        mark=mark,
        against=words,
        unscored=standing.unscored,
    )


def _rank(standing: Standing) -> str:
    if standing.rank_interval is None:
        return "" if standing.rank is None else NOTHING
    low, high = standing.rank_interval
    return f"{low}" if low == high else f"{low}–{high}"
