"""Columns of the tables about operations."""

from __future__ import annotations

from plainly.findings import Column, Message, message


def text(name: str) -> Column:
    """A column of names."""
    return Column(name, title=_head(name))


def count(name: str) -> Column:
    """A column of whole numbers."""
    return Column(name, "count", title=_head(name))


def number(name: str, digits: int) -> Column:
    """A column of numbers without intervals."""
    return Column(name, "number", digits, _head(name))


def estimate(name: str, digits: int) -> Column:
    """A column of numbers with intervals."""
    return Column(name, "estimate", digits, _head(name))


def p(name: str) -> Column:
    """A column of p-values."""
    return Column(name, "p", title=_head(name))


def _head(name: str) -> Message:
    return message(f"operations.column.{name}", name)
