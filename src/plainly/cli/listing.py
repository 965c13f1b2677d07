"""`plainly score --list`: every metric with its facts."""

from __future__ import annotations

from typing import Any

from plainly.findings import Column, Findings, Table, message
from plainly.metrics import Metric, metric_class, names, settings_of


def metric_list() -> Findings:
    """Every metric, in one table."""
    metrics = {name: metric_class(name) for name in names()}
    columns = ["metric", "better", "range", "needs", "languages", "variants", "settings", "what it is"]
    question = message("cli.metrics", "Which metrics are there?")
    rows = [_row(name, metric) for name, metric in metrics.items()]
    return Findings(
        tables=[Table("metrics", question, [Column(name) for name in columns], rows)],
        data={"metrics": [_facts(name, metric) for name, metric in metrics.items()]},
    )


def _row(name: str, metric: type[Metric]) -> list[str]:
    return [
        name,
        metric.facts.direction,
        f"{metric.facts.range[0]:g} .. {metric.facts.range[1]:g}",
        ", ".join(sorted(metric.facts.needs)) or "outputs only",
        ", ".join(sorted(metric.languages)) if metric.languages else "any",
        ", ".join(metric.variants),
        ", ".join(name for name, one in settings_of(metric).items() if one.shown),
        metric.facts.about,
    ]


def _facts(name: str, metric: type[Metric]) -> dict[str, Any]:
    return {
        "name": name,
        "title": metric.facts.title,
        "about": metric.facts.about,
        "better": metric.facts.direction,
        "range": [bound if abs(bound) != float("inf") else None for bound in metric.facts.range],
        "needs": sorted(metric.facts.needs),
        "languages": sorted(metric.languages) if metric.languages else None,
        "variants": dict(metric.variants),
        "settings": {
            name: {"default": None if one.decided else one.default, "help": one.help, "choices": one.choices}
            for name, one in settings_of(metric).items()
            if one.shown
        },
        "paper": metric.facts.paper,
        "caution": metric.facts.caution or None,
    }
