"""Judgements and texts in files: CSV, TSV or JSONL of our own, and the histories of ARTS.

A judgement has the columns `first`, `second`, `winner` (an id, or `tie`), and, where known, `rater`, `time` (ISO 8601
with a time zone), `seconds`, `match` and `question`: what winning means, `harder`, `easier`, or `more X` or `less X`
for another quality. Rows with a reason in `left_out` do not count. All other columns are kept as groups. A history of
ARTS has `first_id`, `second_id`, `winner_id`, and perhaps `seq`, `match_id` and a `time` of day. There the winner is
the harder text, and rows count in the order of `seq`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError, Remedy
from plainly.base.records import Target, write_records
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.frames import NAME, tables_of
from plainly.corpus.readers.left_out import counted_rows
from plainly.corpus.readers.problems import Problems
from plainly.corpus.readers.releases import PlacedRow
from plainly.corpus.readers.rows import Needed, any_text, cell_text, table_rows
from plainly.ranking.judgements import (
    Direction,
    Judgement,
    Judgements,
    check,
    check_direction,
    flipped,
    merged,
    opposed,
)

NEEDED = ("first", "second", "winner")
COLUMNS = (*NEEDED, "rater", "time", "seconds", "match", "question")
SCORES = ("score", "position", "rank")
ARTS = ("first_id", "second_id", "winner_id")
OTHER_WORDS = {
    "first": ("left", "a", "text1", "texta", "id1", "one"),
    "second": ("right", "b", "text2", "textb", "id2", "two"),
    "winner": ("preferred", "chosen", "choice", "better", "answer"),
    "id": ("key", "name"),
    "text": ("sentence", "content", "passage"),
    "score": ("value", "rating"),
}
"""What columns are called in files of others; a file with such names is not read, but its reader is told."""
TIE = "tie"
LONGEST_DECISION = 600.0
"""Seconds: in histories of ARTS, which hold only the time of day, a longer gap is a break."""


@dataclass(frozen=True)
class Text:
    """A text that is judged, and whatever else its file says of it."""

    id: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    place: str = field(default="", compare=False)
    """File and line."""


def read_judgements(
    paths: Any,
    winner: Direction | None = None,
    texts: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
) -> Judgements:
    """The judgements of one or more files, each `FILE` or `RATER=FILE`, or of data frames.

    `winner` says what winning means where a file does not say it itself. `texts` are the ids that may appear.
    `columns` says what columns are called in the files, as {"first": "left"}.
    """
    if winner is not None:
        check_direction(winner, "what winning means")
    known = None if texts is None else set(texts)
    tables = tables_of(paths)
    named = [named_file(str(table)) if isinstance(table, (str, Path)) else ("", table) for table in tables]
    _refuse_twice([path for _, path in named if isinstance(path, str)])
    return merged([_read_one(rater, table, winner, known, columns) for rater, table in named], texts)


def write_judgements(judgements: Judgements, target: Target) -> None:
    """Write them as CSV, or as JSONL if the name ends so."""
    extra = sorted({name for item in judgements.items for name in item.groups})
    records = [{**_cells(item, judgements.direction), **item.groups} for item in judgements.items]
    write_records(records, [*COLUMNS, *extra], target)


def read_texts(path: Any, columns: Mapping[str, str] | None = None) -> list[Text]:
    """Texts with their ids (`id` or `text_id`), from any table. All that is wrong is told at once.

    `columns` says what columns are called there, as {"text": "sentence"}.
    """
    found: dict[str, Text] = {}
    problems = Problems()
    needed = Needed.of("id", "text", also=("text_id",), other=OTHER_WORDS)
    for place, row in table_rows(path, needed, columns):
        with problems.caught():
            text = _text(row, place)
            if text.id in found:
                said = f"text {shown(text.id)} is there twice, first at {found[text.id].place}"
                raise PlainlyError(said, place=place)
            found[text.id] = text
    problems.refuse()
    return list(found.values())


def read_scores(path: Any, ids: Iterable[str], columns: Mapping[str, str] | None = None) -> dict[str, float]:
    """One score a text, from any table, such as `plainly ranking rate --format csv` writes; texts may be left out.

    A ranking has the column `position` (or `rank`) in the place of `score`. All that is wrong is told at once.
    """
    known, found = set(ids), dict[str, float]()
    problems = Problems()
    needed = Needed.of("id", *SCORES, also=("text", "text_id"), other=OTHER_WORDS)
    for place, row in table_rows(path, needed, columns):
        with problems.caught():
            score = _score(row, place)
            key = next((key for key in ("text", "id", "text_id") if key in row), None)
            name = cell_text(row[key], place, "id") if key else ""
            if name not in known:
                raise PlainlyError(f"text {shown(name)} is not among the texts", place=place)
            if name in found:
                raise PlainlyError(f"text {shown(name)} is there twice", place=place)
            found[name] = score
    problems.refuse()
    return found


def _score(row: Mapping[str, Any], place: Place) -> float:
    column = next((column for column in SCORES if column in row), None)
    if column is None:
        raise PlainlyError(f"{SCORES[0]} is missing; found {', '.join(map(shown, row))}", place=place)
    try:
        score = float(row[column])
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise PlainlyError(f"{column} must be a number", place=place)
    return score


def _text(row: dict[str, Any], place: Place) -> Text:
    key = "id" if "id" in row else "text_id"
    for name in (key, "text"):
        if name not in row:
            raise PlainlyError(f"{'id' if name == key else name} is missing", place=place)
    identity = cell_text(row.pop(key), place, "id")
    text = row.pop("text")
    if not isinstance(text, str) or not text.strip():
        raise PlainlyError(f"text {shown(identity)} is empty", place=place)
    if not identity:
        raise PlainlyError("id is empty", place=place)
    return Text(identity, text, row, str(place))


def _read_one(
    rater: str, table: Any, winner: Direction | None, texts: set[str] | None, columns: Mapping[str, str] | None
) -> Judgements:
    rows = list(counted_rows(table_rows(table, Needed.of(*NEEDED, also=ARTS, other=OTHER_WORDS), columns)))
    name = table if isinstance(table, str) else NAME
    if not rows:
        raise PlainlyError(f"{shown(name)} holds no judgements")
    if all(name in rows[0][1] for name in ARTS):
        items = _arts(rows, rater or _stem(name))
        direction: Direction = "harder"
    else:
        items, direction = _own(rows, rater, winner)
    for item in items:
        check(item, texts)
    return Judgements.of(items, direction)


def _refuse_twice(paths: Sequence[str]) -> None:
    """Judgements that count twice look surer than they are."""
    seen: set[Path] = set()
    for path in paths:
        file = Path(path).resolve()
        if path != "-" and file in seen:
            raise PlainlyError(f"{path} is given twice; its judgements would count twice")
        seen.add(file)


def _own(rows: list[PlacedRow], rater: str, winner: Direction | None) -> tuple[list[Judgement], Direction]:
    """Rows of our own format. Where rows ask different questions, all answer that of the first."""
    direction: Direction | None = None
    items = []
    for place, row in rows:
        for column in NEEDED:
            if column not in row:
                raise PlainlyError(f"{column} is missing", place=place)
        asked = _question(row.get("question"), winner, place)
        direction = direction or asked
        cells = {key: cell_text(row.get(key), place, key) for key in ("first", "second", "rater", "match")}
        item = Judgement(
            cells["first"],
            cells["second"],
            _winner(row["winner"], place),
            cells["rater"] or rater,
            _time(row.get("time"), place),
            _seconds(row.get("seconds"), place),
            place.number,
            cells["match"],
            {key: any_text(value, place, key) for key, value in row.items() if key not in COLUMNS},
            place.file,
        )
        if TIE in (item.first, item.second):
            raise PlainlyError(f"{TIE!r} cannot be the id of a text; as a winner it means a tie", place=place)
        check(item)
        items.append(flipped(item) if opposed(asked, direction, place) else item)
    assert direction is not None  # there are rows
    return items, direction


def _arts(rows: list[PlacedRow], rater: str) -> list[Judgement]:
    """A history of ARTS, in the order of `seq`; a decision took as long as the clock moved since the one before."""
    placed = []
    for place, row in rows:
        first, second, winner, match = (cell_text(row.get(key), place, key) for key in (*ARTS, "match_id"))
        seq = cell_text(row.get("seq", place.number), place, "seq")
        if not (seq.isascii() and seq.isdecimal() and len(seq) < 19):
            raise PlainlyError(f"seq must be a whole number, not {shown(seq)}", place=place)
        item = Judgement(first, second, winner, rater, row=place.number, match=match, file=place.file)
        placed.append((int(seq), _clock(row.get("time"), place), item))
    placed.sort(key=lambda entry: entry[0])
    for before, after in pairwise(placed):
        if before[0] == after[0]:
            raise PlainlyError(f"{after[2].place}: seq {after[0]} is there twice")
    running = len({clock for _, clock, _ in placed}) > 1  # a clock that stands still tells nothing
    items = []
    last: float | None = None
    for _, clock, item in placed:
        took = None if clock is None or last is None else clock - last
        timed = running and took is not None and 0 <= took <= LONGEST_DECISION
        items.append(replace(item, seconds=took) if timed else item)
        last = clock
    return items


def _question(value: Any, winner: Direction | None, place: Place) -> Direction:
    if value is None or value == "":
        if winner is None:
            raise PlainlyError(
                "does the harder or the easier text win? Add a column question (harder, easier, more formal, ...)",
                place=place,
                remedy=Remedy("winner"),
            )
        return winner
    asked = check_direction(value, "question", place)
    if winner is not None and asked != winner:
        raise PlainlyError(
            f"the question is which text is {asked}, but the winner is said to be {winner}", place=place
        )
    return asked


def _winner(value: Any, place: Place) -> str | None:
    text = cell_text(value, place, "winner")
    if not text:
        raise PlainlyError(f"winner is empty; write the id of a text, or {TIE}", place=place)
    return None if text == TIE else text


def _time(value: Any, place: Place) -> str:
    text = cell_text(value, place, "time")
    if not text:
        return ""
    try:
        moment = datetime.fromisoformat(text.removesuffix("Z") + "+00:00" if text.endswith("Z") else text)
    except ValueError:
        raise PlainlyError(f"time must be like 2024-05-31T09:45:10+02:00, not {shown(text)}", place=place) from None
    if moment.tzinfo is None:
        raise PlainlyError(f"the time {shown(text)} has no zone; write it as {text}Z or {text}+02:00", place=place)
    return text


def _clock(value: Any, place: Place) -> float | None:
    """Seconds since midnight, of a time of day."""
    text = cell_text(value, place, "time")
    if not text:
        return None
    try:
        moment = datetime.strptime(text, "%H:%M:%S")
    except ValueError:
        raise PlainlyError(f"time must be like 09:45:10, not {shown(text)}", place=place) from None
    return 3600.0 * moment.hour + 60 * moment.minute + moment.second


def _seconds(value: Any, place: Place) -> float | None:
    if value is None or value == "":
        return None
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        seconds = math.nan
    if isinstance(value, bool) or not 0 <= seconds < math.inf:
        raise PlainlyError(f"seconds must be a number from 0 on, not {shown(str(value))}", place=place)
    return seconds


def _cells(item: Judgement, direction: Direction) -> dict[str, Any]:
    """What is known of it."""
    own = {name: getattr(item, name) for name in COLUMNS if name != "question"}
    cells = {**own, "winner": TIE if item.winner is None else item.winner, "question": direction}
    return {name: value for name, value in cells.items() if value not in ("", None)}


def named_file(item: str) -> tuple[str, str]:
    """`RATER=FILE`, unless a file has that very name."""
    name, equals, path = item.partition("=")
    if not equals or Path(item).exists():
        return "", item
    if not name or not path:
        raise PlainlyError(f"expected FILE or RATER=FILE, not {shown(item)}")
    return name, path


def _stem(path: str) -> str:
    return Path(path).name.removesuffix(".gz").rpartition(".")[0] or path
