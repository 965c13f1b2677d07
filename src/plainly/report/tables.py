"""What stands in the page itself and needs no script: tables of scores, facts, settings, signatures."""

from __future__ import annotations

import math
import platform
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from plainly.base.messages import Message
from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES
from plainly.findings import shape as findings
from plainly.findings.printing import BEST, heading, marks, printed, right_aligned, seen, shown
from plainly.inference import Pair, Standing
from plainly.report.texts import has_texts
from plainly.report.words import ARROWS, BETTER, NOTHING, number_for, p_text, plural, verdict
from plainly.scoring import Evaluation
from plainly.scoring.comparison import Comparison
from plainly.scoring.slices import fields, source_words
from plainly.text.languages import LANGUAGES

METHODS = {
    "bootstrap": "paired bootstrap, calibrated for the number of segments or documents",
    "bootstrap-plain": "paired bootstrap, not calibrated",
    "randomisation": "paired approximate randomisation",
    "percentile": "percentiles of bootstrap resamples",
    "bca": "bias-corrected and accelerated bootstrap (BCa)",
}
FAMILIES = {"metric": "all pairs of a metric", "all": "all pairs of all metrics"}
COPIES = {"LaTeX": "latex", "Markdown": "markdown", "CSV": "csv"}
MARKS = {"better": "▲", "worse": "▼", "not told apart": "≈", "differs": "*"}


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
    best: bool
    lacks: bool
    """Whether it lacks segments that others have."""
    mark: str
    against: str
    unscored: int
    letters: str = ""
    runs: str = ""


@dataclass(frozen=True)
class Row:
    """One system. `place` is its rank by the first metric of the table, `between` what that may be elsewhere."""

    system: str
    baseline: bool
    against: bool
    cells: Sequence[Cell]
    place: str = ""
    between: str = ""


@dataclass(frozen=True)
class Table:
    columns: Sequence[Column]
    rows: Sequence[Row]

    def part(self, start: int, end: int | None = None) -> Table:
        """Some of the rows."""
        return replace(self, rows=self.rows[start:end])


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
    copies: Mapping[str, str] = field(default_factory=dict)

    def kind(self, column: int) -> str:
        """The class of a column's cells."""
        if column in self.sentences:
            return "long"
        return "" if column < self.words else "number"


def grid(table: findings.Table, lang: str = "en") -> Grid:
    """A table of findings as pages show it; intervals stand in small print."""
    columns, rows = seen(table)
    words = sum(1 for _ in takewhile(lambda column: not right_aligned(column), columns))
    return Grid(
        table.question.text(lang),
        [heading(column, lang) for column in columns],
        [[_shown(cell, column, lang) for cell, column in zip(row, columns, strict=True)] for row in rows],
        words,
        [place for place in range(words, len(columns)) if not right_aligned(columns[place])],
        legend=[line.text(lang) for line in table.legend],
        copies=copies(findings.Findings([table]), lang),
    )


def copies(found: findings.Findings, lang: str = "en") -> dict[str, str]:
    """Tables to paste elsewhere, as every command prints them."""
    return {name: printed(found, form, lang) for name, form in COPIES.items()}


def in_one(comparison: Comparison, order: Sequence[str], question: Message) -> findings.Findings:
    """Systems and baselines in one table of this order, under a question of its own; nobody is ranked."""
    found = comparison.findings().only("systems")
    first = found.tables[0]
    columns = [column for column in first.columns if not column.detail]
    rows = {
        row[0]: {column.name: cell for column, cell in zip(table.columns, row, strict=True)}
        for table in found.tables
        for row in table.rows
    }
    long = [row for table in found.tables if table.long for row in table.long.rows]
    table = replace(
        first,
        question=question,
        columns=columns,
        rows=[[rows[system].get(column.name) for column in columns] for system in order],
        legend=[line for line in first.legend if line not in first.on_detail],
        long=first.long and replace(first.long, rows=sorted(long, key=lambda row: order.index(str(row[0])))),
    )
    return replace(found, tables=[table], verdict=())


def _shown(cell: findings.Cell | findings.Value, column: findings.Column, lang: str) -> str | Bounded:
    marked = cell if isinstance(cell, findings.Cell) else findings.Cell(cell)
    text = shown(marked.value, column, lang)
    if column.kind != "estimate" or not (marked.marks or " [" in text):
        return shown(cell, column, lang)
    value, bracket, interval = text.partition(" [")
    return Bounded(value, bracket[1:] + interval, " ".join(marks(marked)), BEST in marked.marks)


