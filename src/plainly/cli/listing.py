"""`plainly score --list`: every metric with its facts."""

from __future__ import annotations

import json

from plainly.base.files import writing
from plainly.base.tables import Cell, render
from plainly.metrics import metric_class, names, settings_of


def list_metrics(form: str, output: str | None = None) -> None:
    with writing(output) as out:
        out.write(_listing(form))


def _listing(form: str) -> str:
    facts = [(name, metric_class(name)) for name in names()]
    if form == "json":
        content = [
            {
                "name": name,
                "title": metric.facts.title,
                "about": metric.facts.about,
                "better": metric.facts.direction,
                "range": [bound if abs(bound) != float("inf") else None for bound in metric.facts.range],
                "needs": sorted(metric.facts.needs),
                "languages": sorted(metric.languages) if metric.languages else None,
                "variants": dict(metric.variants),
                "settings": {
                    name: {
                        "default": None if one.decided else one.default,
                        "help": one.help,
                        "choices": one.choices,
                    }
                    for name, one in settings_of(metric).items()
                    if one.shown
                },
                "paper": metric.facts.paper,
                "caution": metric.facts.caution or None,
            }
            for name, metric in facts
        ]
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    rows: list[list[Cell]] = [
        [
            name,
            metric.facts.direction,
            f"{metric.facts.range[0]:g} .. {metric.facts.range[1]:g}",
            ", ".join(sorted(metric.facts.needs)) or "outputs only",
            ", ".join(sorted(metric.languages)) if metric.languages else "any",
            ", ".join(metric.variants),
            ", ".join(name for name, one in settings_of(metric).items() if one.shown),
            metric.facts.about,
        ]
        for name, metric in facts
    ]
    headers = ["metric", "better", "range", "needs", "languages", "variants", "settings", "what it is"]
    return render(headers, rows, form)
