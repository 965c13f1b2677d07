"""Rows and files that were left out, counted by reason, with the first places of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = 5
MOST = 100
OTHER = "other reasons"


class Problems:
    """What was left out, and why."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, list[str]]] = {}

    def add(self, place: str, why: str, count: int = 1) -> None:
        """One more row, or a file with `count` of them."""
        self._add(why, count, [place])

    def merge(self, other: Problems) -> None:
        """Add what another has counted. In the order of the input, the first places are the first."""
        for why, (count, where) in other._found.items():
            self._add(why, count, where)

    def _add(self, why: str, count: int, where: list[str]) -> None:
        if why not in self._found and len(self._found) >= MOST:
            why = OTHER
        before, known = self._found.get(why, (0, []))
        self._found[why] = before + count, (known + where)[:SHOWN]

    @property
    def counts(self) -> dict[str, int]:
        """How many segments each reason left out."""
        return {why: count for why, (count, _) in self._found.items()}

    @property
    def places(self) -> dict[str, list[str]]:
        """The first places of each reason."""
        return {why: list(where) for why, (_, where) in self._found.items()}

    def __bool__(self) -> bool:
        return bool(self._found)

    def to_json(self) -> dict[str, Any]:
        """The counts and the first places by reason."""
        return {why: [count, where] for why, (count, where) in self._found.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problems:
        """What `to_json` wrote."""
        problems = cls()
        problems._found = {why: (int(count), list(where)) for why, (count, where) in data.items()}
        return problems
