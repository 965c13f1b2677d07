"""Which words a reader of the fourth grade knows: the word lists behind the Dale-Chall formula.

The list of 3,000 words that Chall and Dale printed is not ours to ship, so the first list stands in for it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from plainly.base.errors import MissingResource, PlainlyError
from plainly.text.frequency import word_ranks
from plainly.text.languages import get_language

RANKS = 3000


@lru_cache(maxsize=1 << 16)
def is_familiar(word: str, lang: str, source: str) -> bool:
    """Whether a lower-cased word is on the list, as it is, without a possessive s, or part by part.

    What has no letters (a numeral) is familiar, as in Chall and Dale's directions. Other forms of a listed
    word ("walked") must be on the list themselves.
    """
    word = word.replace("’", "'")
    known = _SOURCES[source](lang)
    if word in known or not any(map(str.isalpha, word)):
        return True
    word = word.removesuffix("'s")
    return all(part in known or part.isdigit() for part in word.split("-") if part)


@cache
def _frequent(lang: str) -> frozenset[str]:
    language = get_language(lang)
    if language.frequency_list is None:
        raise PlainlyError(f"plainly has no list of word frequencies for {language.name}")
    return frozenset(word for word, rank in word_ranks(language.frequency_list).items() if rank < RANKS)


@cache
def listed(lang: str) -> frozenset[str]:
    """The list that the package textstat carries."""
    # Found without importing textstat, which loads a pronouncing dictionary of its own.
    spec = find_spec("textstat")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "resources" / lang / "easy_words.txt"
        if path.is_file():
            # The list writes "mr." with its stop; a word here never ends in one.
            return frozenset(line.strip().rstrip(".") for line in path.read_text("utf-8").split("\n")) - {""}
    raise MissingResource(
        "the Dale-Chall word list comes with textstat, which is not here: pip install textstat==0.7.8"
    )


_SOURCES = {"wordfreq": _frequent, "textstat": listed}
