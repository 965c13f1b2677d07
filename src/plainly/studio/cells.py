"""Cells of exported tables that no spreadsheet takes for a formula. The command line reads them back as they were."""

from __future__ import annotations

from plainly.base.records import safe

__all__ = ["looks_like_formula", "safe"]


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet might run it, or `safe` would have to change it. Plain numbers are harmless."""
    return safe(text) != text