def score_table(
    comparison: Comparison, systems: Sequence[str], labels: Sequence[str], against: Comparison | None = None
) -> Table:
    """Systems by metrics with intervals, and with marks where a system is tested against another.

    A system alone has no rank. Systems that share a letter cannot be told apart. Where not all pairs are tested, what
    differs from the best system is marked.
    """
    metrics = comparison.evaluation.metrics
    columns = []
    for label in labels:
        facts = metrics[label].facts
        columns.append(
            Column(label, metrics[label].title, ARROWS[facts.direction], BETTER[facts.direction], facts.about)
        )
    rows = []
    for system in systems:
        cells = [_cell(comparison, system, label, against) for label in labels]
        standing = comparison[system][labels[0]]
        place, between = ("" if standing.rank is None else str(standing.rank)), _between(standing)
        if len(comparison.ranked) == 1:
            place, between = "", ""
        baseline = system in comparison.baselines
        tested = against is not None and system == against.settings.baseline
        rows.append(Row(system, baseline, tested, cells, place, between if between != place else ""))
    return Table(columns, rows)


def legend(tables: Sequence[Table], comparison: Comparison, against: Comparison | None) -> Iterator[str]:
    """What the marks of tables mean: of those that occur."""
    rows = [row for table in tables for row in table.rows]
    cells = [cell for row in rows for cell in row.cells]
    if any(cell.best for cell in cells):
        yield "★ best of a column."
    if any(cell.interval for cell in cells):
        ranks = ", and ranks on other texts like these" if any(row.between for row in rows) else ""
        yield f"Small numbers: {comparison.settings.resampling.confidence:.0%} intervals{ranks}."
    if any(cell.letters for cell in cells):
        ranges = "; c-f stands for c, d, e and f" if any("-" in cell.letters for cell in cells) else ""
        yield f"Systems that share a letter cannot be told apart by that metric{ranges}."
    if any(cell.lacks for cell in cells):
        yield "† lacks segments that others have: it cannot be first."
        yield "Two systems are ranked on the segments that both have."
    marks = [f"{mark} {word}" for word, mark in MARKS.items() if any(cell.mark == mark for cell in cells)]
    if marks and against is not None:
        test = f"(paired test, corrected p below {against.settings.alpha:g})"
        yield f"Against {against.settings.baseline}: {', '.join(marks)} {test}."
    if any(cell.runs for cell in cells):
        yield "A system with several runs has their mean; sd says how far they spread."


def _cell(comparison: Comparison, system: str, label: str, against: Comparison | None) -> Cell:
    metric, standing = comparison.evaluation.metrics[label], comparison[system][label]
    mark, words = "", ""
    pair = None if against is None else against.find(system, str(against.settings.baseline), label)
    if pair is not None and math.isfinite(standing.score):
        mark, words = _against(pair)
    low, high = standing.estimate.low, standing.estimate.high
    return Cell(
        order=repr(standing.score) if math.isfinite(standing.score) else "",
        score=number_for(metric, standing.score),
        interval=f"{number_for(metric, low)} to {number_for(metric, high)}" if math.isfinite(low) else "",
        best=standing.best and len(comparison.ranked) > 1,
        lacks=standing.lacking > 0,
        mark=mark,
        against=words,
        unscored=standing.unscored,
        letters=comparison.letter_ranges[label].get(system, ""),
        runs=f"sd {number_for(metric, standing.spread)} of {len(standing.runs)} runs" if standing.runs else "",
    )


def _against(pair: Pair) -> tuple[str, str]:
    """A mark, and what it means; of a metric without a better end only that systems differ."""
    if pair.direction == "none":
        said = f"differs from {pair.second}, {p_text(pair.p_holm)}"
        return (MARKS["differs"], said) if pair.significant else ("", "")
    found = verdict(pair, pair.significant)
    return MARKS[
        found
    ], f"{found} {'from' if found == 'not told apart' else 'than'} {pair.second}, {p_text(pair.p_holm)}"


