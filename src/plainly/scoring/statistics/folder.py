"""A statistics folder, opened and checked: one piece a part, each with the rows of all systems side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base import places
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.exact_sums import Totals
from plainly.base.messages import Message, message
from plainly.base.records import arrow
from plainly.base.version import __version__
from plainly.metrics import Array, Metric
from plainly.scoring.documents import document_keys
from plainly.scoring.results import Result, results_of
from plainly.scoring.statistics.manifest import Manifest, Part, read_manifest

Column = Sequence[Any]
Sums = Mapping[str, Mapping[str, Totals]]
"""Exact sums by system and metric."""
FIELDS = ("document", "id")
MARK = "@"  # metadata are columns of this and their name
MOST_CELLS = 1 << 28  # numbers of a part in memory: 2 GB


@dataclass(frozen=True)
class Piece:
    """The segments of one part. `statistics[system][label]` and each of the `fields` have one row a segment."""

    segments: NDArray[np.int64]
    fields: Mapping[str, Column]
    statistics: Mapping[str, Mapping[str, Array]]

    def __len__(self) -> int:
        return len(self.segments)

    def chosen(self, which: NDArray[np.bool_]) -> Piece:
        """Some of the segments."""
        if which.all():
            return self
        numbers = np.flatnonzero(which).tolist()
        return Piece(
            self.segments[which],
            {name: [column[i] for i in numbers] for name, column in self.fields.items()},
            {
                system: {label: rows[which] for label, rows in by_label.items()}
                for system, by_label in self.statistics.items()
            },
        )


class Folder:
    """A statistics folder. Opening it reads the manifest and looks at every part, but reads no statistics.

    `metrics` says which of them count, all by default.
    """

    def __init__(self, path: str, metrics: Sequence[str] | None = None) -> None:
        self.path = path
        self.manifest: Manifest = read_manifest(path)
        for label in metrics or ():
            if label not in self.manifest.metrics:
                raise UnknownName(f"metric of {path}", label, self.manifest.metrics)
        self.metrics: Mapping[str, Metric] = {
            label: self.manifest.metrics[label] for label in metrics or self.manifest.metrics
        }
        self.kinds: dict[str, str] = {}
        """How metadata are stored, by their names: string, int64, uint64, double, bool."""
        self.fields = self._fields([names for part in self.manifest.parts if (names := self._checked(part))])

    @property
    def systems(self) -> tuple[str, ...]:
        return self.manifest.systems

    @property
    def notes(self) -> list[Message]:
        """What whoever reads numbers of this folder should know."""
        manifest = self.manifest
        notes = [
            message(
                "scoring.were-left-out",
                "{count:,} segments were left out of {folder} when it was scored: {why}",
                count=number,
                folder=self.path,
                why=reason,
            )
            for reason, number in manifest.problems.items()
        ]
        if manifest.version != __version__:
            notes.append(
                message(
                    "scoring.other-version",
                    "{folder} was measured by plainly {version}, this is {this}: "
                    "see 'Numbers changed' in the release notes",
                    folder=self.path,
                    version=manifest.version,
                    this=__version__,
                )
            )
        return notes

    def values(self, name: str, most: int) -> set[Any]:
        """The different values of a field; if there are more than `most`, some of them."""
        found: set[Any] = set()
        for piece in self.pieces([], self.systems[:1], [name]):
            found.update(piece.fields[name])
            if len(found) > most:
                break
        return found

    def pieces(
        self,
        metrics: Sequence[str] | None = None,
        systems: Sequence[str] | None = None,
        fields: Sequence[str] = (),
    ) -> Iterator[Piece]:
        """The parts one after the other, with these metrics (all by default), systems (all) and fields."""
        labels = list(self.metrics if metrics is None else metrics)
        wanted = list(self.systems if systems is None else systems)
        for name in fields:
            self.check_field(name)
        last = -1
        for part in self.manifest.parts:
            if not part.rows:
                continue
            piece = self._piece(part, labels, wanted, fields)
            if piece.segments[0] < part.first or piece.segments[0] <= last:
                raise PlainlyError(f"{self._at(part)} has segments that belong before it, by the manifest")
            last = int(piece.segments[-1])
            yield piece

    def results(self, sums: Sums, segments: int) -> dict[str, dict[str, Result]]:
        """The scores of sums of so many segments, signed with the version that measured."""
        return results_of(self.metrics, sums, segments, self.manifest.references, self.manifest.version)

    def check_totals(self, sums: Sums) -> None:
        """Refuses sums of all segments, of some systems and metrics, that are not those which were measured."""
        for system, by_label in sums.items():
            for label, totals in by_label.items():
                known = self.manifest.totals.get(system, {}).get(label)
                if known is not None and known != tuple(totals.to_json()):
                    raise PlainlyError(
                        f"{self.path} is damaged: {system} by {label} does not add up to what its manifest says"
                    )

    def check_field(self, name: str) -> None:
        """An error, unless segments have that field."""
        if name not in self.fields:
            if not self.fields:
                raise PlainlyError(f"{self.path} has no column {name!r}: neither documents, ids nor metadata")
            raise UnknownName(f"column of {self.path}", name, self.fields)

    @cached_property
    def documents(self) -> NDArray[np.uint64] | None:
        """The keys of all documents, sorted; None where a segment has no document: then segments are drawn."""
        if "document" not in self.fields:
            return None
        known: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        for piece in self.pieces([], self.systems[:1], ["document"]):
            names = piece.fields["document"]
            if None in names:
                return None
            known = np.union1d(known, document_keys(names))
        return known

    # ---- parts

    def _at(self, part: Part) -> str:
        return places.join(self.path, part.file)

    def _checked(self, part: Part) -> frozenset[str]:
        """The names of the columns of a part that is as the manifest says."""
        path = self._at(part)
        if not places.exists(path):
            raise PlainlyError(f"{path} is missing: the manifest of {self.path} names it")
        with _parquet(path) as file:
            rows, schema = file.metadata.num_rows, file.schema_arrow
        names: list[str] = schema.names
        if len(set(names)) != len(names):
            raise PlainlyError(f"{path} has two columns of one name")
        if rows != part.rows:
            raise PlainlyError(f"{path} has {rows:,} rows, but the manifest says {part.rows:,}")
        if not rows:  # all that belongs here was left out; its columns do not matter
            return frozenset()
        for label, metric in self.manifest.metrics.items():
            for column in metric.columns:
                if f"{label}/{column}" not in names:
                    raise PlainlyError(f"{path} has no column '{label}/{column}'")
        for name in ("segment", "system", *(MARK + column for column in self.manifest.columns)):
            if name not in names:
                raise PlainlyError(f"{path} has no column {name!r}")
        for name in names:
            kind = schema.field(name).type
            _check_type(path, name, kind)
            if name.startswith(MARK):
                known = self.kinds.setdefault(name.removeprefix(MARK), _kind(kind))
                if known != _kind(kind):  # texts can hold everything
                    self.kinds[name.removeprefix(MARK)] = "string"
        return frozenset(names)

    def _fields(self, files: Sequence[frozenset[str]]) -> tuple[str, ...]:
        """What segments can be told apart by."""
        for name in self.manifest.columns:
            if name in (*FIELDS, "system", "segment"):
                raise PlainlyError(f"{self.path}: metadata cannot be called {name!r}")
        return (*(name for name in FIELDS if all(name in names for names in files)), *self.manifest.columns)

    def _piece(self, part: Part, labels: Sequence[str], systems: Sequence[str], fields: Sequence[str]) -> Piece:
        path = self._at(part)
        stored = {name: name if name in FIELDS else MARK + name for name in fields}
        numeric = {
            label: [f"{label}/{column}" for column in self.manifest.metrics[label].columns] for label in labels
        }
        columns = ["segment", "system", *stored.values(), *(name for names in numeric.values() for name in names)]
        if part.rows * len(columns) > MOST_CELLS:
            raise PlainlyError(f"{path} is too large to be read: {part.rows:,} rows of {len(columns)} columns")
        with _parquet(path) as file:
            table = file.read(columns=columns)
        for name in ("segment", "system", *(name for names in numeric.values() for name in names)):
            if table.column(name).null_count:
                raise PlainlyError(f"{path}: the column {name!r} has holes")
        tables = {
            label: np.column_stack([table.column(name).to_numpy() for name in names]).astype(np.float64, copy=False)
            for label, names in numeric.items()
        }
        for label, rows in tables.items():
            if not np.isin(rows[:, 0], (0.0, 1.0)).all():
                raise PlainlyError(f"{path}: the column '{label}/segments' has more than 0 and 1")
        segments = table.column("segment").to_numpy()
        places_of = _rows_of(path, table.column("system"), segments, self.systems)
        first = next(iter(places_of.values()))
        return Piece(
            segments[first],
            {name: table.column(column).take(first).to_pylist() for name, column in stored.items()},
            {system: {label: rows[places_of[system]] for label, rows in tables.items()} for system in systems},
        )


def _rows_of(
    path: str, column: Any, segments: NDArray[np.int64], systems: Sequence[str]
) -> dict[str, NDArray[np.int64]]:
    """Where the rows of each system are, in the order of their segments, which must be the same of all."""
    import pyarrow.compute

    codes = pyarrow.compute.index_in(column.cast(pyarrow.string()), value_set=pyarrow.array(systems))
    if codes.null_count:
        raise PlainlyError(f"{path} has rows of a system that the manifest does not name")
    numbers = codes.to_numpy()
    order = np.lexsort([segments, numbers])
    each = len(order) // len(systems)
    found = {system: order[i * each : (i + 1) * each] for i, system in enumerate(systems)}
    first = segments[order[:each]]
    if each and (np.diff(first) <= 0).any():
        raise PlainlyError(f"{path} has a segment twice")
    for i, (system, rows) in enumerate(found.items()):
        if len(order) % len(systems) or (numbers[rows] != i).any() or (segments[rows] != first).any():
            raise PlainlyError(f"{path} has not the same segments of {systems[0]!r} and of {system!r}")
    return found


def _check_type(path: str, name: str, kind: Any) -> None:
    import pyarrow

    if name == "segment":
        right = pyarrow.types.is_int64(kind)
    elif name in ("id", "document", "system"):
        right = _is_text(kind)
    elif name.startswith(MARK):
        number = pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)
        right = number or pyarrow.types.is_boolean(kind) or pyarrow.types.is_null(kind) or _is_text(kind)
    else:
        right = pyarrow.types.is_float64(kind)
    if not right:
        raise PlainlyError(f"{path}: the column {name!r} holds {kind}")


def _kind(kind: Any) -> str:
    import pyarrow

    if pyarrow.types.is_boolean(kind):
        return "bool"
    if pyarrow.types.is_integer(kind):
        return "uint64" if pyarrow.types.is_uint64(kind) else "int64"
    return "double" if pyarrow.types.is_floating(kind) else "string"


def _is_text(kind: Any) -> bool:
    import pyarrow

    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or pyarrow.types.is_null(kind))


@contextmanager
def _parquet(path: str) -> Iterator[Any]:
    """An open Parquet file; whatever a damaged one makes pyarrow raise is said in one line."""
    _, parquet = arrow()
    with places.open_binary(path) as stream:
        try:
            with parquet.ParquetFile(stream) as file:
                yield file
        except PlainlyError:
            raise
        except Exception as error:
            raise PlainlyError(f"{path} is broken: {' '.join(str(error).split())}") from None
