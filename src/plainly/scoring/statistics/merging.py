"""Statistics folders put together, piece by piece: more segments, or more systems and metrics of the same segments.

As `plainly.scoring.evaluation` does it for evaluations in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.corpus.references import References
from plainly.metrics import Metric
from plainly.scoring.documents import document_keys
from plainly.scoring.evaluation import first_difference
from plainly.scoring.signatures import compare_signatures
from plainly.scoring.statistics.folder import FIELDS, Folder, Piece
from plainly.scoring.statistics.writing import FolderWriter


@dataclass(frozen=True)
class Merged:
    """What was put together, in words, and what whoever uses it should know."""

    words: str
    notes: tuple[Message, ...] = ()


def merge_folders(paths: Sequence[str], output: str) -> Merged:
    """Write one folder with all that the others have.

    Folders with the same systems and metrics have different segments, and are put one after the other. Folders with
    other systems or metrics must have the same segments, and are put side by side.
    """
    if len(paths) < 2:
        raise PlainlyError("there is nothing to put together: name two folders or more")
    for path in paths:
        if path.rstrip("/") == output.rstrip("/"):
            raise PlainlyError(f"{output} is one of the folders that are read; choose another")
    folders = [Folder(path) for path in paths]
    first = folders[0]
    for folder in folders[1:]:
        _check_settings(first, folder)
    if all(_cells(folder) == _cells(first) for folder in folders):
        return _one_after_the_other(folders, output)
    return _side_by_side(folders, output)


def _cells(folder: Folder) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(folder.systems), frozenset(folder.metrics)


def _check_settings(first: Folder, other: Folder) -> None:
    """Refuses metrics of one name that are not the same, in the words of `compare_signatures`."""
    where = f"{first.path} and {other.path} cannot be put together"
    if first.manifest.lang != other.manifest.lang:
        raise PlainlyError(f"{where}: the texts are in languages {first.manifest.lang} and {other.manifest.lang}")
    if first.manifest.version != other.manifest.version:
        raise PlainlyError(
            f"{where}: measured by plainly {first.manifest.version} and {other.manifest.version} "
            "(see 'Numbers changed' in the release notes)"
        )
    for label in first.metrics.keys() & other.metrics.keys():
        mine, its = first.metrics[label], other.metrics[label]
        if mine != its:
            raise PlainlyError(f"{where}: {label} has other settings: {_difference(mine, its)}")


def _difference(first: Metric, second: Metric) -> str:
    found = compare_signatures(first.signature(long=True), second.signature(long=True))
    return "; ".join(f"{one.field} {one.first} and {one.second} ({one.meaning})" for one in found) or "see manifests"


def _one_after_the_other(folders: Sequence[Folder], output: str) -> Merged:
    first = folders[0]
    fields = [name for name in FIELDS if all(name in folder.fields for folder in folders)]
    fields += dict.fromkeys(name for folder in folders for name in folder.manifest.columns)
    kinds: dict[str, str] = {}
    for folder in folders:
        for name, kind in folder.kinds.items():
            kinds[name] = kind if kinds.get(name, kind) == kind else "string"
    references = {
        system: References.widest([folder.manifest.references[system] for folder in folders])
        for system in first.systems
    }
    seen = _Seen()
    start = 0
    with FolderWriter(output, first.metrics, first.systems, fields, kinds, first.manifest.lang) as writer:
        for folder in folders:
            own = [name for name in fields if name in folder.fields]
            last = start
            for piece in folder.pieces(list(first.metrics), list(first.systems), own):
                seen.look(piece, folder)
                lacking = {name: [None] * len(piece) for name in fields if name not in own}
                writer.add(Piece(piece.segments + start, {**piece.fields, **lacking}, piece.statistics))
                last = start + int(piece.segments[-1]) + 1
            folder.check_totals(writer.sums())
            seen.remember(folder)
            start = last
        problems: dict[str, int] = {}
        for folder in folders:
            for reason, number in folder.manifest.problems.items():
                problems[reason] = problems.get(reason, 0) + number
        writer.finish(references, problems, first.manifest.version)
    count = sum(folder.manifest.segments for folder in folders)
    return Merged(f"{count:,} segments of {len(folders)} folders, one after the other")


class _Seen:
    """What folders had: segments that come again would count twice. They are known by ids or by all statistics."""

    def __init__(self) -> None:
        self._ids: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._own: list[NDArray[np.uint64]] = []
        self._digest = blake2b()
        self._digests: dict[bytes, str] = {}

    def look(self, piece: Piece, folder: Folder) -> None:
        """Refuses a segment that another folder had."""
        names = [name for name in piece.fields.get("id", ()) if name is not None]
        keys = document_keys(names)
        again = np.flatnonzero(np.isin(keys, self._ids))
        if len(again):
            name = names[again[0]]
            raise PlainlyError(f"{folder.path}: segment {name!r} is in another folder too: it would count twice")
        self._own.append(keys)
        for by_label in piece.statistics.values():
            for rows in by_label.values():
                self._digest.update(np.ascontiguousarray(rows).tobytes())

    def remember(self, folder: Folder) -> None:
        """The folder is at its end."""
        digest = self._digest.digest()
        if digest in self._digests:
            same = self._digests[digest]
            raise PlainlyError(f"{folder.path} has the same statistics as {same}: all segments would count twice")
        self._digests[digest] = folder.path
        self._ids = np.unique(np.concatenate([self._ids, *self._own]))
        self._own, self._digest = [], blake2b()


def _side_by_side(folders: Sequence[Folder], output: str) -> Merged:
    first = folders[0]
    metrics = {label: metric for folder in folders for label, metric in folder.metrics.items()}
    systems = list(dict.fromkeys(system for folder in folders for system in folder.systems))
    for folder in folders[1:]:
        if folder.manifest.segments != first.manifest.segments:
            raise PlainlyError(
                f"{first.path} and {folder.path} have different systems or metrics, so they must have the same "
                f"segments, but they have {first.manifest.segments:,} and {folder.manifest.segments:,}"
            )
    for system in systems:
        homes = [folder for folder in folders if system in folder.systems]
        missing = [label for label in metrics if not any(label in folder.metrics for folder in homes)]
        if missing:
            raise PlainlyError(f"{system} was not scored by {', '.join(missing)} in any of the folders")
    references: dict[str, References] = {}
    for folder in folders:
        for system, bounds in folder.manifest.references.items():
            if references.setdefault(system, bounds) != bounds:
                counts = f"{references[system]} and {bounds}"
                raise PlainlyError(f"{system} was scored against different numbers of references: {counts}")
    kinds = {name: kind for folder in reversed(folders) for name, kind in folder.kinds.items()}
    fields = [name for name in FIELDS if any(name in folder.fields for folder in folders)]
    fields += dict.fromkeys(name for folder in folders for name in folder.manifest.columns)
    with FolderWriter(output, metrics, systems, fields, kinds, first.manifest.lang) as writer:
        streams = [_Rows(folder) for folder in folders[1:]]
        proven: set[str] = set()
        for piece in first.pieces(fields=first.fields):
            pieces = [(first, piece), *((rows.folder, rows.take(len(piece))) for rows in streams)]
            writer.add(_joined(pieces, proven))
        sums = writer.sums()
        for folder in folders:
            folder.check_totals(
                {system: {label: sums[system][label] for label in folder.metrics} for system in folder.systems}
            )
        problems = dict(chain.from_iterable(folder.manifest.problems.items() for folder in reversed(folders)))
        writer.finish(references, problems, first.manifest.version)
    return Merged(
        f"{len(systems)} systems by {len(metrics)} metrics, from {len(folders)} folders of the same segments",
        tuple(
            message(
                "scoring.same-size-only",
                "only the number of segments says that {folder} has those of {first}: neither ids, documents, "
                "metadata nor a system of both could be compared",
                folder=folder.path,
                first=first.path,
            )
            for folder in folders[1:]
            if folder.path not in proven
        ),
    )


class _Rows:
    """The segments of a folder, as many at a time as asked for."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._pieces: Iterator[Piece] = folder.pieces(fields=folder.fields)
        self._held: Piece | None = None

    def take(self, count: int) -> Piece:
        """The next segments."""
        while self._held is None or len(self._held) < count:
            more = next(self._pieces)  # there are as many in all folders
            self._held = more if self._held is None else _appended(self._held, more)
        taken, self._held = _cut(self._held, 0, count), _cut(self._held, count, len(self._held))
        return taken


