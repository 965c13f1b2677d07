"""The scales of a campaign: their names, questions and ends, and which values they take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.ratings import Range
from plainly.studio.entered_texts import looks_like_formula
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dashboards import Say

MOST_SCALES = 12
LONGEST_NAME = 40
LONGEST_QUESTION = 300
SLIDER = Range(0, 100)
BUNDLED = ("fluency", "meaning", "simplicity")
"""Scales that have words of their own in every language of the interface."""
LENIENT = 0.4
"""Of a scale, from its end: what counts as low or high in an attention check."""


@dataclass(frozen=True)
class Scale:
    """A question and its ends; the page has words of its own for fluency, meaning and simplicity."""

    name: str
    question: str = ""
    low: str = ""
    high: str = ""


def read_scales(lines: Sequence[str] | str) -> list[Scale]:
    """From lines `name | question | low end | high end`; all but the name may be left out."""
    scales: list[Scale] = []
    for line in lines.splitlines() if isinstance(lines, str) else lines:
        parts = [part.strip() for part in str(line).split("|")]
        if not any(parts):
            continue
        if len(parts) > 4:
            raise PlainlyError(f"scale {shown(parts[0])}: write it as name | question | low end | high end")
        scale = Scale(*parts)
        if not scale.name or len(scale.name) > LONGEST_NAME or not scale.name.isprintable():
            raise PlainlyError(f"a scale needs a name of 1 to {LONGEST_NAME} characters: {shown(str(line))}")
        if looks_like_formula(scale.name):
            raise PlainlyError(f"a spreadsheet would take the scale {shown(scale.name)} for a formula; rename it")
        if any(len(part) > LONGEST_QUESTION or not part.isprintable() for part in parts):
            raise PlainlyError(f"scale {shown(scale.name)}: a question has {LONGEST_QUESTION} characters at most")
        if scale.name in (other.name for other in scales):
            raise PlainlyError(f"scale {shown(scale.name)} is there twice")
        scales.append(scale)
    if not 1 <= len(scales) <= MOST_SCALES:
        raise PlainlyError(f"there must be 1 to {MOST_SCALES} scales, not {len(scales)}")
    return scales


def as_settings(scales: Sequence[Scale]) -> list[dict[str, str]]:
    return [asdict(scale) for scale in scales]


def names(settings: Json) -> list[str]:
    return [scale["name"] for scale in settings["scales"]]


def title(name: str, say: Say) -> str:
    """The name of a scale: our own ones have it in every language."""
    return say(f"ratings.scale.{name}.name") if name in BUNDLED else name


def values(settings: Json) -> Range:
    """From the lowest value to the highest, in whole steps."""
    return SLIDER if settings["answers"] == "slider" else Range(1, settings["points"])


def low_end(whole: Range) -> Range:
    """What somebody may say of a text that is plainly bad.

    >>> str(low_end(Range(1, 5)))
    '1..2'
    """
    return Range(whole.low, math.floor(whole.low + LENIENT * (whole.high - whole.low)))


def high_end(whole: Range) -> Range:
    """What somebody may say of a text that is plainly good."""
    return Range(math.ceil(whole.high - LENIENT * (whole.high - whole.low)), whole.high)


def checked_ratings(settings: Json, outputs: int, answer: Any) -> dict[str, Any]:
    """An answer as it is kept: for each output, in the order shown, a value (or None) for each scale."""
    wanted = names(settings)
    given = answer.get("ratings") if isinstance(answer, Mapping) and set(answer) == {"ratings"} else None
    if not isinstance(given, list) or len(given) != outputs:
        raise PlainlyError(f"the answer must hold ratings of {outputs} outputs")
    return {"ratings": [_checked(one, wanted, settings) for one in given]}


def _checked(given: Any, wanted: Sequence[str], settings: Json) -> dict[str, int | None]:
    if not isinstance(given, Mapping) or set(given) != set(wanted):
        raise PlainlyError("every output needs a rating on every scale, and on no other")
    whole = values(settings)
    for name in wanted:
        value = given[name]
        if value is None:
            if not settings["unsure"]:
                raise PlainlyError(f"scale {shown(name)}: a value is needed")
        elif not isinstance(value, int) or isinstance(value, bool) or value not in whole:
            raise PlainlyError(f"scale {shown(name)}: the value must be a whole number of {whole}")
    return {name: given[name] for name in wanted}
