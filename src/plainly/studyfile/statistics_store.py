"""Statistics that were measured before, kept by content: what was measured once is not measured again.

A row is found by what it depends on: the texts of its segment (source, references, output) and the metric with its
long signature, which names its settings, its version and those of its libraries. So it does not matter what files,
systems or test sets are called, nor in what order they come.

In the folder every metric has a folder of its own, and there every process that measured anything has one file. A
file begins with a line that says what it holds; then come blocks, each with its length and its checksum. A process
only appends to its own file, so two at once do not disturb each other. A block that is cut off or damaged, and what
stands behind it in its file, is not used: those rows are measured anew.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from inspect import getsourcefile
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import with_baselines
from plainly.corpus.references import References
from plainly.metrics import Array, Metric
from plainly.scoring.evaluator import Measured

KIND = "plainly: kept statistics, 1"
ENDING = ".rows"
BLOCK = struct.Struct("<4sII16s")  # a mark, rows, columns, the checksum of what follows
MARK = b"rows"
DIGEST = 16  # bytes
Digests = NDArray[np.uint64]
"""What rows depend on: (rows, 2)."""
_UNKNOWN = uuid4().hex
Done = Callable[[int], None]
"""Is told how many rows are there now, whether they were kept or measured."""


class StatisticsStore:
    """The statistics kept in a folder. Threads may use it at the same time, and so may other processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: dict[int, tuple[Metric, _RowsOfMetric]] = {}
        self._lock = Lock()
        self.measured = 0
        """Rows that were measured, not found."""

    def prepare(self) -> None:
        """Make the folder, or say before the work that it cannot be written to. Version control passes it over."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            note = self._folder / ".gitignore"
            if not note.exists():
                note.write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise PlainlyError(f"cannot keep statistics in {self._folder}: {error.strerror}") from error

    def measure_piece(
        self, piece: Corpus, metrics: Sequence[Metric], baselines: Sequence[str], done: Done | None = None
    ) -> Measured:
        """As `plainly.scoring.evaluator.measure_piece`, but what is kept is not measured."""
        statistics: dict[str, list[Array]] = {}
        references: dict[str, References] = {}
        for part in with_baselines(piece, baselines):
            digests = _digests(part)
            smaller: dict[tuple[str, ...], Corpus] = {}
            for system in part.outputs:
                statistics[system] = []
                references[system] = part.judged_by
            for metric in metrics:
                known = self._known(metric, digests)
                lacking = tuple(system for system in digests if system not in known)
                if done and known:
                    done(len(part) * len(known))
                if lacking:
                    if len(lacking) == len(part.outputs):
                        corpus = part
                    else:  # a metric may measure all outputs at once
                        outputs = {system: part.outputs[system] for system in lacking}
                        corpus = smaller.setdefault(lacking, part.with_outputs(outputs))
                    known |= self._measured(metric, corpus, {system: digests[system] for system in lacking})
                    if done:
                        done(len(part) * len(lacking))
                for system in part.outputs:
                    statistics[system].append(known[system])
            for corpus in (part, *smaller.values()):
                corpus.forget_prepared()  # the caller may keep the corpus, but not its n-gram tables
        return Measured(piece, statistics, references)

    def lacking(
        self, piece: Corpus, metrics: Sequence[Metric], baselines: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """The systems and baselines of a piece whose rows would have to be measured, each with the metric's label."""
        for part in with_baselines(piece, baselines):
            digests = _digests(part)
            for metric in metrics:
                known = self._known(metric, digests)
                yield from ((system, metric.label) for system in digests if system not in known)

    def close(self) -> None:
        for _, rows in self._rows.values():
            rows.close()

    def _known(self, metric: Metric, digests: Mapping[str, Digests]) -> dict[str, Array]:
        """The rows of the systems that are kept, each for all segments."""
        rows = self._of(metric)
        found = {system: rows.find(_marked(metric, own)) for system, own in digests.items()}
        return {system: own for system, own in found.items() if own is not None}

    def _measured(self, metric: Metric, corpus: Corpus, digests: Mapping[str, Digests]) -> dict[str, Array]:
        rows = {system: metric.measure(corpus, system) for system in digests}
        with self._lock:
            self.measured += len(corpus) * len(rows)
        if metric.failure is None and not metric.refusals:  # what it says of them would be lost
            self._of(metric).add(
                {system: _marked(metric, own) for system, own in digests.items()},
                {system: np.ascontiguousarray(own, dtype=np.float64) for system, own in rows.items()},
            )
        return rows

    def _of(self, metric: Metric) -> _RowsOfMetric:
        with self._lock:
            if id(metric) not in self._rows:
                identity = _identity(metric)
                name = re.sub(r"[^\w.-]+", "-", metric.label)[:60]
                folder = self._folder / f"{name}-{sha256(identity.encode()).hexdigest()[:16]}"
                self._rows[id(metric)] = metric, _RowsOfMetric(folder, identity, len(metric.columns))
            return self._rows[id(metric)][1]


