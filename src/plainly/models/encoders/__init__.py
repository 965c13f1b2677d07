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
from plainly.models.encoders.arrays import arrays_on
from plainly.models.encoders.base import Encoder, Tokens, Vectors
from plainly.models.encoders.folders import EMBEDDED, FETCH_EMBEDDED, MOVED, Folder, find, on_disk
from plainly.models.encoders.foreign import ForeignEncoder
from plainly.models.encoders.sentences import Sentence, encode_sentences

__all__ = [
    "EMBEDDED",
    "MOVED",
    "Encoder",
    "Folder",
    "Part",
    "Sentence",
    "Tokens",
    "Vectors",
    "available",
    "encode_sentences",
    "find",
    "get_encoder",
    "libraries",
    "on_disk",
]

_LOADING = Lock()


def get_encoder(name: str, device: str = "auto") -> Encoder:
    """The model of that name, loaded once. `device` is "auto", "cpu" or a device of torch, such as "cuda"."""
    folder = find(name)
    with _LOADING:
        return _load(folder, device)


@cache
def _load(folder: Folder, device: str) -> Encoder:
    assert folder.weights  # or it says that there are none
    if bert.fits(folder):
        return bert.BertEncoder(folder, arrays_on(device))
    return ForeignEncoder(folder, device)


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
