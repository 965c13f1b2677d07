"""Blocks: the same ones whatever the order of the partitions, and intervals as wide as those of single segments."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from plainly.base.exact_sums import exact_sum
from plainly.corpus.readers import Inputs, read, read_corpus
from plainly.inference import Resampling, confidence_interval
from plainly.metrics import Array, get
from plainly.scoring import evaluate_stream
from plainly.scoring.blocks import BLOCK, FEWEST, MOST, Blocks, block_size, block_sums
from plainly.scoring.engines.processes import Processes
from plainly.scoring.partitioned import evaluation_of, job_for
from plainly.scoring.partitions import EXACT, plan
from plainly.scoring.runs import Run


def test_the_size_of_a_block() -> None:
    assert block_size(EXACT) == 1
    assert block_size(EXACT + 1) == block_size(None) == BLOCK


def test_sums_of_runs_of_rows() -> None:
    rows = np.arange(14.0).reshape(7, 2)
    # By hand: rows 0 to 2, 3 to 5, and 6 alone.
    assert block_sums(rows, 3).tolist() == [[0 + 2 + 4, 1 + 3 + 5], [6 + 8 + 10, 7 + 9 + 11], [12, 13]]
    assert block_sums(rows, 1) is rows
    assert block_sums(rows[:0], 3).shape == (0, 2)


def _partitions(counts: list[int]) -> list[Array]:
    draw = np.random.default_rng(5)
    return [draw.random((count, 2)) for count in counts]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_partitions_does_not_matter(seed: int) -> None:
    parts = _partitions([64, 1, 64, 17] * 400)  # more than may be held
    in_order = Blocks(BLOCK)
    for number, part in enumerate(parts):
        in_order.add(number, {"x": [part]})
    shuffled = list(enumerate(parts))
    random.Random(seed).shuffle(shuffled)
    other = Blocks(BLOCK)
    for number, part in shuffled:
        other.add(number, {"x": [part]})
    assert other.rows()["x"][0].tobytes() == in_order.rows()["x"][0].tobytes()
    assert other.size == in_order.size == 2 * BLOCK
    assert len(other.rows()["x"][0]) <= MOST
    assert exact_sum(other.rows()["x"][0]) == pytest.approx(exact_sum(np.concatenate(parts)), rel=1e-12)


def test_single_segments_are_never_put_together() -> None:
    blocks = Blocks(1)
    blocks.add(0, {"x": [np.ones((EXACT, 1))]})
    assert len(blocks.rows()["x"][0]) == EXACT
    assert blocks.enough()


def test_too_few_blocks_give_no_interval() -> None:
    blocks = Blocks(BLOCK)
    blocks.add(0, {"x": [np.ones((FEWEST - 1, 1))]})
    assert not blocks.enough()
    blocks.add(1, {"x": [np.ones((1, 1))]})
    assert blocks.enough()


def test_blocks_give_intervals_as_wide_as_segments_do() -> None:
    """The standard error of a mean of n independent numbers is s / sqrt(n), known without any resampling."""
    draw = np.random.default_rng(7)
    count = 120_000
    metric = get("compression-ratio")
    rows = np.zeros((count, len(metric.columns)))
    rows[:, 0] = 1
    rows[:, 1] = draw.gamma(4.0, 0.25, count)
    expected = 2 * 1.959964 * rows[:, 1].std() / np.sqrt(len(rows))
    found = confidence_interval(metric, block_sums(rows, BLOCK), resampling=Resampling(resamples=2000))
    # 469 blocks: their standard deviation is known to 1 / sqrt(2 * 469) = 3.3 per cent, 2000 draws add 1.6 or so.
    assert found.high - found.low == pytest.approx(expected, rel=0.12)
    assert found.low < rows[:, 1].mean() < found.high


@pytest.mark.slow
@pytest.mark.parametrize("documents", [None, 40, 6000])
def test_intervals_of_many_segments_are_the_same_in_one_go_in_a_stream_and_compared(
    documents: int | None, tmp_path: Path
) -> None:
    size = EXACT + 300
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for i in range(size):
            outputs = {"x": "a" * (i % 7 + 1), **({"y": "b"} if i % 5 else {})}
            record = {"source": f"{'a' * (i % 9 + 3)} word here", "outputs": outputs}
            file.write(json.dumps(record | ({"document": f"d{i % documents}"} if documents else {})) + "\n")
    inputs = Inputs(data=str(path))
    metric, drawn = get("compression-ratio"), Resampling(resamples=50)
    stream = evaluate_stream(read(inputs, 700), [metric], keep=EXACT, intervals=drawn)
    whole = evaluate_stream([read_corpus(inputs)], [metric], keep=size, intervals=drawn)
    planned = plan(inputs)
    parts = evaluation_of(Run(planned, job_for(planned, [metric])).measure(Processes(1)), [metric], drawn)
    compared = whole.compare(resamples=50)
    assert stream.statistics is None
    for system in "xy":
        estimate = stream[system][metric.label].estimate
        assert estimate.has_interval
        assert whole[system][metric.label].estimate == parts[system][metric.label].estimate == estimate
        assert compared[system][metric.label].estimate == estimate
    assert stream.intervals == whole.intervals == parts.intervals == compared.settings.resampling
    assert list(map(str, stream.notes)) == list(map(str, whole.notes)) == list(map(str, parts.notes))
    assert compared.units == (documents or size)
    # y lacks every fifth segment, and so every fifth document: the pair is tested on what both have.
    assert compared.pairs[0].units == (documents or size) * 4 // 5
