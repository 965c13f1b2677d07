"""Readability beyond English: formulas by hand and against textstat, counts of other languages, refusals."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.readability.arabic import syllables
from plainly.metrics.readability.by_language import READING_EASE
from plainly.text.languages import LANGUAGES

from ..cases import each


def score(name: str, outputs: list[str | None], **settings: Any) -> Any:
    metric = metrics.get(name, **settings)
    corpus = Corpus([None] * len(outputs), outputs={"s": outputs}, lang=metric.lang)
    return metric.score(metric.measure(corpus, "s").sum(axis=0))


def score_of(name: str, counts: dict[str, float], **settings: Any) -> float:
    """The score of made-up counts."""
    metric = metrics.get(name, **settings)
    return float(metric.score(np.array([1.0, *(counts.get(column, 0) for column in metric.columns[1:])])).value)


# By hand ------------------------------------------------------------------------------------------------------------

COUNTS = {
    "words": 100.0,
    "sentences": 10.0,
    "syllables": 150.0,
    "polysyllables": 12.0,
    "monosyllables": 60.0,
    "words_of_four_syllables": 24.0,
    "long_words": 30.0,
    "letters": 470.0,
    "characters": 480.0,
    "arabic_syllables": 320.0,
    "hard_words": 25.0,
    "complex_words": 15.0,
    "faseeh_words": 5.0,
}


@each(
    "name, lang, expected",
    [
        ("fre", "cs", 206.935 - 16.72 - 93.27),  # 96.945
        ("fre", "de", 180 - 10 - 87.75),  # 82.25
        ("fre", "en", 206.835 - 10.15 - 126.9),  # 69.785
        ("fre", "es", 206.84 - 10.2 - 90),  # 106.64
        ("fre", "fr", 207 - 10.15 - 110.4),  # 86.45
        ("fre", "hu", 206.835 - 10.15 - 87.75),  # 108.935
        ("fre", "it", 217 - 13 - 90),  # 114
        ("fre", "nl", 206.835 - 9.3 - 115.5),  # 82.035
        ("fre", "pt", 248.835 - 10.15 - 126.9),  # 111.785
        ("fre", "ru", 206.835 - 13 - 90.15),  # 103.685
        ("smog", "de", 6 - 2),  # the root of 30 x 12 / 10 is 6
        ("smog", "en", 1.043 * 6 + 3.1291),
        ("wstf1", "de", 2.322 + 1.672 + 3.891 - 1.962 - 0.875),  # 5.048
        ("wstf2", "de", 2.4084 + 1.682 + 4.119 - 2.779),  # 5.4304
        ("wstf3", "de", 3.5556 + 1.905 - 1.1144),  # 4.3462
        ("wstf4", "de", 3.2928 + 2.656 - 1.693),  # 4.2558
        ("lix", "sv", 10 + 30),
        ("rix", "da", 3),
        ("szigriszt-pazos", "es", 206.835 - 93.45 - 10),  # 103.385
        ("gutierrez-polini", "es", 95.2 - 45.59 - 3.5),  # 46.11
        ("crawford", "es", -2.05 + 7.35 - 3.407),  # 1.893
        ("gulpease", "it", 89 + 30 - 47),  # 72
        ("pisarek", "pl", 13),  # half the root of 10² + 24²
        ("osman", "ar", 200.791 - 10.15 - 24.181 * (0.25 + 3.2 + 0.15 + 0.05)),  # 102.38
        ("sentence-length", "ja", None),
        ("sentence-length", "fi", 10),
        ("syllables-per-word", "sv", 1.5),
    ],
)
def test_formulas_by_hand(name: str, lang: str, expected: float | None) -> None:
    if expected is None:  # written without blanks, so there are no words to count
        with pytest.raises(PlainlyError, match="not defined for language"):
            metrics.get(name, lang=lang)
        return
    assert score_of(name, COUNTS, lang=lang) == pytest.approx(expected, abs=1e-9)


def test_german_by_hand() -> None:
    # Die Re-gie-rung ver-ab-schie-de-te ges-tern stren-ge Be-stim-mun-gen: 6 words, 1 + 3 + 5 + 2 + 2 + 4 pieces.
    # Dr. Maier kam am 3. Mai: 6 words, 1 + 2 + 1 + 1 + 1 + 1 = 7 pieces; neither stop inside ends a sentence.
    found = score(
        "wstf1", ["Die Regierung verabschiedete gestern strenge Bestimmungen.", "Dr. Maier kam am 3. Mai."], lang="de"
    )
    counts = {name: int(value) for name, value in found.components.items() if "per" not in name}
    assert counts == {
        "words": 12,
        "sentences": 2,
        "syllables": 24,
        "polysyllables": 3,  # Regierung, verabschiedete, Bestimmungen
        "monosyllables": 6,  # Die, Dr, kam, am, 3, Mai
        "long_words": 5,  # and gestern, strenge
    }
    ms, sl, iw, es = 300 / 12, 6, 500 / 12, 600 / 12
    assert found.value == pytest.approx(0.1935 * ms + 0.1672 * sl + 0.1297 * iw - 0.0327 * es - 0.875, abs=1e-9)


# كَتَبَ three short vowels; كِتَاب a short and a long one; مُدَرِّسٌ three short, a shadda, a tanwin; without marks, a vowel
# for each letter but alif and alif maqsura.
@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("كَتَبَ", 3),
        ("كِتَاب", 1 + 2),
        ("مُدَرِّسٌ", 3 + 2 + 2),
        ("كتاب", 3),
        ("مستشفى", 5),
    ],
)
def test_arabic_syllables_by_hand(word: str, expected: int) -> None:
    assert syllables(word) == expected


def test_osman_by_hand() -> None:
    # "The officials wrote the letter." كتب: 3. المسؤولون: 8 letters other than alif, 9 in all, with hamza on waw and
    # ending in waw-nun: hard, complex, faseeh. الرسالة: 5 of 7: hard, complex, but not faseeh.
    found = score("osman", ["كتب المسؤولون الرسالة."])
    assert {name: int(value) for name, value in found.components.items() if "per" not in name} == {
        "words": 3,
        "sentences": 1,
        "arabic_syllables": 16,
        "hard_words": 2,
        "complex_words": 2,
        "faseeh_words": 1,
    }
    assert found.value == pytest.approx(200.791 - 1.015 * 3 - 24.181 * (16 + 2 + 2 + 1) / 3, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "lang", "text", "counts"),
    [
        # Le gou-ver-ne-ment a pu-blié un rap-port: 1 + 4 + 1 + 2 + 1 + 2
        ("fre", "fr", "Le gouvernement a publié un rapport.", {"words": 6, "sentences": 1, "syllables": 11}),
        # El Sr. Gar-cía lle-gó tar-de: 1 + 1 + 2 + 2 + 2
        ("fre", "es", "El Sr. García llegó tarde.", {"words": 5, "sentences": 1, "syllables": 8}),
        # De re-ge-ring wil dit niet: 1 + 3 + 1 + 1 + 1
        ("fre", "nl", "De regering wil dit niet!", {"words": 5, "sentences": 1, "syllables": 7}),
        # Кош-ка спит. Со-ба-ка бе-жит.
        ("fre", "ru", "Кошка спит. Собака бежит.", {"words": 4, "sentences": 2, "syllables": 8}),
        # Il gat-to dor-me sul let-to: 1 + 2 + 2 + 1 + 2; letters 2 + 5 + 5 + 3 + 5
        ("gulpease", "it", "Il gatto dorme sul letto.", {"words": 5, "sentences": 1, "letters": 20}),
        ("lix", "ar", "هل وصل الوزير؟ نعم.", {"words": 4, "sentences": 2, "long_words": 0}),
        ("lix", "ur", "یہ ایک کتاب ہے۔ وہ گھر گیا۔", {"words": 7, "sentences": 2}),
        ("split-share", "ja", "猫が寝た。犬が来た。", {"sentences": 2}),
    ],
)
def test_counts_of_other_languages(name: str, lang: str, text: str, counts: dict[str, int]) -> None:
    metric = metrics.get(name, lang=lang)
    corpus = Corpus([text], outputs={"s": [text]}, lang=lang)
    found = metric.score(metric.measure(corpus, "s").sum(axis=0)).components
    assert {key: int(found[key]) for key in counts} == counts


# textstat: the same formulas, fed with the same counts --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "lang", "function", "arguments"),
    [
        *(("fre", lang, "flesch_reading_ease", (lang,)) for lang in ("en", "de", "es", "fr", "it", "nl", "ru", "hu")),
        *((f"wstf{i}", "de", "wiener_sachtextformel", (i, "de")) for i in (1, 2, 3, 4)),
        ("lix", "sv", "lix", ()),
        ("rix", "sv", "rix", ()),
        ("gulpease", "it", "gulpease_index", ()),
        ("gutierrez-polini", "es", "gutierrez_polini", ()),
        ("crawford", "es", "crawford", ("es",)),
        ("szigriszt-pazos:textstat", "es", "szigriszt_pazos", ("es",)),  # whose constant is not the published one
        ("osman", "ar", "osman", ()),
    ],
)
def test_formulas_equal_those_of_textstat(
    name: str, lang: str, function: str, arguments: tuple[Any, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("textstat")
    random = np.random.default_rng(seed)
    n = {name: float(random.integers(1, 400)) for name in COUNTS}
    module = import_module(f"textstat.backend.metrics._{function}")
    stubs = {
        "count_words": n["words"],
        "count_sentences": n["sentences"],
        "count_syllables": n["syllables"],
        "count_polysyllable_words": n["polysyllables"],
        "count_monosyllable_words": n["monosyllables"],
        "count_long_words": n["long_words"],
        "count_arabic_syllables": n["arabic_syllables"],
        "count_arabic_long_words": n["hard_words"],
        "count_complex_arabic_words": n["complex_words"],
        "count_faseeh": n["faseeh_words"],
        "words_per_sentence": n["words"] / n["sentences"],
        "sentences_per_word": n["sentences"] / n["words"],
        "syllables_per_word": n["syllables"] / n["words"],
        "letters_per_word": n["letters"] / n["words"],
        "chars_per_word": n["letters"] / n["words"],
    }
    for stub, value in stubs.items():
        if hasattr(module, stub):
            monkeypatch.setattr(module, stub, lambda *_, value=value, **__: value)
    expected = getattr(module, function).__wrapped__("text", *arguments)  # past textstat's cache of results by text
    assert score_of(name, n, lang=lang) == pytest.approx(expected, abs=1e-9)


# Which languages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lang"),
    [("fre", "sv"), ("fre", "pl"), ("fre", "tr"), ("wstf1", "en"), ("gulpease", "es"), ("smog", "fr"), ("lix", "zh")],
)
def test_a_language_without_the_formula_or_its_counts_is_refused(name: str, lang: str) -> None:
    with pytest.raises(PlainlyError, match=f"{name} is not defined for language '{lang}'"):
        metrics.get(name, lang=lang)


@pytest.mark.parametrize("lang", ["cs", "pt"])
def test_textstat_variants_are_refused_where_textstat_would_take_english_constants(lang: str) -> None:
    assert math.isfinite(score("fre", ["Ahoj, Petr dnes."], lang=lang).value)
    with pytest.raises(PlainlyError, match="textstat"):
        metrics.get("fre:textstat", lang=lang)


def test_every_formula_that_an_entry_names_is_there_for_its_language() -> None:
    named = [(code, name) for code, language in LANGUAGES.items() for name in language.readability]
    assert len(named) > 15
    assert [(code, name) for code, name in named if metrics.metric_class(name).missing(code)] == []


def test_signatures_name_formula_and_dictionary() -> None:
    assert (
        metrics.get("fre", lang="de")
        .signature()
        .startswith("fre|lang:de|variant:exact|formula:amstad|syllables:pyphen-de_DE|sentences:builtin|")
    )
    assert "|pyphen:" in metrics.get("fre", lang="de").signature(long=True)
    assert {ease.name for ease in READING_EASE.values() if not ease.name.isascii() or " " in ease.name} == set()
    assert "syllables" not in metrics.get("lix", lang="de").signature()
    assert "syllables" not in metrics.get("sentence-length", lang="fi").signature()


def test_the_scale_of_flesch() -> None:
    """Flesch 1948, as every later copy has it: below 30, 30-50, 50-60, 60-70, 70-80, 80-90, 90-100."""
    scale = metrics.get("fre", lang="de").scale
    assert scale is not None
    words = ["very difficult", "difficult", "fairly difficult", "standard", "fairly easy", "easy", "very easy"]
    assert [scale.word(score) for score in (12, 40, 55, 65, 75, 85, 95)] == words
    assert [scale.word(score) for score in (-40, 29.99, 30, 69.99, 70, 121)] == [
        *("very difficult", "very difficult", "difficult", "standard", "fairly easy", "very easy")
    ]
    assert scale.word(float("nan")) == ""
    # Stodden 2024, Table 3: by the German formula the texts have 65.2 and 69.05, by the English one 78.25 and 76.52;
    # the paper says that this is another category, under words of its own.
    assert {scale.word(score) for score in (65.2, 69.05)} == {"standard"}
    assert {scale.word(score) for score in (78.25, 76.52)} == {"fairly easy"}
    assert metrics.get("fre", lang="fr").scale is None
    assert metrics.get("wstf1", lang="de").scale is None
