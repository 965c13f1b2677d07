"""What must hold for line files that belong together, and the message that says where it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from plainly.base.errors import BadInput, Place, PlainlyError, Remedy

EMPTY_REFERENCE = (
    Remedy("empty_reference", "missing", "(no reference here)"),
    Remedy("empty_reference", "keep", "(the reference is an empty text)"),
)


Refused = tuple[int, str, str]
"""A segment that cannot be used: its number, its place in the files, and why."""

ID_PREFIX = re.compile(r"[0-9]+\t")


class Track(Protocol):
    """One of several files that are read in step."""

    name: str
    taken: int
    unit: str

    def take(self, count: int) -> Sequence[Any]: ...

    def count_rest(self) -> int: ...


def is_blank(text: str) -> bool:
    """Nothing but white space."""
    return not text or text.isspace()


def first_blank(lines: Sequence[str]) -> int | None:
    """The place of the first blank line, if there is one."""
    if all(lines) and not any(map(str.isspace, lines)):
        return None
    return next(place for place, line in enumerate(lines) if is_blank(line))


def with_id_prefix(texts: Iterable[str | None]) -> int:
    """How many texts begin with a number and a tab: an id that somebody forgot to cut off."""
    return sum(1 for text in texts if text and ID_PREFIX.match(text))


def check_sources(name: str, lines: Sequence[str], start: int) -> None:
    """Refuses blank sources; `start` is the number of lines before these."""
    if (place := first_blank(lines)) is not None:
        raise BadInput("empty source", place=Place(name, start + place + 1))


def blank_lines(
    sources: str, lines: Sequence[str], references: Mapping[str, Sequence[str]], start: int
) -> Iterator[Refused]:
    """Segments whose source or reference is blank, each once; `start` is the number of lines before these."""
    found: dict[int, Refused] = {}
    columns = [
        (sources, lines, "empty source"),
        *((name, t, "empty reference") for name, t in references.items()),
    ]
    for name, texts, why in columns:
        if first_blank(texts) is not None:
            for i, text in enumerate(texts):
                if is_blank(text):
                    found.setdefault(i, (start + i, f"{name}:{start + i + 1}", why))
    return iter(sorted(found.values()))


def group_references(
    names: Sequence[str], columns: Sequence[Sequence[str]], start: int, empty: str
) -> list[tuple[str, ...]]:
    """The references of each segment, from the lines of one file per reference."""
    groups = list(zip(*columns, strict=True))
    if empty == "keep":
        return groups
    blanks = [first_blank(lines) for lines in columns]
    if empty == "error":
        for name, place in zip(names, blanks, strict=True):
            if place is not None:
                raise BadInput("empty reference", place=Place(name, start + place + 1), remedy=EMPTY_REFERENCE)
    if any(place is not None for place in blanks):
        groups = [tuple(text for text in group if not is_blank(text)) for group in groups]
    return groups


def uneven(tracks: Sequence[Track], last: Sequence[Sequence[Any]], reference_files: int) -> PlainlyError:
    """The files do not have the same number of lines; `last` is what was just taken from each."""
    counts = [track.taken + track.count_rest() for track in tracks]
    other = next(place for place, count in enumerate(counts) if count != counts[0])
    short, long = sorted((0, other), key=lambda place: counts[place])
    few, many = counts[short], counts[long]
    unit, long_unit = tracks[short].unit, tracks[long].unit
    message = (
        f"{tracks[short].name}: {unit} {few + 1} is missing: it has {plural(few, unit)}, "
        f"but {tracks[long].name} has {many if unit == long_unit else plural(many, long_unit)}"
    )
    beyond = last[long][few - tracks[short].taken + len(last[short]) :]
    if reference_files == counts[0] > 1 and len(set(counts[1 : 1 + reference_files])) == 1:
        hint = "; the references look transposed: give one file per reference, not one file per source"
    elif many == tracks[long].taken and all(isinstance(line, str) and is_blank(line) for line in beyond):
        hint = f"; the lines that {tracks[long].name} has more are blank"
    elif few > 1 and many % few == 0:
        times = many // few
        hint = f"; that is {times} times as many: if it holds {times} texts per segment, make it {times} files"
    else:
        hint = ""
    return PlainlyError(message + hint)


def plural(count: int, unit: str) -> str:
    """As in "1 line" and "2 lines"."""
    return f"{count} {unit}{'' if count == 1 else 's'}"
