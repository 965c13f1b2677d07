"""The work on one partition, wherever it is done: read, measure, write the parts, and say what came out."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base import places
from plainly.base.errors import BadInput, PlainlyError
from plainly.base.exact_sums import Totals
from plainly.corpus import Corpus
from plainly.corpus.readers.jsonl import read_lines
from plainly.corpus.readers.parquet import read_rows
from plainly.corpus.readers.records import LeaveOut, Rules
from plainly.corpus.references import References
from plainly.corpus.text_checks import TextChecks
from plainly.metrics import Array, Metric, get
from plainly.scoring.blocks import block_sums
from plainly.scoring.documents import DocumentSums, document_sums
from plainly.scoring.evaluator import PIECE, RunTotals, measure_piece
from plainly.scoring.partitions import Partition
from plainly.scoring.parts import Kept, write_joined, write_scores, write_statistics
from plainly.scoring.problems import Problems
from plainly.scoring.segment_rows import ENDINGS

Spec = tuple[str, tuple[tuple[str, Any], ...]]
"""A metric by its name and settings."""
NO_SOURCE = "no source, which a metric here needs"


@dataclass(frozen=True)
class Job:
    """All that a worker must know, but for the partition: the same for all of them."""

    metrics: tuple[Spec, ...]
    rules: Rules
    systems: tuple[str, ...]
    baselines: tuple[str, ...] = ()
    has_ids: bool = False
    has_documents: bool = False
    metadata: tuple[tuple[str, str], ...] = ()  # what is kept beside statistics: the name and its kind
    on_error: str = "stop"
    block: int = 1
    scores: str | None = None  # the folder for the parts of the scores
    form: str = "parquet"  # of the scores: one of SEGMENTS
    statistics: str | None = None  # the folder for the parts of the statistics
    checkpoints: str | None = None  # the folder for what is done
    fingerprint: str = ""  # of the run: see `plainly.scoring.manifest`


@dataclass(frozen=True)
class Done:
    """What came out of a partition. The lists have one entry a metric."""

    number: int
    mark: str  # of the run and the partition: see `mark_of`
    rows: int
    sums: RunTotals  # of the segments: the rows without those that were left out
    blocks: dict[str, list[Array]]
    documents: tuple[str | None, ...] = ()  # of each segment, where blocks have one segment
    by_document: DocumentSums | None = None  # where blocks have more, and all segments have a document
    checks: TextChecks = field(default_factory=TextChecks)
    problems: Problems = field(default_factory=Problems)
    refusals: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By the label of a metric: texts that it could not score, and why the first."""

    def to_json(self) -> str:
        """As a checkpoint holds it: nothing is rounded."""
        sums = self.by_document
        return json.dumps(
            {
                "number": self.number,
                "mark": self.mark,
                "rows": self.rows,
                "segments": self.sums.segments,
                "totals": {system: [t.to_json() for t in totals] for system, totals in self.sums.totals.items()},
                "references": {system: found.to_json() for system, found in self.sums.references.items()},
                "blocks": _all_packed(self.blocks),
                "documents": list(self.documents),
                "by_document": sums and [sums.bits, sums.keys.tolist(), _all_packed(sums.sums)],
                "checks": asdict(self.checks),
                "problems": self.problems.to_json(),
                "refusals": self.refusals,
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Done:
        """What `to_json` wrote."""
        data = json.loads(text)
        by_document = None
        if data["by_document"] is not None:
            bits, keys, sums = data["by_document"]
            by_document = DocumentSums(bits, np.array(keys, dtype=np.uint64), _all_unpacked(sums))
        return cls(
            data["number"],
            data["mark"],
            data["rows"],
            RunTotals(
                data["segments"],
                {system: [Totals.from_json(t) for t in totals] for system, totals in data["totals"].items()},
                {system: References(*found) for system, found in data["references"].items()},
            ),
            _all_unpacked(data["blocks"]),
            tuple(data["documents"]),
            by_document,
            TextChecks.from_dict(data["checks"]),
            Problems.from_json(data["problems"]),
            {label: (int(count), str(first)) for label, (count, first) in data["refusals"].items()},
        )


def spec(metric: Metric) -> Spec:
    """The name and the settings from which any process can build the metric."""
    return metric.name, tuple(asdict(metric).items())


@lru_cache(maxsize=4)
def built(metrics: tuple[Spec, ...]) -> tuple[Metric, ...]:
    """The metrics, once a process: a model that one of them holds is loaded once."""
    return tuple(get(name, **dict(settings)) for name, settings in metrics)


def measure_partition(job: Job, partition: Partition) -> Done:
    """Do one partition. Done twice, it writes the same files."""
    metrics = built(job.metrics)
    before = [len(metric.refusals) for metric in metrics]  # of other partitions that this process has done
    problems = Problems()
    kept = _measured(job, partition, metrics, problems)
    for metric in metrics:
        if metric.failure is not None:
            raise PlainlyError(f"{metric.label} failed: {metric.failure}")
    if job.scores is not None and kept.segments:
        write_scores(part_path(job.scores, partition.number, job.form), kept, metrics, job)
    if job.statistics is not None and kept.segments:
        write_statistics(part_path(job.statistics, partition.number), kept, metrics, job)
    sums = RunTotals()
    sums.add(len(kept.segments), kept.statistics, kept.references)
    done = Done(
        number=partition.number,
        mark=mark_of(job, partition),
        rows=len(partition),
        sums=sums,
        blocks={
            system: [block_sums(rows, job.block) for rows in statistics]
            for system, statistics in kept.statistics.items()
        },
        documents=tuple(kept.documents) if job.block == 1 and job.has_documents else (),
        by_document=document_sums(kept.documents, kept.statistics) if job.block > 1 and job.has_documents else None,
        checks=kept.checks,
        problems=problems,
        refusals={
            metric.label: (len(metric.refusals) - count, metric.refusals[count])
            for metric, count in zip(metrics, before, strict=True)
            if len(metric.refusals) > count
        },
    )
    if job.checkpoints is not None:
        places.write_whole(checkpoint_path(job.checkpoints, partition.number), as_json_bytes(done.to_json()))
    return done


def join_parts(job: Job, numbers: tuple[int, ...]) -> None:
    """Put the scores of these parts into one file, whose rows stand together. Done twice, it writes the same file."""
    folder = job.scores or ""
    write_joined(group_path(folder, numbers), [part_path(folder, number) for number in numbers])


def mark_of(job: Job, partition: Partition) -> str:
    """What is done bears the mark of its run and its rows, so that it is not taken for something else."""
    facts = [job.fingerprint, partition.path, partition.first, partition.start, partition.stop]
    return blake2b(json.dumps(facts).encode(), digest_size=16).hexdigest()


def as_json_bytes(text: str) -> bytes:
    """JSON as UTF-8. Half a character has no UTF-8, but JSON has an escape for it."""
    return text.encode("utf-8", "backslashreplace")


def part_path(folder: str, number: int, form: str = "parquet") -> str:
    """The file of a part."""
    return places.join(folder, part_name(number, form))


def group_path(folder: str, numbers: tuple[int, ...]) -> str:
    """The file of parts that were put together."""
    return places.join(folder, f"group-{numbers[0]:05}.parquet")


def part_name(number: int, form: str = "parquet") -> str:
    """The name of the file of a part."""
    return f"part-{number:05}.{ENDINGS[form]}"


def checkpoint_path(folder: str, number: int) -> str:
    """The file that says that a partition is done."""
    return places.join(folder, f"done-{number:05}.json")


def _measured(job: Job, partition: Partition, metrics: tuple[Metric, ...], problems: Problems) -> Kept:
    """The statistics of the segments that are not left out."""
    kept = Kept(checks=TextChecks(before=partition.first))
    first = partition.first
    refused: set[int] = set()

    def leave_out(row: int, place: str, why: str) -> None:
        refused.add(row)
        problems.add(place, why)

    for chunk in _chunks(job, partition, leave_out):
        start = partition.start + first - partition.first
        good = _good(job, partition, chunk, start, metrics, refused, leave_out)
        corpus = chunk if good.all() else _chosen(chunk, good)
        for piece in corpus.chunks(PIECE):
            kept.add(piece, measure_piece(piece, metrics, job.baselines))
        kept.segments.extend((first + np.flatnonzero(good)).tolist())
        first += len(chunk)
    kept.join()
    return kept


def _chunks(job: Job, partition: Partition, leave_out: LeaveOut) -> Iterator[Corpus]:
    if partition.corpus is not None:
        for one in partition.refused:
            leave_out(*one)
        yield from partition.corpus.chunks(PIECE)
        return
    path, start, facts = partition.path, partition.start, partition.facts
    records = (job.rules, job.systems, job.has_ids, None if job.on_error == "stop" else leave_out)
    if partition.span is not None:
        yield from read_lines(path, partition.span, start, *records, unchanged=facts)
    else:
        yield from read_rows(path, start, partition.stop, *records, metadata=bool(job.metadata), unchanged=facts)


def _good(
    job: Job,
    partition: Partition,
    chunk: Corpus,
    start: int,
    metrics: tuple[Metric, ...],
    refused: Collection[int],
    leave_out: LeaveOut,
) -> NDArray[np.bool_]:
    """Which segments are scored: not those that the reader left out, nor those without a source that is needed."""
    good = np.ones(len(chunk), dtype=bool)
    needed = any("source" in metric.facts.needs for metric in metrics)
    missing = needed and None in chunk.sources
    for i in range(len(chunk)) if missing or refused else ():
        if start + i in refused:
            good[i] = False
        elif missing and chunk.sources[i] is None:
            good[i] = False
            place = partition.place(start + i)
            if job.on_error == "stop":
                raise BadInput(f"{place}: {NO_SOURCE}")
            leave_out(start + i, place, NO_SOURCE)
    return good


def _chosen(corpus: Corpus, good: NDArray[np.bool_]) -> Corpus:
    numbers = np.flatnonzero(good).tolist()

    def some(column: Any) -> Any:
        return None if column is None else [column[i] for i in numbers]

    return Corpus(
        some(corpus.sources),
        some(corpus.references),
        {system: some(texts) for system, texts in corpus.outputs.items()},
        some(corpus.ids),
        some(corpus.documents),
        some(corpus.metadata),
        corpus.lang,
    )


def _all_packed(tables: dict[str, list[Array]]) -> dict[str, list[Any]]:
    return {system: [_packed(rows) for rows in by_metric] for system, by_metric in tables.items()}


def _all_unpacked(tables: dict[str, list[Any]]) -> dict[str, list[Array]]:
    return {system: [_unpacked(*rows) for rows in by_metric] for system, by_metric in tables.items()}


def _packed(rows: Array) -> list[Any]:
    return [*rows.shape, b64encode(np.ascontiguousarray(rows, dtype="<f8").tobytes()).decode()]


def _unpacked(count: int, columns: int, data: str) -> Array:
    return np.frombuffer(b64decode(data), dtype="<f8").astype(np.float64).reshape(count, columns)
