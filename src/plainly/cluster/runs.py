"""The driver of a run in parts: plan, take up what is done, have the rest done, add up, put the parts together.

Every partition that is done leaves its parts and a checkpoint, each written whole. So a run that was killed goes on
where it was, and ends with the same bytes: exact sums do not depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from plainly import places
from plainly.cluster.blocks import Blocks
from plainly.cluster.engines import Engine
from plainly.cluster.jobs import Done, Job, built, checkpoint_path, measure_partition, part_path
from plainly.cluster.manifest import (
    check_fitting,
    fingerprint,
    read_manifest,
    statistics_manifest,
    write_manifest,
)
from plainly.cluster.partitions import Partition, Plan
from plainly.cluster.parts import arrow, write_table
from plainly.cluster.problems import Problems
from plainly.cluster.totals import Totals
from plainly.errors import PlainlyError
from plainly.metrics import Metric
from plainly.version import __version__

UNFINISHED = "unfinished"
Watch = Callable[[int, int | None, int], None]
"""Is told how many rows are done, of how many, and how many of them an earlier run had done."""
PARTS_OF_A_GROUP = 8
"""Parts that make up a row group of the file of all scores: who reads it need not read thousands of small ones."""


@dataclass
class Summary:
    """What came out of a whole run. The lists have one entry a metric."""

    blocks: Blocks
    rows: int = 0
    segments: int = 0
    restored: int = 0  # rows that an earlier run had done
    totals: dict[str, list[Totals]] = field(default_factory=dict)
    references: dict[str, set[int]] = field(default_factory=dict)
    documents: list[str | None] = field(default_factory=list)
    tokenised: dict[str, int] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    remarks: dict[str, list[str]] = field(default_factory=dict)
    parts: list[tuple[int, int, int]] = field(default_factory=list)  # number, segments, first segment
    _documents: dict[int, tuple[str | None, ...]] = field(default_factory=dict)
    _problems: dict[int, Problems] = field(default_factory=dict)

    def add(self, done: Done, first: int) -> None:
        """A partition, in whatever order they come; `first` is the number of its first segment."""
        self.rows += done.rows
        self.segments += done.segments
        for system, totals in done.totals.items():
            sums = self.totals.setdefault(system, [Totals(len(total.values())) for total in totals])
            for total, more in zip(sums, totals, strict=True):
                total.merge(more)
        for system, counts in done.references.items():
            self.references.setdefault(system, set()).update(counts)
        for system, count in done.tokenised.items():
            self.tokenised[system] = self.tokenised.get(system, 0) + count
        self.remarks |= done.remarks
        self.blocks.add(done.number, done.blocks)
        self._documents[done.number] = done.documents
        if done.problems:
            self._problems[done.number] = done.problems
        if done.segments:
            self.parts.append((done.number, done.segments, first))

    def settle(self) -> None:
        """All partitions are there: what has an order is put into it."""
        self.parts.sort()
        self.documents = [document for number in sorted(self._documents) for document in self._documents[number]]
        for number in sorted(self._problems):
            self.problems.merge(self._problems[number])
        if not self.segments:
            raise PlainlyError(f"nothing is left to score: {_in_words(self.problems)}")


class Run:
    """One run, and where its files are. `scores` is a file, or a folder if its name ends in a slash."""

    def __init__(self, plan: Plan, job: Job, scores: str | None = None, statistics: str | None = None) -> None:
        self._plan = plan
        self._scores = scores
        self._as_folder = scores is not None and scores.endswith("/")
        self._statistics = statistics
        self._work: str | None = None
        if scores is not None:
            self._work = places.join(scores, f"_{UNFINISHED}") if self._as_folder else f"{scores}.{UNFINISHED}"
        elif statistics is not None:
            self._work = places.join(statistics, f"_{UNFINISHED}")
        self._job = replace(
            job,
            scores=scores if self._as_folder or scores is None else self._work,
            statistics=statistics,
            checkpoints=self._work,
        )

    def prepare(self, resume: bool) -> None:
        """Make the folders; refuse to mix this run with another."""
        if self._work is None:
            if resume:
                raise PlainlyError("--resume goes with --per-segment -o FILE.parquet, or with --statistics FOLDER")
            return
        if resume and "-" in self._plan.files:
            raise PlainlyError("standard input (-) cannot be read a second time, so such a run cannot be resumed")
        wanted = fingerprint(self._job, self._plan)
        found = read_manifest(self._work)
        if found is not None:
            if not resume:
                raise PlainlyError(f"there is an unfinished run in {self._work}; say --resume, or delete it")
            check_fitting(self._work, found, wanted)
        for folder in (self._scores if self._as_folder else None, self._statistics):
            if found is None and folder is not None and _files(folder, ".parquet"):
                raise PlainlyError(f"{folder} has Parquet files already; delete them, or choose another folder")
        for folder in (self._scores if self._as_folder else None, self._statistics, self._work):
            if folder is not None:
                places.make_folder(folder)
        write_manifest(self._work, wanted)

    def measure(self, engine: Engine, watch: Watch | None = None) -> Summary:
        """Have all partitions done that are not, and add up."""
        summary = Summary(Blocks(self._job.block))
        for place, why, count in self._plan.problems:
            summary.problems.add(place, why, count)
        firsts: dict[int, int] = {}
        checkpoints = self._checkpoints()

        def take(done: Done) -> None:
            summary.add(done, firsts.pop(done.number))
            if watch:
                watch(summary.rows, self._plan.total, summary.restored)

        def left() -> Iterator[Partition]:
            for partition in self._plan.partitions():
                firsts[partition.number] = partition.first
                done = self._restored(partition.number, checkpoints)
                if done is None:
                    yield partition
                else:
                    summary.restored += done.rows
                    take(done)

        try:
            for done in engine.run(partial(measure_partition, self._job), left()):
                take(done)
        finally:
            for metric in built(self._job.metrics):
                metric.close()
        summary.settle()
        return summary

    def finish(self, summary: Summary) -> None:
        """Put the parts together, say what they are, and forget how they came about."""
        metrics = built(self._job.metrics)
        about = self._about(summary, metrics)
        systems = list(summary.totals)
        if self._scores is not None and self._as_folder:
            write_manifest(self._scores, about, "_manifest.json")
        elif self._scores is not None:
            write_table(self._scores, self._score_parts(summary), about)
        if self._statistics is not None:
            parts = [(number, segments * len(systems), first) for number, segments, first in summary.parts]
            manifest = statistics_manifest(
                self._job,
                summary.segments,
                systems,
                summary.references,
                summary.totals,
                parts,
                summary.problems.counts,
            )
            write_manifest(self._statistics, manifest)
        for folder in (self._scores if self._as_folder else None, self._statistics):
            if folder is not None:
                places.sweep(folder)  # a worker that was killed while it wrote
        if self._work is not None:
            places.remove(self._work)

    def _about(self, summary: Summary, metrics: Sequence[Metric]) -> dict[str, Any]:
        references = _range(summary.references)
        return {
            "plainly": __version__,
            "kind": "scores",
            "segments": summary.segments,
            "systems": list(summary.totals),
            "signatures": {metric.label: metric.signature(references, long=True) for metric in metrics},
            "problems": summary.problems.to_json(),
        }

    def _score_parts(self, summary: Summary) -> Iterator[Any]:
        pyarrow, parquet = arrow()
        numbers = [number for number, _, _ in summary.parts]
        for start in range(0, len(numbers), PARTS_OF_A_GROUP):
            tables = []
            for number in numbers[start : start + PARTS_OF_A_GROUP]:
                with places.open_binary(part_path(self._work or "", number)) as stream:
                    tables.append(parquet.read_table(stream, use_threads=False))
            yield pyarrow.concat_tables(tables).unify_dictionaries()

    def _checkpoints(self) -> set[str]:
        """The names of the files that say that a partition is done."""
        return set() if self._work is None else {PurePath(path).name for path in _files(self._work, ".json")}

    def _restored(self, number: int, checkpoints: set[str]) -> Done | None:
        """What an earlier run did, if all its files are there."""
        path = checkpoint_path(self._work or "", number)
        if PurePath(path).name not in checkpoints:
            return None
        with places.open_binary(path) as stream:
            try:
                done = Done.from_json(stream.read().decode())
            except (ValueError, KeyError, TypeError):  # cut off, where the machine went down
                return None
        folders = [folder for folder in (self._job.scores, self._job.statistics) if folder is not None]
        if done.segments and not all(places.exists(part_path(folder, number)) for folder in folders):
            return None
        return done


def _files(folder: str, suffix: str) -> list[str]:
    if not places.exists(folder):
        return []
    try:
        return places.listed(folder, suffix)
    except PlainlyError:  # none
        return []


def _range(references: dict[str, set[int]]) -> str:
    counts = set().union(*references.values())
    low, high = min(counts, default=0), max(counts, default=0)
    return str(low) if low == high else f"{low}-{high}"


def _in_words(problems: Problems) -> str:
    return "; ".join(f"{why} ({count})" for why, count in problems.counts.items()) or "there are no segments"