def _joined(pieces: Sequence[tuple[Folder, Piece]], proven: set[str]) -> Piece:
    """The same segments of all folders as one piece; what two folders both have must be the same.

    The paths of folders that have anything to compare are put into `proven`.
    """
    home, first = pieces[0]
    fields = {name: (home, column) for name, column in first.fields.items()}
    statistics = {system: dict(by_label) for system, by_label in first.statistics.items()}
    for folder, piece in pieces[1:]:
        where = f"{home.path} and {folder.path}"
        if (piece.segments != first.segments).any():
            raise PlainlyError(f"{where} do not have the same segments: their numbers differ")
        for name, column in piece.fields.items():
            owner, known = fields.setdefault(name, (folder, column))
            if owner is folder:
                continue
            i = first_difference(known, column)
            if i is not None:
                raise PlainlyError(
                    f"{owner.path} and {folder.path} do not have the same segments: the {name} of segment "
                    f"{first.segments[i]} is {known[i]!r:.60} and {column[i]!r:.60}"
                )
            if any(value is not None for value in column):
                proven.add(folder.path)
        for system, by_label in piece.statistics.items():
            rows_of = statistics.setdefault(system, {})
            for label, rows in by_label.items():
                if label in rows_of:
                    proven.add(folder.path)
                if not np.array_equal(rows_of.setdefault(label, rows), rows, equal_nan=True):
                    raise PlainlyError(f"{where} have different statistics of {system} by {label}")
    return Piece(first.segments, {name: column for name, (_, column) in fields.items()}, statistics)


def _appended(first: Piece, second: Piece) -> Piece:
    return Piece(
        np.concatenate([first.segments, second.segments]),
        {name: [*column, *second.fields[name]] for name, column in first.fields.items()},
        {
            system: {label: np.concatenate([rows, second.statistics[system][label]]) for label, rows in held.items()}
            for system, held in first.statistics.items()
        },
    )


def _cut(piece: Piece, start: int, stop: int) -> Piece:
    return Piece(
        piece.segments[start:stop],
        {name: column[start:stop] for name, column in piece.fields.items()},
        {
            system: {label: rows[start:stop] for label, rows in by_label.items()}
            for system, by_label in piece.statistics.items()
        },
    )
