"""Text to token numbers in plain Python: the oracle of `plainly._kernels.compiled.tokens`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# The replacements and substitutions of mteval-v13a, in its order.
_REPLACEMENTS = [("<skipped>", ""), ("-\n", ""), ("\n", " ")]
_ENTITIES = [("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]
_SUBSTITUTIONS = [
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff])")


class Vocabulary:
    """Numbers tokens 0, 1, 2, ... in the order in which they are first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def encode(
        self, texts: Iterable[str], rule: str, lowercase: bool = False
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Lower-case if asked, tokenise by `rule` ("13a", "whitespace" or "words"), number the tokens.

        Words are runs of letters, digits and underscores; where a script writes no blanks, each character.
        Returns (ids, offsets): text i is ids[offsets[i]:offsets[i + 1]].
        """
        if rule not in _RULES:
            raise ValueError(f"no tokeniser rule {rule!r}")
        ids: list[int] = []
        offsets = [0]
        for i, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"text {i} is {type(text).__name__}, not str")
            if lowercase:
                text = text.lower()
            for token in _RULES[rule](text):
                ids.append(self._numbers.setdefault(token, len(self._numbers)))
            offsets.append(len(ids))
        return np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64)

    def tokens(self) -> list[str]:
        """All tokens, in the order of their numbers."""
        return list(self._numbers)

    def lengths(self) -> NDArray[np.int64]:
        """The number of characters of each token."""
        return np.array([len(token) for token in self._numbers], dtype=np.int64)

    def join(self, ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The characters of each text, its tokens joined by one blank: (code points, offsets)."""
        tokens = self.tokens()
        if len(ids) and not 0 <= ids.min() <= ids.max() < len(tokens):
            raise IndexError("a token number is not in this vocabulary")
        characters: list[int] = []
        bounds = [0]
        for start, end in pairwise(offsets):
            characters.extend(map(ord, " ".join(tokens[i] for i in ids[start:end])))
            bounds.append(len(characters))
        return np.array(characters, dtype=np.int32), np.array(bounds, dtype=np.int64)


def _split_13a(text: str) -> list[str]:
    for old, new in _REPLACEMENTS:
        text = text.replace(old, new)
    if "&" in text:
        for old, new in _ENTITIES:
            text = text.replace(old, new)
    text = f" {text} "
    for pattern, substitute in _SUBSTITUTIONS:
        text = pattern.sub(substitute, text)
    return text.split()


def _words(text: str) -> list[str]:
    return _WORD.findall(_UNSPACED.sub(r" \1 ", text))


_RULES: Mapping[str, Callable[[str], list[str]]] = {"13a": _split_13a, "whitespace": str.split, "words": _words}
