"""What comparing systems gives: standings with intervals and ranks, and every pair tested."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message
from plainly.inference.estimates import Estimate, finite
from plainly.inference.paired import Difference, Direction, TestMethod
from plainly.inference.resampling import Resampling
from plainly.inference.runs import spread

Family = Literal["metric", "all"]
FEW_UNITS = 20  # below this the bootstrap's intervals are known to be too short


@dataclass(frozen=True)
class Settings:
    """What the numbers of a comparison depend on, besides the statistics. A test has so many `trials`."""

    method: TestMethod
    trials: int
    resampling: Resampling
    baseline: str | None
    family: Family
    power: float

    @property
    def alpha(self) -> float:
        """A corrected p below this counts as significant."""
        return round(1 - self.resampling.confidence, 12)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**vars(self), "resampling": self.resampling.to_dict(), "alpha": self.alpha}


@dataclass(frozen=True)
class Standing:
    """One system by one metric.

    Two systems are ranked by their scores on the segments that both have. `rank` is None without a score, without a
    better end, and where another system shares no segment with this one. It is also None where a system that lacks
    segments would be first: it may owe that to what it left out. `rank_interval` is None where there is no rank, and
    of a single unit.
    """

    estimate: Estimate
    scored: int
    unscored: int
    lacking: int
    """Segments that another system has and this one lacks; where several have more, the most."""
    behind: int
    """How many systems are better than this one, each on the segments that both have."""
    rank: int | None
    rank_interval: tuple[int, int] | None
    best: bool
    components: Mapping[str, Estimate]
    runs: Mapping[str, float]
    """The score of each run, where there are several."""

    @property
    def score(self) -> float:
        return self.estimate.value

    @property
    def spread(self) -> float:
        """The standard deviation over the runs; NaN where there is one."""
        return spread(list(self.runs.values()))

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "score": self.estimate.to_dict(),
            "scored": self.scored,
            "unscored": self.unscored,
            "lacking": self.lacking,
            "rank": self.rank,
            "rank_interval": self.rank_interval and list(self.rank_interval),
            "best": self.best,
            "components": {name: part.to_dict() for name, part in self.components.items()},
            **({"runs": dict(self.runs), "spread": finite(self.spread)} if self.runs else {}),
        }


@dataclass(frozen=True, kw_only=True)
class Pair(Difference):
    """One pair of systems by one metric: `first` minus `second`."""

    metric: str
    first: str
    second: str
    segments: int
    """That both systems have."""
    tests: int
    """So many p-values were corrected together."""
    p_holm: float
    significant: bool

    @property
    def better(self) -> str | None:
        """The system with the better score, significantly so or not; None where neither is."""
        first = self.first_is_better
        return None if first is None else self.first if first else self.second

    def flipped(self) -> Pair:
        """The same pair as `second` minus `first`."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=-self.estimate,
            z=-self.z,
            effect=-self.effect,
            superiority=1 - self.superiority,
        )

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        names = {"metric": self.metric, "first": self.first, "second": self.second, "better": self.better}
        tested = {"tests": self.tests, "p_holm": finite(self.p_holm), "significant": self.significant}
        return {**names, "segments": self.segments, **super().to_dict(), **tested}


@dataclass(frozen=True)
class Comparison:
    """Systems compared. `notes` says in plain words what a reader of the numbers should know.

    Ranks are among systems. A baseline has the rank that it would take among them.
    """

    settings: Settings
    segments: int
    units: int
    baselines: tuple[str, ...]
    directions: Mapping[str, Direction]
    systems: Mapping[str, Mapping[str, Standing]]
    pairs: tuple[Pair, ...]
    typical_mdd: Mapping[str, float]
    notes: tuple[Message, ...]

    def __getitem__(self, system: str) -> Mapping[str, Standing]:
        return self.systems[system]

    @property
    def ranked(self) -> tuple[str, ...]:
        """The systems that are no baselines."""
        return tuple(system for system in self.systems if system not in self.baselines)

    def find(self, first: str, second: str, metric: str) -> Pair | None:
        """The pair as `first` minus `second`, whichever way round it was computed; None if it was not."""
        pair = self._by_names.get((metric, frozenset((first, second))))
        return pair if pair is None or pair.first == first else pair.flipped()

    def pair(self, first: str, second: str, metric: str) -> Pair:
        """The pair as `first` minus `second`, whichever way round it was computed."""
        pair = self.find(first, second, metric)
        if pair is None:
            raise PlainlyError(f"{first!r} and {second!r} were not compared by {metric!r}")
        return pair

    def order(self, metric: str) -> tuple[str, ...]:
        """The systems that have a score, the best first; where neither end is better, the highest. No baselines.

        One that lacks segments may stand behind another in spite of a better score: see `Standing`.
        """
        sign = 1 if self.directions[metric] == "lower" else -1
        there = [system for system in self.ranked if math.isfinite(self[system][metric].score)]
        return tuple(sorted(there, key=lambda name: (self[name][metric].behind, sign * self[name][metric].score)))

    def uneven(self, pair: Pair) -> bool:
        """Whether one system of the pair was scored on segments that the other lacks."""
        return any(self[system][pair.metric].scored > pair.segments for system in (pair.first, pair.second))

    def best(self, metric: str) -> tuple[str, ...]:
        """Systems of rank 1: several if equal, none where neither end is better or where the first lacks segments."""
        return tuple(system for system, by_label in self.systems.items() if by_label[metric].best)

    @cached_property
    def _by_names(self) -> Mapping[tuple[str, frozenset[str]], Pair]:
        return {(pair.metric, frozenset((pair.first, pair.second))): pair for pair in self.pairs}

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "settings": self.settings.to_dict(),
            "segments": self.segments,
            "units": self.units,
            "directions": dict(self.directions),
            "baselines": list(self.baselines),
            "systems": {
                system: {label: standing.to_dict() for label, standing in by_label.items()}
                for system, by_label in self.systems.items()
            },
            "pairs": [pair.to_dict() for pair in self.pairs],
            "typical_mdd": {label: finite(value) for label, value in self.typical_mdd.items()},
            "notes": list(map(str, self.notes)),
        }
