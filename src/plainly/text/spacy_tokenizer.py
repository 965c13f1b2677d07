"""Tokens by spaCy's rules: the tokeniser of a blank pipeline, which exists for some 80 languages without a model."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.packages import package_folder
from plainly.text.languages import get_language

# How many distinct pieces between blanks spaCy may remember. Its own limit of 10,000 makes it twice as slow here.
_REMEMBERED = 1 << 18
_LOCK = Lock()  # spaCy is not made for threads


def separate(text: str, lang: str) -> str:
    """The text with blanks between its tokens; a blank inside a token (Vietnamese: "Hà Nội") becomes "_"."""
    tokenize = _tokenizer(lang)
    with _LOCK:
        tokens = [token.text for token in tokenize(text) if not token.is_space]
    return " ".join(["_".join(token.split()) for token in tokens])


def is_there(lang: str) -> bool:
    """Whether spaCy has rules for the language, and the packages that these need; nothing is imported."""
    language, folder = get_language(lang), package_folder("spacy")
    needed = (name.replace("-", "_") for name in language.spacy_needs)
    return bool(folder and (folder / "lang" / language.code).is_dir() and all(map(package_folder, needed)))


@cache
def _tokenizer(lang: str) -> Any:
    language = get_language(lang)
    try:
        import spacy
        from spacy.tokenizer import Tokenizer
    except ImportError:
        raise MissingResource("The spacy tokenizer needs spaCy: pip install 'plainly[languages]'") from None
    try:
        tokenizer = spacy.blank(language.code).tokenizer
    except Exception as error:  # each language fails in its own way where its library, or a file of that, is missing
        if language.spacy_needs:
            needs = " ".join(language.spacy_needs)
            raise MissingResource(f"spaCy's {language.name} tokenizer needs more: pip install {needs}") from None
        raise PlainlyError(f"spaCy has no tokenizer for {language.name} ({language.code})") from error
    if isinstance(tokenizer, Tokenizer):  # Chinese and others have one of their own
        tokenizer.max_cache_size = _REMEMBERED
    return tokenizer
