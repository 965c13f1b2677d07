"""The options of gates, and what is said where one fails: no option silences it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Mapping

from plainly.base.errors import PlainlyError
from plainly.cli.faults import option
from plainly.cli.printing import note
from plainly.cli.request import listed_names
from plainly.metrics import Metric
from plainly.scoring.gates import OVER, UNDER, Bounds, Failure, NotWorse

FAILED = 1


def refuse_bounds(options: argparse.Namespace, beside: str) -> None:
    """Where there are no scores to hold against bounds, bounds are refused."""
    for name in (UNDER, OVER):
        if getattr(options, name):
            raise PlainlyError(f"{option(name)} does not go with {beside}")


def bounds_of(options: argparse.Namespace, metrics: Iterable[Metric]) -> Bounds:
    """What --fail-under and --fail-over ask for."""
    return Bounds([(name, *_bound(name, item)) for name in (UNDER, OVER) for item in getattr(options, name)], metrics)


def not_worse_of(options: argparse.Namespace, metrics: Mapping[str, Metric]) -> NotWorse:
    """What --fail-if-worse asks for."""
    names = None if options.fail_if_worse is None else listed_names(options.fail_if_worse)
    return NotWorse(names, options.baseline, metrics)


def status(failures: Iterable[Failure], named: Callable[[str], str] = option) -> int | None:
    """The exit status of a run; says why one fails. `named` is how people know a gate: here, as an option."""
    found = None
    for failure in failures:
        bound = f"; {named(failure.bound.name)} {failure.bound.value}" if failure.bound else ""
        note(f"failed: {failure.reason}{bound}")
        found = FAILED
    return found


def _bound(name: str, item: str) -> tuple[str, float]:
    metric, equals, text = item.partition("=")
    try:
        bound = float(text)
    except ValueError:
        bound = float("nan")
    if not equals or not math.isfinite(bound):
        raise PlainlyError(f"{option(name)} takes METRIC=NUMBER, not {item!r}")
    return metric, bound
