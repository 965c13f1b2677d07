"""Gates for automatic checks: a run that is worse than it may be ends with exit status 1 and says why."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli.printing import note
from plainly.corpus.corpus import BASELINES
from plainly.metrics import Metric
from plainly.scoring import Evaluation
from plainly.scoring.comparison import Comparison

FAILED = 1
BETTER = {"--fail-under": "higher", "--fail-over": "lower"}
OTHER = {"--fail-under": "--fail-over", "--fail-over": "--fail-under"}


class Bounds:
    """What --fail-under and --fail-over ask for; whether it can be asked is said before the work."""

    def __init__(self, under: Iterable[str], over: Iterable[str], metrics: Iterable[Metric]) -> None:
        known = {metric.label: metric for metric in metrics}
        given = (("--fail-under", under), ("--fail-over", over))
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


def check_not_worse(comparison: Comparison, metrics: Sequence[str]) -> int | None:
    """No system may be worse than the baseline beyond chance, by the metrics named or by the first one."""
    baseline = comparison.settings.baseline
    if baseline is None:
        raise PlainlyError("--fail-if-worse needs --baseline: worse than which system?")
    known = comparison.evaluation.metrics
    chosen = metrics or [next(iter(known))]
    others = [system for system in comparison.ranked if system != baseline]
    reasons = [] if others else [f"there is no system to test against {baseline}"]
    for label in chosen:
        if label not in known:
            raise UnknownName("metric of --fail-if-worse", label, known)
        if comparison.directions[label] == "none":
            raise PlainlyError(f"--fail-if-worse: neither end of {label} is better")
        for system in others:
            pair = comparison.find(system, baseline, label)
            if pair is None or pair.p != pair.p:
                reasons.append(f"{system} could not be tested against {baseline} by {label}")
            elif pair.significant and pair.better == baseline:
                digits = known[label].facts.decimals
                less = f"{abs(pair.difference):.{digits}f}"
                reasons.append(f"{system} is worse than {baseline} by {less} {label} (p = {pair.p_holm:.2g})")
    return _told(reasons)


def _bound(option: str, item: str, metrics: Mapping[str, Metric]) -> tuple[str, float]:
    label, equals, text = item.partition("=")
    try:
        bound = float(text)
    except ValueError:
        bound = float("nan")
    if not equals or not math.isfinite(bound):
        raise PlainlyError(f"{option} takes METRIC=NUMBER, not {item!r}")
    if label not in metrics:
        raise UnknownName(f"metric of {option}", label, metrics)
    direction = metrics[label].facts.direction
    if direction == "none":
        raise PlainlyError(f"{option} {item}: neither end of {label} is better")
    if direction != BETTER[option]:
        raise PlainlyError(f"{option} {item}: {label} is better when it is {direction}; say {OTHER[option]} {item}")
    return label, bound


def _told(reasons: Sequence[str]) -> int | None:
    for reason in reasons:
        note(f"failed: {reason}")
    return FAILED if reasons else None
