"""Outputs whose ratings are known, and pages that are rated once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.ratings import Range
from plainly.studio.kinds.base import Given, Item, Json
from plainly.studio.kinds.dashboards import Say
from plainly.studio.kinds.ratings import scales

NEAR = 10
"""Points of a slider from 0 to 100: whoever comes so near to the first value gave the same one."""


def practice_task(item: Item, why: str) -> Json:
    """A page with one output and what may be said of it, made of a check."""
    (output,) = item.content["outputs"]
    return {
        "item": item.name,
        "source": item.content["source"],
        "outputs": [output],
        "expected": output["expected"],
        "why": why,
    }


def right(task: Json, answer: Json) -> float:
    """The share of the scales with an expected value on which it was given; not to judge is no such value."""
    (given,) = answer["ratings"]
    found = [given[scale] is not None and given[scale] in Range.of(text) for scale, text in task["expected"].items()]
    return sum(found) / len(found)


def said(task: Json, say: Say) -> str:
    """What is expected, in words."""
    ranges = {scale: Range.of(text) for scale, text in task["expected"].items()}
    return "; ".join(
        f"{scales.title(scale, say)}: "
        + (f"{one.low:g}" if one.low == one.high else say("ratings.range", low=f"{one.low:g}", high=f"{one.high:g}"))
        for scale, one in ranges.items()
    )


def failed(task: Json, answer: Json) -> tuple[int, int]:
    """How many checks a page has, one for each scale, and how many of them failed, as studies count them."""
    values = [
        (given[scale], Range.of(text))
        for output, given in zip(task["outputs"], answer["ratings"], strict=True)
        if output["role"] == "check"
        for scale, text in output["expected"].items()
    ]
    return len(values), sum(value is not None and value not in expected for value, expected in values)


def again(task: Json) -> Json | None:
    """The page without its checks; None if nothing is left."""
    outputs = [output for output in task["outputs"] if output["role"] != "check"]
    return {**task, "outputs": outputs} if outputs else None


def agreed(settings: Json, first: Given, once_more: Given) -> float | None:
    """The share of ratings that are the same as before; None where none was given twice."""
    before, after = _values(first), _values(once_more)
    near = NEAR if settings["answers"] == "slider" else 0
    found = [abs(before[key] - value) <= near for key, value in after.items() if key in before]
    return sum(found) / len(found) if found else None


def _values(given: Given) -> Mapping[tuple[str, str], Any]:
    return {
        (output["system"], scale): value
        for output, values in zip(given.task["outputs"], given.answer["ratings"], strict=True)
        for scale, value in values.items()
        if value is not None
    }
