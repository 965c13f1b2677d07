"""A combined metric as plain data: inputs, weights, and how it fared. Nothing in its file is ever run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.declarations import Fault, insist
from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.metaeval.quality.features import MOST_INPUTS
from plainly.metrics import Array
from plainly.text.languages import get_language

KIND = "plainly-quality"
FORMAT = 1
REACH = 4.0
LARGEST_FILE = 1 << 20
LARGEST_NUMBER = 1e12
SMALLEST_SPREAD = 1e-12
LEARNED = "sources learned from"  # their fingerprints, in `about`
MOST_LEARNED = 40_000  # with more, the file would be too large; then it holds none
KEYS = {"kind", "format", "lang", "dimension", "start", "reach", "inputs", "settings", "about"}


@dataclass(frozen=True)
class Model:
    """The prediction is `start` and the sum over inputs of weight x (value - mean) / spread.

    The fraction is held within -reach and reach: an odd output shall not be judged by one number. An input without a
    value counts as its mean. The unit is the spread of the judgements learned from; 0 is their mean.
    """

    lang: str
    dimension: str
    inputs: tuple[str, ...]
    means: Array
    spreads: Array
    weights: Array
    start: float
    settings: Mapping[str, Mapping[str, str]]  # of each metric, as it was when the model learned
    about: Mapping[str, Any]
    """From what and how it was trained, and how it fared, for people."""
    reach: float = REACH

    def predicted(self, values: Array) -> Array:
        """What people would say of each output: (outputs, inputs) -> (outputs)."""
        scaled = scaled_values(values, self.means, self.spreads, self.reach)
        found: Array = self.start + (scaled * self.weights).sum(axis=1)
        return found

    def learned(self, texts: Sequence[str]) -> list[bool]:
        """Which of the texts are among the sources that it learned from, as far as its file says."""
        held = self.about.get(LEARNED)
        known = frozenset(held.split()) if isinstance(held, str) else frozenset()
        return [fingerprint(text) in known for text in texts]

    @property
    def identity(self) -> str:
        """Twelve characters that change with anything that moves a prediction."""
        content = {name: value for name, value in self.to_dict().items() if name not in ("about", "dimension")}
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in its file."""
        columns = zip(self.inputs, self.means.tolist(), self.spreads.tolist(), self.weights.tolist(), strict=True)
        return {
            "kind": KIND,
            "format": FORMAT,
            "lang": self.lang,
            "dimension": self.dimension,
            "start": self.start,
            "reach": self.reach,
            "inputs": [
                {"name": name, "mean": mean, "spread": spread, "weight": weight}
                for name, mean, spread, weight in columns
            ],
            "settings": {label: dict(own) for label, own in self.settings.items()},
            "about": dict(self.about),
        }

    def text(self) -> str:
        """The text of its file."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def fingerprint(text: str) -> str:
    """Twelve characters that stand for a text, whatever its letter case and spaces."""
    return sha256(" ".join(text.casefold().split()).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def fingerprints(texts: Sequence[str]) -> str:
    """Of all texts, each once, as a model holds them."""
    found = sorted({fingerprint(text) for text in texts})
    return " ".join(found) if len(found) <= MOST_LEARNED else ""


def scaled_values(values: Array, means: Array, spreads: Array, reach: float = REACH) -> Array:
    """Values in spreads from the mean, held within the reach; 0 where there is no value."""
    scaled: Array = np.clip((np.where(np.isfinite(values), values, means) - means) / spreads, -reach, reach)
    return scaled


def read_model(path: str) -> Model:
    """The model in a file. It may come from anywhere, so everything in it is checked."""
    name = shown(path)
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PlainlyError(f"cannot read {name}: {error.strerror or 'it cannot be read'}") from None
    except ValueError:
        raise PlainlyError(f"{name} cannot be the name of a file") from None
    try:
        insist(len(content) <= LARGEST_FILE, f"it is larger than {LARGEST_FILE // 1024} KiB")
        return _model(_parsed(content))
    except (Fault, PlainlyError) as fault:
        raise PlainlyError(f"{name} does not hold a model made by plainly metaeval train: {fault}") from None


def _parsed(content: bytes) -> Any:
    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        insist(len({key for key, _ in pairs}) == len(pairs), "a key is there twice")
        return dict(pairs)

    def constant(word: str) -> float:
        raise Fault(f"{word} is no number")

    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=table, parse_constant=constant)
    except UnicodeDecodeError:
        raise Fault("it is not UTF-8") from None
    except RecursionError:
        raise Fault("it is nested too deep") from None
    except ValueError:  # also a whole number of thousands of digits
        raise Fault("it is no JSON") from None


def _model(table: Any) -> Model:
    insist(isinstance(table, dict) and table.get("kind") == KIND, f"its kind is not {KIND}")
    insist(table.get("format") == FORMAT, "it was made by another version of plainly; train it anew")
    insist(set(table) == KEYS, f"its keys must be {', '.join(sorted(KEYS))}")
    rows = table["inputs"]
    insist(isinstance(rows, list) and 0 < len(rows) <= MOST_INPUTS, f"it must have 1 to {MOST_INPUTS} inputs")
    for row in rows:
        insist(isinstance(row, dict) and set(row) == {"name", "mean", "spread", "weight"}, "an input is incomplete")
    columns = {key: np.array([_number(row[key], key) for row in rows]) for key in ("mean", "spread", "weight")}
    insist(bool((columns["spread"] >= SMALLEST_SPREAD).all()), f"a spread is below {SMALLEST_SPREAD:g}")
    settings = table["settings"]
    insist(isinstance(settings, dict), "settings are no table")
    for own in settings.values():
        insist(isinstance(own, dict) and all(isinstance(text, str) for text in own.values()), "settings are no texts")
    insist(isinstance(table["about"], dict), "about is no table")
    reach = _number(table["reach"], "reach")
    insist(reach > 0, "reach is not above 0")
    return Model(
        lang=get_language(_text(table["lang"], "lang")).code,
        dimension=_text(table["dimension"], "dimension"),
        inputs=tuple(_text(row["name"], "name") for row in rows),
        means=columns["mean"],
        spreads=columns["spread"],
        weights=columns["weight"],
        start=_number(table["start"], "start"),
        settings=settings,
        about=table["about"],
        reach=reach,
    )


def _number(value: Any, name: str) -> float:
    insist(isinstance(value, (int, float)) and not isinstance(value, bool), f"{name} is no number")
    insist(abs(value) <= LARGEST_NUMBER, f"{name} is too large")
    found = float(value)
    insist(math.isfinite(found), f"{name} is no number")
    return found


def _text(value: Any, name: str) -> str:
    insist(isinstance(value, str) and 0 < len(value) <= 200 and value.isprintable(), f"{name} is no short text")
    return str(value)
