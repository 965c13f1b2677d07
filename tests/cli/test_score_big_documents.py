"""Long runs in parts draw whole documents where segments have one, and blocks of segments where they have none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

Plainly = Callable[..., Any]


COUNT = 50_300  # more than are drawn one by one


def write(each: int) -> list[int]:
    """Pairs in documents of `each`, in which all outputs are shortened alike; returns how long they are."""
    draw = random.Random(5)
    kept = [draw.randint(3, 9) for _ in range(COUNT // each)]
    columns = {
        "source": ["abcdefghij"] * COUNT,
        "output": ["abcdefghij"[: kept[i // each]] for i in range(COUNT)],
        "document": [f"d{i // each}" for i in range(COUNT)],
    }
    parquet.write_table(pyarrow.table(columns), "long.parquet")
    parquet.write_table(pyarrow.table(columns).drop_columns("document"), "loose.parquet")
    return kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("each", "remark"), [(100, "503, each a document"), (5, r"[234],[0-9]{3}, each a group of documents")]
)
def test_long_runs_draw_documents_as_statistics_do(plainly: Plainly, each: int, remark: str) -> None:
    """Blocks of 256 segments would hold two or three of the longer documents, so their interval would be wrong."""
    lengths = np.array(write(each)) / 10
    given = ["--metrics", "compression-ratio", "--format", "json", "--workers", 1]
    run = plainly("score", "--data", "long.parquet", *given, "--write-statistics", "stats")
    found = run.json["systems"]["output"]["compression-ratio"]
    assert re.search(f"note: intervals come from resampled documents: {remark}$", run.err, re.MULTILINE)
    again = plainly("statistics", "score", "stats", "--format", "json").json
    assert again["groups"][0]["systems"]["output"]["compression-ratio"]["score"] == pytest.approx(
        found["score"], rel=1e-12
    )
    low, high = found["score"]["low"], found["score"]["high"]
    # The standard error of a mean of documents of one size, known without any resampling.
    assert high - low == pytest.approx(2 * 1.959964 * lengths.std(ddof=1) / np.sqrt(len(lengths)), rel=0.12)


def test_just_above_the_limit_there_are_intervals_without_documents(plainly: Plainly) -> None:
    write(100)
    given = ["--metrics", "compression-ratio", "--format", "json", "--workers", 1]
    run = plainly("score", "--data", "loose.parquet", *given)
    found = run.json["systems"]["output"]["compression-ratio"]["score"]
    low, high = found["low"], found["high"]
    assert low < high
    assert "resampled blocks of 256 segments" in run.err
