"""Systems that ran several times, as with other seeds: the score is the mean over the runs, and runs are drawn, too.

A trained model is a sample of the models that other seeds would have given, as the segments are a sample of texts. So
what varies is two things at once. With R runs, s the standard deviation of their scores, and the b-th resample of
segments,

    drawn score(b) = mean over the runs of (score of the run on resample b) + t(b) s / sqrt(R)

where t(b) is drawn from Student's distribution with R - 1 degrees of freedom: what s / sqrt(R) is worth when s itself
comes from R runs. Drawing the runs themselves anew gives intervals that are too short below some ten runs. The t
assumes that scores of runs are about normal. Draws come in pairs, t and -t, so that they move no mean.

Two runs give a very wide interval, and rightly so: hardly anything is known of how far runs differ. An interval ends
where the score can lie at most.

A mean compares like with like: runs are scored on the segments that all runs of their system have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    Statistics,
    generator,
    interval,
    resample,
)
from plainly.metrics import Array, Metric

Members = Mapping[str, Sequence[str]]
"""System -> the names of its runs; a system that ran once is its own run."""
NO_RUNS: Members = MappingProxyType({})


def members_of(names: Iterable[str], runs: Members) -> dict[str, tuple[str, ...]]:
    """Every system with its runs, in the order of the first run of each."""
    names = list(names)
    systems = {run: system for system, members in runs.items() for run in members}
    for run in systems:
        if run not in names:
            raise PlainlyError(f"there is no run {run!r}")
    members: dict[str, tuple[str, ...]] = {}
    for name in names:
        system = systems.get(name, name)
        if system in names and system != name:
            raise PlainlyError(f"{system!r} is a system with runs, and an output of its own; rename one")
        members[system] = (*members.get(system, ()), name)
    return members


def spread(scores: Sequence[float]) -> float:
    """The standard deviation over runs; NaN for one run."""
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else math.nan


def on_common_segments(tables: Sequence[Array]) -> list[Array]:
    """Rows of the runs of a system by one metric; a segment that one run lacks is a row of zeros in all of them."""
    there = [table[:, 0] > 0 for table in tables]
    if all((one == there[0]).all() for one in there):
        return list(tables)
    common = np.logical_and.reduce(there)
    return [table * common[:, None] for table in tables]


def like_with_like(statistics: Statistics, members: Mapping[str, Sequence[str]]) -> Statistics:
    """The rows of every run on the segments that all runs of its system have."""
    found = {run: dict(by_label) for run, by_label in statistics.items()}
    for runs in (runs for runs in members.values() if len(runs) > 1):
        for label in statistics[runs[0]]:
            for run, rows in zip(runs, on_common_segments([statistics[run][label] for run in runs]), strict=True):
                found[run][label] = rows
    return found


def over_runs(system: str, runs: Sequence[Resampled], seed: int) -> Resampled:
    """The mean score of the runs of a system, drawn over segments and runs."""
    if len(runs) == 1:
        return runs[0]
    count = len(runs[0].values)
    draws = generator(seed, "runs", system).standard_t(len(runs) - 1, (count + 1) // 2)
    t = np.stack([draws, -draws], axis=1).ravel()[:count]
    return _mean(runs, t)


def intervals_of_systems(
    statistics: Statistics,
    metrics: Mapping[str, Metric],
    runs: Members = NO_RUNS,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> dict[str, dict[str, Estimate]]:
    """The score of every system by every metric with its interval; `statistics` are those of runs."""
    members = members_of(statistics, runs)
    drawn = resample(like_with_like(statistics, members), metrics, clusters=clusters, resampling=resampling)
    return {
        system: {
            label: score_interval(
                over_runs(system, [drawn[run][label] for run in own], resampling.seed), metric, resampling
            )
            for label, metric in metrics.items()
        }
        for system, own in members.items()
    }


def score_interval(score: Resampled, metric: Metric, resampling: Resampling = USUAL) -> Estimate:
    """A score with its interval. What is drawn over runs may lie where no score of the metric does."""
    return interval(score, resampling).within(metric.facts.range)


def _mean(runs: Sequence[Resampled], t: Array) -> Resampled:
    observed = [run.observed for run in runs]
    values = np.mean([run.values for run in runs], axis=0) + t * spread(observed) / math.sqrt(len(runs))
    left_out = [run.left_out for run in runs if run.left_out is not None]
    return Resampled(
        math.fsum(observed) / len(observed),
        values,
        np.mean(left_out, axis=0) if left_out else None,
        {name: _mean([run.components[name] for run in runs], t) for name in runs[0].components},
        min((run.units for run in runs if run.units is not None), default=None),
    )
