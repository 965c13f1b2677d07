"""Evaluations from statistics folders: in memory where there are few segments, by blocks where there are many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from plainly.base.exact_sums import Totals
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES
from plainly.inference import Blocked, Shared, compare
from plainly.inference.resampling import Resampling
from plainly.metrics import Array
from plainly.scoring.blocks import blocks_note, shares_nothing
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluation import Evaluation, comparing, left_out_notes
from plainly.scoring.partitions import EXACT
from plainly.scoring.statistics.folder import Folder, Piece
from plainly.scoring.statistics.slices import scores_by
from plainly.scoring.statistics.units import Numbers, draw_units

INTERVALS = Resampling()
NOTHING: Mapping[str, list[Any]] = MappingProxyType({})


def load(folder: str | Path | Folder, intervals: Resampling | None = INTERVALS) -> Evaluation:
    """The evaluation that a statistics folder holds, as if the texts had been scored anew.

    Its `corpus` has the ids, documents and metadata, but no texts. Of more than 50,000 segments, the statistics stay
    on disk: then there are scores and intervals, and `compare_folder` compares.
    """
    opened = folder if isinstance(folder, Folder) else Folder(str(folder))
    evaluation = _in_memory(opened) if opened.manifest.segments <= EXACT else _from_blocks(opened, intervals)
    if intervals and evaluation.statistics is not None:
        return evaluation.with_intervals(intervals)
    return evaluation


def compare_folder(folder: str | Path | Folder, **settings: Any) -> Comparison:
    """`Evaluation.compare` of what a folder holds, for any number of segments."""
    opened = folder if isinstance(folder, Folder) else Folder(str(folder))
    evaluation = load(opened, intervals=None)
    unscorable = evaluation.unscorable()
    if unscorable and len(unscorable) < len(evaluation.metrics):
        evaluation = evaluation.without(unscorable)
        opened = Folder(opened.path, list(evaluation.metrics))
    if evaluation.statistics is not None:
        comparison = evaluation.compare(**settings)
    else:
        found = compare(
            _blocked(opened), opened.metrics, **comparing(opened.systems, opened.manifest.segments, **settings)
        )
        comparison = Comparison.of(evaluation, found)
    left_out = [note.message for note in left_out_notes(unscorable)]
    notes = [
        *comparison.notes,
        *left_out,
        *opened.notes,
        *blocks_note(evaluation.size, comparison.settings.resampling.unit == "document"),
    ]
    return replace(comparison, notes=tuple(notes))


def _in_memory(folder: Folder) -> Evaluation:
    manifest = folder.manifest
    pieces = list(folder.pieces(fields=folder.fields))
    statistics = {
        system: {
            label: np.concatenate([piece.statistics[system][label] for piece in pieces]) for label in folder.metrics
        }
        for system in folder.systems
    }
    sums = {
        system: {label: Totals(len(metric.columns)) for label, metric in folder.metrics.items()}
        for system in statistics
    }
    for system, by_label in sums.items():
        for label, totals in by_label.items():
            totals.add(statistics[system][label])
    folder.check_totals(sums)
    fields = {name: [value for piece in pieces for value in piece.fields[name]] for name in folder.fields}
    size = sum(map(len, pieces))
    documents = fields.get("document")
    ids = fields.get("id")
    return Evaluation(
        size=size,
        references=manifest.references,
        metrics=folder.metrics,
        systems=folder.results(sums, size),
        statistics=statistics,
        ids=ids if ids and any(name is not None for name in ids) else None,
        documents=documents if documents and None not in documents else None,
        corpus=without_texts(folder, size, fields),
    )


def without_texts(folder: Folder, size: int = 0, fields: Mapping[str, list[Any]] = NOTHING) -> Corpus:
    """What is known of the segments beside their statistics. Systems with the name of a baseline are taken for it."""
    names = folder.manifest.columns if fields else ()
    columns = [fields[name] for name in names]
    return Corpus(
        [None] * size,
        outputs={system: [None] * size for system in folder.systems if system not in BASELINES},
        ids=fields.get("id"),
        documents=fields.get("document"),
        metadata=[dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)] if names else None,
        lang=folder.manifest.lang,
    )


def _from_blocks(folder: Folder, intervals: Resampling | None) -> Evaluation:
    whole = scores_by(folder, intervals=intervals).slices[0]
    return Evaluation(
        size=whole.segments,
        references=folder.manifest.references,
        metrics=folder.metrics,
        systems=whole.systems,
        intervals=intervals,
    )


def _blocked(folder: Folder) -> Blocked:
    """The folder for `compare`. Which metrics scored other segments of one system than of another is found here."""
    totals = {
        system: {label: Totals(len(metric.columns)) for label, metric in folder.metrics.items()}
        for system in folder.systems
    }
    uneven: set[str] = set()
    for piece in folder.pieces():
        for label in folder.metrics:
            scored = [piece.statistics[system][label][:, 0] for system in folder.systems]
            if any((one != scored[0]).any() for one in scored):
                uneven.add(label)
            for system, rows in piece.statistics.items():
                totals[system][label].add(rows[label])
    folder.check_totals(totals)
    units = draw_units(folder, _all, [folder.manifest.segments])[0]
    return Blocked(
        statistics=units.rows,
        totals={
            system: {label: sums.values() for label, sums in by_label.items()} for system, by_label in totals.items()
        },
        segments=units.segments,
        units=units.units,
        clustered=units.clustered,
        uneven=[label for label in folder.metrics if label in uneven],
        common=lambda label, systems: _common(folder, label, systems),
    )


def _common(folder: Folder, label: str, systems: Sequence[str]) -> Shared | None:
    """The rows of the segments that all these systems have, as if there were no others; None if that is all."""

    def here(piece: Piece) -> Numbers:
        return np.where(np.all([_scored(piece, label, system) > 0 for system in systems], axis=0), 0, -1)

    count = alone = 0
    for piece in folder.pieces([label], systems):
        shared = int((here(piece) == 0).sum())
        count += shared
        alone += sum(int(_scored(piece, label, system).sum()) - shared for system in systems)
    if not alone:
        return None
    if not count:
        return shares_nothing(systems, len(folder.metrics[label].columns))
    units = draw_units(folder, here, [count], metrics=[label], systems=systems)[0]
    few = units.clusters is not None or count <= EXACT
    rows = {system: units.rows[system][label] for system in systems}
    return Shared(rows, units.clusters, None if few else units.units)


def _all(piece: Piece) -> Numbers:
    return np.zeros(len(piece), dtype=np.int64)


def _scored(piece: Piece, label: str, system: str) -> Array:
    return piece.statistics[system][label][:, 0]
