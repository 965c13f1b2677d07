"""A statistics folder written piece by piece; the manifest comes last, so a folder is whole or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import numpy as np

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals
from plainly.base.records import arrow
from plainly.base.version import __version__
from plainly.corpus.readers.records import Rules
from plainly.corpus.references import References
from plainly.metrics import Metric
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.evaluator import RunTotals
from plainly.scoring.jobs import Job, part_path, spec
from plainly.scoring.manifest import write_manifest
from plainly.scoring.partitions import ROWS
from plainly.scoring.parts import Kept, write_statistics
from plainly.scoring.statistics.folder import FIELDS, Piece, Sums
from plainly.scoring.statistics.manifest import manifest_of


class FolderWriter:
    """Writes a folder; used in a `with` statement, it leaves nothing behind if something goes wrong."""

    def __init__(
        self,
        path: str,
        metrics: Mapping[str, Metric],
        systems: Sequence[str],
        fields: Sequence[str],
        kinds: Mapping[str, str],
        lang: str,
    ) -> None:
        arrow()  # if it is missing, say so before the work
        if places.exists(path) and _has_files(path):
            raise PlainlyError(f"{path} is not empty; choose another folder, or delete it")
        self._path = path
        self._metrics = list(metrics.values())
        self._fields = fields
        self._job = Job(
            metrics=tuple(map(spec, self._metrics)),
            rules=Rules(lang, "error"),
            systems=tuple(systems),
            has_ids="id" in fields,
            has_documents="document" in fields,
            metadata=tuple((name, kinds[name]) for name in fields if name not in FIELDS),
        )
        self._totals = self._nothing()
        self._recent = self._nothing()
        self._parts: list[tuple[int, int, int]] = []
        self._segments = 0
        self._made = not places.exists(path)
        places.make_folder(path)

    def add(self, piece: Piece) -> None:
        """The next segments, as one part."""
        number = len(self._parts)
        statistics = {
            system: [piece.statistics[system][metric.label] for metric in self._metrics]
            for system in self._job.systems
        }
        names = [name for name, _ in self._job.metadata]
        kept = Kept(
            segments=piece.segments.tolist(),
            ids=list(piece.fields.get("id", ())),
            documents=list(piece.fields.get("document", ())),
            metadata=[{name: piece.fields[name][i] for name in names} for i in range(len(piece) if names else 0)],
            statistics=statistics,
        )
        write_statistics(part_path(self._path, number), kept, self._metrics, self._job)
        for system, tables in statistics.items():
            for totals, rows in zip(self._recent[system], tables, strict=True):
                totals.add(rows)
        self._parts.append((number, len(piece) * len(statistics), int(piece.segments[0])))
        self._segments += len(piece)

    def sums(self) -> Sums:
        """The sums of what was added since they were asked for the last time."""
        recent, self._recent = self._recent, self._nothing()
        for system, sums in recent.items():
            for totals, more in zip(self._totals[system], sums, strict=True):
                totals.merge(more)
        return {
            system: {metric.label: total for metric, total in zip(self._metrics, sums, strict=True)}
            for system, sums in recent.items()
        }

    def finish(
        self,
        references: Mapping[str, References],
        problems: Mapping[str, int] | None = None,
        version: str = __version__,
    ) -> None:
        """Write the manifest; `version` is the plainly that measured."""
        self.sums()
        found = {system: references[system] for system in self._job.systems}
        sums = RunTotals(self._segments, self._totals, found)
        manifest = manifest_of(self._job, sums, self._parts, problems or {})
        write_manifest(self._path, {**manifest, "plainly": version})

    def _nothing(self) -> dict[str, list[Totals]]:
        return {system: [Totals(len(metric.columns)) for metric in self._metrics] for system in self._job.systems}

    def __enter__(self) -> FolderWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            for number in range(len(self._parts) + 1):
                with suppress(PlainlyError):
                    places.remove(part_path(self._path, number))
            if self._made:
                places.remove_if_empty(self._path)


def save(evaluation: Evaluation, folder: str | Path) -> None:
    """Write the statistics of an evaluation into a new folder, for `load` and for the command line.

    Ids, documents and metadata come along where its corpus has them; texts do not.
    """
    corpus = evaluation.corpus
    statistics = evaluation.kept_statistics
    columns: dict[str, list[object]] = {}
    if evaluation.ids:
        columns["id"] = list(evaluation.ids)
    if evaluation.documents:
        columns["document"] = list(evaluation.documents)
    metadata = corpus.metadata if corpus is not None and corpus.metadata else []
    for name in dict.fromkeys(name for record in metadata for name in record):
        columns[str(name)] = [record.get(name) for record in metadata]
    kinds = {name: _kind(values) for name, values in columns.items()}
    lang = corpus.lang if corpus is not None else next(iter(evaluation.metrics.values())).lang
    names = list(columns)
    with FolderWriter(str(folder), evaluation.metrics, list(statistics), names, kinds, lang) as writer:
        for start in range(0, evaluation.size, ROWS):
            stop = min(start + ROWS, evaluation.size)
            writer.add(
                Piece(
                    np.arange(start, stop),
                    {name: values[start:stop] for name, values in columns.items()},
                    {
                        system: {label: rows[start:stop] for label, rows in by_label.items()}
                        for system, by_label in statistics.items()
                    },
                )
            )
        writer.finish(evaluation.references)


def _kind(values: Sequence[object]) -> str:
    """The type of a column in Parquet that holds all these values."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        numbers = [value for value in values if isinstance(value, int)]
        if min(numbers) >= -(1 << 63) and max(numbers) < 1 << 63:
            return "int64"
        return "uint64" if min(numbers) >= 0 and max(numbers) < 1 << 64 else "string"
    exact = all(abs(value) <= 1 << 53 for value in values if isinstance(value, int))
    return "double" if kinds and kinds <= {int, float} and exact else "string"


def _has_files(path: str) -> bool:
    here = places.local(path)
    if here is not None:
        return not here.is_dir() or any(here.iterdir())
    return places.exists(places.join(path, "manifest.json"))
