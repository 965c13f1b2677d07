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
from uuid import uuid4

from plainly.base import places
from plainly.base.errors import PlainlyError, Remedy
from plainly.base.version import __version__
from plainly.corpus.readers.files import STDIN
from plainly.corpus.references import References
from plainly.corpus.text_checks import TextChecks
from plainly.metrics import Metric
from plainly.scoring.blocks import Blocks
from plainly.scoring.engines import Engine
from plainly.scoring.evaluator import RunTotals
from plainly.scoring.jobs import (
    Done,
    Job,
    built,
    checkpoint_path,
    group_path,
    join_parts,
    mark_of,
    measure_partition,
    part_name,
    part_path,
)
from plainly.scoring.manifest import (
    check_fitting,
    digest,
    fingerprint,
    read_manifest,
    run_of,
    write_manifest,
)
from plainly.scoring.partitions import Partition, Plan
from plainly.scoring.parts import rows_of, write_one_after_the_other, write_stitched
from plainly.scoring.problems import Problems
from plainly.scoring.statistics.manifest import manifest_of

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
    sums: RunTotals = field(default_factory=RunTotals)
    restored: int = 0  # rows that an earlier run had done
    documents: list[str | None] = field(default_factory=list)
    checks: TextChecks = field(default_factory=TextChecks)
    problems: Problems = field(default_factory=Problems)
    refusals: dict[str, tuple[int, str]] = field(default_factory=dict)
    parts: list[tuple[int, int, int]] = field(default_factory=list)  # number, segments, first segment
    _documents: dict[int, tuple[str | None, ...]] = field(default_factory=dict)
    _checks: dict[int, TextChecks] = field(default_factory=dict)
    _problems: dict[int, Problems] = field(default_factory=dict)
    _refusals: dict[int, dict[str, tuple[int, str]]] = field(default_factory=dict)

    def add(self, done: Done, first: int) -> None:
        """A partition, in whatever order they come; `first` is the number of its first segment."""
        self.rows += done.rows
        self.sums.merge(done.sums)
        self.blocks.add(done.number, done.blocks, done.by_document)
        self._documents[done.number] = done.documents
        self._checks[done.number] = done.checks
        if done.refusals:
            self._refusals[done.number] = done.refusals
        if done.problems:
            self._problems[done.number] = done.problems
        if done.sums.segments:
            self.parts.append((done.number, done.sums.segments, first))

    def settle(self) -> None:
        """All partitions are there: what has an order is put into it."""
        self.parts.sort()
        self.documents = [document for number in sorted(self._documents) for document in self._documents[number]]
        for number in sorted(self._checks):
            self.checks.merge(self._checks[number])
        for number in sorted(self._problems):
            self.problems.merge(self._problems[number])
        for number in sorted(self._refusals):
            for label, (count, first) in self._refusals[number].items():
                before, known = self.refusals.get(label, (0, first))
                self.refusals[label] = before + count, known
        if not self.sums.segments:
            raise PlainlyError(f"nothing is left to score: {_in_words(self.problems)}")


