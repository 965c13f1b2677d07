"""One signed number: the score of one system by one metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plainly.base.exact_sums import Totals
from plainly.base.version import __version__
from plainly.corpus.references import References
from plainly.inference.estimates import Estimate, finite
from plainly.metrics import Array, Metric


@dataclass(frozen=True)
class Result:
    """The score of one system by one metric. `score` is NaN where nothing could be scored."""

    estimate: Estimate
    components: Mapping[str, float]
    signature: str
    long_signature: str
    scored: int
    unscored: int
    runs: Mapping[str, float] = field(default_factory=dict)
    """The score of each run, where the system ran several times; the score is their mean."""

    @property
    def score(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "score": self.estimate.to_dict(),
            "components": {name: finite(value) for name, value in self.components.items()},
            "scored": self.scored,
            "unscored": self.unscored,
            "signature": self.signature,
            "long_signature": self.long_signature,
            **({"runs": {run: finite(score) for run, score in self.runs.items()}} if self.runs else {}),
        }


def result(metric: Metric, totals: Array, segments: int, references: References) -> Result:
    """Score added-up statistics."""
    scores = metric.score(totals)
    scored = int(totals[0])
    return Result(
        estimate=Estimate(float(scores.value)),
        components={name: float(value) for name, value in scores.components.items()},
        signature=metric.signature(references),
        long_signature=metric.signature(references, long=True),
        scored=scored,
        unscored=segments - scored,
    )


def results_of(
    metrics: Mapping[str, Metric],
    totals: Mapping[str, Mapping[str, Totals]],
    segments: int,
    references: Mapping[str, References],
    version: str = __version__,
) -> dict[str, dict[str, Result]]:
    """The scores of all systems from their sums; `version` is the plainly that measured, and stands in signatures."""
    return {
        system: {
            label: _measured_by(version, result(metrics[label], sums.values(), segments, references[system]))
            for label, sums in by_label.items()
        }
        for system, by_label in totals.items()
    }


def _measured_by(version: str, one: Result) -> Result:
    if version == __version__:
        return one

    def by_it(signature: str) -> str:
        return f"{signature.rpartition('|')[0]}|plainly:{version}"

    return replace(one, signature=by_it(one.signature), long_signature=by_it(one.long_signature))


def mean_of_runs(
    results: Mapping[str, Mapping[str, Result]], members: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Result]]:
    """The results of systems from those of their runs."""
    return {
        system: {label: _mean([(run, results[run][label]) for run in runs]) for label in results[runs[0]]}
        for system, runs in members.items()
    }


def _mean(runs: Sequence[tuple[str, Result]]) -> Result:
    """The mean of the runs of a system by one metric; all have scored the same segments."""
    (_, first), *others = runs
    if not others:
        return first
    results = [one for _, one in runs]
    scored = min(one.scored for one in results)
    return replace(
        first,
        estimate=Estimate(_average([one.score for one in results])),
        components={name: _average([one.components[name] for one in results]) for name in first.components},
        scored=scored,
        unscored=first.scored + first.unscored - scored,
        runs={run: one.score for run, one in runs},
    )


def _average(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def with_estimates(
    systems: Mapping[str, Mapping[str, Result]], found: Mapping[str, Mapping[str, Estimate]]
) -> dict[str, dict[str, Result]]:
    """The same scores, each with its interval."""

    def bounded(result: Result, estimate: Estimate) -> Result:
        return replace(result, estimate=replace(estimate, value=result.score))

    return {
        system: {label: bounded(result, found[system][label]) for label, result in results.items()}
        for system, results in systems.items()
    }
