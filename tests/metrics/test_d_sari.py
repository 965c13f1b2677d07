"""D-SARI: a case by hand, the released script's numbers, and what happens at the edges."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus

SOURCE = (
    "the old lighthouse stands on a rock near the harbour . it was built in 1871 after two ships had sunk there , "
    "and it was run by a family of keepers until 1968 . today it is a small museum that opens in summer ."
)
REFERENCES = (
    "the old lighthouse is on a rock near the harbour . people built it in 1871 . it is a museum now .",
    "an old lighthouse stands near the harbour . it was built in 1871 . today it is a museum .",
)
OUTPUTS = {
    "short": "the lighthouse is old . it is a museum .",
    "long": "the old lighthouse stands on a rock near the harbour . it was built in 1871 after two ships had sunk . "
    "it was run by a family . it is a museum now , and it opens in summer .",
    "cut": "the lighthouse is old . it is on a rock . it is from 1871 . it is a museum . it opens in summer .",
    "good": "the old lighthouse is on a rock near the harbour . it was built in 1871 . it is a museum now .",
}
# D-SARI, keep, delete and add by a transcription of the released script (D_SARI.py,
# RLSNLP/Document-level-text-simplification), run once on these texts with NLTK 3.10: with the first reference, and
# with both.
RELEASED = {
    "short": (
        (35.6703352626, 22.0812946201, 80.743696179, 4.1860149888),
        (33.6606840891, 16.8622483164, 77.9607977105, 6.1590062404),
    ),
    "long": (
        (32.1494275028, 17.1229430444, 45.7211727975, 33.6041666667),
        (28.5579931187, 16.9897890396, 42.1710324216, 26.5131578947),
    ),
    "cut": (
        (39.5539795999, 24.4495455633, 73.6083262508, 20.6040669856),
        (34.5749589671, 17.1045255261, 64.4288120096, 22.1915393655),
    ),
    "good": (
        (83.5739470673, 80.2214386255, 97.0, 73.5004025765),
        (71.7277825229, 70.2496147506, 84.8585448481, 60.0751879699),
    ),
}


def parts(corpus: Corpus, label: str = "d-sari", **settings: str) -> dict[str, float]:
    """The score and its components over all documents."""
    metric = metrics.get(label, **settings)
    score = metric.score(metric.measure(corpus, "it").sum(axis=0))
    return {"d-sari": float(score.value), **{name: float(value) for name, value in score.components.items()}}


def one(source: str, output: str, *references: str) -> Corpus:
    return Corpus([source], [references], {"it": [output]})


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("references", [1, 2])
def test_equals_the_released_script(name: str, references: int) -> None:
    found = parts(one(SOURCE, OUTPUTS[name], *REFERENCES[:references]), tokenizer="none")
    expected = dict(zip(("d-sari", "keep", "delete", "add"), RELEASED[name][references - 1], strict=True))
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=1e-9)


# The same script on TurkCorpus (legacy_tok_lower): documents of eight lines in a row, the output is reference 3.
@pytest.mark.parametrize(
    ("size", "chosen", "released"),
    [
        (1, [0], 23.060649028683795),
        (1, [4, 5, 6], 25.76743044326284),
        (8, [0], 23.17057471367651),
        (8, [4, 5, 6], 29.59962468320582),
    ],
)
def test_equals_the_released_script_on_real_texts(
    shared: Path, punkt: None, size: int, chosen: list[int], released: float
) -> None:
    def documents(name: str) -> list[str]:
        path = shared / "data" / "turkcorpus" / "legacy_tok_lower" / f"turkcorpus.test.tok.{name}"
        lines = path.read_text("utf-8").removesuffix("\n").split("\n")
        return [" ".join(lines[i : i + size]) for i in range(0, len(lines), size)]

    references = [documents(f"simp.{i}") for i in chosen]
    corpus = Corpus(documents("orig"), list(zip(*references, strict=True)), {"it": documents("simp.3")})
    assert parts(corpus, "d-sari:code", tokenizer="none")["d-sari"] == pytest.approx(released, abs=1e-9)


def test_penalties_by_hand() -> None:
    # 12 words in, 4 or 8 out, 6 wanted; 1 or 3 sentences, 2 wanted.
    source = "a b c d e f . g h i j ."
    wanted = "a b . c d ."
    short = parts(one(source, "a b c .", wanted), tokenizer="none")
    assert short["penalty_too_short"] == pytest.approx(math.exp((4 - 6) / 4))
    assert short["penalty_too_long"] == 1
    assert short["penalty_sentences"] == pytest.approx(math.exp(-(2 - 1) / 2))
    long = parts(one(source, "a b . c d . e .", wanted), tokenizer="none")
    assert long["penalty_too_short"] == 1
    assert long["penalty_too_long"] == pytest.approx(math.exp((6 - 8) / (12 - 6)))
    assert long["penalty_sentences"] == pytest.approx(math.exp(-(3 - 2) / 3))


def test_a_whole_score_by_hand() -> None:
    """One word is dropped that the reference keeps: a b c d -> a b c, wanted a b c d."""
    found = parts(one("a b c d", "a b c", "a b c d"), tokenizer="none")
    # keep: precision 1 for n = 1, 2, 3, nothing kept for n = 4; recall 3/4, 2/3, 1/2. F1: 6/7, 4/5, 2/3, 0.
    # The output is not too long and has one sentence as wanted: no penalty. Nothing is right to delete or to add.
    assert found["keep"] == pytest.approx(100 * (6 / 7 + 4 / 5 + 2 / 3) / 4)
    assert (found["delete"], found["add"]) == (0, 0)
    assert found["d-sari"] == pytest.approx(found["keep"] / 3)


def test_counts_differ_from_ratios_only_where_words_repeat() -> None:
    # No n-gram occurs twice: the mean over types is the ratio of sums.
    corpus = one("a b c d e f", "a b x d", "a b x c d")
    assert parts(corpus, "d-sari:counts")["d-sari"] == pytest.approx(parts(corpus)["d-sari"])
    # "a" twice, once kept. By counts, 1 + 1 of 2 + 1 words that should be kept are; by types, the mean of 1/2 and 1.
    corpus = one("a a b", "a b", "a a b")
    keep = {label: metrics.get(label) for label in ("d-sari", "d-sari:counts")}
    for label, recall in (("d-sari", 3 / 4), ("d-sari:counts", 2 / 3)):
        f1 = 2 * recall / (1 + recall)  # of words; precision is 1
        bigrams = 2 * 1 * (1 / 2) / (1 + 1 / 2)  # "a b" is kept, "a a" is not
        found = keep[label].score(keep[label].measure(corpus, "it").sum(axis=0)).components["keep"]
        assert float(found) == pytest.approx(100 * (f1 + bigrams) / 4)


def test_the_score_of_a_set_is_the_mean_of_its_documents() -> None:
    outputs = list(OUTPUTS.values())
    together = Corpus([SOURCE] * 4, [REFERENCES[:1], REFERENCES, REFERENCES, REFERENCES[1:]], {"it": outputs})
    metric = metrics.get("d-sari")
    rows = metric.measure(together, "it")
    alone = metric.score(rows).value
    assert float(metric.score(rows.sum(axis=0)).value) == pytest.approx(float(np.mean(alone)))


def test_edges() -> None:
    empty = parts(one("a b c", "", "a b"))
    assert (empty["penalty_too_short"], empty["add"], empty["keep"]) == (0, 0, 0)
    assert empty["delete"] > 0
    nothing = parts(one("", "", ""))
    assert (nothing["penalty_too_short"], nothing["penalty_sentences"]) == (1, 1)
    missing = Corpus(["a", "a", None], [["a"], [], ["a"]], {"it": [None, "a", "a"]})
    assert not metrics.get("d-sari").measure(missing, "it").any()


def test_the_script_is_for_english() -> None:
    assert metrics.get("d-sari", lang="de").settings()["sentences"] == "builtin"
    with pytest.raises(PlainlyError, match="English only"):
        metrics.get("d-sari:code", lang="de")
