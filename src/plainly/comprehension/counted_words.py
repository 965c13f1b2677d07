"""How many words? The lengths that experiments are checked by, and question and text sizes."""

from __future__ import annotations

import re

from plainly.text.languages import get_language

_WORD = re.compile(r"[^\W_]+(?:[-'’·.,][^\W_]+)*")  # 1,000 and don't are one word each
_CHARACTER = re.compile(r"[^\W_]")


def words(text: str, lang: str = "en") -> list[str]:
    """The words of a text in small letters, without punctuation.

    A language that puts no blanks between words has its characters counted instead.

    >>> words("Don't open the gas-tap: it's 1,000 degrees!")
    ["don't", 'open', 'the', 'gas-tap', "it's", '1,000', 'degrees']
    """
    language = get_language(lang)
    pattern = _WORD if language.spaces else _CHARACTER
    return pattern.findall(language.lower(text).replace("’", "'"))
