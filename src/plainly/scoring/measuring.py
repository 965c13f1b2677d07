"""Measure many metrics over a stream of corpus chunks, in threads, in bounded memory, and add up what they give.

The compiled kernels release the GIL, so threads use the cores. Chunks come back in order, so that results do not
depend on the number of threads. Partitions that are measured elsewhere are added up by the same `RunTotals`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals, add_rows
from plainly.corpus import Corpus
from plainly.corpus.baselines import with_baselines
from plainly.metrics import Array, Metric
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.results import reference_range, results_of

PIECE = 2048


@dataclass(frozen=True)
class Measured:
    """The statistics of one chunk: `statistics[system][i]` are the rows of metric i.

    `references[system]` are the numbers of references that its segments were scored against.
    """

    corpus: Corpus
    statistics: dict[str, list[Array]]
    references: dict[str, set[int]]


def measure(
    chunks: Iterable[Corpus],
    metrics: Sequence[Metric],
    baselines: Sequence[str] = (),
    threads: int | None = None,
) -> Iterator[Measured]:
    """Measure every system of every chunk by every metric, and the baselines named."""
    try:
        yield from _in_order(_measured(chunks, metrics, baselines, threads or cores()), metrics)
    finally:
        for metric in metrics:
            metric.close()


def _in_order(pieces: Iterable[Measured], metrics: Sequence[Metric]) -> Iterator[Measured]:
    """The pieces with the rows that they have in the whole: see `Metric.follow`."""
    joined = [(i, metric) for i, metric in enumerate(metrics) if metric.reads_all_outputs_as_one]
    last: dict[tuple[str, int], Array] = {}  # the last scored row of each system and metric
    for measured in pieces:
        for system, statistics in measured.statistics.items() if joined else ():
            for i, metric in joined:
                if (system, i) in last:
                    statistics[i] = metric.follow(statistics[i], last[system, i])
                if len(scored := np.flatnonzero(statistics[i][:, 0])):
                    last[system, i] = statistics[i][scored[-1]]
        yield measured


def _measured(
    chunks: Iterable[Corpus], metrics: Sequence[Metric], baselines: Sequence[str], threads: int
) -> Iterator[Measured]:
    pieces = (piece for chunk in chunks for piece in _pieces(chunk, threads))
    if threads == 1:
        yield from (measure_piece(piece, metrics, baselines) for piece in pieces)
        return
    waiting: deque[Future[Measured]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for piece in pieces:
            waiting.append(pool.submit(measure_piece, piece, metrics, baselines))
            if len(waiting) > 2 * threads:  # enough to keep the threads busy, not more in memory
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # whoever stops the run need not wait for it


def measure_piece(corpus: Corpus, metrics: Sequence[Metric], baselines: Sequence[str]) -> Measured:
    """The statistics of a few segments, all of which are in memory."""
    statistics: dict[str, list[Array]] = {}
    references: dict[str, set[int]] = {}
    for part in with_baselines(corpus, baselines):
        for system in part.outputs:
            statistics[system] = [metric.measure(part, system) for metric in metrics]
            references[system] = set(part.reference_counts.tolist())
        part.forget_prepared()  # the caller may keep the corpus, but not its n-gram tables
    return Measured(corpus, statistics, references)


def _pieces(chunk: Corpus, threads: int) -> Iterator[Corpus]:
    """A chunk in pieces for the threads: small enough for the processor's cache, not too small to be worth it."""
    return chunk.chunks(min(PIECE, max(64, -(-len(chunk) // threads))))


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class RunTotals:
    """The sums of a run. They are exact, so cuts and order move no bit. The lists have one entry a metric."""

    segments: int = 0
    totals: dict[str, list[Totals]] = field(default_factory=dict)
    references: dict[str, set[int]] = field(default_factory=dict)
    """The numbers of references that segments were scored against, by system."""

    def add(self, segments: int, statistics: Mapping[str, list[Array]], references: Mapping[str, set[int]]) -> None:
        """The rows of so many segments more."""
        self.segments += segments
        for system, rows in statistics.items():
            self.totals[system] = add_rows(self.totals.get(system), rows)
            self.references.setdefault(system, set()).update(references[system])

    def merge(self, other: RunTotals) -> None:
        """The sums of further segments."""
        self.segments += other.segments
        for system, totals in other.totals.items():
            sums = self.totals.setdefault(system, [Totals(len(total.values())) for total in totals])
            for total, more in zip(sums, totals, strict=True):
                total.merge(more)
            self.references.setdefault(system, set()).update(other.references[system])

    def forget(self, position: int, columns: int) -> None:
        """Leave the sums of a metric out: nothing that it measured counts."""
        for sums in self.totals.values():
            sums[position] = Totals(columns)

    def evaluation(self, metrics: Mapping[str, Metric]) -> Evaluation:
        """The scores of all systems."""
        if not self.segments:
            raise PlainlyError("there is nothing to score: no segments")
        if not self.totals:
            raise PlainlyError("there is nothing to score: no system output and no baseline")
        references = {system: reference_range(counts) for system, counts in self.references.items()}
        totals = {system: dict(zip(metrics, sums, strict=True)) for system, sums in self.totals.items()}
        return Evaluation(
            size=self.segments,
            references=references,
            metrics=metrics,
            systems=results_of(metrics, totals, self.segments, references),
        )
