"""A scene: something that happens or holds, and who and what takes part in it (UCCA's words)."""

from __future__ import annotations

from typing import NamedTuple

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON"})


class Word(NamedTuple):
    """A word of a text, in lower case."""

    text: str
    lemma: str
    content: bool = True
    """Whether it is more than a function word."""

    @classmethod
    def of(cls, text: str, lemma: str = "", pos: str = "NOUN") -> Word:
        """The word as a parser or a file gives it."""
        return cls(text.lower(), (lemma or text).lower(), pos in CONTENT)


Unit = tuple[Word, ...]
"""The minimal centres of one part of a scene: its head word, or several where heads are coordinated."""


class Scene(NamedTuple):
    """One scene of a text."""

    main: Unit
    """Of the main relation: a process or a state."""
    participants: tuple[Unit, ...] = ()
    """Of each participant. An empty unit is one that the text does not name."""
    others: Unit = ()
    """The remaining words of the scene. They help to find it in another text."""

    @property
    def words(self) -> list[Word]:
        """All words of the scene."""
        return [word for unit in (self.main, *self.participants, self.others) for word in unit]
