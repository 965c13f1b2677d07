"""What an encoder is: texts to tokens, tokens to one vector each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.models.encoders.folders import Folder
from plainly.models.encoders.matching import Block, Pairs, Values, blocks, matched
from plainly.models.encoders.tokens import Tokens

Vectors = NDArray[np.float32]  # (tokens, dimensions)


class Encoder(ABC):
    """A transformer on this machine. Layer 0 are the embeddings, layer n is what the n-th layer makes of them."""

    layers: int  # how many the model has
    limit: int  # the most tokens of a text
    vocabulary: int  # how many tokens there are
    special: frozenset[int]  # the tokens that stand for the beginning and the end of a text
    held: int = 32_768  # tokens whose vectors are in memory at the same time

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @abstractmethod
    def tokens(self, texts: Sequence[str], limit: int | None = None) -> Tokens:
        """The tokens of each text, at most `limit` (or the model's own limit, if that is smaller)."""

    @abstractmethod
    def encode(self, tokens: Tokens, layer: int) -> list[Vectors]:
        """The vectors of one layer, a row a token, for each text."""

    def match(self, tokens: Tokens, pairs: Pairs, layer: int, weights: Values) -> Values:
        """Precision and recall of pairs of texts, see `matching`; `weights` are those of all tokens, by number."""
        found = np.empty((len(pairs), 2))
        for block in blocks(tokens.lengths, pairs, self.held):
            found[block.rows] = self._matched(tokens.take(block.texts), block, layer, weights)
        return found

    def _matched(self, tokens: Tokens, block: Block, layer: int, weights: Values) -> Values:
        return matched(self.encode(tokens, layer), [weights[row] for row in tokens], block.pairs)

    def means(self, tokens: Tokens, layer: int) -> Values:
        """Of each text the mean of its tokens' vectors: (texts, dimensions)."""
        return np.array([rows.mean(axis=0, dtype=np.float64) for rows in self.encode(tokens, layer)])

    def check_layer(self, layer: int) -> None:
        if not 0 <= layer <= self.layers:
            raise PlainlyError(f"{self.folder.name} has the layers 0 to {self.layers}, not {layer}")


def whole_characters(text: str) -> str:
    """The text without half characters (lone surrogates), which no tokeniser of models takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def setting(folder: Folder, name: str, least: int = 1) -> int:
    """A number of a model's config.json."""
    value = folder.config.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise folder.broken("config.json", f"{name} is {value!r}, not a whole number from {least} on")
    return value
