"""Word operations: cases of EASSE itself, and cases worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.compat.easse.annotation.lcs import get_lcs, get_lcs_alignment
from plainly.compat.easse.annotation.sentence_level import SentenceOperationAnnotator
from plainly.compat.easse.annotation.word_level import WordOperationAnnotator, annotate_sentence


def parse(words: Sequence[str], tags: Sequence[str] | None) -> dict[str, Any] | None:
    """Parts of speech in the shape of EASSE's CoreNLP parses."""
    if tags is None:
        return None
    return {"sentences": [{"words": [(word, {"PartOfSpeech": tag}) for word, tag in zip(words, tags, strict=True)]}]}


def labels(src: str, ref: str, *aligns: tuple[int, int]) -> tuple[str, str]:
    source, output = annotate_sentence(src.split(), ref.split(), aligns)
    return " ".join(word["label"] for word in source), " ".join(word["label"] for word in output)


def align_equal_words(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    return [(i + 1, j + 1) for i, j in get_lcs_alignment(first, second)]


def test_equals_easse(shared: Path) -> None:
    cases = json.loads((shared / "oracle" / "easse_word_level.json").read_text(encoding="utf-8"))["annotation_cases"]
    for case in cases:
        found = annotate_sentence(
            src=case["src"],
            ref=case["simp"],
            aligns=case["alignments_1based"],
            src_parse=parse(case["src"], case["src_pos"]),
            ref_parse=parse(case["simp"], case["simp_pos"]),
        )
        assert found == (case["src_annotations"], case["simp_annotations"]), case["case"]


def test_same_place_and_same_part_of_speech_is_a_replacement() -> None:
    src, ref = ["a", "vast", "hall"], ["a", "big", "hall"]
    aligns = [(1, 1), (3, 3)]
    source, output = annotate_sentence(src, ref, aligns, parse(src, ["D", "J", "N"]), parse(ref, ["D", "J", "N"]))
    assert source[1] == {"index": 2, "word": "vast", "label": "B-R", "replace": ["big"]}
    assert [word["label"] for word in output] == ["O", "O", "O"]
    source, output = annotate_sentence(src, ref, aligns, parse(src, ["D", "J", "N"]), parse(ref, ["D", "V", "N"]))
    assert (source[1]["label"], output[1]["label"]) == ("B-D", "B-A")
    assert labels("a vast hall", "a big hall", *aligns) == ("O B-D O", "O B-A O")


def test_operations_by_hand() -> None:
    assert labels("a big cat", "a cat", (1, 1), (3, 2)) == ("O B-D O", "O O")
    # One word stands for several: like deleted ones, those that continue the replacement (I-R) have no place.
    assert labels("in order to go", "to go", (1, 1), (2, 1), (3, 1), (4, 2)) == ("B-R I-R I-R O", "O O")
    assert labels("he passed away .", "he died .", (1, 1), (2, 2), (3, 2), (4, 3)) == ("O B-R I-R O", "O O O")
    assert labels("he gave it up .", "he left it .", (1, 1), (2, 2), (3, 3), (4, 2), (5, 4))[0] == "O B-R O I-R O"
    assert labels("he , too", "he too", (1, 1), (3, 2)) == ("O O B-M", "O O")  # a comma is no deletion
    assert labels("he came", "he came !", (1, 1), (2, 2)) == ("O O", "O O O")  # nor a mark an addition
    assert labels("a b c", "c a b", (1, 2), (2, 3), (3, 1)) == ("B-M B-M B-M", "O O O")
    assert labels("", "") == ("", "")


def test_replacements_name_the_new_words() -> None:
    source, _ = annotate_sentence(["he", "departed"], ["he", "went", "away"], [(1, 1), (2, 2), (2, 3)])
    assert source[1]["replace"] == ["went", "away"]
    source, _ = annotate_sentence(["in", "spite", "of"], ["despite"], [(1, 1), (2, 1), (3, 1)])
    assert [word["replace"] for word in source] == [["despite"], [], []]
    source, _ = annotate_sentence(["b", "a"], ["a", "b"], [(1, 2), (2, 1)])
    assert [word["move"] for word in source] == [2, 1]


def test_what_cannot_be_annotated() -> None:
    with pytest.raises(PlainlyError, match=r"\(2, 1\) is outside 1 source and 1 output words"):
        annotate_sentence(["a"], ["a"], [(2, 1)])
    with pytest.raises(MissingResource, match="constituency parser"):
        annotate_sentence(["a"], ["a"], [(1, 1)], None, None, include_phrase_level=True)


def test_scores_by_hand() -> None:
    annotator = WordOperationAnnotator(align_equal_words, tokenizer="none")
    orig, out, refs = ["a b c d"], ["a c d"], [["a b d"], ["b c d"]]
    # Source labels: output C D C C; first reference C C D C; second D C C C.
    # C: 2 in common of 3 and 3, F1 2/3 with either; D: none in common; no R or M anywhere.
    assert annotator.identify_operations(orig, out) == ([["C", "B-D", "C", "C"]], [["O", "O", "O"]])
    scores = annotator.compute_operations_sentence_scores(orig, out, refs)
    assert scores.tolist() == [[0, 0, 0, pytest.approx(2 / 3)]]
    # A third reference equal to the output wins for every label it has.
    best = annotator.analyse_operations(orig, out, [*refs, out])
    assert best == {"D": 1, "R": 0, "M": 0, "C": 1}
    assert annotator.analyse_operations(orig, out, [*refs, out], ["C", "D"], as_str=True) == "C=100.00 D=100.00"
    assert annotator.analyse_operations(
        orig_sentences=orig * 2, sys_sentences=["a c d", "a b c d"], refs_sentences=[["a c d"] * 2], operations=["D"]
    ) == {"D": 0.5}


def test_prefixes_are_kept_on_request() -> None:
    annotator = WordOperationAnnotator(align_equal_words, iob_labels=True, tokenizer="none")
    assert annotator.analyse_operations(["a b"], ["a"], [["a"]], ["D", "B-D"]) == {"D": 0, "B-D": 1}


def test_settings_of_the_annotator_reach_the_text() -> None:
    plain = WordOperationAnnotator(align_equal_words)
    assert plain.identify_operations(["A b."], ["a b."]) == ([["B-D", "C", "C"]], [["B-A", "O", "O"]])
    lower = WordOperationAnnotator(align_equal_words, lowercase=True)
    assert lower.identify_operations(["A b."], ["a b."]) == ([["C", "C", "C"]], [["O", "O", "O"]])


def test_annotators_without_an_aligner_say_what_to_do() -> None:
    for annotator in (WordOperationAnnotator, SentenceOperationAnnotator):
        for arguments in ({}, {"align_tool": "mwa"}):
            with pytest.raises(MissingResource, match="give align_tool a function"):
                annotator(**arguments)
        with pytest.raises(PlainlyError, match="unknown align_tool 'awesome'"):
            annotator("awesome")
        with pytest.raises(AssertionError, match="unknown simalign_method 'all'"):
            annotator(simalign_method="all")


def test_bad_shapes() -> None:
    annotator = WordOperationAnnotator(align_equal_words)
    with pytest.raises(AssertionError, match="1 source sentences, but 2 simplifications"):
        annotator.identify_operations(["a"], ["a", "b"])
    with pytest.raises(PlainlyError, match="needs references"):
        annotator.compute_operations_sentence_scores(["a"], ["a"], [])
    with pytest.raises(PlainlyError, match="no sentences"):
        annotator.analyse_operations([], [], [[]])


@pytest.mark.usefixtures("builtin_splitter")
def test_operations_of_sentences() -> None:
    annotator = SentenceOperationAnnotator(align_equal_words, tokenizer="13a")
    orig = ["He came home, and he slept.", "He left."]
    assert annotator.identify_operations(orig, ["He came home. he slept.", "He left."]) == [
        ["B-D", "C", "O", "S"],
        ["C", "O"],
    ]


def test_longest_common_subsequence() -> None:
    assert get_lcs(list("abcde"), list("bxdea")) == ["b", "d", "e"]
    assert get_lcs_alignment("abcde", "bxdea") == [(1, 0), (3, 2), (4, 3)]
    assert get_lcs([], ["a"]) == []
    assert len(get_lcs("ab" * 600, "ba" * 600)) == 1199  # EASSE's recursion gives up here and answers []
