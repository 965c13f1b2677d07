"""The labeller of the kind `learned`: small recurrent networks, run in numpy, with weights from an .npz file.

Two files of weights come with plainly-assetann: one for pairs that a parser has read (`plainly[parsers]`), which is
better, and one for where there is no parser. The name of the labeller says which one served.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.models.one_core import one_core_each
from plainly.models.parsers import DEPENDENCIES, ENGLISH, LEMMAS, TAGS, missing_parser, parser_for
from plainly.operations.tagger import weights
from plainly.operations.tagger.encoding import Prepared, Scale, batches, padded, prepare
from plainly.operations.tagger.faults import Detector
from plainly.operations.tagger.flat import Flat
from plainly.operations.tagger.labeller import COLUMN, LABELS, ONE_SIDED, Floats, Labelled, Meaning, Pair
from plainly.operations.tagger.network import Dropout, Parameters, answers, forward
from plainly.operations.typology import SIDES

LANGUAGE = "en"  # of the weights of plainly-assetann
PARSER = ENGLISH  # that read what they learned from
WEIGHTS = {True: "learned-parsed.npz", False: "learned.npz"}
FORMAT = 1
AT_ONCE = 48  # sequences in a batch

Network = tuple[Parameters, Parameters]


@dataclass(frozen=True)
class Model:
    """All that was learned, and how."""

    lang: str
    parsed: bool
    scales: tuple[Scale, Scale]
    networks: tuple[Network, ...]
    detector: Detector
    about: dict[str, Any]
    """From what and how it was trained, for people."""

    def save(self) -> bytes:
        """The bytes of an .npz file: plain arrays, and a JSON text as bytes. The same model gives the same bytes."""
        head = {
            "format": FORMAT,
            "lang": self.lang,
            "parsed": self.parsed,
            "labels": LABELS,
            "scales": [asdict(scale) for scale in self.scales],
            "threshold": self.detector.threshold,
            "about": self.about,
        }
        arrays: dict[str, Any] = {"head": np.frombuffer(json.dumps(head).encode(), np.uint8)}
        for name in ("means", "spreads", "weights"):
            arrays[f"detector.{name}"] = getattr(self.detector, name)
        for number, network in enumerate(self.networks):
            for side, parameters in zip(SIDES, network, strict=True):
                for name, values in parameters.items():
                    arrays[f"{number}.{side}.{name}"] = values.astype(np.float16)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()


def read_model(content: bytes, name: str) -> Model:
    """The model in the bytes of a file; `name` is for complaints. Nothing in it is ever run."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            head = json.loads(arrays["head"].tobytes())
            if head["format"] != FORMAT or tuple(head["labels"]) != LABELS:
                raise PlainlyError(f"{name} holds weights of another version of plainly; train them anew")
            count = 1 + max(int(key.partition(".")[0]) for key in arrays.files if key[0].isdecimal())
            return Model(
                head["lang"],
                head["parsed"],
                (Scale(**head["scales"][0]), Scale(**head["scales"][1])),
                tuple(_network(arrays, number) for number in range(count)),
                Detector(
                    arrays["detector.means"],
                    arrays["detector.spreads"],
                    arrays["detector.weights"],
                    head["threshold"],
                ),
                head["about"],
            )
    except PlainlyError:
        raise
    except (BadZipFile, ValueError, KeyError, TypeError, IndexError, OSError, EOFError):
        raise PlainlyError(f"{name} does not hold weights made by plainly operations train") from None


def _network(arrays: Any, number: int) -> Network:
    source, target = (
        {
            key.split(".", 2)[2]: arrays[key].astype(np.float32)
            for key in arrays.files
            if key.startswith(f"{number}.{side}.")
        }
        for side in SIDES
    )
    return source, target


class Learned:
    """A model at work."""

    on_device = False
    meaning: Meaning | None = None  # what it needs is numpy alone

    def __init__(self, model: Model, name: str, checksum: str = "") -> None:
        self._model = model
        self.name = name
        parser = parser_for(model.lang) if model.parsed else None
        self.signed: Mapping[str, str] = {"weights": checksum} | (
            {"parser": f"{parser.name}-{parser.version}"} if parser else {}
        )
        self.threshold = model.detector.threshold

    def label(self, pairs: Sequence[Pair]) -> list[Labelled]:
        if not pairs:
            return []
        prepared = prepare(pairs, self._model.lang, parsed=self._model.parsed)
        with one_core_each():
            source, target = probabilities(self._model.networks, self._model.scales, prepared)
        errors = self._model.detector(prepared).tolist()
        return [
            Labelled(first, second, error)
            for first, second, error in zip(
                _by_text(source, prepared.flats[0]), _by_text(target, prepared.flats[1]), errors, strict=True
            )
        ]


def probabilities(
    networks: Sequence[Network], scales: tuple[Scale, Scale], prepared: Prepared
) -> tuple[Floats, Floats]:
    """The mean probabilities of the networks, a row a token of either side; impossible labels have none."""
    source, target = prepared.flats
    inputs = [scale(columns) for scale, columns in zip(scales, prepared.columns, strict=True)]
    found = tuple(np.zeros((len(side), len(LABELS)), np.float32) for side in (source, target))
    for chosen in batches((source.lengths + target.lengths).tolist(), AT_ONCE):
        batch = padded(inputs[0], source, target, chosen), padded(inputs[1], target, source, chosen)
        for network in networks:
            told = answers(forward(batch, network, Dropout()), network)
            for values, flat, into in zip(told, (source, target), found, strict=True):
                _scatter(values, flat, chosen, into)
    for rows, other in zip(found, ("target", "source"), strict=True):
        rows[:, [COLUMN[label] for label in ONE_SIDED[other]]] = 0  # type: ignore[index]
        rows /= rows.sum(axis=1, keepdims=True)
    return found[0], found[1]


def _scatter(values: Floats, flat: Flat, chosen: Sequence[int], into: Floats) -> None:
    for column, text in enumerate(chosen):
        start, end = int(flat.offsets[text]), int(flat.offsets[text + 1])
        into[start:end] += values[: end - start, column]


def _by_text(rows: Floats, flat: Flat) -> list[Floats]:
    return np.split(rows, flat.offsets[1:-1])


def missing(lang: str) -> str | None:
    """Why there are no weights for a language, or None."""
    if lang != LANGUAGE:
        return f"its weights are for English ({LANGUAGE!r}), not {lang!r}"
    return weights.missing(WEIGHTS[False])


def load(lang: str, path: str | None = None) -> Learned:
    """The labeller with the weights that are installed, or with those of a file."""
    if path is None:
        parser = parser_for(lang)
        parsed = parser is not None and parser.name == PARSER
        return Learned(*_installed(WEIGHTS[parsed]))
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise PlainlyError(f"cannot read {path}: {error.strerror}") from error
    model = read_model(content, path)
    if model.lang != lang:
        raise PlainlyError(f"{path} holds weights for {model.lang!r}, not for {lang!r}")
    if model.parsed and (why := missing_parser(lang, {TAGS, LEMMAS, DEPENDENCIES})):
        raise PlainlyError(f"{path} needs a parser: {why}")
    return Learned(model, f"learned:{Path(path).stem}", weights.checksum(content))


@cache
def _installed(name: str) -> tuple[Model, str, str]:
    content = weights.get(name).read_bytes()
    return read_model(content, name), name.removesuffix(".npz"), weights.checksum(content)
