"""Options of a campaign as owners give them: made complete, and each checked for its type and its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.studio.entered_texts import any_text, one_line
from plainly.studio.kinds.base import Kind, Option

LONGEST = 20_000
LONGEST_LINE = 1000
MOST_LINES = 1000
LARGEST = 2**53


def completed(kind: Kind, given: Any) -> dict[str, Any]:
    """All options of the kind; what is not given has its default."""
    if not isinstance(given, Mapping):
        raise PlainlyError("options must be a table of names and values")
    known = {option.name: option for option in kind.options}
    for name in given:
        if name not in known:
            raise UnknownName("option", str(name), known)
    return {
        name: _checked(option, given[name]) if name in given else option.default for name, option in known.items()
    }


def _checked(option: Option, value: Any) -> Any:
    where = f"option {option.name}"
    if option.type == "choice":
        if value not in option.choices:
            raise UnknownName(f"choice for {where}:", str(value), option.choices)
        return value
    if option.type == "switch":
        if not isinstance(value, bool):
            raise PlainlyError(f"{where} must be true or false")
        return value
    if option.type == "line":
        return one_line(value, where, LONGEST_LINE, empty=True)
    if option.type == "text":
        return any_text(value, where, LONGEST)
    if option.type == "lines":
        if not isinstance(value, list) or len(value) > MOST_LINES:
            raise PlainlyError(f"{where} must be a list of {MOST_LINES} texts at most")
        return [any_text(line, where, LONGEST) for line in value]
    return _number(option, value, where)


def _number(option: Option, value: Any, where: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -LARGEST < value < LARGEST:
        raise PlainlyError(f"{where} must be a number")
    if option.type == "whole" and value != int(value):
        raise PlainlyError(f"{where} must be a whole number")
    if option.least is not None and value < option.least:
        raise PlainlyError(f"{where} must be {option.least:g} at least")
    if option.most is not None and value > option.most:
        raise PlainlyError(f"{where} must be {option.most:g} at most")
    return int(value) if option.type == "whole" else float(value)
