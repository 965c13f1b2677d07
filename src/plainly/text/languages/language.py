"""The shape of a language entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from plainly.base.errors import PlainlyError
from plainly.text.hyphenation import PYPHEN, pyphen_counter, pyphen_version
from plainly.text.sentences import SentenceSplitter
from plainly.text.syllables import count_syllables

DIRECTIONS = {"ltr": "from left to right", "rtl": "from right to left"}


@dataclass(frozen=True)
class Scale:
    """What scores of a formula are called."""

    source: str
    bands: tuple[tuple[float, str], ...]
    """From which score on a word holds, from hard to easy. What is below the first is called as the first."""

    def word(self, score: float) -> str:
        """The word for a score; none where it is not a number."""
        if score != score:
            return ""
        return next((word for start, word in reversed(self.bands) if score >= start), self.bands[0][1])


@dataclass(frozen=True)
class ReadingEase:
    """Flesch's formula with the constants of a language.

    base - per_sentence x words / sentences - per_word x syllables / words
    """

    name: str
    base: float
    per_sentence: float
    per_word: float
    source: str
    in_textstat: bool = True
    """Whether textstat has constants for the language; else it takes the English ones without a word."""
    per_hundred: bool = False
    """Whether textstat up to 0.7.5 rounds syllables per 100 words, not per word."""
    scale: Scale | None = None
    """Its words, where a scale for the language was published."""


@dataclass(frozen=True)
class Smog:
    """factor x sqrt(30 polysyllables / sentences) + constant."""

    name: str
    factor: float
    constant: float


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
    spacy_pipeline: str = ""
    """A trained pipeline that spaCy publishes for it."""
    stop_words: frozenset[str] = frozenset()
    """Function words, in lower case."""
    identified_as: str = ""
    """What py3langid calls it; empty where that does not know it."""
    article: str = ""
    """The article that edits put in, as "the"; where there is none, another short and very frequent word."""
    full_stop: str = "."
    tight_marks: str = ",.;:!?"
    """Marks that stand right after a word, without a blank."""
    question_negations: frozenset[str] = frozenset()
    """Words that deny and are easily overlooked in a question."""
    catch_all_answers: tuple[str, ...] = ()
    """How answers begin that speak of the other answers, as "all of the above"."""
    markers: tuple[str, ...] = ()
    """Discourse markers: they say how a sentence or clause goes with what was said before."""
    secondary_verbs: frozenset[str] = frozenset()
    """Words that say how or whether something happens; with a verb below they are no scene of their own."""
    negations: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Words that deny, each with what is left of it. One that ends in an apostrophe is a prefix: n'est, est."""
    easy_words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Difficult words, each with an easy one in the same form."""
    reading_ease: ReadingEase | None = None
    smog: Smog | None = None
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
