"""The variants that count as textstat: against textstat itself, and against published German scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainly
from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.text.tokenizers import get_tokenizer

from ..real import SHARED

GERMAN = SHARED / "data" / "german"
FOLDERS = {"DEplain-web": "deplain_web", "GEOlino": "geolino", "simple-german-corpus": "simple_german_corpus"}
VERSIONS = {"textstat-0.7.5": "textstat_0.7.3", "textstat": "textstat_0.7.13"}
FORMULAS = {"fre": "FRE_de", "wstf1": "WSTF1", "wstf2": "WSTF2", "wstf3": "WSTF3", "wstf4": "WSTF4"}
COUNTS = {"words": "n_words", "syllables": "n_syllables", "sentences": "n_sentences"}

needs_shared = pytest.mark.skipif(not GERMAN.is_dir(), reason=f"the shared data are not at {GERMAN}")


def score(name: str, outputs: list[str | None], lang: str = "de", **settings: Any) -> Any:
    metric = metrics.get(name, lang=lang, **settings)
    corpus = Corpus([None] * len(outputs), outputs={"s": outputs}, lang=lang)
    return metric.score(metric.measure(corpus, "s").sum(axis=0))


# By hand ------------------------------------------------------------------------------------------------------------


def test_an_output_without_a_final_mark_goes_on_in_the_next() -> None:
    outputs: list[str | None] = ["Das ist", "ein Satz", "Noch einer. Nein.", None, "Und z. B. hier drei Worte"]
    # Das ist ein Satz Noch einer | Nein: too short | Und z: too short | B: too short | hier drei Worte
    found = score("fre:textstat", outputs)
    assert (found.components["words"], found.components["sentences"]) == (13, 2)
    metric = metrics.get("fre:textstat", lang="de")
    corpus = Corpus([None] * 5, outputs={"s": outputs})
    sentences = metric.measure(corpus, "s")[:, metric.columns.index("sentences")]
    assert sentences.tolist() == [0, 1, 0, 0, 1]  # a sentence is where its third word is


def test_rounding_inside_the_formula_by_hand() -> None:
    # Words 26, sentences 3, syllables 44: 8.667 -> 8.7 and 1.692 -> 1.7; 180 - 8.7 - 58.5 x 1.7 = 71.85.
    metric = metrics.get("fre:textstat-0.7.5", lang="de")
    totals = np.array([3.0, 26, 3, 44, 0, 0, 0])
    assert metric.columns[1:4] == ("words", "sentences", "syllables")
    assert metric.score(totals).value == 71.85
    current = metrics.get("fre:textstat", lang="de").score(totals).value
    assert current == pytest.approx(180 - 26 / 3 - 58.5 * 44 / 26, abs=1e-12)  # 72.333


def test_the_result_of_the_wiener_sachtextformel_is_rounded_to_one_decimal() -> None:
    text: list[str | None] = ["Die Regierung verabschiedete gestern strenge Bestimmungen."]
    exact = float(score("wstf3:textstat", text).value)
    assert exact == pytest.approx(0.2963 * 50 + 0.1905 * 6 - 1.1144, abs=1e-12)  # 14.8436
    assert score("wstf3:textstat-0.7.5", text).value == 14.8


def test_a_text_has_a_sentence_and_marks_alone_have_none() -> None:
    assert score("fre:textstat", ["Hallo."]).components["sentences"] == 1
    assert np.isnan(score("fre:textstat", ["...", "!"]).value)


def test_where_no_language_was_set_hyphenation_was_american() -> None:
    """The scores that Engelmann et al. (2024) print in their Table 11."""
    texts = {
        "She was born in Detroit, Michigan.": 90.77,
        "Executive power is to be exercised by the Governor-General, advised by the Federal Executive Council.": 5.49,
    }
    for text, printed in texts.items():
        assert score("fre:textstat-0.7.5-us", [text], "en").value == printed
        assert score("fre:textstat-0.7.5", [text], "en").value != printed
    assert "syllables:pyphen-en_US" in metrics.get("fre:textstat-0.7.5-us").signature(long=True)
    with pytest.raises(PlainlyError, match=r"take fre:textstat-0\.7\.5 for language 'de'"):
        metrics.get("fre:textstat-0.7.5-us", lang="de")


def test_dale_chall_of_textstat_counts_an_unfamiliar_word_once() -> None:
    pytest.importorskip("textstat")
    # Nine words, of them "zygote's" (unfamiliar with its apostrophe) twice, in one sentence ("No." is
    # too short): 11.11 % and 9 / 1 words: 0.1579 * 11.11 + 0.0496 * 9 + 3.6365 = 5.837.
    found = score("dale-chall:textstat-0.7.5", ["The dog sat on the zygote's zygote's back. No."], "en")
    assert [found.components[name] for name in ("words", "sentences", "unfamiliar_words")] == [9, 1, 1]
    assert found.value == 5.84


# textstat ----------------------------------------------------------------------------------------------------------

PIECES = [
    "Das",
    "ist",
    "ein",
    "Hund.",
    "Regierung",
    "z.B.",
    "3.5%",
    "'s",
    "d'Or",
    "...",
    "Ja!",
    "„So“?",
    "E-Mail",
    "—",
    "_",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join) | st.text(max_size=12)
FUNCTIONS: dict[tuple[str, str], Callable[[Any, str], float]] = {
    ("fre", "de"): lambda textstat, text: textstat.flesch_reading_ease(text),
    ("fre", "es"): lambda textstat, text: textstat.flesch_reading_ease(text),
    ("wstf1", "de"): lambda textstat, text: textstat.wiener_sachtextformel(text, 1),
    ("wstf2", "de"): lambda textstat, text: textstat.wiener_sachtextformel(text, 2),
    ("wstf3", "de"): lambda textstat, text: textstat.wiener_sachtextformel(text, 3),
    ("wstf4", "de"): lambda textstat, text: textstat.wiener_sachtextformel(text, 4),
    ("szigriszt-pazos", "es"): lambda textstat, text: textstat.szigriszt_pazos(text),
    ("gutierrez-polini", "es"): lambda textstat, text: textstat.gutierrez_polini(text),
    ("crawford", "es"): lambda textstat, text: textstat.crawford(text),
}


@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_scores_equal_those_of_textstat_on_the_joined_outputs(outputs: list[str]) -> None:
    textstat = pytest.importorskip("textstat")
    together = " ".join(outputs)
    for (name, lang), function in FUNCTIONS.items():
        textstat.set_lang(lang)
        ours = score(f"{name}:textstat", list(outputs), lang)
        if ours.components["words"] == 0:
            assert np.isnan(ours.value)  # where textstat says 0
        else:
            assert float(ours.value) == pytest.approx(function(textstat, together), abs=1e-9), (name, lang)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_pieces_of_a_corpus_make_the_whole(threads: int) -> None:
    random = np.random.default_rng(7)
    outputs: list[str | None] = [
        None if random.random() < 0.1 else " ".join(random.choice(PIECES, random.integers(0, 6))) for _ in range(1300)
    ]
    whole = score("fre:textstat", outputs)
    result = plainly.evaluate(None, outputs, lang="de", metrics=["fre:textstat"], threads=threads, intervals=None)[
        "output"
    ]["fre:textstat"]
    assert result.score == float(whole.value)
    assert result.components["sentences"] == whole.components["sentences"]
    alone = sum(
        float(score("fre:textstat", outputs[i : i + 100]).components["sentences"]) for i in range(0, 1300, 100)
    )
    assert alone != whole.components["sentences"], "the corpus is no test: its pieces do not depend on each other"


# Published scores ---------------------------------------------------------------------------------------------------


def lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")]


@cache
def oracle() -> dict[str, Any]:
    """FRE and Wiener Sachtextformel by textstat 0.7.3 and 0.7.13, see shared/oracle/README-easse-de.md."""
    loaded: dict[str, Any] = json.loads((SHARED / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]
    return loaded


@cache
def outputs_of(data_set: str) -> dict[str, list[str]]:
    """The outputs that are among the shared data, by their names in the oracle."""
    folder = GERMAN / FOLDERS[data_set]
    baselines = {"_identity": f"{folder.name}.test.orig", "_reference": f"{folder.name}.test.simp"}
    paths = {
        name: folder / baselines[name]
        if name in baselines
        else folder / "system_outputs" / name.removeprefix("easse-multi:").replace(".txt_clean.txt", ".txt")
        for name in oracle()[data_set]["systems"]
    }
    return {name: lines(path) for name, path in paths.items() if path.is_file()}


def truncated(text: str) -> str:
    words = text.split()
    return " ".join(words[: int(0.8 * len(words))]) + "."


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize(
    ("data_set", "tokenizer"),
    [
        ("DEplain-web", "none"),
        pytest.param("DEplain-web", "13a", marks=pytest.mark.slow),
        *((data_set, tokenizer) for data_set in ("GEOlino", "simple-german-corpus") for tokenizer in ("none", "13a")),
        *(pytest.param(data_set, "spacy", marks=pytest.mark.slow) for data_set in FOLDERS),
    ],
)
def test_published_german_scores_are_met(data_set: str, tokenizer: str) -> None:
    key = "spacy-de" if tokenizer == "spacy" else tokenizer
    if tokenizer == "spacy":
        pytest.importorskip("spacy")
    outputs = outputs_of(data_set)
    corpus = Corpus([None] * len(next(iter(outputs.values()))), outputs=outputs, lang="de")
    compared = 0
    for lowercase in (False, True):
        cases = [(name, corpus, name, tokenizer) for name in outputs]
        if "_identity" in outputs:  # EASSE cuts the tokenised source off
            tokens = get_tokenizer(tokenizer)
            cut = [truncated(" ".join(tokens.tokens(text, lowercase, "de"))) for text in outputs["_identity"]]
            cases.append(("_truncate", Corpus([None] * len(cut), outputs={"cut": cut}, lang="de"), "cut", "none"))
        for name, texts, system, by in cases:
            expected = oracle()[data_set]["systems"][name]["settings"][f"{key}|lc={lowercase}"]
            for variant, release in VERSIONS.items():
                for formula, column in FORMULAS.items():
                    metric = metrics.get(formula, variant=variant, lang="de", tokenizer=by, lowercase=lowercase)
                    found = metric.score(metric.measure(texts, system).sum(axis=0))
                    assert {ours: int(found.components[ours]) for ours in COUNTS} == {
                        ours: expected[release][theirs] for ours, theirs in COUNTS.items()
                    }, (name, variant)
                    assert float(found.value) == pytest.approx(expected[release][column], abs=1e-9), (name, variant)
                    compared += 1
    systems = {"DEplain-web": 19, "GEOlino": 16, "simple-german-corpus": 8}[data_set]
    assert compared == systems * 2 * len(VERSIONS) * len(FORMULAS)


@needs_shared
def test_english_constants_on_german_text_are_met() -> None:
    """The rows "EN" of the paper: Flesch's constants and the British dictionary."""
    outputs = outputs_of("GEOlino")
    metric = metrics.get("fre:textstat-0.7.5", lang="en")
    corpus = Corpus([None] * 663, outputs=outputs)
    for name in outputs:
        expected = oracle()["GEOlino"]["systems"][name]["settings"]["none|lc=False"]["textstat_0.7.3"]
        found = metric.score(metric.measure(corpus, name).sum(axis=0))
        assert float(found.value) == pytest.approx(expected["FRE_en"], abs=1e-9), name


