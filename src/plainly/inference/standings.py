"""Where each system stands by a metric: its score with an interval, and its rank.

Ranks are among systems; a baseline has the rank that it would take among them. Two systems are ranked as they are
tested: by their scores on the segments that both have. So a rank says nothing that the tests contradict, and a system
that left out hard segments gains no rank by its higher score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from plainly.inference.comparison import Standing
from plainly.inference.drawing import Draws, Names, Side, SystemDraws
from plainly.inference.multiple import rank_intervals, ranks
from plainly.inference.paired import Direction
from plainly.inference.resampling import Resampling
from plainly.metrics import Array

Places = tuple[int, int]


def standings(
    drawn: SystemDraws,
    label: str,
    systems: Sequence[str],
    baselines: Sequence[str],
    direction: Direction,
    segments: int,
    resampling: Resampling,
) -> dict[str, Standing]:
    """All systems and baselines by a metric."""
    found = _Field(drawn, label, systems, direction, resampling).standings(segments) if systems else {}
    for baseline in baselines:
        field = _Field(drawn, label, [baseline, *systems], direction, resampling, ranked=1)
        found[baseline] = replace(field.standing(0, segments), best=False)
    return found


class _Field:
    """Systems that are ranked among each other: all of them, or so many of the first."""

    def __init__(
        self,
        drawn: SystemDraws,
        label: str,
        systems: Sequence[str],
        direction: Direction,
        resampling: Resampling,
        ranked: int | None = None,
    ) -> None:
        self._entries = [drawn.alone(label, system) for system in systems]
        self._scores = [draws.score(side) for draws, side in self._entries]
        self._scored = [draws.segments(side) for draws, side in self._entries]
        self._common: dict[Places, int] = {}
        observed: dict[Places, tuple[Array, Array]] = {}
        values: dict[Places, tuple[Array, Array]] = {}
        for i, j in product(range(len(systems[:ranked])), range(len(systems))):
            if i == j:
                continue
            together = drawn.together(label, systems[i], systems[j])
            if together.apart:
                own, other = together.scores
                observed[i, j] = np.float64(own.observed), np.float64(other.observed)
                values[i, j] = own.values[: resampling.resamples], other.values[: resampling.resamples]
                self._common[i, j] = together.segments
        self._ranks, _ = ranks(np.array([score.observed for score in self._scores]), direction, observed, ranked)
        resampled = np.stack([score.values[: resampling.resamples] for score in self._scores])
        self._between = rank_intervals(resampled, direction, resampling.confidence, values, ranked)

    def standings(self, segments: int) -> dict[str, Standing]:
        return {side.system: self.standing(i, segments) for i, (_, side) in enumerate(self._entries)}

    def standing(self, place: int, segments: int) -> Standing:
        draws, side = self._entries[place]
        score, scored = self._scores[place], self._scored[place]
        lacking = max((self._scored[j] - common for (i, j), common in self._common.items() if i == place), default=0)
        rank = self._rank(place, lacking)
        return Standing(
            estimate=draws.estimate(side),
            scored=scored,
            unscored=segments - scored,
            lacking=lacking,
            behind=max(0, int(self._ranks[place]) - 1),
            rank=rank,
            rank_interval=self._range(place, lacking) if rank and score.units != 1 else None,
            best=rank == 1,
            components=draws.components(side),
            runs=_runs(draws, side),
        )

    def _rank(self, place: int, lacking: int) -> int | None:
        """None without a score, and where a system lacks segments and would be first, or shares none with another."""
        rank = int(self._ranks[place])
        first_by_luck = rank == 1 and lacking > 0
        meets_nowhere = any(
            i == place and not common and self._scored[i] and self._scored[j]
            for (i, j), common in self._common.items()
        )
        return rank if rank and not first_by_luck and not meets_nowhere else None

    def _range(self, place: int, lacking: int) -> tuple[int, int] | None:
        """The ranks of the resamples; a system that lacks segments cannot be first."""
        between = self._between[place]
        return between if between is None or not lacking else (max(2, between[0]), max(2, between[1]))


def _runs(draws: Draws[Names], side: Side[Names]) -> Mapping[str, float]:
    """The score of each run, where there are several."""
    if len(side.runs) == 1:
        return {}
    return {run: score for (_, run), score in zip(side.runs, draws.of_runs(side), strict=True)}
