"""What is said of results: a key with values, worded in the reader's language.

English stands where the message is made. Other languages stand beside the study, one file each: for German
`findings.de.toml` in the room that the key begins with, as

    [ratings]
    best = "{system} ist am besten."

A text that a file lacks is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from plainly.base import declarations

_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_POINTS = {"de": ","}  # marks of decimals, where they are not a point


@dataclass(frozen=True)
class Message:
    """One sentence or title. A value may be a message itself."""

    key: str
    english: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def text(self, lang: str = "en") -> str:
        """In a language; in English where that language has no words for it."""
        return _PLACEHOLDER.sub(lambda found: self._filled(found, lang), self._template(lang))

    def __str__(self) -> str:
        return self.text()

    def _template(self, lang: str) -> str:
        room, _, name = self.key.partition(".")
        return self.english if lang == "en" or not name else _texts(room, lang).get(name, self.english)

    def _filled(self, found: re.Match[str], lang: str) -> str:
        if found[1] not in self.values:
            return found[0]
        value = self.values[found[1]]
        if isinstance(value, Message):
            return value.text(lang)
        said = format(value, found[2] or "")
        return decimal(said, lang) if isinstance(value, float) else said


@dataclass(frozen=True)
class Note:
    """What a reader of the numbers should know."""

    message: Message
    kind: Literal["note", "caution", "warning"] = "note"
    """A caution is on how to read a number; a warning, that the texts look wrong: it is said in every form."""
    aside: bool = False
    """Said beside the result, to the person at the terminal, not below the table."""


def message(key: str, english: str, **values: Any) -> Message:
    """A message of a room: `message("ratings.best", "{system} is best", system=name)`."""
    return Message(key, english, values)


def plain(text: str) -> Message:
    """A text that is the same in every language: a name, a heading of a column."""
    return Message("", "{text}", {"text": text})


def joined(parts: Iterable[Message], between: str = ", ") -> Message:
    """Several messages as one."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return Message("", between.join(f"{{{name}}}" for name in values), values)


def decimal(number: str, lang: str) -> str:
    """A number as a language writes it: with its own mark of decimals."""
    return number.replace(".", _POINTS[lang]) if lang in _POINTS else number


@cache
def _texts(room: str, lang: str) -> Mapping[str, str]:
    """The texts of a room in a language: all sections of its file, by key."""
    try:
        file = files(f"plainly.{room}") / f"findings.{lang}.toml"
        sections = declarations.read(file.read_text("utf-8"))
    except (FileNotFoundError, ModuleNotFoundError):
        return {}
    texts: Mapping[str, str] = sections.get(room, {})
    return texts


def plural(count: int, unit: str) -> str:
    """As in "1 line" and "2 lines"."""
    return f"{count} {unit}{'' if count == 1 else 's'}"
