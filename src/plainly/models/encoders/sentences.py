"""One vector a text: the mean of its tokens' vectors in the last layer (Reimers and Gurevych 2019), of length 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.models.encoders.base import Encoder
from plainly.models.encoders.folders import Folder


class Sentence(NamedTuple):
    """The vector of a text, whether the text was cut, and whether it has no token."""

    vector: NDArray[np.float64]
    cut: bool
    empty: bool


def encode_sentences(encoder: Encoder, texts: Sequence[str]) -> list[Sentence]:
    _check_pooling(encoder.folder)
    tokens = encoder.tokens(texts, _sentence_limit(encoder.folder))
    means, empty = encoder.means(tokens, encoder.layers), tokens.without(encoder.special)
    return [
        Sentence(_unit(mean), cut, nothing)
        for mean, cut, nothing in zip(means, tokens.cut.tolist(), empty.tolist(), strict=True)
    ]


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = vector / np.linalg.norm(vector)
    return unit


def _check_pooling(folder: Folder) -> None:
    """Refuse models made for another way to get one vector from many."""
    if not (folder.path / "1_Pooling" / "config.json").is_file():
        return
    for name, chosen in folder.read("1_Pooling/config.json").items():
        if name.startswith("pooling_mode_") and name != "pooling_mode_mean_tokens" and chosen is True:
            raise PlainlyError(f"the model {folder.name} uses {name}; only the mean of the tokens is known here")


def _sentence_limit(folder: Folder) -> int | None:
    """The limit that a model for sentences was made with; it may be smaller than that of its transformer."""
    if not (folder.path / "sentence_bert_config.json").is_file():
        return None
    limit = folder.read("sentence_bert_config.json").get("max_seq_length")
    return limit if isinstance(limit, int) and limit > 2 else None
