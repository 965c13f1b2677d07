"""The file of a combined metric: a round trip, and files that hold something else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.metaeval.quality import Model, read_model
from plainly.metaeval.quality.model import LARGEST_FILE


def model(**changes: Any) -> Model:
    facts: dict[str, Any] = {
        "lang": "en",
        "dimension": "simplicity",
        "inputs": ("bleu", "fkgl"),
        "means": np.array([40.0, 8.0]),
        "spreads": np.array([10.0, 2.0]),
        "weights": np.array([0.5, -0.25]),
        "start": 0.1,
        "settings": {"bleu": {"lang": "en"}, "fkgl": {"lang": "en"}},
        "about": {"outputs": 3},
    }
    return Model(**{**facts, **changes})


def test_a_prediction_by_hand() -> None:
    values = np.array([[50.0, 6.0], [np.nan, 10.0], [4000.0, 8.0]])
    # 0.1 + 0.5 x 1 + 0.25 x 1; bleu at its mean: 0.1 - 0.25; bleu held at 4 spreads: 0.1 + 0.5 x 4.
    np.testing.assert_allclose(model().predicted(values), [0.85, -0.15, 2.1])


def test_a_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(model().text())
    again = read_model(str(path))
    assert again.to_dict() == model().to_dict()
    assert again.identity == model().identity


def test_the_identity_is_that_of_what_predicts() -> None:
    assert model(about={"outputs": 4}).identity == model().identity
    assert model(weights=np.array([0.5, -0.26])).identity != model().identity
    assert model(settings={}).identity != model().identity


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda m: m.pop("reach"), "its keys must be"),
        (lambda m: m.update(more=1), "its keys must be"),
        (lambda m: m.update(kind="simplicity"), "its kind is not plainly-quality"),
        (lambda m: m.update(format=2), "another version of plainly"),
        (lambda m: m.update(inputs=[]), "1 to 100 inputs"),
        (lambda m: m.update(inputs=m["inputs"] * 51), "1 to 100 inputs"),
        (lambda m: m.update(inputs={"bleu": 1}), "1 to 100 inputs"),
        (lambda m: m["inputs"].append("fkgl"), "an input is incomplete"),
        (lambda m: m["inputs"][0].pop("mean"), "an input is incomplete"),
        (lambda m: m["inputs"][0].update(weight="1"), "weight is no number"),
        (lambda m: m["inputs"][0].update(weight=True), "weight is no number"),
        (lambda m: m["inputs"][0].update(weight=10**400), "weight is too large"),
        (lambda m: m["inputs"][0].update(spread=0), "a spread is below"),
        (lambda m: m["inputs"][0].update(spread=1e-300), "a spread is below"),
        (lambda m: m["inputs"][0].update(name="a\nb"), "name is no short text"),
        (lambda m: m["inputs"][0].update(name=["bleu"]), "name is no short text"),
        (lambda m: m["inputs"][0].update(name="x" * 201), "name is no short text"),
        (lambda m: m.update(reach=-1), "reach is not above 0"),
        (lambda m: m.update(settings=[]), "settings are no table"),
        (lambda m: m.update(settings={"bleu": {"lang": 1}}), "settings are no texts"),
        (lambda m: m.update(about=None), "about is no table"),
        (lambda m: m.update(lang="klingon"), "unknown language"),
    ],
)
def test_a_file_that_was_tampered_with(tmp_path: Path, change: Change, complaint: str) -> None:
    content = model().to_dict()
    change(content)
    path = tmp_path / "m.json"
    path.write_text(json.dumps(content))
    with pytest.raises(PlainlyError, match=rf"does not hold a model made by plainly metaeval train: .*{complaint}"):
        read_model(str(path))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "it is no JSON"),
        (b"\x80\x04pickled", "it is not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b"null", "its kind is not"),
        (b'{"kind": NaN}', "NaN is no number"),
        (b'{"kind": 1' + b"0" * 5000 + b"}", "it is no JSON"),
        (b'{"kind": 1, "kind": 2}', "a key is there twice"),
        (b" " * (LARGEST_FILE + 1), "larger than 1024 KiB"),
        (model().text().replace("0.5", "1e999").encode(), "weight is too large"),
    ],
)
def test_a_file_that_is_something_else(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(PlainlyError, match=complaint):
        read_model(str(path))


@pytest.mark.parametrize("path", ["no-such.json", ".", "a\0b"])
def test_a_file_that_is_none(path: str) -> None:
    with pytest.raises(PlainlyError, match=r"cannot (read|be the name)"):
        read_model(path)
