"""Pairs whose easier text is known: for practice, and as checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.problems import Problems
from plainly.corpus.readers.rows import cell_text
from plainly.ranking.formats import TIE
from plainly.studio.kinds.base import FileSlot, Json
from plainly.studio.kinds.columns import rows

COLUMNS = dict.fromkeys(("first", "second", "easier", "why"), ())
NEEDED = ("first", "second", "easier")
SIDES = ("first", "second")
LONGEST = 100_000
LONGEST_WHY = 2000
_UNKEPT = re.compile("[\x00\ud800-\udfff]")


def read_known(path: Path, slot: FileSlot, options: Json, texts: Mapping[str, str]) -> list[Json]:
    """Tasks with what they expect. `first` and `second` are ids of texts, or the texts themselves."""
    problems = Problems()
    found = []
    for place, row in rows(path, slot, options):
        with problems.caught():
            found.append(_task(row, str(place), options, texts))
    problems.refuse()
    if not found:
        raise PlainlyError(f"{path.name} holds no pairs")
    return found


def turned(task: Json) -> Json:
    """The same pair with its sides changed."""
    other = dict(zip(SIDES, reversed(SIDES), strict=True))
    found = {**task, **{side: task[other[side]] for side in SIDES}}
    if "texts" in task:
        found["texts"] = {side: task["texts"][other[side]] for side in SIDES}
        found["expected"] = other.get(task["expected"], task["expected"])
    return found


def _task(row: Mapping[str, Any], place: str, options: Json, texts: Mapping[str, str]) -> Json:
    cells = {name: _cell(row, name, place, LONGEST) for name in NEEDED}
    sides = {cells[side]: side for side in SIDES}
    if len(sides) < len(SIDES):
        raise PlainlyError(f"{place}: both texts are the same")
    easier = sides.get(cells["easier"], cells["easier"])
    if easier not in (*SIDES, *((TIE,) if options["ties"] else ())):
        also = f", or {TIE}" if options["ties"] else ""
        raise PlainlyError(f"{place}: easier must be first or second{also}, not {shown(easier)}")
    harder = options["question"] == "harder" and easier != TIE
    return {
        **dict.fromkeys(SIDES, ""),
        "match": "",
        "texts": {side: texts.get(cells[side], cells[side]) for side in SIDES},
        "expected": next(side for side in SIDES if side != easier) if harder else easier,
        "why": _cell(row, "why", place, LONGEST_WHY, needed=False),
    }


def _cell(row: Mapping[str, Any], name: str, place: str, most: int, *, needed: bool = True) -> str:
    text = cell_text(row.get(name), place, name).strip()
    if needed and not text:
        raise PlainlyError(f"{place}: {name} is missing")
    if len(text) > most:
        raise PlainlyError(f"{place}: {name} has more than {most:,} characters")
    if _UNKEPT.search(text):
        raise PlainlyError(f"{place}: {name} holds characters that cannot be kept (NUL, surrogates)")
    return text


def same_choice(first_task: Json, first: str, again_task: Json, again: str) -> bool | None:
    """Whether the same text was chosen twice, wherever it stood; None where a pair was skipped."""
    if "skip" in (first, again):
        return None
    return bool(first_task.get(first, first) == again_task.get(again, again))
