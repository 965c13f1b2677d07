"""Mends what corpora did to the look of texts: capitals, spacing, quotes and conversion artefacts, never words.

Judges should compare texts, not the scars of file formats. Each rule is a function from text to text and stands in
`RULES` with a name, so that a dataset can say how often each was needed. Rules run in order until nothing changes;
mended texts therefore stay as they are when they are mended again.

Names inside a sentence stay in lower case in a text without capitals: which words are names, no rule knows.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from plainly.text.languages import get_language

Rule = Callable[[str, str], str]

# Brackets and signs as treebanks and translation tools write them.
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
TOKENS = {
    **_BRACKETS,
    **{name.lower(): bracket for name, bracket in _BRACKETS.items()},
    **{"``": '"', "''": '"', "\\/": "/"},
}
_TOKEN = re.compile("|".join(map(re.escape, TOKENS)))
_JOINED = re.compile(r" ?@([-,.:/])@ ?")
_SPLIT_QUOTE = re.compile(r"(?<!\S)` `(?!\S)")
_SINGLE_QUOTED = re.compile(r"(?<!\S)` ?([^`']{1,200}?) ?'(?!\w)")
_AMPERSAND = re.compile("&(?:amp;)+")
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_CURLY = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛", "'")})
_BLANKS = re.compile(r"\s+")
_CONTRACTION = re.compile(r"(?<=\w) (n't|'(?:s|re|ve|ll|d|m))(?!\w)", re.IGNORECASE)
_LONE_APOSTROPHE = re.compile(r" '(?= )")
_AFTER_OPENING = re.compile(r"([(\[{¿¡]) (?=\S)")
_BEFORE_CLOSING = re.compile(r"(?<=\S) (?=[)\]}])")
_SENTENCE_START = re.compile(r"""(?:^|(?<=[.!?…]) |(?<=[.!?…]["')\]]) )["'(\[¿¡]*(?P<letter>\w)""")
_LONE_I = re.compile(r"\bi\b(?=$|[ ,;:!?]|'(?:m|ve|ll|d)\b)")
_INITIALS = re.compile(r"(?:\b\w|\b(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|jr|sr|inc|co|ca|approx))\.$")

# What the bytes 0x80 to 0x9f are in Windows-1252; five of them are nothing.
_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xA0)}
_BYTE_OF = {**{chr(byte): byte for byte in range(0x80, 0x100)}, **{c: byte for byte, c in _WINDOWS.items() if c}}
_TRAIL = "".join(c for c, byte in _BYTE_OF.items() if 0x80 <= byte < 0xC0)
_BROKEN = re.compile(f"[Â-Å][{re.escape(_TRAIL)}]|[à-ï][{re.escape(_TRAIL)}]{{2}}|[ð-ô][{re.escape(_TRAIL)}]{{3}}")


@dataclass(frozen=True)
class Repaired:
    """A mended text, and which rules changed it."""

    text: str
    rules: tuple[str, ...]


def repaired(text: str, lang: str = "en") -> Repaired:
    """The text after all rules."""
    used: set[str] = set()
    while True:
        before = text
        for name, rule in RULES.items():
            after = rule(text, lang)
            if after != text:
                used.add(name)
                text = after
        if text == before:
            return Repaired(text, tuple(name for name in RULES if name in used))


def repair(text: str, lang: str = "en") -> str:
    """The text after all rules.

    >>> repair("he said `` it 's late '' -LRB- at 10 -RRB- .")
    'He said "it\\'s late" (at 10).'
    """
    return repaired(text, lang).text


def mend_encoding(text: str, lang: str) -> str:
    """UTF-8 that was read as Windows-1252 or Latin-1, once or several times; and what such reading left."""
    text = _BROKEN.sub(_decoded, text)
    kept = (_WINDOWS.get(ord(c), c) if "\x80" <= c < "\xa0" and c != "\x85" else c for c in text)
    return "".join(c for c in kept if c and (c.isspace() or not _is_control(c)))


def mend_artefacts(text: str, lang: str) -> str:
    """Brackets and quotes of treebanks, joints of tokenisers, entities of HTML."""
    text = _AMPERSAND.sub("&", text)
    text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    text = _JOINED.sub(r"\1", text)
    text = _TOKEN.sub(lambda found: TOKENS[found[0]], _SPLIT_QUOTE.sub('"', text))
    return _SINGLE_QUOTED.sub(r"'\1'", text)


def mend_quotes(text: str, lang: str) -> str:
    """Curly quotes become straight ones. Guillemets stay: where they are used, they are used throughout."""
    return text.translate(_CURLY)


def mend_spacing(text: str, lang: str) -> str:
    """One blank between words, none before marks and inside brackets and quotes."""
    text = _BLANKS.sub(" ", text).strip()
    text = _before_marks(lang).sub("", text)
    text = _BEFORE_CLOSING.sub("", _AFTER_OPENING.sub(r"\1", text))
    if lang == "en":
        text = _CONTRACTION.sub(r"\1", text)
        lone = _LONE_APOSTROPHE.findall(text)
        if len(lone) == 1:  # as in "the dogs ' tails"; more of them may be quotes
            text = re.sub(r"(?<=[sS]) '(?= )", "'", text)
    return _tight_quotes(text)


def mend_capitals(text: str, lang: str) -> str:
    """A text in one case gets capitals where sentences begin; any other text at its beginning."""
    letters = [c for c in text if c.isupper() or c.islower() or c.istitle()]
    if not letters:
        return text
    if len(letters) >= 20 and all(c.isupper() for c in letters) and _lowers_cleanly(text):
        text = text.lower()
    elif any(not c.islower() for c in letters):
        first = next(iter(_SENTENCE_START.finditer(text)), None)
        # A capital later in the first word is the author's way of writing it, as in iPhone.
        if first is None or first.start() or any(c.isupper() for c in text[first.end() :].split(" ", 1)[0]):
            return text
        place = first.start("letter")
        return text[:place] + _capital(text[place]) + text[place + 1 :]
    characters = list(text)
    for found in _SENTENCE_START.finditer(text):
        before = text[max(0, found.start() - 10) : found.start()]
        if not _INITIALS.search(before):
            characters[found.start("letter")] = _capital(characters[found.start("letter")])
    text = "".join(characters)
    return _LONE_I.sub("I", text) if lang == "en" else text


RULES: dict[str, Rule] = {
    "encoding": mend_encoding,
    "artefacts": mend_artefacts,
    "quotes": mend_quotes,
    "spacing": mend_spacing,
    "capitals": mend_capitals,
}


def _decoded(found: re.Match[str]) -> str:
    try:
        text = bytes(_BYTE_OF[c] for c in found[0]).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
    return text.replace("\ufeff", "")


def _is_control(c: str) -> bool:
    return unicodedata.category(c) == "Cc" or c == "\ufeff"


def _before_marks(lang: str) -> re.Pattern[str]:
    marks = re.escape(get_language(lang).tight_marks)
    # Not before a mark that begins something: .NET, .5, :-)
    return re.compile(rf"""(?<=\S) (?=[{marks}](?:[{marks}"')\]}}]|\s|$))""")


def _tight_quotes(text: str) -> str:
    """Blanks inside straight double quotes go, if the quotes come in twos."""
    parts = text.split('"')
    if len(parts) % 2 == 0:
        return text
    return '"'.join(part.strip(" ") if place % 2 else part for place, part in enumerate(parts))


def _lowers_cleanly(text: str) -> bool:
    """Lower-casing keeps the number of characters (it does not for one letter of Turkish)."""
    return len(text.lower()) == len(text)


def _capital(letter: str) -> str:
    """The letter as it begins a sentence; unchanged where that takes two letters, as for the German sharp s."""
    capital = letter.title()
    return capital if len(capital) == 1 else letter
