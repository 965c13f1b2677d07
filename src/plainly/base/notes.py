"""A note: what whoever reads a result should know and the numbers alone do not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Note:
    """A key with its values, and how that reads in English. A face may say more by the key, in its own terms."""

    key: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)
    kind: Literal["note", "caution"] = "note"
