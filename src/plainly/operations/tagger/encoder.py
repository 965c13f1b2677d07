"""The labeller of the kind `encoder`: a transformer reads source and target together. It runs in numpy.

    [CLS] source [SEP] target [SEP] -> the first layers of all-MiniLM-L6-v2, adapted -> a small head -> labels

The weights, which plainly-assetann brings, hold what was learned and no more: low-rank changes of the transformer's
matrices (Hu et al. 2022), which are added to it when it is loaded, and the head. Besides the word pieces, the
transformer is told what the alignment says of each token (`encoder_features`), and the place of the token's partner.

People annotate in different ways. The head was trained with the annotator of each pair as an input, and here it
answers once for each of them: the probabilities are means over all annotators, and over several networks.

Where there is a GPU, the transformer runs there; the head always runs here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import MissingResource, PlainlyError
from plainly.models.encoders import CPU, EMBEDDED, get_encoder, on_disk
from plainly.models.encoders.activations import gelu, softmax
from plainly.models.encoders.bert import BertEncoder
from plainly.models.encoders.folders import FETCH_EMBEDDED, find
from plainly.models.encoders.tokens import Tokens
from plainly.models.one_core import one_core_each
from plainly.operations.tagger import weights
from plainly.operations.tagger.alignment import align
from plainly.operations.tagger.encoder_features import NAMES, observe
from plainly.operations.tagger.labeller import COLUMN, LABELS, ONE_SIDED, UNCHANGED, Floats, Labelled, Meaning, Pair
from plainly.operations.tagger.lexicon import Words, words_of
from plainly.operations.tagger.meaning import WordVectors

LANGUAGE = "en"
WEIGHTS = "encoder.safetensors"
FORMAT = 1
LAYERS = 4  # of the transformer: the later ones know more of whole sentences than of words
LONGEST_WORD = 8  # word pieces
UNKNOWN = 100  # the piece for a word that has none
AT_ONCE = 64  # pairs that the processor reads together
MATRICES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"out_norm": "attention.output.LayerNorm", "narrow_norm": "output.LayerNorm"}
IMPOSSIBLE = np.array([[label in ONE_SIDED[side] for label in LABELS] for side in ("target", "source")])
"""By side, source first: labels that stand on the other side alone."""

Ints = NDArray[np.int64]
Arrays = dict[str, Floats]


@dataclass(frozen=True)
class Model:
    """What was learned: one set of arrays a network. `about` says from what and how, for people."""

    networks: tuple[Arrays, ...]
    threshold: float
    about: dict[str, Any]

    def save(self) -> bytes:
        """The bytes of a safetensors file; the same model gives the same bytes."""
        from safetensors.numpy import save

        head = {"format": FORMAT, "labels": LABELS, "features": NAMES, "threshold": self.threshold}
        arrays = {
            f"{number}.{name}": np.ascontiguousarray(values, np.float16)
            for number, network in enumerate(self.networks)
            for name, values in network.items()
        }
        content: bytes = save(arrays, {"head": json.dumps(head | {"about": self.about})})
        return content


def read_model(path: Path) -> Model:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise MissingResource("the encoder needs safetensors: pip install 'plainly[models]'") from None
    try:
        file: Any
        with safe_open(str(path), framework="numpy") as file:
            head = json.loads(file.metadata()["head"])
            if head["format"] != FORMAT or tuple(head["labels"]) != LABELS or tuple(head["features"]) != NAMES:
                raise PlainlyError(f"{path}: these weights are of another version of plainly; train them anew")
            networks: dict[int, Arrays] = {}
            for name in file.keys():  # noqa: SIM118 - it is no mapping
                number, _, rest = name.partition(".")
                networks.setdefault(int(number), {})[rest] = file.get_tensor(name).astype(np.float32)
        return Model(tuple(networks[number] for number in sorted(networks)), head["threshold"], head["about"])
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise PlainlyError(f"{path} holds no weights of an encoder: {' '.join(str(error).split())}") from None


def missing(lang: str) -> str | None:
    """Why it cannot tag a language here, or None."""
    return missing_model(lang) or weights.missing(WEIGHTS)


def missing_model(lang: str) -> str | None:
    """Why it can neither tag nor be trained for a language here, or None."""
    if lang != LANGUAGE:
        return f"it knows {LANGUAGE} alone, not {lang}"
    if not on_disk(EMBEDDED):
        return f"the model {EMBEDDED} is not installed: {FETCH_EMBEDDED}"
    try:
        import safetensors  # noqa: F401
        import tokenizers  # noqa: F401
    except ImportError:
        return "it needs safetensors and tokenizers: pip install 'plainly[models]'"
    return None


def load(lang: str, path: str | None = None) -> EncoderLabeller:
    place, name = (Path(path), f"encoder:{Path(path).stem}") if path else (weights.get(WEIGHTS), "encoder")
    labeller = EncoderLabeller(read_model(place), name, words_of(lang))
    labeller.signed = {"weights": weights.checksum(place.read_bytes()), "model": find(EMBEDDED).revision}
    return labeller


class Read(NamedTuple):
    """A pair as networks take it. Tokens of source and target stand in one row, the source first."""

    source_length: int
    ids: list[int]
    token_of: Ints
    """The token of each piece; -1 for the marks of beginning and end."""
    first: Ints
    """The first piece of each token."""
    features: Floats
    partners: Ints

    @property
    def places(self) -> Ints:
        """The place of the first piece of each token's partner; -1 where it has none."""
        places: Ints = np.where(self.partners >= 0, self.first[self.partners], -1)
        return places


