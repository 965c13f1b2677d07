"""A model of simplicity: what it says of texts, why, and its file of plain arrays.

All models are sums. `lite` adds up six features, each times a weight. `full` adds up all features and n-grams, each
times a weight, and what small trees make of the features. So every score is explained by parts that add up to it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.inference.resampling import check_confidence
from plainly.simplicity.features import families, features
from plainly.simplicity.flat_texts import Floats, summed
from plainly.simplicity.ngrams import Wording
from plainly.simplicity.trees import Trees
from plainly.text.languages import get_language

FORMAT = 1
SHIPPED = {"lite": "lite.json", "full": "full.npz"}
BATCH = 5000  # texts that are looked at together

Half = NDArray[np.float16]
Single = NDArray[np.float32]


@dataclass(frozen=True)
class Model:
    """The score of a text is `start` and the parts of its features, n-grams and trees, held within 0 and 1.

    The part of a feature is weight x (value - mean) / spread, the fraction held within -reach and reach.
    """

    kind: str
    lang: str
    features: tuple[str, ...]
    means: Single
    spreads: Single
    weights: Single
    reach: float
    start: float
    errors: Single
    """Quantiles, from 0 to 1 in equal steps, of how far scores of texts it had not seen were off."""
    about: Mapping[str, Any]
    """From what and how it was trained, for people."""
    wording: Wording | None = None
    gram_weights: Half | None = None
    trees: Trees | None = None

    def scores(self, texts: Sequence[str]) -> Floats:
        """The score of each text, from 0 (hard) to 1 (simple); NaN for a text without letters and digits."""
        found = np.zeros(len(texts))
        for start in range(0, len(texts), BATCH):
            found[start : start + BATCH] = np.clip(self._raw(texts[start : start + BATCH]), 0, 1)
        found[[not scorable(text) for text in texts]] = np.nan
        return found

    def _raw(self, texts: Sequence[str]) -> Floats:
        raw: Floats = self.start + self.feature_parts(texts).sum(axis=1)
        if self.wording is not None and self.gram_weights is not None:
            entries = self.wording.entries(texts)
            weights = self.gram_weights.astype(np.float64)
            raw += summed(entries.row, entries.value * weights[entries.column], len(texts))
        return raw

    def feature_parts(self, texts: Sequence[str]) -> Floats:
        """What each feature adds to each text's score, (texts, features)."""
        values = features(texts, self.lang)
        matrix = np.column_stack([values[name] for name in self.features])
        scaled = np.clip((matrix - self.means.astype(np.float64)) / self.spreads, -self.reach, self.reach)
        parts: Floats = scaled * self.weights.astype(np.float64)
        return parts if self.trees is None else parts + self.trees.contributions(matrix)

    def reaches(self, confidence: float) -> float:
        """How far to either side an interval of that confidence goes."""
        check_confidence(confidence)
        return float(np.interp(confidence, np.linspace(0, 1, len(self.errors)), self.errors.astype(np.float64)))

    def save(self) -> bytes:
        """The bytes of its file: JSON for a formula, else .npz without compression, which differs by machine."""
        head = {
            "format": FORMAT,
            "kind": self.kind,
            "lang": self.lang,
            "direction": "higher = simpler",
            "start": self.start,
            "reach": self.reach if np.isfinite(self.reach) else None,
            "about": dict(self.about),
        }
        if self.wording is None or self.gram_weights is None or self.trees is None:
            rows = zip(self.features, self.weights, self.means, self.spreads, strict=True)
            head["features"] = [
                {"name": name, "weight": _plain(weight), "mean": _plain(mean), "spread": _plain(spread)}
                for name, weight, mean, spread in rows
            ]
            head["errors"] = [_plain(error) for error in self.errors]
            return (json.dumps(head, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
        head["features"] = list(self.features)
        head["texts"] = self.wording.texts
        buffer = io.BytesIO()
        np.savez(
            buffer,
            head=_bytes(json.dumps(head, ensure_ascii=False, allow_nan=False)),
            means=self.means,
            spreads=self.spreads,
            weights=self.weights,
            errors=self.errors,
            characters=_bytes("\n".join(self.wording.characters)),
            words=_bytes("\n".join(self.wording.words)),
            documents=self.wording.documents,
            gram_weights=self.gram_weights,
            tree_feature=self.trees.feature,
            tree_threshold=self.trees.threshold,
            tree_value=self.trees.value,
        )
        return buffer.getvalue()


def scorable(text: str) -> bool:
    """Whether there is anything to read."""
    return any(map(str.isalnum, text))


def load_model(name: str = "full") -> Model:
    """One of the models that ship with plainly (`lite`, `full`), or one in a file of your own."""
    if name in SHIPPED:
        return _shipped(name)
    try:
        content = Path(name).read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise PlainlyError(f"{name} is neither {' nor '.join(SHIPPED)}, nor a file to read: {why}") from None
    except ValueError:
        raise PlainlyError(f"{name!r} cannot be the name of a file") from None
    return read_model(content, name)


@cache
def _shipped(name: str) -> Model:
    path = resources("plainly.simplicity") / "weights" / SHIPPED[name]
    return read_model(path.read_bytes(), SHIPPED[name])


def read_model(content: bytes, name: str) -> Model:
    """The model in the bytes of a file; `name` is for complaints. Nothing in it is ever run."""
    try:
        model = _from_arrays(content) if content[:2] == b"PK" else _from_json(json.loads(content))
    except PlainlyError:
        raise
    except (
        BadZipFile,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        OSError,
        EOFError,
        AttributeError,
        RecursionError,
    ):
        raise PlainlyError(f"{name} does not hold a model made by plainly simplicity train") from None
    _check(model, name)
    return model


def _from_json(head: Any) -> Model:
    rows = head["features"]
    columns = {key: [row[key] for row in rows] for key in ("name", "weight", "mean", "spread")}
    return Model(
        **_facts(head),
        features=tuple(columns["name"]),
        means=np.array(columns["mean"], dtype=np.float32),
        spreads=np.array(columns["spread"], dtype=np.float32),
        weights=np.array(columns["weight"], dtype=np.float32),
        errors=np.array(head["errors"], dtype=np.float32),
    )


def _from_arrays(content: bytes) -> Model:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        head = json.loads(arrays["head"].tobytes())
        facts = _facts(head)
        wording = Wording(
            facts["lang"],
            int(head["texts"]),
            tuple(filter(None, arrays["characters"].tobytes().decode().split("\n"))),
            tuple(filter(None, arrays["words"].tobytes().decode().split("\n"))),
            arrays["documents"],
        )
        return Model(
            **facts,
            features=tuple(head["features"]),
            means=arrays["means"],
            spreads=arrays["spreads"],
            weights=arrays["weights"],
            errors=arrays["errors"],
            wording=wording,
            gram_weights=arrays["gram_weights"],
            trees=Trees(arrays["tree_feature"], arrays["tree_threshold"], arrays["tree_value"]),
        )


def _facts(head: Any) -> dict[str, Any]:
    if head["format"] != FORMAT:
        raise PlainlyError("the model was made by another version of plainly; train it anew")
    return {
        "kind": str(head["kind"]),
        "lang": get_language(head["lang"]).code,
        "start": float(head["start"]),
        "reach": float("inf") if head["reach"] is None else float(head["reach"]),
        "about": dict(head["about"]),
    }


def _check(model: Model, name: str) -> None:
    """A file from elsewhere may hold anything."""
    count, trees, grams = len(model.features), model.trees, model.gram_weights
    known = families(model.lang)
    for feature in model.features:
        if feature not in known:
            raise PlainlyError(f"{name} needs the feature {feature!r}, which {model.lang} does not have here")
    columns = (model.means, model.spreads, model.weights)
    sound = count > 0 and all(column.shape == (count,) and np.isfinite(column).all() for column in columns)
    sound &= bool((model.spreads > 0).all()) and model.errors.ndim == 1 and len(model.errors) > 1
    sound &= bool(np.isfinite(model.errors).all()) and np.isfinite(model.start) and model.reach > 0
    if sound and grams is not None and model.wording is not None:
        wording = model.wording
        size = len(wording.characters) + len(wording.words)
        sound = grams.shape == wording.documents.shape == (size,) and bool(np.isfinite(grams).all())
        sound &= wording.texts > 0 and bool((wording.documents > 0).all())
    if sound and trees is not None:
        inner = trees.feature.shape[1] if trees.feature.ndim == 2 else 0
        sound = inner > 0 and inner & (inner + 1) == 0 and trees.threshold.shape == trees.feature.shape
        sound = sound and trees.value.shape == (len(trees.feature), 2 * inner + 1)
        sound = sound and bool(np.isfinite(trees.value).all())
        sound = sound and bool(((trees.feature >= -1) & (trees.feature < count)).all())
    if not sound:
        raise PlainlyError(f"{name} does not hold a model made by plainly simplicity train")


def _plain(value: np.float32) -> float:
    """The shortest number that gives the same float32."""
    return float(str(value))


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)
