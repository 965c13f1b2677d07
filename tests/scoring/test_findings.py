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
from plainly.text.languages import LANGUAGES

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


def test_scores_have_words_where_their_formula_has_a_scale() -> None:
    texts = {
        "short": ["Das ist gut. Er mag es."],
        "long": ["Verwaltungsangelegenheiten erfordern Bearbeitungszeiten."],
    }
    scores = plainly.evaluate(None, texts, lang="de", metrics=["fre", "wstf1"])
    # 6 words, 6 syllables, 2 sentences: 180 - 3 - 58.5; 3 words of 8, 3 and 7 syllables by hyphenation: below 0
    assert scores["short"]["fre"].score == pytest.approx(118.5)
    assert scores["long"]["fre"].score < 0
    assert scores.to_dict()["in_words"] == {"short": {"fre": "very easy"}, "long": {"fre": "very difficult"}}
    said = "Flesch reading ease in words (Flesch 1948, Amstad 1978): very easy: short; very difficult: long"
    assert said in printed(scores.findings())
    comparison = scores.compare(resamples=10)
    assert said in printed(comparison.findings())
    assert comparison.to_dict()["in_words"]["short"] == {"fre": "very easy"}
    assert "in Worten (Flesch 1948, Amstad 1978): sehr leicht: short; sehr schwer: long" in printed(
        scores.findings(), lang="de"
    )
    french = plainly.evaluate(None, ["Il est bon."], lang="fr", metrics=["fre"])
    assert "in_words" not in french.to_dict()
    assert "in words" not in printed(french.findings())


def test_words_of_scales_have_german_ones() -> None:
    german = declarations.read((ROOMS / "scoring" / "findings.de.toml").read_text("utf-8"))["scoring"]
    scales = [ease.scale for entry in LANGUAGES.values() if (ease := entry.reading_ease) and ease.scale]
    assert scales
    for scale in scales:
        for _, word in scale.bands:
            assert f"scale.{word.replace(' ', '-')}" in german


@pytest.mark.parametrize(
    "room", ["corpus", "scoring", "inference", "replication", "cli", "metaeval", "filtering", "gaming", "simplicity"]
)
def test_every_message_has_german_words(room: str) -> None:
    written = "".join(file.read_text("utf-8") for file in (ROOMS / room).rglob("*.py"))
    german = declarations.read((ROOMS / room / "findings.de.toml").read_text("utf-8"))[room]
    keys = set(re.findall(rf'message\(\s*"{room}\.([\w.-]+)"', written))
    assert keys
    assert keys <= set(german)
