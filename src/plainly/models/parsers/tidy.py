"""What every text goes through before a tokeniser sees it, and what is told by the signs of a token alone."""

from __future__ import annotations

import unicodedata

LONGEST_SENTENCE = 250  # tokens; what is longer is no sentence, and is parsed in pieces
_LONGEST_WORD = 300  # characters; spaCy's tokeniser takes time that grows with the square of the length of a word


def tidied(text: str) -> str:
    """One blank between words, none at the ends, so that no token is blank; very long words cut in pieces."""
    words = text.split()
    if any(len(word) > _LONGEST_WORD for word in words):
        words = [word[i : i + _LONGEST_WORD] for word in words for i in range(0, len(word), _LONGEST_WORD)]
    return " ".join(words)


def is_symbol(token: str) -> bool:
    """Whether a token is made of signs that are neither letters nor digits nor punctuation: an emoji, say."""
    return not token.isalnum() and all(not c.isalnum() and unicodedata.category(c)[0] != "P" for c in token)
