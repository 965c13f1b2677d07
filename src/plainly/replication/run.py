"""Computes the tables of a benchmark and holds them against what was printed."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.corpus import Corpus, catalogue
from plainly.corpus.readers import Inputs, read_corpus
from plainly.findings.result import StudyResult
from plainly.inference import Estimate, Resampling
from plainly.inference.estimates import finite
from plainly.metrics import Metric, configure
from plainly.replication.definition import FIRST_REFERENCE, Benchmark, Column, Files, Row, Table
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import CHUNK

T = TypeVar("T", Corpus, Evaluation)

NOT_THERE = "not published"
NOTHING = Estimate(math.nan)


@dataclass(frozen=True)
class Cell:
    """One number: as printed, and as computed here; `why` says why it is not there, or why it may differ."""

    printed: str = ""
    estimate: Estimate = NOTHING
    decimals: int = 2
    signature: str = ""
    why: str = ""

    @property
    def value(self) -> float | None:
        return finite(self.estimate.value)

    @property
    def agrees(self) -> bool | None:
        """Whether the number rounds to the printed digits; None where there is nothing to compare."""
        if self.printed == "" or self.value is None:
            return None
        digits = len(self.printed.partition(".")[2])
        return bool(abs(self.value - float(self.printed)) <= 0.5 * 10.0**-digits + 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "printed": self.printed,
            "score": self.estimate.to_dict(),
            "decimals": self.decimals,
            "signature": self.signature,
            "why": self.why,
            "agrees": self.agrees,
        }


@dataclass(frozen=True)
class Line:
    """A row of a computed table."""

    name: str
    setting: str
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Computed:
    """A computed table."""

    table: Table
    lines: Sequence[Line]

    @property
    def cells(self) -> list[Cell]:
        return [cell for line in self.lines for cell in line.cells.values()]


@dataclass(frozen=True, repr=False)
class Outcome(StudyResult, findings="plainly.replication.findings:findings"):
    """All tables of a benchmark."""

    benchmark: Benchmark
    tables: Sequence[Computed]
    resampling: Resampling

    def differences(self) -> Iterator[tuple[Computed, Line, str, Cell]]:
        """The numbers that are not as printed."""
        for computed in self.tables:
            for line in computed.lines:
                for title, cell in line.cells.items():
                    if cell.agrees is False:
                        yield computed, line, title, cell

    def agreement(self) -> tuple[int, int, int]:
        """How many numbers agree with the printed ones, of how many that were computed, of how many printed."""
        printed = [cell.agrees for computed in self.tables for cell in computed.cells if cell.printed]
        compared = [agrees for agrees in printed if agrees is not None]
        return sum(compared), len(compared), len(printed)

    def signatures(self) -> list[str]:
        """The signatures of all numbers, each once."""
        cells = [cell for computed in self.tables for cell in computed.cells]
        return sorted({cell.signature for cell in cells if cell.signature})

    def missing(self) -> dict[str, int]:
        """Why numbers could not be computed, and how many for each reason."""
        return dict(Counter(cell.why for computed in self.tables for cell in computed.cells if cell.value is None))

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "title": self.benchmark.title,
            "paper": self.benchmark.paper,
            "resampling": self.resampling.to_dict(),
            "tables": [
                {
                    "name": computed.table.name,
                    "rows": [
                        {
                            "name": line.name,
                            "setting": line.setting,
                            "cells": {title: cell.to_dict() for title, cell in line.cells.items()},
                        }
                        for line in computed.lines
                    ],
                }
                for computed in self.tables
            ],
        }


class _Setting(NamedTuple):
    test_set: str
    lang: str
    tokenizer: str
    lowercase: bool


def run(
    benchmark: Benchmark, resampling: Resampling | None = None, tell: Callable[[str], None] | None = None
) -> Outcome:
    """Compute every table; what is not on this machine stays empty and says so. `tell` hears of each step."""
    resampling = resampling or Resampling()
    work = _Work(benchmark, resampling, tell or (lambda _: None))
    return Outcome(benchmark, [Computed(table, list(_lines(table, work))) for table in benchmark.tables], resampling)


class _Work:
    """Reads each test set once, and scores it once for each setting."""

    def __init__(self, benchmark: Benchmark, resampling: Resampling, tell: Callable[[str], None]) -> None:
        self.benchmark = benchmark
        self._resampling = resampling
        self._tell = tell
        self._corpora: dict[str, Corpus | PlainlyError] = {}
        self._scores: dict[_Setting, dict[Column, Evaluation | PlainlyError]] = {}

    def corpus(self, name: str) -> Corpus:
        if name not in self._corpora:
            try:
                self._corpora[name] = _read(name, self.benchmark)
            except MissingResource as error:
                self._corpora[name] = error
        return _or_raise(self._corpora[name])

    def scores(self, setting: _Setting, column: Column) -> Evaluation:
        """The evaluation that holds a column; an error where it cannot be computed."""
        if setting not in self._scores:
            self._scores[setting] = {}
        found = self._scores[setting]
        if column not in found:
            columns = [column] if found else self._columns(setting)
            found |= self._scored(setting, [each for each in columns if each not in found])
        return _or_raise(found[column])

    def _columns(self, setting: _Setting) -> list[Column]:
        """All columns that some table asks for under these settings: they are scored in one go."""
        used = {
            title: None
            for table in self.benchmark.tables
            if any(_setting(table, row) == setting for row in table.rows or [Row("")])
            for title in table.columns
        }
        return [self.benchmark.columns[title] for title in used]

    def _scored(self, setting: _Setting, columns: Sequence[Column]) -> dict[Column, Evaluation | PlainlyError]:
        try:
            corpus = replace(self.corpus(setting.test_set), lang=setting.lang)
        except MissingResource as error:
            return dict.fromkeys(columns, error)
        metrics: dict[Column, Metric] = {}
        found: dict[Column, Evaluation | PlainlyError] = {}
        for column in columns:
            try:
                metrics[column] = _metric(setting, column, corpus)
            except PlainlyError as error:
                found[column] = error
        self._tell(f"{setting.test_set}, {setting.lang}, {setting.tokenizer}")
        baselines = ["identity", "truncate"] if _has(corpus, "source") else []

        def evaluate(chosen: Sequence[Metric]) -> Evaluation:
            return evaluate_stream(
                corpus.chunks(CHUNK), chosen, baselines=baselines, keep=sys.maxsize, intervals=self._resampling
            )

        try:
            if metrics:
                found |= dict.fromkeys(metrics, evaluate(list(metrics.values())))
        except PlainlyError:  # one of them cannot run here: find out which
            for column, metric in metrics.items():
                try:
                    found[column] = evaluate([metric])
                except PlainlyError as error:
                    found[column] = error
        return found


def _lines(table: Table, work: _Work) -> Iterator[Line]:
    for row in table.rows or _all_rows(table, work):
        setting = _setting(table, row)
        said = [text for text, own in ((setting.test_set, row.test_set), (setting.tokenizer, row.tokenizer)) if own]
        if row.lang:
            said.append(row.lang)
        cells = {
            title: _cell(work, setting, work.benchmark.columns[title], row, printed)
            for title, printed in zip(table.columns, row.printed or [""] * len(table.columns), strict=True)
        }
        yield Line(row.name or row.system, ", ".join(said), cells)


def _setting(table: Table, row: Row) -> _Setting:
    return _Setting(
        row.test_set or table.test_set, row.lang or table.lang, row.tokenizer or table.tokenizer, table.lowercase
    )


def _all_rows(table: Table, work: _Work) -> list[Row]:
    corpus = work.corpus(table.test_set)
    baselines = ["identity", "truncate"] if _has(corpus, "source") else []
    return [Row(system) for system in [*corpus.outputs, *baselines] if system != FIRST_REFERENCE]


def _cell(work: _Work, setting: _Setting, column: Column, row: Row, printed: str) -> Cell:
    try:
        evaluation = work.scores(setting, column)
    except PlainlyError as error:
        return Cell(printed, why=str(error))
    if row.system not in evaluation.systems:
        return Cell(printed, why=f"the outputs are {NOT_THERE}")
    label = _metric(setting, column, None).label
    result = evaluation[row.system][label]
    estimate = result.estimate
    if column.component:
        if column.component not in result.components:
            raise UnknownName(f"component of {label}", column.component, result.components)
        estimate = Estimate(result.components[column.component])
    return Cell(
        printed,
        estimate,
        evaluation.metrics[label].facts.decimals,
        result.signature,
        row.cause or column.cause,
    )


def _metric(setting: _Setting, column: Column, corpus: Corpus | None) -> Metric:
    """The metric of a column; an error where the test set lacks what it needs."""
    given = {"lang": setting.lang, "tokenizer": column.tokenizer or setting.tokenizer, "lowercase": setting.lowercase}
    if column.model:
        given["model"] = column.model
    metric = configure(column.metric, given)
    for what in sorted(metric.facts.needs & {"source", "references"}):
        if corpus is not None and not _has(corpus, what):
            raise PlainlyError(f"this test set has no {'sources' if what == 'source' else what}")
    return metric


def _has(corpus: Corpus, what: str) -> bool:
    if what == "source":
        return any(text is not None for text in corpus.sources)
    return what != "references" or bool(corpus.reference_counts.any())


def _read(name: str, benchmark: Benchmark) -> Corpus:
    """The test set with its published outputs, and its first references as a system."""
    if name in benchmark.test_sets:
        corpus = read_corpus(_inputs(benchmark.test_sets[name], benchmark))
    elif name in catalogue.names():
        corpus = catalogue.load(name)
        corpus = corpus.with_outputs(catalogue.published(name))
    else:
        raise MissingResource(f"the texts of {name} are {NOT_THERE}")
    if corpus.reference_counts.all():
        first = [group[0] for group in corpus.references]
        corpus = corpus.with_outputs({**corpus.outputs, FIRST_REFERENCE: first})
    return corpus


def _inputs(files: Files, benchmark: Benchmark) -> Inputs:
    def place(path: str) -> str:
        return str(benchmark.folder / path)

    return Inputs(
        sources=place(files.sources) if files.sources else None,
        references=tuple(map(place, files.references)),
        systems={system: place(path) for system, path in files.systems.items()},
    )


def _or_raise(found: T | PlainlyError) -> T:
    if isinstance(found, PlainlyError):
        raise found
    return found
