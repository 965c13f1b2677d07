"""Rows are found by content, whatever cuts the corpus; what is damaged is measured anew."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.metrics import Metric, get
from plainly.metrics.base import Array
from plainly.scoring import evaluate_stream
from plainly.scoring.evaluator import measure_piece
from plainly.studyfile.statistics_store import StatisticsStore

CORPUS = demo_corpus("en")


def measured(
    folder: Path, metrics: list[Metric], corpus: Corpus = CORPUS
) -> tuple[Mapping[str, Mapping[str, Array]], int]:
    """The statistics, and how many rows were measured for them."""
    store = StatisticsStore(folder)
    try:
        found = evaluate_stream(
            corpus.chunks(13),
            metrics,
            baselines=("reference",),
            threads=2,
            keep=100,
            measuring=store.measure_piece,
        )
    finally:
        store.close()
    return found.kept_statistics, store.measured


@pytest.mark.parametrize("name", ["sari", "bleu", "fkgl", "fre:textstat-0.7.5", "words-kept"])
def test_kept_rows_are_those_that_are_measured(name: str, tmp_path: Path) -> None:
    metric = get(name)
    pieces = [CORPUS, CORPUS.slice(0, 31), CORPUS.slice(31, 60)]
    for kept in (False, True):
        store = StatisticsStore(tmp_path)
        for piece in pieces:
            ours = store.measure_piece(piece, [metric], ["reference"])
            theirs = measure_piece(piece, [metric], ["reference"])
            assert ours.references == theirs.references
            assert ours.statistics.keys() == theirs.statistics.keys()
            for system, rows in theirs.statistics.items():
                assert np.array_equal(ours.statistics[system][0], rows[0]), system
        store.close()
        assert (store.measured == 0) == kept


def test_rows_do_not_depend_on_the_cut(tmp_path: Path) -> None:
    metrics = [get("sari"), get("bleu")]
    store = StatisticsStore(tmp_path)
    store.measure_piece(CORPUS, metrics, ["reference"])
    store.close()
    backwards = Corpus(CORPUS.sources[::-1], CORPUS.references[::-1], {n: t[::-1] for n, t in CORPUS.outputs.items()})
    found, new = measured(tmp_path, metrics, backwards)
    assert new == 0
    for system, rows in measure_piece(CORPUS, metrics, ["reference"]).statistics.items():
        assert np.array_equal(found[system]["sari"], rows[0][::-1])


def test_what_moves_a_row_measures_anew(tmp_path: Path) -> None:
    sari = get("sari")
    count = measured(tmp_path, [sari])[1]
    assert count == 60 * 7  # six systems and a reference
    others = [
        replace(CORPUS, sources=[f"{text} " for text in CORPUS.sources]),
        replace(CORPUS, references=[group[:2] for group in CORPUS.references]),
        replace(CORPUS, outputs={name: [f"{text} " for text in texts] for name, texts in CORPUS.outputs.items()}),
        replace(CORPUS, lang="de"),
    ]
    for other in others:
        assert measured(tmp_path, [sari], other)[1] > 0
    assert measured(tmp_path, [get("sari", lowercase=False)])[1] == count
    assert measured(tmp_path, [get("sari:star")])[1] == count
    assert measured(tmp_path, [sari])[1] == 0


@pytest.mark.parametrize("seed", range(8))
def test_damage_is_measured_anew(seed: int, tmp_path: Path) -> None:
    """Files cut off anywhere, with any byte changed, or with other things in their place."""
    metrics = [get("sari"), get("fkgl")]
    expected, _ = measured(tmp_path, metrics)
    draw = random.Random(seed)
    for path in tmp_path.glob("*/*.rows"):
        content = bytearray(path.read_bytes())
        if seed % 2:
            content = content[: draw.randrange(len(content))]
        else:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        path.write_bytes(content)
    (tmp_path / "fkgl-notes.txt").write_text("by somebody else", "utf-8")
    found, new = measured(tmp_path, metrics)
    assert new > 0
    for system, by_label in expected.items():
        for label, rows in by_label.items():
            assert np.array_equal(found[system][label], rows)
    assert measured(tmp_path, metrics)[1] == 0


def test_a_folder_that_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(ValueError, match=r"cannot keep statistics in .*file: "):
        StatisticsStore(tmp_path / "file").prepare()
