"""What a parser makes of a text, whichever parser it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

TAGS = "tags"  # parts of speech
LEMMAS = "lemmas"
DEPENDENCIES = "dependencies"
ENTITIES = "entities"
EVERYTHING = frozenset({TAGS, LEMMAS, DEPENDENCIES, ENTITIES})
NUMBERS = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
"""What English pipelines count among named entities, though it is no name."""


class Token(NamedTuple):
    """A word or a mark. What the parser does not provide is an empty text, -1 or False."""

    text: str
    lemma: str = ""
    """The dictionary form."""
    pos: str = ""
    """One of the 17 universal parts of speech: NOUN, VERB, AUX, PUNCT, ..."""
    tag: str = ""
    """The parser's own part of speech."""
    head: int = -1
    """The position in the sentence of the token that this one depends on; its own position for a root."""
    dep: str = ""
    """The relation to the head, in the inventory of `labels`; "root" for a root."""
    raw_dep: str = ""
    """The same as the parser names it."""
    entity: bool = False
    """Whether it belongs to a named entity."""


Sentence = tuple[Token, ...]


class Parsed(NamedTuple):
    """A text as sentences of tokens. No sentence is empty; a text without tokens has no sentence."""

    sentences: tuple[Sentence, ...]

    @property
    def tokens(self) -> list[Token]:
        """The tokens of all sentences in a row; their heads still count within the sentence."""
        return [token for sentence in self.sentences for token in sentence]


class Parser(ABC):
    """Parses texts of one language. Made once, used from any thread."""

    name: str
    """Such as "fr_core_news_sm"."""
    version: str
    provides: frozenset[str]
    """Of `TAGS`, `LEMMAS`, `DEPENDENCIES`, `ENTITIES`."""

    @property
    def identity(self) -> str:
        """For signatures: another identity, perhaps another parse."""
        return f"{self.name}-{self.version}"

    @abstractmethod
    def parse(self, texts: Sequence[str], needs: frozenset[str] = EVERYTHING) -> list[Parsed]:
        """One `Parsed` a text, in order. An empty text has no sentence; no text is refused.

        What is not among `needs` may be missing.
        """
