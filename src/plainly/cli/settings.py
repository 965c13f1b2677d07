"""The settings of metrics that a command line gives: for all metrics by options, for one of them by --set."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli.metric_options import OPTIONS
from plainly.metrics import metric_class, settings_of


def shared_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that options give to every metric that has them."""
    names = dict.fromkeys(["unit", *(arguments["dest"] for _, arguments in OPTIONS)])
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def own_settings(given: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What METRIC.NAME=VALUE gives to single metrics: metric -> its settings."""
    found: dict[str, dict[str, Any]] = {}
    for item in given:
        place, equals, text = item.partition("=")
        metric, dot, name = place.strip().rpartition(".")
        if not (equals and dot and metric and name):
            raise PlainlyError(f"--set takes METRIC.NAME=VALUE, not {item!r}")
        known = {key: one for key, one in settings_of(metric_class(metric)).items() if one.shown}
        if not known:
            raise PlainlyError(f"--set {item}: {metric} has no settings")
        if name not in known:
            raise UnknownName(f"setting of {metric}", name, known)
        value = known[name].read(text)
        own = found.setdefault(metric, {})
        if name in own and not isinstance(value, tuple):
            raise PlainlyError(f"--set {metric}.{name} is given twice")
        own[name] = own[name] + value if name in own else value
    return found
