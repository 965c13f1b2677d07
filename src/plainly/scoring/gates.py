"""Gates for automatic checks: what no system may fall short of, and why one does.

What a gate asks for is checked before the work, and looked at after it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainly.base.errors import Argument, PlainlyError, Remedy, UnknownName
from plainly.corpus.corpus import BASELINES
from plainly.metrics import Metric
from plainly.metrics import names as registered
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluation import Evaluation

UNDER, OVER, WORSE = "fail_under", "fail_over", "fail_if_worse"
BETTER = {UNDER: "higher", OVER: "lower"}
OTHER = {UNDER: OVER, OVER: UNDER}


@dataclass(frozen=True)
class Failure:
    """Why a run fails; `bound` is the gate that says so, where it has a number."""

    reason: str
    bound: Argument | None = None


class Bounds:
    """Scores that systems must reach (`fail_under`), or stay below (`fail_over`)."""

    def __init__(self, given: Iterable[tuple[str, str, float]], metrics: Iterable[Metric]) -> None:
        """`given`: which of the two, the metric, the number."""
        known = {metric.label: metric for metric in metrics}
        self._bounds = [(gate, _bounded(gate, name, bound, known), bound) for gate, name, bound in given]

    def failures(self, evaluation: Evaluation) -> Iterator[Failure]:
        """Every system that lies beyond a bound, or has no score."""
        for gate, label, bound in self._bounds:
            for system, results in evaluation.systems.items():
                score = results[label].score if label in results else math.nan
                if system in BASELINES or (score >= bound if gate == UNDER else score <= bound):
                    continue
                said = "has no score" if score != score else f"is {score:.4g}"
                yield Failure(f"{label} of {system} {said}", Argument(gate, f"{label}={bound:g}"))


class NotWorse:
    """By which metrics no system may be worse than the baseline: those named, or the first."""

    def __init__(self, names: Sequence[str] | None, baseline: str | None, metrics: Mapping[str, Metric]) -> None:
        """Without names (None) there is no such gate; an empty list stands for the first metric."""
        self._labels: list[str] = []
        if names is None:
            return
        if baseline is None:
            raise PlainlyError("it needs a baseline", place=Argument(WORSE), remedy=Remedy("baseline"))
        for name in names or list(metrics)[:1]:
            label = _label(WORSE, name, metrics)
            if metrics[label].facts.direction == "none":
                raise PlainlyError(f"neither end of {label} is better", place=Argument(WORSE))
            self._labels.append(label)

    def failures(self, comparison: Comparison) -> Iterator[Failure]:
        """Every system that is worse than the baseline beyond chance, or lacks what the baseline has."""
        baseline = str(comparison.settings.baseline)
        others = [system for system in comparison.ranked if system != baseline]
        if self._labels and not others:
            yield Failure(f"there is no system to test against {baseline}")
        for label in self._labels:
            for system in others:
                yield from map(Failure, _worse(comparison, system, baseline, label))


def _worse(comparison: Comparison, system: str, baseline: str, label: str) -> Iterator[str]:
    pair = comparison.find(system, baseline, label)
    if pair is None or pair.p != pair.p:
        yield f"{system} could not be tested against {baseline} by {label}"
        return
    if pair.significant and pair.better == baseline:
        less = f"{abs(pair.difference):.{comparison.evaluation.metrics[label].facts.decimals}f}"
        yield f"{system} is worse than {baseline} by {less} {label} (p = {pair.p_holm:.2g})"
    lacking = comparison[baseline][label].scored - pair.segments
    if lacking:
        yield f"{system} lacks {label} in {lacking} segments that {baseline} has"


def _bounded(gate: str, name: str, bound: float, metrics: Mapping[str, Metric]) -> str:
    """The label of a metric that can have such a bound."""
    label = _label(gate, name, metrics)
    item = f"{name}={bound:g}"
    if not math.isfinite(bound):
        raise PlainlyError("the bound must be a number", place=Argument(gate, item))
    direction = metrics[label].facts.direction
    if direction == "none":
        raise PlainlyError(f"neither end of {label} is better", place=Argument(gate, item))
    if direction != BETTER[gate]:
        said = f"{label} is better when it is {direction}"
        raise PlainlyError(said, place=Argument(gate, item), remedy=Remedy(OTHER[gate], ((name, f"{bound:g}"),)))
    return label


def _label(gate: str, name: str, metrics: Mapping[str, Metric]) -> str:
    """A metric of the run by its name, in any case."""
    if name in metrics:
        return name
    by_name = {label.lower(): label for label in metrics}
    sought = name.strip().lower()
    if sought in by_name:
        return by_name[sought]
    if sought in registered() and not any(label.startswith(f"{sought}:") for label in by_name):
        asked = Remedy("metrics", ",".join([*metrics, sought]))
        raise PlainlyError(f"{sought} is not among the metrics of this run", place=Argument(gate), remedy=asked)
    raise UnknownName("metric", name, metrics).at(Argument(gate))
