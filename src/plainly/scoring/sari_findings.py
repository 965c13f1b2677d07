"""SARI under all settings, and why two numbers differ, as every face prints it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from plainly.findings import Column, Findings, Message, Table, message, plain
from plainly.findings.shape import Value
from plainly.inference.estimates import finite
from plainly.metrics.sari import Sari
from plainly.scoring.explain import Setting, Step, closest, gap, parse_setting
from plainly.scoring.findings import SYSTEM

Grids = Mapping[str, Mapping[Setting, float]]  # by system


def grid_findings(grids: Grids) -> Findings:
    """SARI of every system under every setting."""
    settings = list(dict.fromkeys((s.tokenizer, s.lowercase) for scores in grids.values() for s in scores))
    table = Table(
        "settings",
        message("scoring.sari-settings", "What is SARI under each setting?"),
        [
            SYSTEM,
            Column("variant"),
            *(Column(f"{tokenizer} {'lower' if lower else 'cased'}", "number") for tokenizer, lower in settings),
        ],
        [
            [system, variant, *(scores.get(Setting(variant, tokenizer, lower)) for tokenizer, lower in settings)]
            for system, scores in grids.items()
            for variant in Sari.variants
        ],
        legend=[plain(f"{name:<15} {about}") for name, about in Sari.variants.items()],
    )
    return Findings([table], data={"systems": {system: _listed(scores) for system, scores in grids.items()}})


def _listed(scores: Mapping[Setting, float]) -> list[dict[str, Any]]:
    return [
        {"variant": s.variant, "tokenizer": s.tokenizer, "lowercase": s.lowercase, "sari": finite(score)}
        for s, score in scores.items()
        if s.variant in Sari.variants
    ]


def gap_findings(grids: Grids, start: str, end: str) -> Findings:
    """Why two numbers of each system differ; `start` and `end` are settings, or published numbers."""
    rows: list[list[Value]] = []
    data = []
    for system, scores in grids.items():
        first, last = _setting(scores, start), _setting(scores, end)
        steps = gap(scores, first, last)
        rows.append([system, _origin("from", scores, first, start), scores[first], None])
        rows += [[system, step.cause, step.after, step.after - step.before] for step in steps]
        rows.append([system, _origin("to", scores, last, end), scores[last], scores[last] - scores[first]])
        data.append(
            {
                "system": system,
                "from": {"setting": str(first), "sari": finite(scores[first]), "given": start},
                "to": {"setting": str(last), "sari": finite(scores[last]), "given": end},
                "steps": list(map(_step, steps)),
            }
        )
    change = Column("what changes", title=message("scoring.column.what-changes", "what changes"))
    columns = [SYSTEM, change, Column("SARI", "number"), Column("change", "number", title=_CHANGE)]
    question = message("scoring.sari-gap", "Why do two SARI numbers differ?")
    return Findings([Table("gap", question, columns, rows)], data={"gaps": data})


_CHANGE = message("scoring.column.change", "change")


def _step(step: Step) -> dict[str, Any]:
    return {"cause": step.cause, "change": finite(step.after - step.before), "sari": finite(step.after)}


def _setting(scores: Mapping[Setting, float], text: str) -> Setting:
    """A setting by name, or the one whose score is nearest to a published number."""
    return closest(scores, text) if _is_number(text) else parse_setting(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


def _origin(which: str, scores: Mapping[Setting, float], setting: Setting, text: str) -> Message:
    """The setting, and for a published number how far from it the nearest setting is."""
    said = plain(str(setting))
    if _is_number(text):
        said = message(
            "scoring.nearest",
            "{setting} (nearest to {number}: {distance:+.2f})",
            setting=said,
            number=text,
            distance=scores[setting] - float(text),
        )
    return message(f"scoring.{which}", f"{which}: {{setting}}", setting=said)