class Run:
    """One run, and where its files are. `scores` is a file, or a folder if its name ends in a slash."""

    def __init__(self, plan: Plan, job: Job, scores: str | None = None, statistics: str | None = None) -> None:
        self._plan = plan
        self._scores = scores
        self._as_folder = scores is not None and scores.endswith("/")
        self._statistics = statistics
        self._job = replace(job, scores=scores, statistics=statistics)
        self._folders = [folder for folder in (scores if self._as_folder else None, statistics) if folder is not None]
        """Folders that are there in the end. Until then, their parts are below them in a folder of the run's own."""
        self._work: str | None = None
        if scores is not None and not self._as_folder:
            self._work = places.beside(scores, f"_{{}}.{UNFINISHED}")
        elif self._folders:
            self._work = places.join(self._folders[0], f"_{UNFINISHED}")

    @property
    def resumable(self) -> bool:
        """Whether the run can be taken up again if it is broken off."""
        return self._work is not None and STDIN not in self._plan.files

    def prepare(self, resume: bool) -> None:
        """Make the folders; refuse to mix this run with another."""
        if self._work is None:
            if resume:
                raise PlainlyError("only a run with Parquet files of its scores, or with statistics, can be resumed")
            return
        if resume and STDIN in self._plan.files:
            raise PlainlyError("standard input (-) cannot be read a second time, so such a run cannot be resumed")
        if len({places.absolute(folder.rstrip("/")) for folder in self._folders}) < len(self._folders):
            raise PlainlyError(f"scores and statistics cannot both go to {self._statistics}; choose another folder")
        wanted = fingerprint(self._job, self._plan)
        found = read_manifest(self._work)
        if found is not None and not resume:
            raise PlainlyError(
                f"there is an unfinished run in {self._work}",
                remedy=Remedy("resume", True, "to go on with it, or delete it"),
            )
        if found is not None:
            check_fitting(self._work, found, wanted)
            run = run_of(self._work, found)
        else:
            for folder in self._folders:
                if _files(folder, ".parquet"):
                    raise PlainlyError(f"{folder} has Parquet files already; delete them, or choose another folder")
            for folder in self._unfinished():  # what a run left that was killed while it deleted this
                places.remove(folder)
            run = uuid4().hex
        # Workers of a run that was killed may still be at work. A folder of its own keeps them out of this one's.
        mine = places.join(self._work, run)
        self._job = replace(
            self._job,
            scores=mine if self._scores is not None else None,
            statistics=self._statistics and places.join(self._statistics, f"_{UNFINISHED}", run),
            checkpoints=mine,
            fingerprint=digest(wanted),
        )
        for path in (*self._folders, mine, self._job.statistics):
            if path is not None:
                places.make_folder(path)
        write_manifest(self._work, {**wanted, "run": run})

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
                done = self._restored(partition, checkpoints)
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
        if not summary.sums.segments:  # there is nothing to resume
            for folder in self._unfinished():
                places.remove(folder)
            for folder in self._folders:
                places.remove_if_empty(folder)
        summary.settle()
        for _ in engine.run(partial(join_parts, self._job), self._groups(summary)):
            pass
        return summary

    def finish(self, summary: Summary) -> None:
        """Put the parts together, say what they are, and forget how they came about."""
        metrics = built(self._job.metrics)
        about = self._about(summary, metrics)
        systems = list(summary.sums.totals)
        names = [part_name(number) for number, _, _ in summary.parts]
        if self._scores is not None and self._as_folder:
            places.move(self._job.scores or "", self._scores, names)
            write_manifest(self._scores, about, "_manifest.json")
        elif self._scores is not None and self._job.form != "parquet":
            parts = [part_path(self._job.scores or "", number, self._job.form) for number, _, _ in summary.parts]
            write_one_after_the_other(self._scores, parts, self._job.form, metrics)
        elif self._scores is not None:
            groups = [group_path(self._job.scores or "", numbers) for numbers in self._groups(summary)]
            write_stitched(self._scores, groups, about)
        if self._statistics is not None:
            places.move(self._job.statistics or "", self._statistics, names)
            found = [(number, segments * len(systems), first) for number, segments, first in summary.parts]
            manifest = manifest_of(self._job, summary.sums, found, summary.problems.counts)
            write_manifest(self._statistics, manifest)
        for folder in self._folders:
            places.sweep(folder)  # a driver that was killed while it wrote
        for folder in self._unfinished():
            places.remove(folder)

    def _unfinished(self) -> set[str]:
        """Folders that are there only until the run is done."""
        below = {places.join(folder, f"_{UNFINISHED}") for folder in self._folders}
        return below if self._work is None else below | {self._work}

    def _about(self, summary: Summary, metrics: Sequence[Metric]) -> dict[str, Any]:
        references = References.widest(summary.sums.references.values())
        return {
            "plainly": __version__,
            "kind": "scores",
            "segments": summary.sums.segments,
            "systems": list(summary.sums.totals),
            "signatures": {metric.label: metric.signature(references, long=True) for metric in metrics},
            "problems": summary.problems.to_json(),
        }

    def _groups(self, summary: Summary) -> list[tuple[int, ...]]:
        """The parts of each row group of the file of all scores; none where there is no such file."""
        if self._scores is None or self._as_folder or self._job.form != "parquet":
            return []
        numbers = [number for number, _, _ in summary.parts]
        return [
            tuple(numbers[start : start + PARTS_OF_A_GROUP]) for start in range(0, len(numbers), PARTS_OF_A_GROUP)
        ]

    def _checkpoints(self) -> set[str]:
        """The names of the files that say that a partition is done."""
        folder = self._job.checkpoints
        return set() if folder is None else {PurePath(path).name for path in _files(folder, ".json")}

    def _restored(self, partition: Partition, checkpoints: set[str]) -> Done | None:
        """What was done of this partition before this run was broken off, if all its files are there and whole."""
        path = checkpoint_path(self._job.checkpoints or "", partition.number)
        if PurePath(path).name not in checkpoints:
            return None
        with places.open_binary(path) as stream:
            try:
                done = Done.from_json(stream.read().decode())
            except (ValueError, KeyError, TypeError, AttributeError, PlainlyError):  # damaged: the machine went down
                return None
        if done.mark != mark_of(self._job, partition):
            return None
        rows = done.sums.segments * len(done.sums.totals)
        kinds = ((self._job.scores, self._job.form), (self._job.statistics, "parquet"))
        files = [part_path(folder, partition.number, form) for folder, form in kinds if folder is not None]
        if rows and not all(rows_of(file) == rows for file in files):
            return None
        return done


def _files(folder: str, suffix: str) -> list[str]:
    if not places.exists(folder):
        return []
    try:
        return places.listed(folder, suffix)
    except PlainlyError:  # none
        return []


def _in_words(problems: Problems) -> str:
    return "; ".join(f"{why} ({count})" for why, count in problems.counts.items()) or "there are no segments"
