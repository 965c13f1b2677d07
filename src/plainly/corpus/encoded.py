"""A corpus as token numbers: the form that the compiled kernels work on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import NgramIndex, Vocabulary
from plainly.text.tokenizers import get_tokenizer

if TYPE_CHECKING:
    from plainly.corpus.corpus import Corpus


class Encoded(NamedTuple):
    """Texts as token numbers: text i is ids[offsets[i]:offsets[i + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text."""
        return np.diff(self.offsets)


class Characters(NamedTuple):
    """Texts as code points: text i is characters[offsets[i]:offsets[i + 1]]."""

    characters: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of characters of each text."""
        return np.diff(self.offsets)

    def strings(self) -> list[str]:
        """The texts as Python has them."""
        whole = self.characters.astype("<i4").tobytes().decode("utf-32-le", "surrogatepass")
        return [whole[start:end] for start, end in pairwise(self.offsets.tolist())]


class EncodedCorpus:
    """The texts of one corpus under one tokeniser and case, each encoded when it is first asked for.

    All share one vocabulary, so equal tokens have equal numbers; it belongs to this corpus alone. A text that is
    not there (None) is encoded as an empty one; the metrics leave its segment out.
    """

    def __init__(self, corpus: Corpus, tokenizer: str, lowercase: bool) -> None:
        self._corpus = corpus
        self._tokenizer = get_tokenizer(tokenizer)
        self._lowercase = lowercase
        self._outputs: dict[str, Encoded] = {}
        self._joined: dict[str | None, Characters] = {}
        self._tokens: list[str] = []
        self.vocabulary = Vocabulary()

    @cached_property
    def source(self) -> Encoded:
        return self.encode(self._corpus.sources)

    @cached_property
    def references(self) -> Encoded:
        """All references in a row; `Corpus.reference_groups` says which belong to which segment."""
        return self.encode(list(chain.from_iterable(self._corpus.references)))

    def output(self, system: str) -> Encoded:
        if system not in self._outputs:
            self._outputs[system] = self.encode(self._corpus.output(system))
        return self._outputs[system]

    @property
    def tokens(self) -> list[str]:
        """All tokens so far, in the order of their numbers."""
        if len(self._tokens) < len(self.vocabulary):
            self._tokens = self.vocabulary.tokens()
        return self._tokens

    def joined(self, system: str | None) -> Characters:
        """The tokens of each output, or of each source where `system` is None, joined by blanks."""
        if system not in self._joined:
            encoded = self.source if system is None else self.output(system)
            self._joined[system] = Characters(*self.vocabulary.join(*encoded))
        return self._joined[system]

    @cached_property
    def index(self) -> NgramIndex:
        """The n-grams of sources and references."""
        return NgramIndex(*self.source, *self.references, self._corpus.reference_groups)

    @cached_property
    def untokenised_source_index(self) -> NgramIndex:
        """The same with sources split at white space only and in their own case: EASSE's legacy SARI."""
        source = self.vocabulary.encode(_present(self._corpus.sources), "whitespace")
        return NgramIndex(*source, *self.references, self._corpus.reference_groups)

    def encode(self, texts: Sequence[str | None]) -> Encoded:
        return Encoded(*self._tokenizer.encode(self.vocabulary, _present(texts), self._lowercase, self._corpus.lang))


def _present(texts: Sequence[str | None]) -> Sequence[str]:
    return [text or "" for text in texts] if None in texts else texts  # type: ignore[return-value]
