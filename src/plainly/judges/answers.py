"""What counts as an answer: only what was offered. A reply may be any text; nothing in it is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Parse = Callable[[str], Any]
"""Finds the answer in a reply; None where the reply is outside of what was offered."""

_WRAPPING = " \t\r\n\"'`*_()[]"
_NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?|\.[0-9]{1,6}")
_LONGEST = 20_000  # characters of a reply that are read; no answer needs more


def bare(reply: str) -> str:
    """The answer itself: without the thoughts that some models write first, and without what encloses it."""
    _, closing, after = reply.rpartition("</think>")
    answer = after if closing else "" if reply.lstrip().startswith("<think>") else reply
    return answer[:_LONGEST].strip(_WRAPPING).rstrip(".").strip(_WRAPPING)


def choice(offered: Sequence[str], values: Sequence[str] = ()) -> Parse:
    """One of the names offered, and nothing else; quotation marks, brackets and a full stop do not matter.

    What it stands for is the value in the same place, if there are `values`.
    """
    by_name = {bare(name).casefold(): value for name, value in zip(offered, values or offered, strict=True)}
    return lambda reply: by_name.get(bare(reply).casefold())


def number(low: float, high: float) -> Parse:
    """A number between the bounds, and nothing else."""
    return lambda reply: _number(bare(reply), low, high)


def ratings(aspects: Sequence[str], low: float, high: float) -> Parse:
    """A line `aspect: number` for every aspect, in any order, and nothing else."""

    def parse(reply: str) -> Mapping[str, float] | None:
        found: dict[str, float] = {}
        for line in filter(None, (line.strip() for line in bare(reply).splitlines())):
            name, _, value = line.partition(":")
            name, rated = name.strip(_WRAPPING).casefold(), _number(value.strip(_WRAPPING), low, high)
            if name not in aspects or name in found or rated is None:
                return None
            found[name] = rated
        return found if len(found) == len(aspects) else None

    return parse


def order(count: int) -> Parse:
    """The numbers from 1 to `count`, each once, in some order."""

    def parse(reply: str) -> list[int] | None:
        found = numbers(reply)
        return found if sorted(found) == list(range(1, count + 1)) else None

    return parse


def numbers(reply: str) -> list[int]:
    """The whole numbers of a list, in order; empty where there is anything else in the reply."""
    parts = re.split(r"[\s,;>]+", bare(reply).strip(","))
    return [int(part) for part in parts] if all(re.fullmatch(r"[0-9]{1,6}", part) for part in parts) else []


def _number(text: str, low: float, high: float) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else None
    return value if value is not None and low <= value <= high else None
