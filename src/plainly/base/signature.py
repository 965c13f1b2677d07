"""Signatures: what was done, with which settings, by which version, in one line.

Same signature, same data, same seed: same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.base.version import __version__


def signed(name: str, settings: Mapping[str, Any]) -> str:
    """The one line of a study: its name, its settings, the version."""
    return "|".join([name, *(f"{key}:{_brief(value)}" for key, value in settings.items()), f"plainly:{__version__}"])


def _brief(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
