"""What scores and comparisons tell: one shape, two languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plainly
from plainly.base import declarations
from plainly.demo import demo_corpus
from plainly.findings import printed
from plainly.scoring import Evaluation

ROOMS = Path(plainly.__file__).parent


@pytest.fixture(scope="module")
def scores() -> Evaluation:
    demo = demo_corpus("en")
    return plainly.evaluate(
        demo.sources[:30], {"a": demo.outputs["splitter"][:30], "b": demo.sources[:30]}, demo.references[:30]
    )


def test_people_and_programs_get_the_same_numbers(scores: Evaluation) -> None:
    (table,) = scores.findings().tables
    assert table.long is not None
    wide = [value for row in table.rows for value in row[1:]]
    assert wide == [row[2] for row in table.long.rows]
    assert wide == [result.estimate for results in scores.systems.values() for result in results.values()]


def test_a_comparison_in_german(scores: Evaluation) -> None:
    text = printed(scores.compare(baseline="b").findings(), lang="de")
    assert "Welches System ist besser, und wie sicher ist das?" in text
    assert (
        "30 Segmente, 1000 Ziehungen, Startwert 12345, kalibrierter gepaarter Bootstrap-Test; 95%-Intervalle" in text
    )
    assert re.search(r"\d+,\d\d \[\d+,\d\d; \d+,\d\d\]", text)


@pytest.mark.parametrize(
    "room", ["corpus", "scoring", "inference", "replication", "cli", "metaeval", "filtering", "gaming", "simplicity"]
)
def test_every_message_has_german_words(room: str) -> None:
    written = "".join(file.read_text("utf-8") for file in (ROOMS / room).rglob("*.py"))
    german = declarations.read((ROOMS / room / "findings.de.toml").read_text("utf-8"))[room]
    keys = set(re.findall(rf'message\(\s*"{room}\.([\w.-]+)"', written))
    assert keys
    assert keys <= set(german)
