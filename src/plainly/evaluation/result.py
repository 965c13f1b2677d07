"""What an evaluation returns: for every system and metric one signed number."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from plainly.errors import PlainlyError
from plainly.inference import RESAMPLES, SEED, Comparison, compare, confidence_intervals, resamples_needed
from plainly.inference.intervals import LEVEL, finite
from plainly.metrics import Array, Metric
from plainly.version import __version__

T = TypeVar("T")


@dataclass(frozen=True)
class Resampling:
    """How intervals are made: see `plainly.inference.confidence_intervals`."""

    resamples: int = RESAMPLES
    seed: int = SEED
    method: Literal["percentile", "bca"] = "percentile"
    level: float = LEVEL


@dataclass(frozen=True)
class Result:
    """The score of one system by one metric. `score` is NaN where nothing could be scored."""

    score: float
    components: Mapping[str, float]
    signature: str
    long_signature: str
    scored: int
    unscored: int
    ci: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "score": finite(self.score),
            "ci": self.ci and [finite(bound) for bound in self.ci],
            "components": {name: finite(value) for name, value in self.components.items()},
            "scored": self.scored,
            "unscored": self.unscored,
            "signature": self.signature,
            "long_signature": self.long_signature,
        }


@dataclass(frozen=True)
class Evaluation:
    """Scores of systems by metrics, and the statistics behind them if they were kept.

    `statistics[system][label]` has one row a segment and the columns of the metric; any sum of rows can be scored.
    """

    segments: int
    references: str
    metrics: Mapping[str, Metric]
    systems: Mapping[str, Mapping[str, Result]]
    statistics: Mapping[str, Mapping[str, Array]] | None = None
    documents: Sequence[str] | None = None  # of each segment, if all have one: they are resampled as wholes
    intervals: Resampling | None = None

    def __getitem__(self, system: str) -> Mapping[str, Result]:
        return self.systems[system]

    def segment_scores(self, system: str, metric: str) -> Array:
        """The score of each segment alone; NaN where it could not be scored."""
        if self.statistics is None:
            raise ValueError("the statistics were not kept; evaluate with keep_statistics=True")
        return self.metrics[metric].score(self.statistics[system][metric]).value

    def compare(self, resamples: int | None = None, level: float = LEVEL, **settings: Any) -> Comparison:
        """Intervals, ranks and paired tests from the statistics; for the settings see `plainly.inference.compare`.

        Without a number, there are as many resamples as the correction for the number of tests needs.
        """
        if self.statistics is None:
            raise PlainlyError("the statistics were not kept; evaluate with keep_statistics=True")
        if resamples is None:
            systems = len(self.systems)
            tests = systems * (systems - 1) // 2 if settings.get("baseline") is None else systems - 1
            resamples = max(RESAMPLES, resamples_needed(tests, 1 - level) if 0 < level < 1 else 0)
        settings |= {"resamples": resamples, "level": level}
        return compare(self.statistics, self.metrics, **{"clusters": self.documents, **settings})

    def with_intervals(self, resampling: Resampling) -> Evaluation:
        """The same scores with a confidence interval each, from the statistics."""
        if self.statistics is None:
            raise PlainlyError("the statistics were not kept; evaluate with keep_statistics=True")
        found = confidence_intervals(
            self.statistics, self.metrics, clusters=self.documents, **dataclasses.asdict(resampling)
        )
        systems = {
            system: {
                label: replace(result, ci=(found[system][label].low, found[system][label].high))
                for label, result in results.items()
            }
            for system, results in self.systems.items()
        }
        return replace(self, systems=systems, intervals=resampling)

    def unscorable(self) -> dict[str, str]:
        """Metrics that scored no segment of any system because the data lack what they need, and what that is."""
        return {
            label: f"no segment has the {' and '.join(needs)} it needs"
            for label, metric in self.metrics.items()
            if (needs := sorted(metric.facts.needs & {"source", "references"}))
            and not any(results[label].scored for results in self.systems.values())
        }

    def without(self, labels: Collection[str]) -> Evaluation:
        """The same evaluation without these metrics."""

        def kept(by_label: Mapping[str, T]) -> dict[str, T]:
            return {label: value for label, value in by_label.items() if label not in labels}

        statistics = self.statistics
        return replace(
            self,
            metrics=kept(self.metrics),
            systems={system: kept(results) for system, results in self.systems.items()},
            statistics=statistics and {system: kept(rows) for system, rows in statistics.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON form."""
        return {
            "plainly": __version__,
            "segments": self.segments,
            "intervals": self.intervals and dataclasses.asdict(self.intervals),
            "systems": {
                system: {label: result.to_dict() for label, result in results.items()}
                for system, results in self.systems.items()
            },
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for system, results in self.systems.items():
            scores = ", ".join(f"{label} {result.score:.2f}" for label, result in results.items())
            yield f"{system}: {scores}"


def result(metric: Metric, totals: Array, segments: int, references: str) -> Result:
    """Score added-up statistics."""
    scores = metric.score(totals)
    scored = int(totals[0])
    return Result(
        score=float(scores.value),
        components={name: float(value) for name, value in scores.components.items()},
        signature=metric.signature(references),
        long_signature=metric.signature(references, long=True),
        scored=scored,
        unscored=segments - scored,
    )


def reference_range(counts: Collection[int]) -> str:
    """How signatures say how many references segments have: "10", or "1-10" where they differ."""
    low, high = min(counts, default=0), max(counts, default=0)
    return str(low) if low == high else f"{low}-{high}"
