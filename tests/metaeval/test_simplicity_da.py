"""The correlations that issue 11 names, from the published judgements and plainly's own metric values.

Alva-Manchego, Scarton and Specia (2021) publish metric values for each sentence. Their notebook says how they were
made: Moses tokens, case kept, SARI with precision for deletions, FKGL by EASSE, BLEU with the smoothing "floor" of a
sacrebleu whose floor was 0. So BLEU is 0 where one order of n-grams has no match; plainly has no such smoothing.
Their correlations with the z-scores: BLEU .496 and .610, SARI .359 and .510, FKGL .117.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plainly.inference import Resampling
from plainly.metaeval import JudgedSet, Study, load, study
from plainly.metaeval.contenders import contenders
from plainly.metaeval.judged_set import OUTPUT
from plainly.metrics.bleu import ORDERS
from plainly.scoring.evaluator import prepare

AS_PUBLISHED = {"tokenizer": "moses", "lowercase": False}


@pytest.fixture(scope="module")
def data(shared: Path) -> JudgedSet:
    return load("simplicity-da", shared / "data")


def correlations(data: JudgedSet, values: np.ndarray) -> list[float]:
    return [float(np.corrcoef(values, data.values[name])[0, 1]) for name in ("simplicity", "meaning")]


@pytest.mark.slow
def test_sari_and_fkgl_as_published(data: JudgedSet, punkt: None) -> None:
    pytest.importorskip("sacremoses")
    sari, fkgl = contenders(data, prepare(["sari:star", "fkgl:easse"], "en", AS_PUBLISHED))
    assert correlations(data, sari.scores) == pytest.approx([0.359, 0.510], abs=0.0005)
    assert correlations(data, fkgl.scores)[0] == pytest.approx(0.117, abs=0.0005)


@pytest.mark.slow
def test_bleu_as_published_is_0_without_a_match_of_some_order(data: JudgedSet) -> None:
    pytest.importorskip("sacremoses")
    (bleu,) = prepare(["bleu"], "en", AS_PUBLISHED)
    (sentence,) = contenders(data, prepare(["bleu-sentence"], "en", AS_PUBLISHED))
    rows = dict(zip(bleu.columns, bleu.measure(data.corpus(), OUTPUT).T, strict=True))
    lost = np.any([(rows[f"ngrams_{n}"] > 0) & (rows[f"matches_{n}"] == 0) for n in range(1, ORDERS + 1)], axis=0)
    assert lost.sum() == 47
    assert correlations(data, np.where(lost, 0.0, sentence.scores)) == pytest.approx([0.496, 0.610], abs=0.0005)
    assert correlations(data, sentence.scores) == pytest.approx([0.507, 0.618], abs=0.0005)  # with a floor of 0.1


@pytest.fixture(scope="module")
def found(data: JudgedSet) -> Study:
    metrics = prepare(["sari", "sari:star", "bleu", "fkgl"], "en", {})
    return study(
        data,
        metrics,
        dimensions=["simplicity", "meaning"],
        granularities=("segment",),
        resampling=Resampling(resamples=20),
    )


@pytest.mark.slow  # 67 raters, each with each
def test_with_the_settings_of_plainly(found: Study) -> None:
    values = {
        (table.dimension, row.metric): row.agreement.pearson.value for table in found.tables for row in table.rows
    }
    assert values == pytest.approx(
        {  # computed with scipy from the same scores
            ("simplicity", "sari"): 0.236,
            ("simplicity", "sari:star"): 0.359,
            ("simplicity", "bleu"): 0.505,
            ("simplicity", "fkgl"): 0.119,
            ("meaning", "sari"): 0.188,
            ("meaning", "sari:star"): 0.503,
            ("meaning", "bleu"): 0.618,
            ("meaning", "fkgl"): 0.249,
        },
        abs=0.0006,
    )


@pytest.mark.slow  # 67 raters, each with each
def test_the_best_and_the_sign(found: Study) -> None:
    simplicity, meaning = found.tables
    assert simplicity.best is not None
    assert simplicity.best.metric == "bleu"
    fkgl = next(row for row in simplicity.rows if row.metric == "fkgl")
    assert fkgl.agreement.pearson.value > 0  # outputs that FKGL finds hard were judged simple: the sign is kept
    assert fkgl.wrong_way
    assert simplicity.ceiling.raters == 67
    assert 0.3 < simplicity.ceiling.between.value < 0.5
    assert str(meaning.ceiling.reason) == "single ratings are not known, only their means"


def test_the_ceiling_of_simpeval(shared: Path) -> None:
    data = load("simpeval-2022", shared / "data")
    found = study(
        data, prepare(["fkgl", "sari"], "en", {}), granularities=("segment",), resampling=Resampling(resamples=20)
    )
    (table,) = found.tables
    assert table.ceiling.between.value == pytest.approx(0.325, abs=0.0005)
    assert (table.judged, table.outputs) == (360, 300)  # SARI has no references for the writer of the references


def test_words_alone_on_arts94(shared: Path) -> None:
    data = load("arts94", shared / "data")
    found = study(
        data, prepare(["words", "fkgl"], "en", {}), granularities=("segment",), resampling=Resampling(resamples=20)
    )
    words, _ = found.tables[0].rows
    assert words.agreement.pearson.value == pytest.approx(0.633, abs=0.001)  # numpy, on text.split()
    assert words.agreement.spearman.value == pytest.approx(0.680, abs=0.001)
