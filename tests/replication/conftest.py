"""A recipe of our own, over files of our own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import plainly

SOURCES = ["The feline reposed on the rug.", "Precipitation is anticipated.", "It ceased."]
REFERENCES = ["The cat lay on the rug.", "Rain is expected.", "It stopped."]
OUTPUTS = ["The cat slept on the rug.", "Rain is expected.", "It ceased."]

RECIPE = """
title = "Two systems"
about = "A test."

[columns.BLEU]
metric = "bleu"

[columns.Precision]
metric = "bleu"
component = "precision_1"

[columns.Meaning]
metric = "bertscore"
model = "no/such-model"

[test_sets.small]
sources = "src.txt"
references = ["ref.txt"]
systems = { mine = "out.txt" }

[[tables]]
name = "1"
title = "First"
compute = "scores"
settings = { test_set = "small" }
columns = ["BLEU", "Precision", "Meaning"]
rows = [
    { system = "mine", name = "Mine", printed = ["PRINTED", "12.3", "0.5"] },
    { system = "identity", tokenizer = "none", printed = ["", "", ""] },
    { system = "first-reference" },
]

[[tables]]
name = "2"
title = "Second"
compute = "scores"
settings = { test_set = "small" }
columns = ["BLEU"]

[[figures]]
name = "1"
title = "Third"
compute = "scores"
settings = { test_set = "small" }
columns = ["BLEU"]
rows = [{ system = "mine" }, { system = "identity" }]
chart = { kind = "bars", y = "BLEU" }

[[errata]]
name = "bleu"
where = "Table 1"
claim = "BLEU is 1."
finding = "It is not."
command = "plainly --version"
shows = ["plainly"]
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[dict[str, str]], str]:
    """Writes the recipe, with changes, beside its texts: its place."""
    for name, lines in {"src.txt": SOURCES, "ref.txt": REFERENCES, "out.txt": OUTPUTS}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def write(changes: dict[str, str]) -> str:
        text = RECIPE
        for old, new in {"PRINTED": "1", **changes}.items():
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture(scope="module")
def bleu() -> float:
    return plainly.evaluate(SOURCES, OUTPUTS, [[text] for text in REFERENCES], metrics=["bleu"])["output"][
        "bleu"
    ].score