class _RowsOfMetric:
    """The rows of one metric: those of its files, and those that this process adds."""

    def __init__(self, folder: Path, identity: str, columns: int) -> None:
        self._folder = folder
        self._head = json.dumps({"kind": KIND, "metric": identity}).encode() + b"\n"
        self._columns = columns
        self._new: dict[bytes, Array] = {}
        self._file: int | None = None
        self._lock = Lock()
        blocks = list(self._read())
        digests = np.concatenate([np.zeros((0, 2), np.uint64), *(own for own, _ in blocks)])
        self._order = np.argsort(digests[:, 0], kind="stable")
        self._digests = digests[self._order]
        self._rows = np.concatenate([np.zeros((0, columns)), *(rows for _, rows in blocks)])

    def find(self, digests: Digests) -> Array | None:
        """The rows, if all of them are there."""
        new = self._new.get(digests.tobytes())
        if new is not None or not len(digests):
            return new
        if not len(self._digests):
            return None
        places = np.searchsorted(self._digests[:, 0], digests[:, 0])
        places[places == len(self._digests)] = 0
        if (self._digests[places] != digests).any():
            return None
        found: Array = self._rows[self._order[places]]
        return found

    def add(self, digests: Mapping[str, Digests], rows: Mapping[str, Array]) -> None:
        """Keep rows of several systems: all of them, or none where the process ends before."""
        content = b"".join(
            [
                *(own.astype("<u8").tobytes() for own in digests.values()),
                *(rows[system].astype("<f8").tobytes() for system in digests),
            ]
        )
        count = sum(map(len, digests.values()))
        head = BLOCK.pack(MARK, count, self._columns, blake2b(content, digest_size=DIGEST).digest())
        with self._lock:
            for system, own in digests.items():
                self._new[own.tobytes()] = rows[system]
            try:
                self._write(head + content)
            except OSError as error:
                raise PlainlyError(f"cannot keep statistics in {self._folder}: {error.strerror}") from error

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _write(self, content: bytes) -> None:
        """At once to the system: what is written then outlives the process, whatever ends it."""
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{uuid4().hex}{ENDING}"
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            content = self._head + content
        left = memoryview(content)
        while left:
            left = left[os.write(self._file, left) :]

    def _read(self) -> Iterator[tuple[Digests, Array]]:
        try:
            paths = sorted(self._folder.glob(f"*{ENDING}"))
        except OSError:
            return
        for path in paths:
            try:
                content = path.read_bytes()
            except OSError:
                continue
            if content.startswith(self._head):
                yield from self._blocks(memoryview(content)[len(self._head) :])

    def _blocks(self, content: memoryview) -> Iterator[tuple[Digests, Array]]:
        while len(content) >= BLOCK.size:
            mark, count, columns, checksum = BLOCK.unpack(content[: BLOCK.size])
            split = BLOCK.size + count * DIGEST
            end = split + count * columns * 8
            held = content[BLOCK.size : end]
            if mark != MARK or columns != self._columns or len(content) < end:
                return
            if blake2b(held, digest_size=DIGEST).digest() != checksum:
                return
            digests = np.frombuffer(content[BLOCK.size : split], "<u8").astype(np.uint64).reshape(count, 2)
            yield digests, np.frombuffer(content[split:end], "<f8").astype(np.float64).reshape(count, columns)
            content = content[end:]


def _digests(corpus: Corpus) -> dict[str, Digests]:
    """Of every system: one digest a segment, of all texts that its row can depend on."""
    beside = [
        json.dumps([corpus.lang, source, list(group)])
        for source, group in zip(corpus.sources, corpus.references, strict=True)
    ]
    return {
        system: _as_numbers(_digest(f"{one}{json.dumps(text)}") for one, text in zip(beside, texts, strict=True))
        for system, texts in corpus.outputs.items()
    }


def _marked(metric: Metric, digests: Digests) -> Digests:
    """The digests for this metric: where a row depends on those around it, they say which these are."""
    if not metric.reads_all_outputs_as_one:
        return digests
    around = digests.tobytes()
    return _as_numbers(_digest(number, around) for number in range(len(digests)))


def _digest(*parts: Any) -> bytes:
    found = blake2b(digest_size=DIGEST)
    for part in parts:
        found.update(part if isinstance(part, bytes) else str(part).encode())
    return found.digest()


def _as_numbers(digests: Iterator[bytes]) -> Digests:
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(-1, 2)


def _identity(metric: Metric) -> str:
    """All that a metric's rows depend on beside the texts. One of another package says in its code what it does."""
    kind = type(metric)
    code = ""
    if kind.__module__.partition(".")[0] != "plainly":
        try:
            code = sha256(Path(getsourcefile(kind) or "").read_bytes()).hexdigest()
        except (OSError, TypeError):
            code = _UNKNOWN  # it is measured each time
    facts = [kind.__module__, kind.__qualname__, metric.signature(long=True), list(metric.columns), code]
    return json.dumps(facts)
