"""Gates for automatic checks: a run that is worse than it may be ends with exit status 1 and says why.

What a gate asks for is checked before the work, and looked at after it: no option silences it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli.printing import note
from plainly.cli.request import listed_names
from plainly.corpus.corpus import BASELINES
from plainly.metrics import Metric
from plainly.scoring import Evaluation
from plainly.scoring.comparison import Comparison

FAILED = 1
BETTER = {"--fail-under": "higher", "--fail-over": "lower"}
OTHER = {"--fail-under": "--fail-over", "--fail-over": "--fail-under"}
WORSE = "--fail-if-worse"


def refuse_bounds(options: argparse.Namespace, beside: str) -> None:
    """Where there are no scores to hold against bounds, bounds are refused."""
    for option, given in (("--fail-under", options.fail_under), ("--fail-over", options.fail_over)):
        if given:
            raise PlainlyError(f"{option} does not go with {beside}")


class Bounds:
    """What --fail-under and --fail-over ask for."""

    def __init__(self, options: argparse.Namespace, metrics: Iterable[Metric]) -> None:
        known = {metric.label: metric for metric in metrics}
        given = (("--fail-under", options.fail_under), ("--fail-over", options.fail_over))
        self._bounds = [(option, *_bound(option, item, known)) for option, bounds in given for item in bounds]

    def check(self, evaluation: Evaluation) -> int | None:
        """Every system must reach the scores that --fail-under names, and stay below those of --fail-over."""
        reasons = []
        for option, label, bound in self._bounds:
            for system, results in evaluation.systems.items():
                score = results[label].score if label in results else math.nan
                if system in BASELINES or (score >= bound if option == "--fail-under" else score <= bound):
                    continue
                said = "has no score" if score != score else f"is {score:.4g}"
                reasons.append(f"{label} of {system} {said}; {option} {label}={bound:g}")
        return _told(reasons)


class NotWorse:
    """What --fail-if-worse asks for: by which metrics no system may be worse than the baseline."""

    def __init__(self, options: argparse.Namespace, metrics: Mapping[str, Metric]) -> None:
        self._labels: list[str] = []
        if options.fail_if_worse is None:
            return
        if options.baseline is None:
            raise PlainlyError(f"{WORSE} needs --baseline: worse than which system?")
        for name in listed_names(options.fail_if_worse) or list(metrics)[:1]:
            label = _label(WORSE, name, metrics)
            if metrics[label].facts.direction == "none":
                raise PlainlyError(f"{WORSE}: neither end of {label} is better")
            self._labels.append(label)

    def check(self, comparison: Comparison) -> int | None:
        """No system may be worse than the baseline beyond chance, nor lack what the baseline has."""
        baseline = str(comparison.settings.baseline)
        others = [system for system in comparison.ranked if system != baseline]
        reasons = [] if others or not self._labels else [f"there is no system to test against {baseline}"]
        for label in self._labels:
            for system in others:
                reasons += _worse(comparison, system, baseline, label)
        return _told(reasons)


def _worse(comparison: Comparison, system: str, baseline: str, label: str) -> Iterable[str]:
    """Why a system fails."""
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


def _bound(option: str, item: str, metrics: Mapping[str, Metric]) -> tuple[str, float]:
    name, equals, text = item.partition("=")
    try:
        bound = float(text)
    except ValueError:
        bound = float("nan")
    if not equals or not math.isfinite(bound):
        raise PlainlyError(f"{option} takes METRIC=NUMBER, not {item!r}")
    label = _label(option, name, metrics)
    direction = metrics[label].facts.direction
    if direction == "none":
        raise PlainlyError(f"{option} {item}: neither end of {label} is better")
    if direction != BETTER[option]:
        raise PlainlyError(f"{option} {item}: {label} is better when it is {direction}; say {OTHER[option]} {item}")
    return label, bound


def _label(option: str, name: str, metrics: Mapping[str, Metric]) -> str:
    """A metric of the run by its name, in any case."""
    by_name = {label.lower(): label for label in metrics}
    if name not in metrics and name.strip().lower() not in by_name:
        raise UnknownName(f"metric of {option}", name, metrics)
    return name if name in metrics else by_name[name.strip().lower()]


def _told(reasons: Sequence[str]) -> int | None:
    for reason in reasons:
        note(f"failed: {reason}")
    return FAILED if reasons else None
