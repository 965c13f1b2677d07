"""What a language is: one declarative entry each, in a file of its own.

A language without an entry is refused, and a metric that needs something the entry does not give (a sentence
splitter, a syllable counter) refuses the language: no text is ever silently treated as English.
"""

from __future__ import annotations

from plainly.errors import UnknownName
from plainly.text.languages.de import GERMAN
from plainly.text.languages.en import ENGLISH
from plainly.text.languages.language import Language

__all__ = ["LANGUAGES", "Language", "get_language"]

LANGUAGES = {language.code: language for language in [ENGLISH, GERMAN]}


def get_language(code: str) -> Language:
    """The language with that ISO 639-1 code."""
    if code not in LANGUAGES:
        raise UnknownName("language", code, LANGUAGES)
    return LANGUAGES[code]
