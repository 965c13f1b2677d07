"""The network behind spaCy 2's small pipelines, in numpy: from the spelling of words to a vector for each in context.

Every word is looked up by four views of its spelling (`VIEWS`) in tables of hashed rows, the four vectors are mixed,
and four convolutions over the word and its two neighbours follow, each added to its input. A tagger reads the
vectors as they are; a transition system sums them over the words that matter at each step (`Transitions`).

Weights are read from the package's own msgpack files. In the list of weights of a file stand first the layers on
top, then the scales of the five layer norms, then the tables and mixing layers in the order SHAPE, five mixing
layers, SUFFIX, NORM, PREFIX.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

VIEWS = ("NORM", "PREFIX", "SUFFIX", "SHAPE")
_SEEDS = (14, 15, 16, 17)  # of the hashed tables, in the order of VIEWS
PADDING = 4  # rows of feature 0 around each sentence: as many as there are convolutions
_EPSILON = np.float32(1e-8)


class _Layer(NamedTuple):
    """Maxout and layer norm."""

    weights: Floats  # (inputs, outputs * pieces)
    bias: Floats
    scale: Floats
    shift: Floats

    def __call__(self, vectors: Floats) -> Floats:
        pieces = vectors @ self.weights
        pieces += self.bias
        pieces = pieces.reshape(len(vectors), 3, -1)
        best = np.maximum(np.maximum(pieces[:, 0], pieces[:, 1]), pieces[:, 2])
        best -= best.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", best, best) / np.float32(best.shape[1])
        best *= (self.scale / np.sqrt(variance + _EPSILON)[:, None]).astype(np.float32, copy=False)
        best += self.shift
        return np.asarray(best)


class Encoder:
    """Words to vectors in context."""

    def __init__(self, weights: Sequence[dict[str, Floats]]) -> None:
        norms = [part for part in weights if "G" in part]
        mixers = [part for part in weights if part.get("W", _NONE).ndim == 3]
        self._layers = [
            _Layer(_by_piece(mixer["W"]), _by_piece(mixer["b"]), norm["G"], norm["b"])
            for mixer, norm in zip(mixers, norms, strict=True)
        ]
        tables = {int(part["seed"]): part["vectors"] for part in weights if "vectors" in part}
        self._tables = [tables[seed] for seed in _SEEDS]

    def embed(self, words: NDArray[np.uint64]) -> Floats:
        """The mixed vectors of words out of context, from the ids of their `VIEWS`: (words, 4) -> (words, width)."""
        from thinc.api import NumpyOps

        ops = NumpyOps()
        parts = [
            table[ops.hash(np.ascontiguousarray(words[:, i]), seed) % len(table)].sum(axis=1)
            for i, (table, seed) in enumerate(zip(self._tables, _SEEDS, strict=True))
        ]
        return self._layers[0](np.hstack(parts))

    def in_context(self, vectors: Floats) -> Floats:
        """Vectors of words in a row, padded around each sentence, after the convolutions."""
        for layer in self._layers[1:]:
            windows = np.zeros((len(vectors), 3, vectors.shape[1]), dtype=np.float32)
            windows[1:, 0] = vectors[:-1]
            windows[:, 1] = vectors
            windows[:-1, 2] = vectors[1:]
            vectors = vectors + layer(windows.reshape(len(vectors), -1))
        return vectors


class Tagger:
    """One label a word, by its vector alone."""

    def __init__(self, folder: Path, labels: Sequence[str]) -> None:
        weights = _read(folder / "model")
        top = next(part for part in weights if "W" in part)
        self.encoder = Encoder([part for part in weights if part is not top])
        self.labels = list(labels)
        self._weights, self._bias = top["W"].T.copy(), top["b"]

    def best(self, vectors: Floats) -> Ids:
        """The number of the best label of each word."""
        return np.asarray((vectors @ self._weights + self._bias).argmax(axis=1))


class Action(NamedTuple):
    move: int
    label: str


class Transitions:
    """Scores the actions of a transition system by the words in fixed places of its state."""

    def __init__(self, folder: Path) -> None:
        weights = _read(folder / "model")
        lower = next(part for part in weights if "pad" in part)
        upper = next(part for part in weights if part.get("W", _NONE).ndim == 2)
        self.encoder = Encoder([part for part in weights if part is not lower and part is not upper])
        self.actions = list(_actions(folder / "moves"))
        places, hidden, pieces, width = lower["W"].shape
        self.places = places
        # The two pieces of a unit are set apart: all first pieces, then all second ones.
        self._weights = lower["W"].transpose(3, 0, 2, 1).reshape(width, places * pieces * hidden).copy()
        self._pad = lower["pad"].transpose(0, 1, 3, 2).reshape(1, places, pieces * hidden).copy()
        self._bias = lower["b"].T.reshape(-1).copy()
        self._hidden = hidden
        self._upper, self._upper_bias = upper["W"].T.copy(), upper["b"]

    def prepared(self, vectors: Floats) -> Floats:
        """What each word adds in each place; one row more stands for "no word"."""
        each = (vectors @ self._weights).reshape(len(vectors), self.places, -1)
        return np.concatenate([each, self._pad]).reshape(-1, self._pad.shape[2])

    def scores(self, prepared: Floats, words: Ids) -> Floats:
        """The score of each action in each state; `words` says which words are in the places: (states, places)."""
        rows = words * self.places + np.arange(self.places)
        summed = prepared[rows].sum(axis=1)
        summed += self._bias
        units = np.maximum(summed[:, : self._hidden], summed[:, self._hidden :])
        scores: Floats = units @ self._upper + self._upper_bias
        return scores


_NONE = np.zeros(0)


def _by_piece(weights: Floats) -> Floats:
    """(outputs, pieces, inputs) -> (inputs, pieces * outputs); (outputs, pieces) -> (pieces * outputs)."""
    if weights.ndim == 2:
        return np.ascontiguousarray(weights.T).reshape(-1)
    return np.ascontiguousarray(weights.transpose(2, 1, 0)).reshape(weights.shape[2], -1)


def _read(path: Path) -> list[dict[str, Any]]:
    """The layers of a file that have weights: {name of the weights: array}, and the seed of a hashed table."""
    import srsly

    layers = []
    for layer in srsly.read_msgpack(path)[b"weights"]:
        values = {_text(part[b"name"]): np.asarray(part[b"value"]) for part in layer[b"params"]}
        if b"seed" in layer:
            values["seed"] = layer[b"seed"]
        if values:
            layers.append(values)
    return layers


def _actions(path: Path) -> Iterator[Action]:
    """The actions in the order of the scores: by move, the most frequent label first."""
    import srsly

    moves = json.loads(srsly.read_msgpack(path)["moves"])
    for move, labels in sorted(moves.items()):
        for _, label in sorted(((count, label) for label, count in labels.items()), reverse=True):
            yield Action(int(move), label)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