@needs_shared
@pytest.mark.parametrize(
    ("data_set", "tokenizer", "swapped", "pairs"),
    [
        ("DEplain-web", "none", 14, 105),
        pytest.param("DEplain-web", "spacy", 15, 105, marks=pytest.mark.slow),
        ("GEOlino", "none", 9, 120),
    ],
)
def test_rounding_changes_the_order_of_systems(data_set: str, tokenizer: str, swapped: int, pairs: int) -> None:
    """As docs/readability.md says. Two systems are swapped if each is the better one by one of the variants."""
    if tokenizer == "spacy":
        pytest.importorskip("spacy")
    outputs = {name: texts for name, texts in outputs_of(data_set).items() if not name.startswith("easse-multi:")}
    outputs["_truncate"] = [truncated(text) for text in outputs["_identity"]]
    corpus = Corpus([None] * len(outputs["_identity"]), outputs=outputs, lang="de")
    rounded, exact = (
        {name: float(metric.score(metric.measure(corpus, name).sum(axis=0)).value) for name in outputs}
        for metric in (metrics.get("fre", lang="de", tokenizer=tokenizer, variant=variant) for variant in VERSIONS)
    )
    both = list(combinations(outputs, 2))
    assert len(both) == pairs
    assert sum((rounded[a] - rounded[b]) * (exact[a] - exact[b]) < -1e-9 for a, b in both) == swapped
