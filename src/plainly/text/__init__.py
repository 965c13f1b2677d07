"""Languages, tokenisers, sentence splitting, syllables, word frequency. The language is always an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainly.base.faces import lazily

if TYPE_CHECKING:
    from plainly.text.alignment import Alignment, align
    from plainly.text.identification import identify
    from plainly.text.languages import LANGUAGES, Language, get_language
    from plainly.text.tokenizers import TOKENIZERS, Tokenizer, get_tokenizer

__all__ = [
    "LANGUAGES",
    "TOKENIZERS",
    "Alignment",
    "Language",
    "Tokenizer",
    "align",
    "get_language",
    "get_tokenizer",
    "identify",
]

_HOME = {
    **dict.fromkeys(["Alignment", "align"], "plainly.text.alignment"),
    **dict.fromkeys(["LANGUAGES", "Language", "get_language"], "plainly.text.languages"),
    **dict.fromkeys(["TOKENIZERS", "Tokenizer", "get_tokenizer"], "plainly.text.tokenizers"),
    "identify": "plainly.text.identification",
}

# Loaded at first use: what asks for a language must not wait for numpy.
__getattr__ = lazily(__name__, _HOME)
