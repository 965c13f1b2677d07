"""`compare_profiles`: do the settings of two papers put systems in the same order?

Each profile scores and tests the same systems. For each metric that the profiles share, ranks stand side by side,
with the pairs of systems that turn round and Kendall's tau-b. Baselines that are named are ranked among the systems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.findings.result import StudyResult
from plainly.inference import Pair, kendall
from plainly.inference.multiple import ranks
from plainly.scoring.comparing import compare
from plainly.scoring.comparison import Comparison
from plainly.scoring.profile import Profile, base_name, get_profile
from plainly.scoring.text_arguments import OutputTexts, ReferenceTexts


@dataclass(frozen=True)
class Turned:
    """Two systems of which one profile puts the first above the second, and another profile below it."""

    first: str
    second: str
    differences: tuple[float, float]
    """The first minus the second, under either profile."""
    tests: tuple[Pair | None, Pair | None]
    """The same with intervals and tests; none between two baselines."""

    @property
    def beyond_chance(self) -> bool:
        """Whether the systems differ beyond chance under both profiles: then it was the settings that turned them."""
        return all(test is not None and test.significant for test in self.tests)


@dataclass(frozen=True)
class Agreement:
    """How far two profiles agree on the order of the systems by a metric."""

    metric: str
    profiles: tuple[str, str]
    systems: int
    tau: float
    turned: tuple[Turned, ...]

    @property
    def pairs(self) -> int:
        """The number of pairs of systems."""
        return self.systems * (self.systems - 1) // 2


@dataclass(frozen=True, repr=False)
class ProfileRanks(StudyResult, findings="plainly.scoring.profile_ranks_findings:findings", usual="ranks"):
    """The systems compared under each profile."""

    comparisons: Mapping[str, Comparison]

    def __post_init__(self) -> None:
        if not self.labels:
            raise PlainlyError(f"{' and '.join(self.comparisons)} share no metric with a better end, to rank by")

    @cached_property
    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """Metric -> profile -> what the metric is called there: of the metrics that all have and that can rank."""
        found = {
            name: {base_name(label): label for label in reversed([*comparison.evaluation.metrics])}
            for name, comparison in self.comparisons.items()
        }
        first, *others = found.values()
        return {
            metric: {name: labels[metric] for name, labels in found.items()}
            for metric in reversed(first)
            if all(metric in labels for labels in others) and metric not in self.without_better_end
        }

    @cached_property
    def without_better_end(self) -> list[str]:
        """The metrics of which neither end is better, so that nothing can be ranked by them."""
        one = next(iter(self.comparisons.values()))
        return [base_name(label) for label, direction in one.directions.items() if direction == "none"]

    @cached_property
    def ranks(self) -> Mapping[str, Mapping[str, Mapping[str, int | None]]]:
        """Metric -> profile -> system -> rank, 1 is best. Equal scores share the better rank.

        A system without a score, or one that lacks segments which others have, has none.
        """
        return {
            metric: {name: _ranks(self.comparisons[name], label) for name, label in labels.items()}
            for metric, labels in self.labels.items()
        }

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """Of every two profiles, metric by metric."""
        return tuple(
            self._agreement(metric, first, second)
            for metric in self.labels
            for first, second in combinations(self.comparisons, 2)
        )

    def score(self, metric: str, profile: str, system: str) -> float:
        """The score of a system by a shared metric under a profile."""
        return self.comparisons[profile][system][self.labels[metric][profile]].score

    def _agreement(self, metric: str, first: str, second: str) -> Agreement:
        mine, yours = (self.ranks[metric][name] for name in (first, second))
        places = {system: (rank, other) for system, rank in mine.items() if rank and (other := yours.get(system))}
        tau = kendall(*zip(*places.values(), strict=True)).value if places else math.nan
        turned = [
            self._turned(metric, (first, second), above, below)
            for above, below in combinations(sorted(places, key=lambda system: places[system]), 2)
            if places[above][0] < places[below][0] and places[above][1] > places[below][1]
        ]
        return Agreement(metric, (first, second), len(places), tau, tuple(turned))

    def _turned(self, metric: str, profiles: tuple[str, str], first: str, second: str) -> Turned:
        differences = [self.score(metric, name, first) - self.score(metric, name, second) for name in profiles]
        tests = [self.comparisons[name].find(first, second, self.labels[metric][name]) for name in profiles]
        return Turned(first, second, (differences[0], differences[1]), (tests[0], tests[1]))


def _ranks(comparison: Comparison, label: str) -> dict[str, int | None]:
    standings = {system: by_label[label] for system, by_label in comparison.systems.items()}
    scores = np.array([np.nan if one.lacking else one.score for one in standings.values()])
    best, _ = ranks(scores, comparison.directions[label])
    return {system: int(rank) or None for system, rank in zip(standings, best, strict=True)}


def compare_profiles(
    sources: Corpus | Sequence[str | None] | None = None,
    outputs: OutputTexts = (),
    references: ReferenceTexts | None = None,
    *,
    profiles: Sequence[str | Profile],
    metrics: str | Sequence[str] | None = None,
    lang: str | None = None,
    baselines: Sequence[str] = (),
    **comparing: Any,
) -> ProfileRanks:
    """Do the settings of two papers or tools put systems in the same order? Ranks, and the pairs that turn round.

    `profiles` are two or more, by name or as TOML files. The metrics are those that all of them compute; `metrics`
    chooses others that all of them have. What else `compare` takes goes here, too. The `baselines` named are ranked
    among the systems.

    >>> from plainly.demo import demo_corpus
    >>> found = compare_profiles(demo_corpus("de"), profiles=["easse-de", "easse"], metrics="bleu", resamples=50)
    >>> [(one.metric, one.profiles, round(one.tau, 2)) for one in found.agreements]
    [('bleu', ('easse-de', 'easse'), 1.0)]
    """
    chosen = among(profiles, usual=metrics is None)
    said = lang if isinstance(sources, Corpus) else common_language(chosen, lang)
    settings = {"metrics": metrics, "lang": said, "baselines": baselines, **comparing}
    return ProfileRanks({one.name: compare(sources, outputs, references, profile=one, **settings) for one in chosen})


def among(names: Sequence[str | Profile], usual: bool = True) -> list[Profile]:
    """The profiles, two at least. Those that compute what is `usual` do so of the metrics that all of them have."""
    profiles = [get_profile(name) for name in names]
    called = [profile.name for profile in profiles]
    if len(profiles) < 2:
        raise PlainlyError("ranks are compared under two profiles at least; name another one")
    if twice := next((name for name in called if called.count(name) > 1), None):
        raise PlainlyError(f"the profile {twice} is named twice")
    if not usual:
        return profiles
    usual_of = [{base_name(metric) for metric in profile.metrics} for profile in profiles]
    shared = [name for name in map(base_name, profiles[0].metrics) if all(name in metrics for metrics in usual_of)]
    if not shared:
        theirs = "; ".join(f"{profile.name} has {', '.join(profile.metrics)}" for profile in profiles)
        raise PlainlyError(f"the profiles {' and '.join(called)} have no metric in common: {theirs}")
    return [replace(profile, metrics=tuple(profile.named(shared))) for profile in profiles]


def common_language(profiles: Sequence[Profile], said: str | None) -> str:
    """The language of the texts: what is said, else that of a profile for one language, else that of the first."""
    if said is None:
        strict = [profile for profile in profiles if not profile.any_language]
        said = next((profile.lang for profile in (*strict, *profiles) if profile.lang), None)
    return profiles[0].language(said)
