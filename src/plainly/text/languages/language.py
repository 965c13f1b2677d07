"""The shape of a language entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from plainly.base.errors import PlainlyError
from plainly.text.hyphenation import PYPHEN, pyphen_counter, pyphen_version
from plainly.text.sentences import SentenceSplitter
from plainly.text.syllables import count_syllables

DIRECTIONS = {"ltr": "from left to right", "rtl": "from right to left"}


@dataclass(frozen=True)
class Language:
    """What plainly knows of one language. The fields are the keys of its entry; what is left out is not available."""

    code: str
    """ISO 639-1, or 639-3 where there is no shorter one: the name of the entry's file."""
    name: str
    """In English."""
    iso639_3: str
    direction: str = "ltr"
    """How it is written, a key of `DIRECTIONS`."""
    spaces: bool = True
    """Whether blanks stand between its words."""
    dotless_i: bool = False
    """Whether I and i are two letters, as in Turkish: the small form of I is ı, and that of İ is i."""
    tokenizer: str = "13a"
    """The tokeniser that is taken where none is asked for."""
    metrics: tuple[str, ...] = ("sari", "bleu", "off-language")
    """The metrics that are computed where none is asked for."""
    readability: tuple[str, ...] = ()
    """The readability formulas that were made for it."""
    frequency_list: str | None = None
    """The code of wordfreq's list."""
    syllable_source: str = ""
    """ "plainly" (English only), or "pyphen-" and the name of the dictionary."""
    spacy_needs: tuple[str, ...] = ()
    """The packages that spaCy's tokeniser of this language needs besides spaCy."""
    stop_words: frozenset[str] = frozenset()
    """Function words, in lower case."""
    marks_sentences: bool = True
    """Whether its writing marks where sentences end."""
    sentences: SentenceSplitter = field(default_factory=SentenceSplitter)

    def lower(self, text: str) -> str:
        """The text in small letters."""
        return text.replace("İ", "i").replace("I", "ı").lower() if self.dotless_i else text.lower()

    @property
    def sentence_source(self) -> str:
        """The splitter, as signatures name it; empty where there is none."""
        return "builtin" if self.marks_sentences else ""

    def split_sentences(self, text: str) -> list[str]:
        """The sentences of a text, without the blanks around them."""
        return self._splitter.split(text)

    def count_sentences(self, text: str) -> int:
        """The number of these."""
        return self._splitter.count(text)

    @property
    def _splitter(self) -> SentenceSplitter:
        if not self.marks_sentences:
            raise PlainlyError(f"{self.name} does not mark where sentences end, so plainly cannot tell")
        return self.sentences

    @cached_property
    def count_syllables(self) -> Callable[[str], int] | None:
        """How many syllables a word has; None where plainly has no way to count them."""
        if self.syllable_source == "plainly":
            return count_syllables
        if self.syllable_source:
            return pyphen_counter(self.syllable_source.removeprefix(PYPHEN))
        return None

    @property
    def syllable_versions(self) -> dict[str, str]:
        """The version of the package that counts syllables, for long signatures."""
        return {"pyphen": pyphen_version()} if self.syllable_source.startswith(PYPHEN) else {}
