"""Where English sentences end: a built-in splitter that needs no data, and NLTK's Punkt.

Both serve running text and tokenised, lower-cased text. In the latter every free-standing stop ends a sentence
("u . s ." holds two), as Punkt has it; FKGL as EASSE computes it rests on that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol

from plainly.errors import MissingResource


def split_sentences(text: str) -> list[str]:
    """The sentences of an English text, without the blanks around them; no other character is lost.

    A sentence ends at ``. ? ! …`` and the quotes and brackets that close there, when blanks follow, and at an
    empty line. It does not end at

    * an abbreviation, unless it is one that can close a sentence and a typical first word follows
      ("the U.S. He left"); a text without any capital gives no such evidence, so there it never ends;
    * an initial or a list number ("J. Smith", "2. Results"), under the same condition;
    * dots of omission, and stops inside or after quotes, before a lower-case word ("Why?" she asked).

    Better than Punkt, on purpose: "No. 5", "in 1990. he left", '"Why?" he asked' and brand names with "!".
    """
    text = text.strip()
    if not text:
        return []
    starts = [0, *_starts(text), len(text)]
    return [text[begin:end].rstrip() for begin, end in zip(starts, starts[1:], strict=False)]


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

    Needs ``nltk`` and its data. NLTK's rules moved between releases: since 3.9 a curly quote after a free-standing
    stop joins the sentence it closes, in 3.8.1 (the oracle of EASSE's numbers) it counted as one more.
    """
    return list(_punkt().tokenize(text))


class _Splitter(Protocol):
    def tokenize(self, text: str) -> list[str]: ...


@cache
def _punkt() -> _Splitter:
    try:
        from nltk.tokenize.punkt import PunktTokenizer
    except ImportError:
        raise MissingResource(
            "The punkt sentence splitter needs NLTK 3.9 or later: pip install 'plainly[punkt]'"
        ) from None
    try:
        splitter: _Splitter = PunktTokenizer("english")
    except (LookupError, OSError):
        raise MissingResource(
            "NLTK is here but its English sentence model is not: python -m nltk.downloader punkt_tab"
        ) from None
    return splitter


_CLOSING = r"[\"'”’»›)\]}]"

# The last character of a run of stops, then what closes there (attached, or free-standing as tokenisers leave it),
# then blanks; or an empty line. The first character is one set, which lets the regex engine skip ahead fast, and
# only stops start a match, so no character is scanned more than a few times.
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
_DOTTED = re.compile(r"(?:\w\.)+\w")
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


# A name or an explanation must follow, so these never close a sentence.
_TITLES = frozenset(
    """
    adm asst atty brig capt cdr cmdr col cpl cpt det dr drs eg fr gen gov hon ie lt maj messrs mgr mlle mme mr mrs
    ms msgr mx ofc pres prof profs pte pvt rep reps rev sen sens sgt supt viz vs cf e.g i.e approx ca incl esp
    """.split()
)

# Abbreviations in front of a number, common words elsewhere ("No. 5", but "They said no.").
_NUMBERED = frozenset("no nos pp vol vols ch chap chaps sec sect fig figs art eq eqs op ver pt par".split())

# Abbreviations that may close a sentence.
_CLOSERS = frozenset(
    """
    abbr al assn assoc ave b.sc blvd bros ch.b cie co corp ctr dept dist div ed eds esq est etc ext ft gmbh
    hwy inc inst intl jr llc ltd m.sc mfg mt mts nat natl orig ph.d phd pl pref prop pseud pub rd repr sr st sta ste
    trans univ var vet
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    ala ariz ark calif colo conn del fla ga ill ind kan kans ky la md mich minn miss mo mont neb nev okla ore
    oreg pa penn penna tenn tex va vt wash wis wisc wyo ont que
    """.split()
)

# Words that often open a sentence and hardly ever go on after an abbreviation.
_FIRST_WORDS = frozenset(
    """
    a about after all also although an another any are as at because before being both but by can could despite
    did do does during each even every few finally first following for from had has have he her here his how however
    i if in instead is it its later like many more most my nevertheless no not now often on once one only other
    our over perhaps several she should since so some soon such that the their then there therefore these they this
    those though through thus to today together two under unlike until upon was we were what when where whether which
    while who why will with within without would yet you your
    """.split()
)
