"""The features of a text: against hand-worked numbers, other packages, and any text that there may be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.corpus import Corpus
from plainly.metrics import get
from plainly.simplicity.features import families, features
from plainly.text.languages import LANGUAGES

from ..cases import each

TEXT = 'Dr. Smith, of NASA, saw 12 well-known stars. "Go!" they\'re told.'
# By hand: words Dr Smith of NASA saw 12 well known stars | Go | they're told. "Go!" is followed by a small letter,
# so the second sentence goes on to the end: 9 + 3 words.
EXPECTED = {
    "characters": 64,
    "words": 12,
    "sentences": 2,
    "words per sentence": 6,
    "words of the longest sentence": 9,
    "words of the shortest sentence": 3,
    "spread of words per sentence": 3,
    "names": 2,  # Smith, NASA; Dr and Go begin their sentences
    "words all in capitals": 1,
    "numbers": 1,
    "commas": 2,
    "quotes": 2,
    "letters per word": (2 + 5 + 2 + 4 + 3 + 0 + 4 + 5 + 5 + 2 + 6 + 4) / 12,
    "letters of the longest word": 6,
    "mean letters of the 3 longest words": 16 / 3,
    "different words": 12,
    "stretches between marks": 6,  # Dr. | Smith, | of NASA, | ... stars. | "Go!" | they're told.
    "most words between marks": 5,
    "function words": 2,  # of, they're
    "ARI": 4.71 * 42 / 12 + 0.5 * 6 - 21.43,
    "LIX": 6,
}


@each("name", EXPECTED)
def test_features_by_hand(name: str) -> None:
    assert features([TEXT], "en")[name][0] == pytest.approx(EXPECTED[name], abs=1e-6)


def test_zipf_values_are_those_of_wordfreq() -> None:
    from wordfreq import zipf_frequency

    words = ["the", "museum", "sedentary", "feline"]
    found = features([" ".join(words)], "en")
    zipf = sorted(zipf_frequency(word, "en") for word in words)
    assert found["mean Zipf value"][0] == pytest.approx(np.mean(zipf), abs=1e-6)
    assert found["mean Zipf value of the 3 rarest words"][0] == pytest.approx(np.mean(zipf[:3]), abs=1e-6)
    assert found["rarity summed"][0] == pytest.approx(sum(8 - value for value in zipf), abs=1e-6)
    assert found["words with a Zipf value below 3.5"][0] == sum(value < 3.5 for value in zipf)


def test_formulas_agree_with_the_metrics_of_the_same_name() -> None:
    text = "The museum has many old maps. People come from far away to look at an extraordinary collection."
    corpus = Corpus([None], outputs={"x": [text]})
    found = features([text], "en")
    for name, metric in {
        "Flesch reading ease": "fre",
        "Gunning fog": "gunning-fog",
        "LIX": "lix",
        "RIX": "rix",
    }.items():
        scorer = get(metric)
        assert found[name][0] == pytest.approx(float(scorer.score(scorer.measure(corpus, "x")[0]).value), abs=1e-5)


@pytest.mark.slow
def test_languages_have_what_their_entries_allow() -> None:
    english, german, chinese = families("en"), families("de"), families("zh")
    assert len(english) == 139
    assert set(german) <= set(english)
    assert "words" not in chinese  # no blanks between words
    assert {"characters", "commas"} <= set(chinese)
    assert "FKGL" not in families("he") or LANGUAGES["he"].count_syllables is not None


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "de", "zh", "ar", "hi", "th", "tr"])
def test_other_languages_run(lang: str) -> None:
    found = features(["मैं घर में हूँ। İstanbul 12, ünlü! 你好，世界。", "", "x"], lang)
    assert set(found) == set(families(lang))
    assert all(np.isfinite(values).all() for values in found.values())


def test_words_keep_their_combining_marks() -> None:
    """The sign at the end of the first word is no letter; without it the word is another one, and not in the list."""
    from wordfreq import zipf_frequency

    assert features(["में"], "hi")["mean Zipf value"][0] == pytest.approx(zipf_frequency("में", "hi"), abs=1e-6)


@given(st.lists(st.text(max_size=80), max_size=5))
def test_any_text_has_features_that_do_not_depend_on_the_others(texts: list[str]) -> None:
    together = features(texts, "en")
    assert all(len(values) == len(texts) and np.isfinite(values).all() for values in together.values())
    for number, text in enumerate(texts):
        alone = features([text], "en")
        assert all(alone[name][0] == values[number] for name, values in together.items())
