"""Where English sentences end: a built-in splitter that needs no data, and NLTK's Punkt.

Both serve running text and tokenised, lower-cased text. In the latter every free-standing stop ends a
sentence ("u . s ." holds two), as Punkt has it; FKGL as EASSE computes it rests on that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Protocol

from plainly.errors import MissingResource


def split_sentences(text: str) -> list[str]:
    """The sentences of an English text, without the blanks around them; no other character is lost.

    A sentence ends at ``. ? ! …`` and the quotes and brackets that close there, when blanks follow, and at an
    empty line. It does not end at

    * an abbreviation, an initial or a list number ("Dr. Smith", "J. Smith", "2. Results"), unless it can
      close a sentence and a typical first word follows ("the U.S. He left"); a text without any capital gives
      no such evidence, so there they never end one;
    * ``?`` or ``!``, closing quotes or dots of omission before a lower-case word ('"Why?" she asked').

    On 44,150 lines (ASSET, TurkCorpus, HSplit, PWKP, system outputs) tokenised by 13a and lower-cased, the
    number of sentences equals that of Punkt on every line; on the raw lines it does on 99.6 %. Nearly all
    others are faults of Punkt ("No. 5", "e.g. ales", "Sgt. Pepper", '"O. J." Simpson', "20 m. However"). On
    raw but lower-cased lines it does on 98.1 %: Punkt does not end a sentence at "in 1990. he left".
    """
    text = text.strip()
    if not text:
        return []
    starts = [0, *_starts(text), len(text)]
    return [text[begin:end].rstrip() for begin, end in pairwise(starts)]


def count_sentences(text: str) -> int:
    """``len(split_sentences(text))``, without building the list."""
    text = text.strip()
    if not text:
        return 0
    if _BREAK.search(text) is None:
        return 1
    return 1 + sum(1 for _ in _starts(text))


def punkt_sentences(text: str) -> list[str]:
    """The sentences that NLTK's Punkt finds with its English model (Kiss and Strunk 2006).

    NLTK's rules moved between releases: in 3.10.4 a curly quote after a free-standing stop joins the sentence
    it closes, in 3.8.1 it was one more sentence. Punkt also cuts inside words ("2002.'s"), so the pieces can
    hold more blank-separated words than the text; EASSE's FKGL counts the words of the pieces.
    """
    return list(_punkt().tokenize(text))


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
        raise MissingResource(
            "NLTK is here but its English sentence model is not: python -m nltk.downloader punkt_tab"
        ) from None
    return splitter


_CLOSING = r"[\"'”’»›)\]}]"

# The last character of a run of stops, then what closes there (attached, or free-standing as tokenisers leave
# it), then blanks; or an empty line. The first character is one set, which lets the regex engine skip ahead
# fast, and only stops start a match, so no character is scanned more than a few times.
_BREAK = re.compile(
    rf"""
    [.?!…\n]
    (?: (?<!\n) (?![.?!…]) {_CLOSING}* (?:\s+{_CLOSING}+(?=\s))* \s+ (?! \s | {_CLOSING}+(?:\s|\Z) )
      | (?<=\n) [^\S\n]* \n \s*
    )
    """,
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"(?:\w\.)*\w[\w'’]*\Z")
_WORD_AFTER = re.compile(r"[^\w\s]*([\w.]*)")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
# Abbreviations are short; a bounded look back keeps a text without blanks linear.
_LOOK_BACK = 20


def _starts(text: str) -> Iterator[int]:
    """Where each sentence but the first begins; `text` is stripped."""
    caseless = text.islower()
    begin = 0
    for match in _BREAK.finditer(text):
        if _ends(text, match, begin, caseless):
            begin = match.end()
            yield begin


def _ends(text: str, match: re.Match[str], begin: int, caseless: bool) -> bool:
    stop = match.start()
    mark, before, after = text[stop], text[stop - 1 : stop], text[stop + 1]
    if mark == "\n" or not before or before.isspace():
        return True
    following = _WORD_AFTER.match(text, match.end())
    word = following[1] if following else ""
    goes_on = word[:1].islower() and not caseless
    if mark in "?!":
        return not goes_on
    if mark == "…" or before in ".…":
        return not goes_on and not caseless
    if goes_on and not after.isspace():  # 'left." he said'
        return False
    return not _is_abbreviated(text[max(begin, stop - _LOOK_BACK) : stop], word, caseless)


def _is_abbreviated(before: str, following: str, caseless: bool) -> bool:
    """Whether a full stop belongs to the last word of `before` rather than to the sentence."""
    found = _WORD_BEFORE.search(before)
    last = found[0].lower() if found else ""
    if last in _TITLES:
        return True
    if last in _NUMBERED:
        return following[:1].isdigit()
    if not (
        last in _CLOSERS
        or (len(last) == 1 and last.isalpha())
        or _DOTTED.fullmatch(last)
        or (last == before and last.isdigit() and len(last) < 3)  # the number of a list item
    ):
        return False
    return caseless or not (following[:1].isupper() and following.lower() in _FIRST_WORDS)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A name or an explanation must follow, so these never close a sentence.
_TITLES = _words(
    """
    adm approx asst atty brig ca capt cdr cf cmdr col cpl cpt det dr drs e.g eg esp fr gen gov hon i.e ie incl
    lt maj messrs mgr mlle mme mr mrs ms msgr mx ofc pres prof pte pvt rep rev sen sgt supt viz vs
    """
)

# Abbreviations in front of a number, common words elsewhere ("No. 5", but "They said no.").
_NUMBERED = _words("art ch chap chaps eq eqs fig figs mar no nos op par pp pt sat sec sect sun ver vol vols")

# Abbreviations that may close a sentence; those that are also common words (ill, miss, wash) are left out.
_CLOSERS = _words(
    """
    abbr al assn assoc ave blvd bros cie co corp ctr dept dist div eds esq est etc ext ft gmbh hwy inc inst
    intl jr llc ltd mfg mt mts natl orig ph.d phd pl pref pseud rd repr sr st sta ste trans univ var
    jan feb apr jun jul aug sep sept oct nov dec mon tue tues thu thur thurs fri
    ala ariz calif colo conn fla kans ky md mich minn mont neb nev okla ont oreg tenn tex vt wis wisc wyo
    """
)

# Words that often open a sentence and hardly ever go on after an abbreviation.
_FIRST_WORDS = _words(
    """
    a about after all also although an another any are as at because before being both but by can could
    despite did do does during each even every few finally first following for from had has have he her
    here his how however i if in instead is it its later like many more most my nevertheless no not now
    often on once one only other our over perhaps several she should since so some soon such that the
    their then there therefore these they this those though through thus to today together two under
    unlike until upon was we were what when where whether which while who why will with within without
    would yet you your
    """
)
