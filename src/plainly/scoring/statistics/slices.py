"""Scores of groups of segments, from a statistics folder of any length: exact sums, and intervals for each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals
from plainly.base.messages import Message
from plainly.findings.result import StudyResult
from plainly.inference import Resampling, confidence_intervals
from plainly.metrics import Metric
from plainly.scoring.blocks import blocks_note
from plainly.scoring.results import Result, with_estimates
from plainly.scoring.statistics.conditions import Selection
from plainly.scoring.statistics.folder import Folder, Sums
from plainly.scoring.statistics.groups import By, Groups, Key
from plainly.scoring.statistics.units import Units, draw_units

Results = Mapping[str, Mapping[str, Result]]


@dataclass(frozen=True)
class Slice:
    """A group of segments, named by one value for each thing that is grouped by, and its scores."""

    group: Key
    segments: int
    systems: Results

    def to_dict(self, by: Sequence[str]) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "group": dict(zip(by, self.group, strict=True)),
            "segments": self.segments,
            "systems": {
                system: {label: one.to_dict() for label, one in results.items()}
                for system, results in self.systems.items()
            },
        }


@dataclass(frozen=True, repr=False)
class Slices(StudyResult, findings="plainly.scoring.statistics.findings:slices_findings"):
    """All groups of a folder, or of some of its segments."""

    by: tuple[str, ...]
    slices: tuple[Slice, ...]
    metrics: Mapping[str, Metric]
    segments: int
    intervals: Resampling | None
    notes: tuple[Message, ...]

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "segments": self.segments,
            "by": list(self.by),
            "resampling": self.intervals and self.intervals.to_dict(),
            "groups": [part.to_dict(self.by) for part in self.slices],
            "notes": list(map(str, self.notes)),
        }


def scores_by(
    folder: Folder,
    by: Sequence[str] = (),
    *,
    where: Sequence[str] = (),
    intervals: Resampling | None = None,
) -> Slices:
    """The scores of all systems on each group of segments; without `by`, on all of them together.

    `by` are names of fields (`document`, `id`, metadata), `length`, or NAME:N for bands of a number; scores are
    always by system, so `system` changes nothing. `where` are conditions, see `Condition`.
    """
    labels = list(folder.metrics)
    selection = Selection.of(folder, where)
    groups = Groups(folder, [By.of(folder, text) for text in by if text != "system"], selection)
    counts, sums = _added(folder, groups, labels)
    if not counts:
        raise PlainlyError(f"no segment of {folder.path} is left: {', '.join(map(str, selection.conditions))}")
    found: list[Units | None] = [None] * len(counts)
    if intervals:
        intervals = replace(intervals, unit="segment" if folder.documents is None else "document")
        found = list(_units(folder, groups, counts, labels))
    slices = []
    for key, number in groups.ordered():
        results = folder.results(sums[number], counts[number])
        units = found[number]
        if units is not None and intervals:
            bounds = confidence_intervals(units.rows, folder.metrics, clusters=units.clusters, resampling=intervals)
            results = with_estimates(results, bounds)
        slices.append(Slice(key, counts[number], results))
    notes = [*folder.notes, *(blocks_note(sum(counts), folder.documents is not None) if intervals else [])]
    names = tuple(one.name for one in groups.by)
    return Slices(names, tuple(slices), folder.metrics, sum(counts), intervals, tuple(notes))


def _added(folder: Folder, groups: Groups, labels: list[str]) -> tuple[list[int], list[Sums]]:
    """How many segments each group has, and the exact sums of its rows."""
    chosen = groups.selection.systems
    counts: list[int] = []
    sums: list[Sums] = []
    read = dict.fromkeys([*labels, *groups.metrics])
    for piece in folder.pieces(list(read), list(dict.fromkeys([*chosen, *groups.systems])), groups.fields):
        numbers = groups.assign(piece)
        while len(counts) < len(groups.numbers):
            counts.append(0)
            empty = {label: len(folder.metrics[label].columns) for label in labels}
            sums.append({system: {label: Totals(empty[label]) for label in labels} for system in chosen})
        for number in np.unique(numbers[numbers >= 0]).tolist():
            here = numbers == number
            counts[number] += int(here.sum())
            for system, by_label in sums[number].items():
                for label, totals in by_label.items():
                    totals.add(piece.statistics[system][label][here])
    if sum(counts) == folder.manifest.segments:
        folder.check_totals(_together(folder, sums))
    return counts, sums


def _together(folder: Folder, sums: Sequence[Sums]) -> Sums:
    """The sums of all groups as one."""
    whole = {
        system: {label: Totals(len(folder.metrics[label].columns)) for label in by_label}
        for system, by_label in sums[0].items()
    }
    for one in sums:
        for system, by_label in one.items():
            for label, totals in by_label.items():
                whole[system][label].merge(totals)
    return whole


def _units(folder: Folder, groups: Groups, counts: list[int], labels: list[str]) -> list[Units]:
    read = list(dict.fromkeys([*labels, *groups.metrics]))
    systems = list(dict.fromkeys([*groups.selection.systems, *groups.systems]))
    drawn = draw_units(folder, groups.assign, counts, metrics=read, systems=systems, fields=groups.fields)
    return [
        replace(
            units,
            rows={
                system: {label: units.rows[system][label] for label in labels} for system in groups.selection.systems
            },
        )
        for units in drawn
    ]