def read_of(
    pieces: Sequence[Sequence[int]], middle: int, marks: tuple[int, int], features: Floats, partners: Ints
) -> Read:
    """A pair of the pieces of its tokens, between marks of beginning and end; the target begins at `middle`."""
    begin, end = marks
    ids, token_of, first = [begin], [-1], []
    for token, of_token in enumerate(pieces):
        if token == middle:
            ids.append(end)
            token_of.append(-1)
        first.append(len(ids))
        ids += of_token
        token_of += [token] * len(of_token)
    ends = 1 if middle < len(pieces) else 2
    places = np.array(token_of + [-1] * ends, np.int64)
    return Read(middle, ids + [end] * ends, places, np.array(first, np.int64), features, partners)


class Reader:
    """Makes `Read` of pairs; remembers the pieces of words."""

    def __init__(self, encoder: BertEncoder, words: Words) -> None:
        self._encoder, self._words = encoder, words
        self.limit = encoder.limit
        self._begin, self._end = encoder.tokens([""]).ids.tolist()
        self._pieces: dict[str, list[int]] = {}

    def read(self, pair: Pair) -> Read:
        observed = observe(pair, self._words)
        marks = self._begin, self._end
        return read_of(self.pieces(pair), len(pair[0]), marks, observed.features, observed.partners)

    def pieces(self, pair: Pair) -> list[list[int]]:
        new = sorted({word for text in pair for word in text} - self._pieces.keys())
        for word, ids in zip(new, self._encoder.tokens(new), strict=True):
            self._pieces[word] = ids[1:-1][:LONGEST_WORD].tolist() or [UNKNOWN]
        return [self._pieces[word] for text in pair for word in text]

    def parts(self, pair: Pair) -> Iterator[Pair]:
        """The pair, or parts of it that the transformer can hold; it is cut at the kept token nearest the middle."""
        source, target = pair
        if sum(map(len, self.pieces(pair))) + 3 <= self.limit:
            yield pair
            return
        i, j = len(source) // 2, len(target) // 2
        kept = [
            (a, b) for a, b in align(source, target, self._words).kept if 0 < a < len(source) and 0 < b < len(target)
        ]
        if kept:
            i, j = min(kept, key=lambda places: abs(places[0] - i) + abs(places[1] - j))
        yield from self.parts((source[:i], target[:j]))
        yield from self.parts((source[i:], target[j:]))


class EncoderLabeller:
    def __init__(self, model: Model, name: str, words: Words, device: str = "auto") -> None:
        self.name, self.threshold = name, model.threshold
        self.signed: Mapping[str, str] = {}
        base, here = get_encoder(EMBEDDED, device), get_encoder(EMBEDDED, CPU)
        assert isinstance(base, BertEncoder)
        assert isinstance(here, BertEncoder)
        self.on_device = base is not here
        self.meaning: Meaning | None = WordVectors(here)
        self._reader = Reader(here, words)
        self._networks = [Network(arrays, base) for arrays in model.networks]

    def label(self, pairs: Sequence[Pair]) -> list[Labelled]:
        owners, parts = [], []
        found = []
        for number, (source, target) in enumerate(pairs):
            same = source == target
            found.append(Labelled(_unchanged(len(source) * same), _unchanged(len(target) * same), 0.0))
            if not same:
                for part in self._reader.parts((source, target)):
                    owners.append(number)
                    parts.append(part)
        with one_core_each():
            at_once = max(1, len(parts)) if self.on_device else AT_ONCE
            for start in range(0, len(parts), at_once):
                labelled = self._label([self._reader.read(part) for part in parts[start : start + at_once]])
                for owner, of_part in zip(owners[start:], labelled, strict=False):
                    found[owner] = _joined(found[owner], of_part)
        return found

    def _label(self, batch: Sequence[Read]) -> list[Labelled]:
        answers = [network(batch) for network in self._networks]
        labels = np.mean([labels for labels, _ in answers], axis=0)
        errors = np.mean([errors for _, errors in answers], axis=0)
        found, start = [], 0
        for read, error in zip(batch, errors.tolist(), strict=True):
            middle, end = start + read.source_length, start + len(read.first)
            found.append(Labelled(labels[start:middle], labels[middle:end], error))
            start = end
        return found