def _between(standing: Standing) -> str:
    if standing.rank_interval is None:
        return "" if standing.rank is None else NOTHING
    low, high = standing.rank_interval
    return f"{low}" if low == high else f"{low}–{high}"


@dataclass(frozen=True)
class Signed:
    """A metric with the signatures of its numbers; the reference baseline has one of its own."""

    title: str
    about: str
    paper: str
    caution: str
    signatures: Sequence[str]
    long_signatures: Sequence[str]


def test_set(evaluation: Evaluation, corpus: Corpus) -> dict[str, str]:
    """The test set in a few numbers: name of the fact -> value."""
    words = source_words(corpus)[[text is not None for text in corpus.sources]]
    baselines = [system for system in evaluation.systems if system in BASELINES]
    facts = {
        "Segments": f"{evaluation.size:,}",
        "Systems": f"{len(evaluation.systems) - len(baselines)}",
        "Baselines": str(len(baselines)) if baselines else "none",
        "References a segment": str(next(iter(evaluation.references.values()))).replace("-", "–"),
        **({"Words a source": _spread(words)} if has_texts(corpus) else {}),
        "Language": LANGUAGES[corpus.lang].name if corpus.lang in LANGUAGES else corpus.lang,
    }
    if corpus.documents is not None and any(corpus.documents):
        facts["Documents"] = f"{len({document for document in corpus.documents if document is not None}):,}"
    return facts


def in_short(evaluation: Evaluation, corpus: Corpus) -> str:
    """The test set in a line."""
    facts = test_set(evaluation, corpus)
    references = facts["References a segment"]
    parts = [
        plural(evaluation.size, "segment"),
        plural(int(facts["Systems"]), "system"),
        f"{references} reference{'' if references == '1' else 's'} each" if references != "0" else "no references",
        facts["Language"],
    ]
    return " · ".join(parts)


def settings(
    evaluation: Evaluation,
    corpus: Corpus,
    comparison: Comparison,
    sample_seed: int,
    against: Comparison | None,
    files: Mapping[str, str],
) -> dict[str, str]:
    """What the numbers depend on."""
    chosen, drawn = comparison.settings, comparison.settings.resampling
    shown = {
        **files,
        "Interval": f"{drawn.confidence:.0%}, {METHODS[drawn.method]}",
        "Test": f"{METHODS[chosen.method]}, two-sided, p corrected by Holm's method over {FAMILIES[chosen.family]}",
        "Resamples": f"{drawn.resamples:,}"
        + (f"; {chosen.trials:,} for tests" if chosen.trials > drawn.resamples else ""),
        "Seed": f"{drawn.seed} for resamples"
        + (f", {sample_seed} for random samples of segments" if has_texts(corpus) else ""),
        "Drawn at random": f"{drawn.unit}s ({comparison.units:,})",
    }
    if against is not None:
        shown["Tested against"] = str(against.settings.baseline)
    if names := list(fields(corpus)):
        shown["Fields of the records"] = ", ".join(names)
    shown["Versions"] = f"plainly {__version__}, Python {platform.python_version()}, numpy {version('numpy')}"
    return shown


def signatures(evaluation: Evaluation, labels: Sequence[str]) -> list[Signed]:
    """The signatures of all metrics."""
    signed = []
    for label in labels:
        facts = evaluation.metrics[label].facts
        results = [results[label] for results in evaluation.systems.values()]
        signed.append(
            Signed(
                evaluation.metrics[label].title,
                facts.about,
                facts.paper,
                facts.caution,
                list(dict.fromkeys(result.signature for result in results)),
                list(dict.fromkeys(result.long_signature for result in results)),
            )
        )
    return signed


def unscored(evaluation: Evaluation, labels: Sequence[str]) -> list[str]:
    """What could not be scored, in words."""
    notes: dict[tuple[str, int], list[str]] = {}
    for system, results in evaluation.systems.items():
        for label in labels:
            if results[label].unscored:
                notes.setdefault((system, results[label].unscored), []).append(evaluation.metrics[label].title)
    return [
        f"{system}: {plural(count, 'segment')} of {evaluation.size:,} could not be scored by {', '.join(titles)}."
        for (system, count), titles in notes.items()
    ]


def _spread(words: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    if not len(words):
        return "no sources"
    return f"{words.mean():.1f} on average, {words.min()} to {words.max()}"
