"""Scores worked out by hand, and what happens at the borders of what EASSE takes."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU

from plainly.base.errors import PlainlyError
from plainly.compat.easse.bleu import corpus_averaged_sentence_bleu, corpus_bleu, sentence_bleu
from plainly.compat.easse.compression import corpus_f1_token
from plainly.compat.easse.fkgl import FKGLScorer, corpus_fkgl
from plainly.compat.easse.quality_estimation import (
    corpus_quality_estimation,
    count_sentence_splits,
    get_additions_proportion,
    get_average,
    get_compression_ratio,
    get_wordrank_score,
    wrap_single_sentence_vectorizer,
)
from plainly.compat.easse.report import get_all_scores
from plainly.compat.easse.sari import (
    compute_f1,
    compute_macro_sari,
    compute_micro_sari,
    compute_ngram_stats,
    compute_precision_recall,
    compute_precision_recall_f1,
    corpus_sari,
    extract_ngrams,
    get_corpus_sari_operation_scores,
    multiply_counter,
)
from plainly.compat.easse.utils.helpers import (
    add_dicts,
    collapse_split_sentences,
    get_temp_filepath,
    read_lines,
    read_split_lines,
    safe_divide,
)
from plainly.compat.easse.utils.preprocessing import normalize
from plainly.compat.easse.utils.text import count_sentences, count_syllables_in_sentence, count_words, to_sentences

ORIG = ["He purchased a car."]
SYS = ["He bought a car."]
REFS = [["He bought a car."], ["He got a car."]]

# S = he purchased a car . ; O = he bought a car . ; T = O and he got a car . ; r = 2 references.
# add, types:    new in O 1 2 2 2, all in T; new in T 2 4 4 4: P 1, R 1/2, F1 2/3 for every n.
# keep, counts:  n = 1: he, a, car, . twice each = 8 of 8 of 8; n = 2: "a car", "car ." 4 of 4 of 4;
#                n = 3: "a car ." 2 of 2 of 2; n = 4: nothing, F1 0.
# delete:        n = 1: purchased 2 of 2 of 2; n = 2, 3: 4 of 4 of 4; n = 4: 4 of 4 of 4.
STATS = (
    [1, 2, 2, 2],
    [1, 2, 2, 2],
    [2, 4, 4, 4],
    [8, 4, 2, 0],
    [8, 4, 2, 0],
    [8, 4, 2, 0],
    [2, 4, 4, 4],
    [2, 4, 4, 4],
    [2, 4, 4, 4],
)


def test_sari_by_hand() -> None:
    add, keep, delete = get_corpus_sari_operation_scores(ORIG, SYS, REFS)
    assert (add, keep, delete) == pytest.approx((200 / 3, 75, 100), abs=1e-12)
    assert corpus_sari(ORIG, SYS, REFS) == pytest.approx((200 / 3 + 75 + 100) / 3, abs=1e-12)


def test_sari_counts_by_hand() -> None:
    texts = [normalize(text) for text in (ORIG[0], SYS[0], REFS[0][0], REFS[1][0])]
    assert compute_ngram_stats([texts[0]], [texts[1]], [[texts[2]], [texts[3]]]) == STATS


def test_sari_from_counts_by_hand() -> None:
    assert compute_macro_sari(*STATS) == pytest.approx((2 / 3, 3 / 4, 1), abs=1e-12)
    # Mean precision and recall first: add 1 and 1/2, keep 3/4 and 3/4, delete 1 and 1.
    assert compute_micro_sari(*STATS) == pytest.approx((2 / 3, 3 / 4, 1), abs=1e-12)
    # Deletions 1 of 2 made, 1 of 4 wanted, for n = 1 only: P 1/2, R 1/4, F1 1/3.
    deletions = ([1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0])
    assert compute_macro_sari(*STATS[:6], *deletions)[2] == pytest.approx(1 / 12, abs=1e-12)
    assert compute_macro_sari(*STATS[:6], *deletions, False)[2] == pytest.approx(1 / 8, abs=1e-12)
    # P 1/8, R 1/16 on average over n: F1 1/12.
    assert compute_micro_sari(*STATS[:6], *deletions)[2] == pytest.approx(1 / 12, abs=1e-12)
    assert compute_micro_sari(*STATS[:6], *deletions, use_f1_for_deletion=False)[2] == pytest.approx(1 / 8, abs=1e-12)


def test_rates_by_hand() -> None:
    assert compute_precision_recall(1, 2, 4) == (0.5, 0.25)
    assert compute_precision_recall(0, 0, 0) == (0, 0)
    assert compute_precision_recall_f1(1, 2, 4) == pytest.approx((1 / 2, 1 / 4, 1 / 3))
    assert compute_f1(0.5, 0.25) == pytest.approx(1 / 3)
    assert compute_f1(0, 1) == compute_f1(0, 0) == 0


def test_sari_variants_meet_the_functions_on_counts() -> None:
    orig, out, refs = ["a b c d e f"], ["a b x d"], [["a b c d"], ["a x y"], ["a b d f"]]
    stats = compute_ngram_stats(orig, out, refs)
    for paper, from_counts in ((False, compute_macro_sari), (True, compute_micro_sari)):
        for f1 in (True, False):
            scores = get_corpus_sari_operation_scores(
                orig, out, refs, tokenizer="none", use_f1_for_deletion=f1, use_paper_version=paper
            )
            assert scores == pytest.approx([100 * part for part in from_counts(*stats, f1)], abs=1e-9)


def test_legacy_sari_leaves_the_source_alone() -> None:
    # "car." is a word of its own in the untouched source, so the copy deletes it and adds "car" and ".".
    assert corpus_sari(SYS, SYS, [SYS], legacy=True) > corpus_sari(SYS, SYS, [SYS])
    tokenised = [normalize(SYS[0])]
    assert corpus_sari(tokenised, tokenised, [tokenised], legacy=True) == corpus_sari(SYS, SYS, [SYS])


def test_a_reference_that_is_none_is_not_there() -> None:
    both = corpus_sari(ORIG * 2, SYS * 2, [["He bought a car.", "He bought a car."], ["He got a car.", None]])
    one, other = (corpus_sari(ORIG, SYS, refs) for refs in (REFS, REFS[:1]))
    assert min(one, other) < both < max(one, other)
    assert corpus_bleu(SYS, [["He sold it."], [None]]) == corpus_bleu(SYS, [["He sold it."]])
    assert corpus_f1_token(SYS, [["He sold it."], [None]]) == corpus_f1_token(SYS, [["He sold it."]])
    assert math.isnan(corpus_sari(ORIG, SYS, [[None]]))


def test_empty_references_are_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"1 references are empty .*refs_sents\[1\]\[0\].* None"):
        corpus_sari(ORIG, SYS, [REFS[0], [""]])


@pytest.mark.parametrize(
    ("orig", "out", "refs", "message"),
    [
        (ORIG, SYS * 2, REFS, "1 source sentences, but 2 system"),
        (ORIG, SYS, [["a"], ["a", "b"]], r"refs_sents\[1\] has 2 sentences where 1 are due"),
        (ORIG, SYS, ["He bought a car."], r"refs_sents\[0\] is a string.*n_references, n_samples"),
    ],
)
def test_shapes_that_do_not_fit_raise_as_in_easse(
    orig: list[str], out: list[str], refs: list[list[str]], message: str
) -> None:
    for error in (AssertionError, PlainlyError):
        with pytest.raises(error, match=message):
            corpus_sari(orig_sents=orig, sys_sents=out, refs_sents=refs)


def test_functions_that_easse_leaves_unchecked_check_too() -> None:
    with pytest.raises(AssertionError, match="has 1 sentences where 2 are due"):
        corpus_bleu(["a", "b"], [["a"]])
    with pytest.raises(AssertionError, match="has 1 sentences where 2 are due"):
        corpus_f1_token(["a", "b"], [["a"]])
    with pytest.raises(AssertionError, match="2 source sentences, but 1"):
        corpus_quality_estimation(["a", "b"], ["a"])
    with pytest.raises(AssertionError, match="is a string"):
        sentence_bleu("a", "a")
    for function in (corpus_bleu, corpus_averaged_sentence_bleu, corpus_f1_token):
        with pytest.raises(ValueError, match="needs references"):
            function(["a"], [])
    with pytest.raises(ValueError, match="smooth_method 'ad-k'"):
        corpus_bleu(["a"], [["a"]], smooth_method="ad-k")
    with pytest.raises(ValueError, match="did you mean 'moses'"):
        normalize("a", tokenizer="mose")


def test_f1_token_drops_what_is_too_much_as_easse_but_says_so() -> None:
    # The first reference alone shares 2 of 3 tokens, the second all 3: EASSE pairs one output with one of each list.
    with pytest.warns(UserWarning, match=r"refs_sents\[0\] has 2 sentences where 1 are due; the first 1 count"):
        assert corpus_f1_token(["the cat sat"], [["the cat slept", "the cat sat"]]) == pytest.approx(200 / 3)
    with pytest.warns(UserWarning, match=r"refs_sents\[1\] has 3"):
        assert corpus_f1_token(["a", "b"], [["a", "c"], ["d", "b", "e"]]) == 100


@pytest.mark.usefixtures("builtin_splitter")
def test_no_sentences_at_all() -> None:
    assert corpus_sari([], [], [[]]) == corpus_sari(ORIG, SYS, []) == 0  # as EASSE
    assert corpus_fkgl([]) == corpus_fkgl(["", ""]) == 0  # as EASSE
    assert math.isnan(corpus_bleu([], [[]]))
    assert math.isnan(corpus_averaged_sentence_bleu([], [[]]))
    assert math.isnan(corpus_averaged_sentence_bleu([], [[]], smooth_method="exp"))
    assert math.isnan(corpus_f1_token([], [[]]))


def test_bleu_by_hand() -> None:
    assert corpus_bleu(["He bought a red car."], [["He bought a red car."]]) == pytest.approx(100)
    # 3 of 4 words, 1 of 3 pairs, no longer match: the floor counts 0.1 of 2 and of 1. Same length: no penalty.
    expected = 100 * (3 / 4 * 1 / 3 * 0.1 / 2 * 0.1) ** (1 / 4)
    assert sentence_bleu("a b x d", ["a b c d"]) == pytest.approx(expected)
    assert corpus_averaged_sentence_bleu(["a b x d", "a b c d"], [["a b c d"] * 2]) == pytest.approx(
        (expected + 100) / 2
    )
    # Corpus BLEU halves a pseudo-count instead: 1/2 of 2, then 1/4 of 1.
    assert corpus_bleu(["a b x d"], [["a b c d"]]) == pytest.approx(100 * (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** (1 / 4))
    assert corpus_bleu(["A b c d"], [["a b c d"]]) < corpus_bleu(["A b c d"], [["a b c d"]], lowercase=True)


@pytest.mark.parametrize("smooth_method", ["none", "floor", "add-k", "exp"])
@pytest.mark.parametrize("effective_order", [False, True])
def test_any_smoothing_equals_sacrebleu(smooth_method: str, effective_order: bool) -> None:
    metric = BLEU(smooth_method=smooth_method, effective_order=effective_order, lowercase=True)
    out, refs = [*SYS, "It is big."], [[*REFS[0], "It is a big house."], [*REFS[1], "It is huge."]]
    settings = {"smooth_method": smooth_method, "effective_order": effective_order, "lowercase": True}
    assert corpus_bleu(out, refs, **settings) == pytest.approx(metric.corpus_score(out, refs).score)
    each = [metric.corpus_score([out[i]], [[ref[i]] for ref in refs]).score for i in range(2)]
    assert corpus_averaged_sentence_bleu(out, refs, **settings) == pytest.approx(sum(each) / 2)
    assert sentence_bleu(out[1], [ref[1] for ref in refs], **settings) == pytest.approx(each[1])


def test_f1_token_by_hand() -> None:
    # "the cat sat" shares 2 of 3 tokens with the nearest reference: F1 2/3. "a b" and "c": 0.
    assert corpus_f1_token(["The cat sat", "a b"], [["The cat slept", "c"], ["A dog", "d"]]) == pytest.approx(100 / 3)
    assert corpus_f1_token(["The"], [["the"]], lowercase=False) == 0


@pytest.mark.usefixtures("builtin_splitter")
def test_fkgl_by_hand() -> None:
    scorer = FKGLScorer()
    assert scorer.score() == scorer.nb_words == scorer.nb_syllables == scorer.nb_sentences == 0
    scorer.nb_words, scorer.nb_sentences, scorer.nb_syllables = 10, 2, 15
    assert scorer.score() == pytest.approx(0.39 * 10 / 2 + 11.8 * 15 / 10 - 15.59)


@pytest.mark.usefixtures("builtin_splitter")
def test_fkgl_counts_what_its_parts_count() -> None:
    texts = ["The committee deliberated extensively. It adjourned.", "Nobody disagreed."]
    scorer = FKGLScorer()
    for text in texts:
        scorer.add(normalize(text))
    assert (scorer.nb_words, scorer.nb_sentences) == (11, 3)  # full stops are words
    assert scorer.nb_syllables == sum(count_syllables_in_sentence(normalize(text)) for text in texts)
    assert corpus_fkgl(texts) == pytest.approx(scorer.score())
    assert count_words("a b .") == 3


def test_without_punkt_one_warning_and_then_none(no_splitter: None) -> None:
    with pytest.warns(UserWarning, match=r"may differ slightly from EASSE's.* install Punkt"):
        corpus_fkgl(["One sentence."])
    corpus_fkgl(["One sentence."])  # a second warning would be an error in these tests
    assert count_sentence_splits("One.", "One. Two.") == 2
    assert to_sentences("One. Two.") == ["One.", "Two."]
    with pytest.raises(ValueError, match="language of the sentence splitter"):
        count_sentences("Eins. Zwei.", "german")


@pytest.mark.usefixtures("builtin_splitter")
def test_quality_estimation_by_hand() -> None:
    scores = corpus_quality_estimation(["a b c d", "Xyzzy plugh."], ["a b d", "Xyzzy plugh."], tokenizer="none")
    ranks = scores.pop("Lexical complexity score")
    assert ranks == pytest.approx((get_wordrank_score("a b d") + get_wordrank_score("Xyzzy plugh.")) / 2)
    assert list(scores.items()) == [
        ("Compression ratio", pytest.approx((5 / 7 + 1) / 2)),
        ("Sentence splits", 1),
        ("Levenshtein similarity", pytest.approx((2 * 5 / 12 + 1) / 2)),
        ("Exact copies", 0.5),
        ("Additions proportion", 0),
        ("Deletions proportion", pytest.approx((1 / 4 + 0) / 2)),
    ]


@pytest.mark.usefixtures("builtin_splitter")
def test_quality_estimation_of_empty_texts() -> None:
    scores = corpus_quality_estimation(["", "a b"], ["", "a b"])
    # EASSE: an empty source counts as ratio 0; it has no value for the two proportions and stops there.
    assert scores["Compression ratio"] == scores["Sentence splits"] == 0.5
    assert scores["Additions proportion"] == scores["Deletions proportion"] == 0
    assert get_compression_ratio("", "a") == count_sentence_splits("", "a") == 0
    assert math.isnan(get_additions_proportion("", ""))


def test_averages_of_own_functions() -> None:
    assert get_average(wrap_single_sentence_vectorizer(len), ["aaaa", "b"], ["aaa", "b"]) == 2


@pytest.mark.usefixtures("builtin_splitter")
def test_scores_of_the_report() -> None:
    scores = get_all_scores(ORIG, SYS, REFS, lowercase=True, metrics=["fkgl", "sari", "f1_token"])
    assert list(scores)[:2] == ["SARI", "FKGL"]
    assert scores["SARI"] == 80.56
    assert len(scores) == 9
    with pytest.raises(PlainlyError, match="SAMSA is not available"):
        get_all_scores(ORIG, SYS, REFS, metrics=["samsa"])


def test_normalize() -> None:
    assert normalize("It's 3.5% of GDP.") == "it's 3.5 % of gdp ."
    assert normalize("It's Big.", False, "moses") == "It 's Big ."
    assert normalize("A  b\tc", lowercase=False, tokenizer="none") == "A  b\tc"
    assert normalize("A  b\tc", tokenizer="none", return_str=False) == ["a", "b", "c"]


def test_ngrams_and_counters() -> None:
    assert extract_ngrams("a b  a b", max_order=2) == [Counter({"a": 2, "b": 2}), Counter({"a b": 2, "b a": 1})]
    assert extract_ngrams("a b c", min_order=2) == [Counter(["a b", "b c"]), Counter(["a b c"]), Counter()]
    assert multiply_counter(Counter("aab"), 3) == Counter({"a": 6, "b": 3})


def test_files_and_small_helpers(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(" one \u2028 line\r\n\nä <::::> b\n", encoding="utf-8")
    assert read_lines(file) == ["one \u2028 line", "", "ä <::::> b"]
    assert read_split_lines(filename=str(file)) == [["one \u2028 line"], [""], ["ä", "b"]]
    assert read_split_lines(file, " ")[2] == ["ä", "<::::>", "b"]
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(PlainlyError, match=r"lines\.txt is not UTF-8"):
        read_lines(file)
    with pytest.raises(FileNotFoundError):
        read_lines(tmp_path / "nowhere")
    assert collapse_split_sentences([["a", "b"]], [[["c"]], [["d", "e"]]]) == (["a b"], [["c"], ["d e"]])
    assert add_dicts({"a": 1, "b": 1}, {"b": 2}) == {"a": 1, "b": 2}
    assert (safe_divide(1, 4), safe_divide(1, 0)) == (0.25, 0)
    assert not get_temp_filepath().exists()
    path = get_temp_filepath(create=True)
    assert path.read_bytes() == b""
    path.unlink()
