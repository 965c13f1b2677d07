"""Sums by document: the same groups in whatever order, few enough, and intervals that know of documents."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plainly.scoring.documents import MOST, DocumentSums, document_keys, document_sums, dropped_bits, shortened


@pytest.mark.parametrize("most", [1, 2, 3, 7, 64, 999, 1000, 5000])
def test_as_many_bits_go_as_must(most: int) -> None:
    """By trying them one after the other."""
    keys = np.unique(np.random.default_rng(3).integers(0, 1 << 63, 1000, dtype=np.uint64))
    expected = next(bits for bits in range(64) if len(np.unique(shortened(keys, bits))) <= most)
    assert dropped_bits(np.concatenate([keys, keys[:50]]), most) == expected


def test_keys_that_differ_in_high_and_low_bits() -> None:
    keys = np.array([0, 1, (1 << 64) - 1, (1 << 64) - 2, 1 << 32], dtype=np.uint64)
    # By hand: the last bit tells 0 from 1, and the two large ones from each other.
    assert [dropped_bits(keys, most) for most in (5, 4, 3)] == [0, 1, 1]
    assert dropped_bits(keys, 2) == 33
    assert dropped_bits(np.empty(0, dtype=np.uint64)) == 0


def test_sums_by_hand() -> None:
    rows = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0], [8.0, 80.0]])
    found = document_sums(["x", "y", "x", "x"], {"s": [rows]})
    assert found is not None
    order = np.argsort(document_keys(["x", "y"]))
    assert found.sums["s"][0].tolist() == [[[13.0, 130.0], [2.0, 20.0]][i] for i in order]
    assert document_sums(["x", None, "x", "x"], {"s": [rows]}) is None


@pytest.mark.parametrize("count", [100, 3 * MOST])
def test_groups_do_not_depend_on_order_and_cuts(count: int) -> None:
    draw = np.random.default_rng(1)
    names = [f"d{i}" for i in draw.integers(0, count, 5 * count)]
    rows = draw.integers(0, 9, (len(names), 2)).astype(np.float64)
    whole = document_sums(names, {"s": [rows]})
    assert whole is not None
    assert len(whole.keys) <= MOST
    assert (whole.bits == 0) == (count <= MOST)
    for seed in (1, 2):
        cuts = [slice(start, start + 700) for start in range(0, len(names), 700)]
        random.Random(seed).shuffle(cuts)
        added = DocumentSums()
        for cut in cuts:
            part = document_sums(names[cut], {"s": [rows[cut]]})
            assert part is not None
            added.merge(part)
        assert (added.bits, added.keys.tolist()) == (whole.bits, whole.keys.tolist())
        assert added.sums["s"][0].tolist() == whole.sums["s"][0].tolist()  # whole numbers: no rounding
