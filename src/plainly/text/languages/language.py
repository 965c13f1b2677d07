"""The shape of a language entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """What plainly knows of one language; a part that is None is not available for it."""

    code: str
    name: str
    count_sentences: Callable[[str], int] | None = None
    count_syllables: Callable[[str], int] | None = None
    syllable_source: str = ""
    frequency_list: str | None = None  # the language code of wordfreq's list
