"""Where sentences end: one splitter that takes its marks and words from the language, and NLTK's Punkt.

Both serve running text and tokenised, lower-cased text. In the latter every free-standing stop ends a
sentence ("u . s ." holds two), as Punkt has it; FKGL as EASSE computes it rests on that.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from plainly.base.errors import MissingResource

Words = frozenset[str]  # in lower case


@dataclass(frozen=True)
class SentenceSplitter:
    """How a language marks the ends of its sentences. Words stand in lower case, without their last full stop.

    A sentence ends at a stop and the quotes and brackets that close there, when blanks follow; at a
    terminator, whatever follows; and at an empty line. It does not end at

    * an abbreviation, an initial or a list number ("Dr. Smith", "J. Smith", "2. Results"), unless it can
      close a sentence and a typical first word follows ("the U.S. He left"); a text without any capital gives
      no such evidence, so there they never end one;
    * an ordinal number that is written with a full stop ("am 3. Mai");
    * any other stop, closing quotes or dots of omission before a lower-case word ('"Why?" she asked').

    For English, on 44,150 lines (ASSET, TurkCorpus, HSplit, PWKP, system outputs) tokenised by 13a and
    lower-cased, the number of sentences equals that of Punkt on every line; on the raw lines it does on 99.6 %.
    Nearly all others are faults of Punkt ("No. 5", "e.g. ales", "Sgt. Pepper", '"O. J." Simpson', "20 m.
    However"). On raw but lower-cased lines it does on 98.1 %: Punkt does not end a sentence at "in 1990. he left".
    Figures for German stand in docs/languages.md.
    """

    stops: str = ".?!…"
    """They end a sentence where blanks follow; only the full stop has other uses, and is looked at closely."""
    terminators: str = ""
    """They end a sentence with or without blanks."""
    closing: str = "\"'”’»›)]}"
    """Quotes and brackets that may stand between the stop and the blanks."""
    ends_before_lowercase: bool = False
    """Whether a word and a full stop end a sentence where a lower-case word follows."""
    abbreviations: Words = frozenset()
    """A name or an explanation must follow, so these never close a sentence."""
    abbreviations_before_numbers: Words = frozenset()
    """Abbreviations in front of a number, common words elsewhere ("No. 5", but "They said no.")."""
    abbreviations_at_end: Words = frozenset()
    """Abbreviations that may close a sentence; better without those that are also common words."""
    first_words: Words = frozenset()
    """Words that often open a sentence and hardly ever go on after an abbreviation."""
    before_ordinals: Words = frozenset()
    """Words after which a number with a full stop is an ordinal, unless a typical first word follows it."""
    after_ordinals: Words = frozenset()
    """Words before which a number with a full stop is an ordinal."""

    def split(self, text: str) -> list[str]:
        """The sentences of a text, without the blanks around them; no other character is lost."""
        text = text.strip()
        if not text:
            return []
        starts = [0, *self._starts(text), len(text)]
        return [text[begin:end].rstrip() for begin, end in pairwise(starts)]

    def count(self, text: str) -> int:
        """``len(self.split(text))``, without building the list."""
        text = text.strip()
        if not text:
            return 0
        body = text[:-1]  # most texts are one sentence, with no mark but at their end
        for mark in self._marks:
            if mark in body:
                break
        else:
            return 1
        if self._break.search(text) is None:
            return 1
        return 1 + sum(1 for _ in self._starts(text))

    @cached_property
    def _marks(self) -> str:
        """With one of these begins all that `_break` matches."""
        return self.stops + self.terminators + "\n"

    @cached_property
    def _break(self) -> re.Pattern[str]:
        """The last character of a run of stops, then what closes there (attached, or free-standing as tokenisers
        leave it), then blanks; or an empty line.

        The first character is one set, which lets the regex engine skip ahead fast, and only stops start a
        match, so no character is scanned more than a few times.
        """
        marks, terminators, closing = map(re.escape, (self.stops + self.terminators, self.terminators, self.closing))
        anywhere = rf"| (?<=[{terminators}]) (?![{marks}]) [{closing}]* (?=\S)" if terminators else ""
        return re.compile(
            rf"""
            [{marks}\n]
            (?: (?<!\n) (?![{marks}]) [{closing}]* (?:\s+[{closing}]+(?=\s))* \s+ (?! \s | [{closing}]+(?:\s|\Z) )
              | (?<=\n) [^\S\n]* \n \s*
              {anywhere}
            )
            """,
            re.VERBOSE,
        )

    def _starts(self, text: str) -> Iterator[int]:
        """Where each sentence but the first begins; `text` is stripped."""
        caseless = text.islower()
        begin = 0
        for match in self._break.finditer(text):
            if self._ends(text, match, begin, caseless):
                begin = match.end()
                yield begin

    def _ends(self, text: str, match: re.Match[str], begin: int, caseless: bool) -> bool:
        stop = match.start()
        mark, before, after = text[stop], text[stop - 1 : stop], text[stop + 1]
        if mark == "\n" or mark in self.terminators or not before or before.isspace():
            return True
        following = _WORD_AFTER.match(text, match.end())
        word = following[1] if following else ""
        goes_on = word[:1].islower() and not caseless
        if mark not in ".…":
            return not goes_on
        if mark == "…" or before in ".…":
            return not goes_on and not caseless
        if goes_on and not (self.ends_before_lowercase and after.isspace()):  # 'left." he said'
            return False
        return not self._is_abbreviated(text[max(begin, stop - _LOOK_BACK) : stop], word, caseless)

    def _is_abbreviated(self, before: str, following: str, caseless: bool) -> bool:
        """Whether a full stop belongs to the last word of `before` rather than to the sentence."""
        found = _WORD_BEFORE.search(before)
        last = found[0].lower() if found else ""
        if last in self.abbreviations:
            return True
        if last in self.abbreviations_before_numbers:
            return following[:1].isdigit()
        if last in self.abbreviations_at_end and not self.first_words:  # a capital is all there is to go by
            return caseless or not following[:1].isupper()
        opens = not caseless and following[:1].isupper() and following.lower() in self.first_words
        return not opens and (
            last in self.abbreviations_at_end
            or (len(last) == 1 and last.isalpha())
            or _DOTTED.fullmatch(last) is not None
            or (last == before and last.isdigit() and len(last) < 3)  # the number of a list item
            or (bool(self.after_ordinals) and self._is_ordinal(before, following))
        )

    def _is_ordinal(self, before: str, following: str) -> bool:
        if _ROMAN.search(before):
            return True
        number = _NUMBER.search(before)
        return number is not None and (
            following.lower().rstrip(".") in self.after_ordinals
            or (following[:1].isdigit() and len(number[2]) < 3)  # 3. 5. 2020
            or (number[1] or "").lower() in self.before_ordinals
        )


NO_PUNKT = "NLTK is here but its English sentence model is not: python -m nltk.downloader punkt_tab"


def punkt_sentences(text: str) -> list[str]:
    """The sentences that NLTK's Punkt finds with its English model (Kiss and Strunk 2006).

    NLTK's rules moved between releases: in 3.10.4 a curly quote after a free-standing stop joins the sentence
    it closes, in 3.8.1 it was one more sentence. Punkt also cuts inside words ("2002.'s"), so the pieces can
    hold more blank-separated words than the text; EASSE's FKGL counts the words of the pieces.
    """
    return list(_punkt().tokenize(text))


def look_for_punkt() -> None:
    """Whether NLTK and its model are there, without loading them; MissingResource where not."""
    if find_spec("nltk") is None or "nltk" in sys.modules:
        _punkt()
        return
    homes = [Path.home(), Path(sys.prefix), *(Path(sys.prefix) / part for part in ("share", "lib"))]
    homes += [Path("/usr") / part for part in ("share", "local/share", "lib", "local/lib")]
    named = map(Path, filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep)))
    folders = [*named, *(home / "nltk_data" for home in homes)]
    if not any(list((folder / "tokenizers").glob("punkt_tab*")) for folder in folders):
        raise MissingResource(NO_PUNKT)


class _Splitter(Protocol):
    def tokenize(self, text: str) -> list[str]: ...


@cache
def _punkt() -> _Splitter:
    try:
        from nltk.tokenize.punkt import PunktTokenizer
    except ImportError:
        raise MissingResource("The punkt sentence splitter needs NLTK 3.9 or later: pip install nltk") from None
    try:
        splitter: _Splitter = PunktTokenizer("english")
    except (LookupError, OSError):
        raise MissingResource(NO_PUNKT) from None
    return splitter


_WORD_BEFORE = re.compile(r"(?:\w\.)*\w[\w'’]*\Z")
_WORD_AFTER = re.compile(r"[^\w\s]*([\w.]*)")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_ROMAN = re.compile(r"\b[IVX]{2,}\Z")
# Up to three digits, so no year, and not the end of 18.30; with the word before them.
_NUMBER = re.compile(r"(?:^|(\w*)[^\w.,:]+)(\d{1,3})\Z")
# Abbreviations are short; a bounded look back keeps a text without blanks linear.
_LOOK_BACK = 20
