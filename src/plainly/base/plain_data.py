"""Results as plain data, as JSON holds them: no NaN, no tuples, messages in English."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from plainly.base.messages import Message


def plain_data(content: Any) -> Any:
    """What JSON holds of a result: its own `to_dict`, or else its fields; None for a number that does not exist."""
    if isinstance(content, Message):
        return content.text()
    if hasattr(content, "to_dict"):
        return content.to_dict()
    if is_dataclass(content):
        return plain_fields(content)
    if isinstance(content, Mapping):
        return {key: plain_data(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [plain_data(value) for value in content]
    if isinstance(content, float):  # numpy's are floats too
        return float(content) if math.isfinite(content) else None
    return content.item() if hasattr(content, "item") else content  # numpy's whole numbers


def plain_fields(row: Any) -> dict[str, Any]:
    """The fields of a dataclass, for a `to_dict` of its own."""
    return {field.name: plain_data(getattr(row, field.name)) for field in fields(row)}
