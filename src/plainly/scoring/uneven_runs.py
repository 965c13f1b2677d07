"""Runs of one system that lack segments which others of its runs have: the mean over runs compares like with like.

So a segment that one run lacks counts in none of them, and a note says which run it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plainly.base.messages import Note, message
from plainly.inference.runs import on_common_segments
from plainly.metrics import Array


@dataclass
class UnevenRuns:
    """What single runs lacked so far."""

    members: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The runs of each system."""
    lacking: dict[tuple[str, int], int] = field(default_factory=dict)
    """Of a run and a metric by its place: segments that another run of its system has."""
    common: dict[tuple[str, int], int] = field(default_factory=dict)
    """Of a system and a metric: segments that all of its runs have."""

    def even(
        self, statistics: Mapping[str, list[Array]], members: Mapping[str, Sequence[str]]
    ) -> dict[str, list[Array]]:
        """The rows of a few segments, on those that all runs of a system have."""
        self.members = members
        found = {run: list(tables) for run, tables in statistics.items()}
        for system, runs in members.items():
            if len(runs) == 1:
                continue
            for place in range(len(statistics[runs[0]])):
                tables = [statistics[run][place] for run in runs]
                scored = np.stack([table[:, 0] > 0 for table in tables])
                self._count(self.common, (system, place), int(scored.all(axis=0).sum()))
                for run, own, rows in zip(runs, scored, on_common_segments(tables), strict=True):
                    self._count(self.lacking, (run, place), int((scored.any(axis=0) & ~own).sum()))
                    found[run][place] = rows
        return found

    def notes(self, labels: Sequence[str], segments: int) -> Iterator[Note]:
        """Which run lacks what."""
        for system, runs in self.members.items():
            for run in runs:
                told: dict[tuple[int, int], list[str]] = {}
                for place, label in enumerate(labels):
                    if lacking := self.lacking.get((run, place)):
                        told.setdefault((lacking, self.common[system, place]), []).append(label)
                for (lacking, common), names in told.items():
                    said = message(
                        "scoring.run-lacks",
                        "run {run} of {system} lacks {lacking:,} of {segments:,} segments that another run has; "
                        "{system} is scored on the {common:,} that all its runs have ({metrics})",
                        run=run.removeprefix(f"{system}/"),
                        system=system,
                        lacking=lacking,
                        segments=segments,
                        common=common,
                        metrics=", ".join(names),
                    )
                    yield Note(said, "warning")

    @staticmethod
    def _count(counts: dict[tuple[str, int], int], key: tuple[str, int], more: int) -> None:
        counts[key] = counts.get(key, 0) + more