def _unchanged(count: int) -> Floats:
    """The probabilities of so many tokens that are surely unchanged."""
    rows = np.zeros((count, len(LABELS)), np.float32)
    rows[:, COLUMN[UNCHANGED]] = 1
    return rows


def _joined(first: Labelled, second: Labelled) -> Labelled:
    return Labelled(
        np.concatenate([first.source, second.source]),
        np.concatenate([first.target, second.target]),
        max(first.error, second.error),
    )


class Network:
    """One network: the adapted transformer and its head."""

    def __init__(self, arrays: Arrays, base: BertEncoder) -> None:
        self._arrays = arrays
        self._encoder = base.adapted(changes(arrays))

    def __call__(self, batch: Sequence[Read]) -> tuple[Floats, Floats]:
        """The probabilities of labels, a row a token of all pairs in a row, and of an error, one a pair."""
        tokens = Tokens.of([read.ids for read in batch], [len(read.ids) for read in batch])
        vectors = self._encoder.encode(tokens, LAYERS, [self._added(read) for read in batch])
        hidden = np.concatenate([self._hidden(read, rows) for read, rows in zip(batch, vectors, strict=True)])
        sides = np.concatenate([np.arange(len(read.first)) >= read.source_length for read in batch]).astype(np.int64)
        starts = np.cumsum([0, *(len(read.first) for read in batch)])[:-1]
        pairs = np.stack([_pair_features(read, rows[0]) for read, rows in zip(batch, vectors, strict=True)])
        arrays = self._arrays
        labels: Any = 0.0
        errors: Any = 0.0
        styles = len(arrays["head.styles"])
        for style in range(styles):
            active = gelu(hidden + arrays["head.styles"][style])
            logits = active @ arrays["head.out.weight"][style] + arrays["head.out.bias"][style]
            logits[IMPOSSIBLE[sides]] = -np.inf
            labels = labels + softmax(logits)
            means = np.add.reduceat(active, starts) / np.array([[len(read.first)] for read in batch], np.float32)
            inner = np.tanh(
                np.concatenate([pairs, means], axis=1) @ arrays["error.in.weight"] + arrays["error.in.bias"]
            )
            errors = errors + 1 / (
                1 + np.exp(-(inner @ arrays["error.out.weight"] + arrays["error.out.bias"][style]))
            )
        return labels / styles, errors / styles

    def _added(self, read: Read) -> Floats:
        """What is added to the embedding of each piece: the features of its token, and the place of the partner."""
        arrays, places = self._arrays, read.places
        known = places >= 0
        of_tokens = read.features @ arrays["input.features"]
        of_tokens[known] += arrays["input.places"][places[known]] @ arrays["input.places.up"]
        added = of_tokens[read.token_of]
        added[read.token_of < 0] = 0
        return added

    def _hidden(self, read: Read, vectors: Floats) -> Floats:
        own = vectors[read.first]
        partner = own[read.partners]
        partner[read.partners < 0] = 0
        whole = np.broadcast_to(vectors[0], own.shape)
        inputs = np.concatenate([own, partner, whole, read.features], axis=1)
        hidden: Floats = inputs @ self._arrays["head.in.weight"] + self._arrays["head.in.bias"]
        return hidden


def _pair_features(read: Read, whole: Floats) -> Floats:
    """What the error detector sees of a pair, besides the mean of its tokens in the head."""
    source, target = read.features[: read.source_length], read.features[read.source_length :]
    nothing = np.zeros(len(NAMES), np.float32)
    return np.concatenate(
        [
            whole,
            target.mean(axis=0) if len(target) else nothing,
            target.max(axis=0) if len(target) else nothing,
            source.mean(axis=0) if len(source) else nothing,
        ]
    )


def changes(arrays: Mapping[str, Floats]) -> Arrays:
    """What a network adds to the weights of the transformer, under their names there."""
    found: Arrays = {}
    for layer in range(LAYERS):
        mine, home = f"layer.{layer}", f"encoder.layer.{layer}"
        for name, theirs in MATRICES.items():
            found[f"{home}.{theirs}.weight"] = (arrays[f"{mine}.{name}.down"] @ arrays[f"{mine}.{name}.up"]).T
            found[f"{home}.{theirs}.bias"] = arrays[f"{mine}.{name}.bias"]
        for name, theirs in NORMS.items():
            for kind in ("weight", "bias"):
                found[f"{home}.{theirs}.{kind}"] = arrays[f"{mine}.{name}.{kind}"]
    return found
