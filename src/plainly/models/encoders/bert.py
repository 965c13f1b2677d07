"""BERT and its close kin (RoBERTa, XLM-R) from their weights, without torch and transformers.

Devlin et al. 2019. Each layer, for the vectors X of a text:

    A = norm(X + softmax(Q K' / sqrt(d)) V W + b)      for each head, with Q, K, V linear in X
    X = norm(A + gelu(A W1 + b1) W2 + b2)

The vectors of all texts of a batch stand in one matrix, without padding; only attention goes text by text, and takes
texts of equal length together. That is for the processor, in numpy; on a device see `device`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from plainly.base.errors import MissingResource
from plainly.models.encoders.activations import Floats, gelu, norm, softmax
from plainly.models.encoders.base import Encoder, Vectors, setting, whole_characters
from plainly.models.encoders.folders import Folder
from plainly.models.encoders.tokens import Numbers, Tokens
from plainly.models.one_core import one_core_each

FAMILIES = ("bert", "roberta", "xlm-roberta")
ROWS = 1024  # tokens of a batch: so few stay in the processor's cache
NEEDED = "this encoder needs safetensors and tokenizers: pip install 'plainly[models]'"


class _Layer(NamedTuple):
    """The weights of a layer; matrices are (from, to)."""

    attend: tuple[Any, Any]  # to queries, keys and values, side by side
    out: tuple[Any, Any]
    out_norm: tuple[Any, Any]
    widen: tuple[Any, Any]
    narrow: tuple[Any, Any]
    narrow_norm: tuple[Any, Any]


def _epsilon(folder: Folder) -> float:
    value = folder.config.get("layer_norm_eps", 1e-12)
    if not isinstance(value, float) or not 0 < value < 1:
        raise folder.broken("config.json", f"layer_norm_eps is {value!r}, not a number between 0 and 1")
    return value


def fits(folder: Folder) -> bool:
    """Whether the model is one that `BertEncoder` can run."""
    config = folder.config
    return (
        config.get("model_type") in FAMILIES
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and (folder.path / "model.safetensors").is_file()
        and (folder.path / "tokenizer.json").is_file()
    )


class BertEncoder(Encoder):
    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        try:
            from safetensors import SafetensorError, safe_open
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingResource(NEEDED) from None
        config = folder.config
        self.layers = setting(folder, "num_hidden_layers")
        self._heads = setting(folder, "num_attention_heads")
        if setting(folder, "hidden_size") % self._heads:
            raise folder.broken("config.json", f"num_attention_heads, {self._heads}, does not divide hidden_size")
        self._epsilon = _epsilon(folder)
        family = config["model_type"]
        # RoBERTa counts positions from the number after that of padding.
        self._first_position = 0 if family == "bert" else setting(folder, "pad_token_id", least=0) + 1
        # To RoBERTa's tokeniser a word at the very beginning is another one than after a blank.
        self._prefix = " " if family == "roberta" else ""
        positions = setting(folder, "max_position_embeddings") - self._first_position
        self.limit = min(positions, _stated_limit(folder))
        self._loaded: list[_Layer] = []
        self._loading = Lock()
        self._changes: Mapping[str, Floats] = {}
        try:
            self._tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
        except Exception as error:  # tokenizers raises no other kind
            raise folder.broken("tokenizer.json", error) from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.special = frozenset(self._tokenizer.encode("").ids)
        try:
            weights: Any = safe_open(str(folder.path / "model.safetensors"), framework="numpy")
            self._weights = weights
            self._names = {_plain(name): name for name in self._weights.keys()}  # noqa: SIM118 - it is no mapping
            self._words, self._positions, types = (
                self._array(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")
            )
            self._type = types[0]
            self.vocabulary = len(self._words)
            self._embedding_norm = self._norm("embeddings.LayerNorm")
        except (SafetensorError, OSError, TypeError) as error:
            raise folder.broken("model.safetensors", error) from None

    @property
    def pieces(self) -> Floats:
        """The vector of each word piece, before any layer has read what stands beside it."""
        vectors: Floats = self._words
        return vectors

    def tokens(self, texts: Sequence[str], limit: int | None = None) -> Tokens:
        stripped = [(text if text.isascii() else whole_characters(text)).strip() for text in texts]
        if self._prefix:
            stripped = [text and self._prefix + text for text in stripped]
        most = min(limit or self.limit, self.limit)
        found = self._tokenizer.encode_batch_fast(stripped)
        # One at a time: many lists at once would have Python look through them for garbage, again and again.
        return Tokens.of((encoding.ids for encoding in found), [len(encoding) for encoding in found], most)

    def adapted(self, changes: Mapping[str, Floats]) -> BertEncoder:
        """The same model with something added to weights of its layers, by their names in the file."""
        other = copy(self)
        other._loaded, other._loading, other._changes = [], Lock(), changes
        return other

    def encode(self, tokens: Tokens, layer: int, added: Sequence[Vectors] | None = None) -> list[Vectors]:
        """The vectors of a layer; `added` are vectors to add to the embeddings of each text."""
        self.check_layer(layer)
        layers = self._layers(layer)
        found: list[Vectors] = [np.empty((0, 0), dtype=np.float32)] * len(tokens)
        with one_core_each():
            for batch in _batches(tokens.lengths, max(ROWS, self.limit)):
                some = tokens.take(np.array(batch))
                more = None if added is None else np.concatenate([added[i] for i in batch])
                vectors = self._run(some.ids, some.lengths.tolist(), layers, more)
                for i, rows in zip(batch, np.split(vectors, some.starts[1:]), strict=True):
                    found[i] = rows
        return found

    def _run(self, ids: Numbers, lengths: list[int], layers: list[_Layer], added: Vectors | None) -> Vectors:
        positions = np.concatenate([np.arange(length) for length in lengths]) + self._first_position
        x = self._words[ids]
        x += self._positions[positions]
        x += self._type
        if added is not None:
            x += added
        x = norm(x, *self._embedding_norm, self._epsilon)
        for layer in layers:
            attended = _linear(self._attend(_linear(x, layer.attend), lengths), layer.out)
            attended += x
            x = norm(attended, *layer.out_norm, self._epsilon)
            narrowed = _linear(gelu(_linear(x, layer.widen)), layer.narrow)
            narrowed += x
            x = norm(narrowed, *layer.narrow_norm, self._epsilon)
        return x

    def _attend(self, queries_keys_values: Floats, lengths: list[int]) -> Floats:
        """softmax(Q K') V for each text and head."""
        width = queries_keys_values.shape[-1] // 3
        attended = queries_keys_values[:, :width]  # the place of the queries, which are read before it is written
        start = 0
        for length, group in groupby(lengths):
            count = sum(1 for _ in group)
            end = start + count * length
            split = queries_keys_values[start:end].reshape(count, length, 3, self._heads, width // self._heads)
            queries, keys, values = (split[:, :, i].swapaxes(1, 2) for i in range(3))
            mixed = softmax(queries @ keys.swapaxes(-1, -2)) @ values
            attended[start:end] = mixed.swapaxes(1, 2).reshape(count * length, width)
            start = end
        return attended

    def _layers(self, count: int) -> list[_Layer]:
        """The first layers; their weights are read when they are first needed."""
        with self._loading:
            while len(self._loaded) < count:
                self._loaded.append(self._layer(len(self._loaded)))
            return self._loaded[:count]

    def _layer(self, number: int) -> _Layer:
        home = f"encoder.layer.{number}"
        parts = [self._read(f"{home}.attention.self.{part}") for part in ("query", "key", "value")]
        scale = np.float32(math.sqrt(parts[0][0].shape[-1] // self._heads))
        parts[0] = (parts[0][0] / scale, parts[0][1] / scale)
        together = [np.concatenate(kind, axis=-1) for kind in zip(*parts, strict=True)]
        return _Layer(
            (self._placed(together[0]), self._placed(together[1])),
            self._dense(f"{home}.attention.output.dense"),
            self._norm(f"{home}.attention.output.LayerNorm"),
            self._dense(f"{home}.intermediate.dense"),
            self._dense(f"{home}.output.dense"),
            self._norm(f"{home}.output.LayerNorm"),
        )

    def _dense(self, name: str) -> tuple[Any, Any]:
        matrix, bias = self._read(name)
        return self._placed(matrix), self._placed(bias)

    def _norm(self, name: str) -> tuple[Any, Any]:
        return self._array(f"{name}.weight"), self._array(f"{name}.bias")

    def _array(self, name: str) -> Any:
        return self._placed(self._tensor(name))

    def _placed(self, weights: Floats) -> Any:
        """Weights where they are used."""
        return np.ascontiguousarray(weights)

    def _read(self, name: str) -> tuple[Floats, Floats]:
        return self._tensor(f"{name}.weight").T, self._tensor(f"{name}.bias")

    def _tensor(self, name: str) -> Floats:
        if name not in self._names:
            raise self.folder.broken("model.safetensors", f"it has no {name}")
        tensor: Floats = self._weights.get_tensor(self._names[name]).astype(np.float32, copy=False)
        return tensor + self._changes[name] if name in self._changes else tensor


def _batches(lengths: Numbers, rows: int) -> list[list[int]]:
    """Texts (by number) in batches of at most `rows` tokens, texts of like length together."""
    found: list[list[int]] = []
    room = 0
    for i, length in sorted(enumerate(lengths.tolist()), key=itemgetter(1)):
        if not found or length > room:
            found.append([])
            room = rows
        found[-1].append(i)
        room -= length
    return found


def _linear(x: Any, weights: tuple[Any, Any]) -> Any:
    matrix, bias = weights
    y = x @ matrix
    y += bias
    return y


def _plain(name: str) -> str:
    """The name of a tensor without that of the model in front; old files have other names for the norms."""
    for model in ("bert.", "roberta."):
        name = name.removeprefix(model)
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _stated_limit(folder: Folder) -> int:
    """The most tokens that the tokeniser's settings allow."""
    if not (folder.path / "tokenizer_config.json").is_file():
        return sys.maxsize
    stated = folder.read("tokenizer_config.json").get("model_max_length", sys.maxsize)
    return int(min(stated, sys.maxsize)) if isinstance(stated, (int, float)) else sys.maxsize
