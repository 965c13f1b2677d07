"""Pair features: worked by hand, their properties, and EASSE's numbers (run with EASSE 0.2.4, see shared/oracle)."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics import _text_counts, features
from plainly.scoring.evaluator import runnable
from plainly.text.tokenizers import get_tokenizer

FEATURES = [name for name, place in metrics.registry.BUILT_IN.items() if "features:" in place]
EVERY = pytest.mark.parametrize("name", FEATURES)
WORDS = st.lists(st.sampled_from(["a", "b", "cat", "the", "Ü.", "."]), max_size=6).map(" ".join)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def rows_of(name: str, pairs: list[tuple[Any, Any]], **settings: Any) -> Any:
    sources, outputs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return metrics.get(name, **settings).measure(Corpus(sources, (), {"s": outputs}), "s")


def value(name: str, source: str | None, output: str | None, **settings: Any) -> float:
    return float(metrics.get(name).score(rows_of(name, [(source, output)], **settings)[0]).value)


# Normalised, "The cat sat on the mat." is "the cat sat on the mat ." (24 characters, 7 tokens) and "The cat sat."
# is "the cat sat ." (13 characters, 4 tokens): three tokens are deleted, none added, none moved, and the output
# is a subsequence of the source, so the similarity is 2 * 13 / (24 + 13).
CAT = {
    "compression-ratio": 13 / 24,
    "sentence-splits": 1,
    "levenshtein-similarity": 26 / 37,
    "exact-copies": 0,
    "additions-proportion": 0,
    "deletions-proportion": 3 / 7,
    "words-added": 0,
    "words-deleted": 3 / 7,
    "words-kept": 4 / 7,
    "words-reordered": 0,
}


@pytest.mark.parametrize("name", CAT)
def test_a_shortened_sentence_worked_by_hand(name: str) -> None:
    assert value(name, "The cat sat on the mat.", "The cat sat.") == pytest.approx(CAT[name])


# a b c d e -> d a x b: a, b and d are kept, a b in order, so one of three moved. One of four words is new; c and e
# of five are gone. Of the 9 and 7 characters 3 are in order ("a b"; after a second blank comes no b).
MOVED = {
    "compression-ratio": 7 / 9,
    "levenshtein-similarity": 6 / 16,
    "additions-proportion": 1 / 5,
    "deletions-proportion": 2 / 5,
    "words-added": 1 / 4,
    "words-deleted": 2 / 5,
    "words-kept": 3 / 5,
    "words-reordered": 1 / 3,
}


@pytest.mark.parametrize("name", MOVED)
def test_a_moved_word_worked_by_hand(name: str) -> None:
    assert value(name, "a b c d e", "d a x b") == pytest.approx(MOVED[name])


def test_repeated_words_count_as_often_as_they_stand() -> None:
    # a a a b -> a a c: two a's are shared; one a and b are gone; c is new
    assert value("words-kept", "a a a b", "a a c") == pytest.approx(2 / 4)
    assert value("words-added", "a a a b", "a a c") == pytest.approx(1 / 3)
    assert value("additions-proportion", "a a a b", "a a c") == pytest.approx(1 / 4)


def test_sentences_are_split() -> None:
    assert value("sentence-splits", "He came home, and he slept.", "He came home. He slept.") == 2
    assert value("sentence-splits", "One. Two.", "One and two.") == 0.5


def test_untokenised_text_keeps_its_inner_blanks_but_not_its_outer_ones() -> None:
    # EASSE, tokeniser none: "a\tb  c   d" has 10 characters, "a  b d" 6, and they share "a", 3 blanks, "d"
    pair = "a\tb  c   d", " a  b d\n"
    assert value("compression-ratio", *pair, tokenizer="none") == pytest.approx(6 / 10)
    assert value("levenshtein-similarity", *pair, tokenizer="none") == pytest.approx(10 / 16)
    assert value("exact-copies", "a  b", "a b", tokenizer="none") == 0
    assert value("exact-copies", "a  b", "a b") == 1
    assert value("exact-copies", "a  b ", "a  b", tokenizer="none") == 1


def test_words_are_counted_by_13a_whatever_the_tokenizer() -> None:
    # none: "mat." is one token, so 6 tokens go; the source has 7 words by 13a
    assert value("deletions-proportion", "The cat sat on the mat.", "", tokenizer="none") == pytest.approx(6 / 7)


ALPHABET = ["a", "1", ".", ",", "-", "'", "&", "<", ";", "&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#124;"]


@given(st.lists(st.sampled_from([*ALPHABET, "<skipped>", "lt;", "skipped&gt;", "é", "—"]), max_size=8).map("".join))
def test_pieces_follow_the_nist_rules(token: str) -> None:
    # NLTK's NISTTokenizer.tokenize, rule by rule (the class itself needs a download to be imported)
    text = unescape(
        token.replace("<skipped>", ""),
        {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"},
    )
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    assert features._pieces([token]).tolist() == [len(text.split())]


MISSING = math.nan
EDGES = {  # (source empty, output empty, both empty)
    "compression-ratio": (MISSING, 0, MISSING),
    "sentence-splits": (MISSING, 0, MISSING),
    "levenshtein-similarity": (0, 0, 1),
    "exact-copies": (0, 0, 1),
    "additions-proportion": (1, 0, MISSING),
    "deletions-proportion": (0, 1, MISSING),
    "lexical-complexity": (None, math.log(50_001), math.log(50_001)),
    "words-added": (1, MISSING, MISSING),
    "words-deleted": (MISSING, 1, MISSING),
    "words-kept": (MISSING, 0, MISSING),
    "words-reordered": (MISSING, MISSING, MISSING),
}


@EVERY
def test_what_has_no_value_is_not_scored(name: str) -> None:
    for pair, expected in zip([("", "Cats."), ("Cats.", ""), ("", "")], EDGES[name], strict=True):
        if expected is not None:
            assert value(name, *pair) == pytest.approx(expected, nan_ok=True), pair


@EVERY
def test_a_missing_text_is_not_scored(name: str) -> None:
    rows = rows_of(name, [("Cats sat.", None), (None, "Cats."), ("Cats sat.", "Cats.")])
    needs_source = "source" in metrics.get(name).facts.needs
    assert rows[:, 0].tolist() == [0, 0 if needs_source else 1, 1]
    assert rows[0].tolist() == [0, 0]


@EVERY
def test_an_empty_corpus_has_no_score(name: str) -> None:
    rows = rows_of(name, [])
    assert rows.shape == (0, 2)
    assert np.isnan(metrics.get(name).score(rows.sum(axis=0)).value)


def test_lexical_complexity_worked_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    # "the", "on" are function words, "." and "zyx" are not among the words. Left: cat 0, sat ln 10, mat ln 100.
    # The upper quartile lies at position 0.75 * 2 = 1.5: half way from ln 10 to ln 100.
    ranks = {"cat": 0, "sat": 9, "mat": 99, "the": 3, "on": 5}
    monkeypatch.setattr(features, "word_ranks", lambda lang: ranks)
    monkeypatch.setattr(
        features, "_content_ranks", features._content_ranks.__wrapped__
    )  # nothing is learned for good
    assert value("lexical-complexity", None, "The cat sat on the mat. Zyx") == pytest.approx(1.5 * math.log(10))
    assert value("lexical-complexity", None, "Cat", lowercase=False) == 0


@given(st.lists(st.lists(st.floats(0, 11), max_size=7), min_size=1, max_size=6))
def test_quantiles_are_numpys(groups: list[list[float]]) -> None:
    values = np.array([number for group in groups for number in sorted(group)])
    lengths = np.array([len(group) for group in groups])
    expected = [np.quantile(group, 0.75) if group else -1.0 for group in groups]
    np.testing.assert_allclose(features._quantiles(values, lengths, 0.75, empty=-1.0), expected, atol=1e-12)


def test_all_of_them_have_one_name() -> None:
    page = (Path(__file__).parents[2] / "docs" / "features.md").read_text("utf-8")
    assert list(metrics.GROUPS["features"]) == re.findall(r"^\| `(.*?)` \|", page, re.MULTILINE)
    chosen, left_out = runnable(["features", "bleu"], {"source", "references"}, "en")
    assert sorted(chosen) == sorted([*metrics.GROUPS["features"], "bleu"])
    assert not left_out
    without_sources, left_out = runnable(["features"], set(), "en")
    assert without_sources == ["lexical-complexity"]
    assert left_out["words-kept"] == "it needs source"


def test_learned_numbers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_text_counts, "MOST_LEARNED", 3)
    asked = []

    def length(token: str) -> int:
        asked.append(token)
        return len(token)

    learned = _text_counts.Learned(length)
    for token in ["a", "bb", "a", "bb", "x" * 100, "x" * 100]:
        assert learned[token] == len(token)
    assert asked == ["a", "bb", "x" * 100, "x" * 100]  # what is long is not kept
    for number in range(100):
        assert learned[str(number)] == len(str(number))
        assert len(learned) <= 3


def test_rare_words_are_more_complex() -> None:
    simple, hard = "The cat sat on the mat.", "The feline reposed on the tapestry."
    assert value("lexical-complexity", None, simple) < value("lexical-complexity", None, hard)


@EVERY
@given(pairs=PAIRS, random=st.randoms(use_true_random=False))
def test_rows_belong_to_segments(name: str, pairs: list[tuple[str, str]], random: Any) -> None:
    rows = rows_of(name, pairs)
    np.testing.assert_array_equal(rows, np.concatenate([rows_of(name, [pair]) for pair in pairs]))
    order = random.sample(range(len(pairs)), len(pairs))
    np.testing.assert_array_equal(rows_of(name, [pairs[i] for i in order]), rows[order])


@EVERY
@pytest.mark.parametrize("tokenizer", ["13a", "none", "char"])
@given(source=st.text(), output=st.text())
def test_any_text_survives(name: str, tokenizer: str, source: str, output: str) -> None:
    low, high = metrics.get(name).facts.range
    found = value(name, source, output, tokenizer=tokenizer)
    assert math.isnan(found) or low <= found <= high


@given(PAIRS)
def test_a_copy_changes_nothing(pairs: list[tuple[str, str]]) -> None:
    copies = [(source, source) for source, _ in pairs if source]
    same = ("compression-ratio", "sentence-splits", "levenshtein-similarity", "exact-copies", "words-kept")
    none = ("additions-proportion", "deletions-proportion", "words-added", "words-deleted", "words-reordered")
    for name in (*same, *none):
        assert (rows_of(name, copies)[:, 1] == (name in same)).all()


@pytest.mark.parametrize("tokenizer", ["13a", "none"])
@given(source=st.text(), output=st.text())
def test_levenshtein_similarity_is_rapidfuzzs(tokenizer: str, source: str, output: str) -> None:
    texts = [text.lower().strip() for text in (source, output)]
    if tokenizer == "13a":
        texts = [" ".join(get_tokenizer("13a").tokens(text)) for text in texts]
    expected = Indel.normalized_similarity(*texts)
    assert value("levenshtein-similarity", source, output, tokenizer=tokenizer) == pytest.approx(expected)


def test_signatures_name_the_ranks_and_the_splitter() -> None:
    assert "ranks:wordfreq" in metrics.get("lexical-complexity").signature()
    assert "wordfreq:3." in metrics.get("lexical-complexity").signature(long=True)
    assert "variant:builtin" in metrics.get("sentence-splits").signature()
    assert metrics.get("sentence-splits:easse").label == "sentence-splits:easse"


def test_a_language_without_the_means_is_refused() -> None:
    for name in ("sentence-splits", "lexical-complexity"):
        with pytest.raises(PlainlyError, match="not defined for language 'th'"):
            metrics.get(name, lang="th")


# What EASSE computed. Its lexical complexity is not there: its table of word ranks could not be had.

TEST_SETS = {
    "asset_test": "asset/asset.test",
    "turkcorpus_test": "turkcorpus/turkcorpus.test",
    "hsplit_test": "hsplit/hsplit.test.tok",
    "turkcorpus_test_legacy": "turkcorpus/legacy_tok_lower/turkcorpus.test.tok",
}
EASSE_NAMES = {
    "Compression ratio": "compression-ratio",
    "Sentence splits": "sentence-splits:easse",
    "Levenshtein similarity": "levenshtein-similarity",
    "Exact copies": "exact-copies",
    "Additions proportion": "additions-proportion",
    "Deletions proportion": "deletions-proportion",
}


@pytest.mark.parametrize(
    "tokenizers",
    [("13a",), *(pytest.param(names, marks=pytest.mark.slow) for names in (("none", "intl"), ("moses", "penn")))],
    ids="+".join,
)
@pytest.mark.parametrize("test_set", TEST_SETS)
def test_equals_easse(shared: Path, punkt: None, test_set: str, tokenizers: tuple[str, ...]) -> None:
    stem = TEST_SETS[test_set]
    sources = lines(shared / "data" / f"{stem}.orig")
    outputs = {path.stem: lines(path) for path in (shared / "data" / "system_outputs").rglob("*.txt")}
    outputs = {name: texts for name, texts in outputs.items() if len(texts) == len(sources)}
    words = [source.split() for source in sources]
    outputs["Identity"] = sources
    outputs["Truncate"] = [" ".join(text[: int(0.8 * len(text))]) + "." for text in words]
    outputs["Reference"] = lines(shared / "data" / f"{stem}.simp.0")
    corpus = Corpus(sources, (), outputs)
    checked = 0
    for record in json.loads((shared / "oracle" / "easse_en.json").read_text("utf-8"))["records"]:
        name = Path(record["file"]).name if "tokenised:" in record["kind"] else record["system"].split()[0]
        if record["test_set"] == test_set and record["tokenizer"] in tokenizers and name in outputs:
            check(record, corpus, name)
            checked += 1
    assert checked >= 6 * len(tokenizers)


def test_equals_easse_on_edge_cases(shared: Path, punkt: None) -> None:
    cases = json.loads((shared / "oracle" / "easse_edge_cases.json").read_text("utf-8"))["cases"]
    for case in cases:
        corpus = Corpus(case["orig"], (), {"s": case["sys"]})
        if case["quality_estimation"] == {"raises": "ZeroDivisionError"}:
            assert (case["orig"], case["sys"]) == ([""], [""])  # see EDGES for what is scored here
        else:
            check(case, corpus, "s")
    assert len(cases) == 84


def test_a_source_without_a_sentence_splits_0_times_in_easse(punkt: None) -> None:
    assert value("sentence-splits", "", "Cats.", variant="easse") == 0


def check(record: dict[str, Any], corpus: Corpus, system: str) -> None:
    for theirs, ours in EASSE_NAMES.items():
        metric = metrics.get(ours, tokenizer=record["tokenizer"], lowercase=record["lowercase"])
        score = metric.score(metric.measure(corpus, system).sum(axis=0)).value
        assert score == pytest.approx(record["quality_estimation"][theirs], abs=1e-9), (ours, record)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]
