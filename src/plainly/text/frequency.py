"""How common a word is: its rank among the most frequent words of its language, and its frequency.

Both are those of `wordfreq` (Speer 2022), which ships its lists; nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from itertools import islice
from math import log10

from plainly.base.errors import MissingResource, UnknownName
from plainly.base.packages import package_folder

RANKED = 50_000


@cache
def word_ranks(lang: str) -> Mapping[str, int]:
    """The `RANKED` most frequent words of a language (a code of wordfreq) -> rank, from 0 for the first.

    Words are lower-cased. What has no letter (digits, signs, emoji) is not a word and takes no rank.
    """
    try:
        from wordfreq import available_languages, has_digit_sequence, iter_wordlist
    except ImportError:
        raise MissingResource("Word ranks need wordfreq: pip install wordfreq") from None
    known = available_languages()
    if lang not in known:
        raise UnknownName("language with word ranks", lang, known)
    words = (word for word in iter_wordlist(lang) if not has_digit_sequence(word) and any(map(str.isalpha, word)))
    return {word: rank for rank, word in enumerate(islice(words, RANKED))}


def look_for_ranks(lang: str) -> None:
    """Whether wordfreq has the language, without reading its list; an error as that of `word_ranks` where not."""
    folder = package_folder("wordfreq")
    if folder is None or not any((folder / "data").glob(f"*_{lang}.msgpack.gz")):
        word_ranks(lang)


@cache
def word_frequencies(lang: str) -> Mapping[str, float]:
    """Words of a language (a code of wordfreq), in lower case -> Zipf value: log10 of the times in 10^9 words.

    Values are rounded to two digits, as wordfreq gives them. Words that are not in the list have no value.
    """
    try:
        from wordfreq import available_languages, get_frequency_dict
    except ImportError:
        raise MissingResource("Word frequencies need wordfreq: pip install wordfreq") from None
    known = available_languages()
    if lang not in known:
        raise UnknownName("language with word frequencies", lang, known)
    return {word: round(log10(value) + 9, 2) for word, value in get_frequency_dict(lang).items()}


def ranks_version() -> str:
    """The version of wordfreq: another version may rank words in another order."""
    return version("wordfreq")
