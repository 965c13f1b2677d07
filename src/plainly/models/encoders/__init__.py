"""Encoders: transformers that give every token of a text a vector.

Nothing is fetched from a network. A model is the embedded English one, a folder, or a name in the cache of the hub.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import NamedTuple

from plainly.base.errors import MissingResource
from plainly.models.encoders import bert
from plainly.models.encoders.base import Encoder, Vectors
from plainly.models.encoders.device import CPU, EXACT, PRECISIONS, DeviceEncoder, device_for
from plainly.models.encoders.folders import EMBEDDED, FETCH_EMBEDDED, MOVED, Folder, find, on_disk
from plainly.models.encoders.foreign import ForeignEncoder
from plainly.models.encoders.sentences import Sentence, encode_sentences
from plainly.models.encoders.tokens import Tokens

__all__ = [
    "CPU",
    "EMBEDDED",
    "EXACT",
    "MOVED",
    "PRECISIONS",
    "Encoder",
    "Folder",
    "Part",
    "Sentence",
    "Tokens",
    "Vectors",
    "available",
    "device_for",
    "encode_sentences",
    "find",
    "get_encoder",
    "libraries",
    "on_disk",
]

_LOADING = Lock()


def get_encoder(name: str, device: str = "auto", precision: str = EXACT) -> Encoder:
    """The model of that name, loaded once. `device` is "auto", "cpu" or a device of torch, such as "cuda".

    Where the device cannot be used, the processor is. `precision` is for devices; the processor is always exact.
    """
    folder = find(name)
    with _LOADING:
        place = device_for(device).name
        return _load(folder, place, EXACT if place == CPU else precision)


@cache
def _load(folder: Folder, device: str, precision: str) -> Encoder:
    assert folder.weights  # or it says that there are none
    if not bert.fits(folder):
        return ForeignEncoder(folder, device, precision)
    return bert.BertEncoder(folder) if device == CPU else DeviceEncoder(folder, device, precision)


def libraries(name: str) -> tuple[str, ...]:
    """The libraries whose versions may move the numbers of a model."""
    return ("tokenizers",) if bert.fits(find(name)) else ("torch", "transformers")


class Part(NamedTuple):
    """A part of this room: its state is "ok" or "missing", and `mend` says what to do."""

    part: str
    state: str
    needed_for: str
    mend: str


def available() -> list[Part]:
    """What is here and what is missing; nothing heavy is imported."""
    try:
        find(EMBEDDED)
        missing = [package for package in ("safetensors", "tokenizers") if find_spec(package) is None]
        embedded = f"pip install {' '.join(missing)}" if missing else ""
    except MissingResource:
        embedded = FETCH_EMBEDDED
    lacking = [package for package in ("torch", "transformers") if find_spec(package) is None]
    return [
        Part(
            f"model {EMBEDDED}",
            "missing" if embedded else "ok",
            "bertscore and meaning of English texts",
            embedded,
        ),
        Part(
            "torch and transformers",
            "missing" if lacking else "ok",
            "models other than BERT and RoBERTa; torch alone: a GPU",
            f"pip install {' '.join(lacking)}" if lacking else "",
        ),
    ]
