"""The work on one partition: the scores of its pairs, and their texts if somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plainly.base.errors import BadInput, PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers.parquet import read_rows
from plainly.corpus.readers.records import Record, Rules, check_record, make_record
from plainly.corpus.references import References
from plainly.filtering.file_rows import Rows
from plainly.filtering.planning import Item
from plainly.metrics import Array, Metric
from plainly.scoring.evaluator import PIECE
from plainly.scoring.jobs import Spec, built
from plainly.scoring.partitions import Partition
from plainly.scoring.problems import Problems

PAIR = "output"
"""The one system of a filter."""


@dataclass(frozen=True)
class Work:
    """What is measured, the same for all partitions. Called with one of them, it does the work."""

    metrics: tuple[Spec, ...]
    wanted: tuple[tuple[int, str | None], ...]  # the place of a metric among them, and the component if not the score
    system: str | None  # None: the first reference is the output
    texts: tuple[str, ...]
    rules: Rules
    systems: tuple[str, ...]
    has_ids: bool
    on_error: str

    def __call__(self, item: Item) -> Scored:
        partition, rows = item
        metrics = built(self.metrics)
        problems = Problems()
        bad: set[int] = set()
        values: list[Array] = [np.empty((0, len(self.wanted)))]
        texts: dict[str, list[str | None]] = {name: [] for name in self.texts}
        references: list[References] = []
        for chunk in self._chunks(partition, rows, problems, bad):
            pair = as_pairs(chunk, self.system)
            references.append(pair.judged_by)
            for name, column in texts.items():
                column.extend(_texts(pair, name))
            for piece in pair.chunks(PIECE) if metrics else ():
                values.append(_scores(piece, metrics, self.wanted))
                piece.forget_prepared()
        for metric in metrics:
            if metric.failure is not None:
                raise PlainlyError(f"{metric.label} broke off: {metric.failure}")
        return Scored(
            partition.number,
            np.concatenate(values) if metrics else np.empty((len(partition), 0)),
            texts,
            frozenset(bad),
            problems,
            references,
            tuple(remark for metric in metrics for remark in metric.remarks),
        )

    def _chunks(self, partition: Partition, rows: Rows | None, problems: Problems, bad: set[int]) -> Iterator[Corpus]:
        if rows is not None:
            yield from self._corpus(rows, problems, bad).chunks(4 * PIECE)
            return

        def leave_out(row: int, place: str, why: str) -> None:
            bad.add(row - partition.start)
            problems.add(place, why)

        yield from read_rows(
            partition.path,
            partition.start,
            partition.stop,
            self.rules,
            self.systems,
            self.has_ids,
            None if self.on_error == "stop" else leave_out,
            metadata=False,
            unchanged=partition.facts,
        )

    def _corpus(self, rows: Rows, problems: Problems, bad: set[int]) -> Corpus:
        """The corpus of rows that nobody has read yet; a bad row has no texts."""
        records = []
        for number in range(len(rows)):
            place = rows.place(number)
            try:
                record = make_record(place, rows.fields(number), self.rules)
                check_record(record, self.systems, self.has_ids)
            except PlainlyError as error:
                if self.on_error == "stop":
                    raise BadInput.of(error) from None
                problems.add(str(place), error.message)
                bad.add(number)
                record = Record(place, None, (), {}, None, None, {})
            records.append(record)
        return Corpus(
            [record.source for record in records],
            [record.references for record in records],
            {system: [record.outputs.get(system) for record in records] for system in self.systems},
            lang=self.rules.lang,
        )


@dataclass(frozen=True)
class Scored:
    """What came out of a partition; `bad` are the places of rows that could not be read."""

    number: int
    values: Array  # a column a score; NaN where there is none
    texts: dict[str, list[str | None]]
    bad: frozenset[int]
    problems: Problems = field(repr=False)
    references: list[References]
    remarks: tuple[str, ...]


def as_pairs(corpus: Corpus, system: str | None) -> Corpus:
    """The corpus with one system: the one that is asked for, else the first reference of each segment."""
    if system is not None:
        return corpus.with_outputs({PAIR: corpus.output(system)})
    return Corpus(
        corpus.sources,
        [group[1:] for group in corpus.references],
        {PAIR: [group[0] if group else None for group in corpus.references]},
        corpus.ids,
        corpus.documents,
        corpus.metadata,
        corpus.lang,
    )


def _texts(pair: Corpus, name: str) -> Sequence[str | None]:
    if name == "reference":
        return [group[0] if group else None for group in pair.references]
    return pair.sources if name == "source" else pair.output(PAIR)


def _scores(piece: Corpus, metrics: Sequence[Metric], wanted: Sequence[tuple[int, str | None]]) -> Array:
    found: list[Any] = [metric.score(metric.measure(piece, PAIR)) for metric in metrics]
    columns = [found[i].value if part is None else found[i].components[part] for i, part in wanted]
    return np.column_stack(columns).astype(np.float64)
