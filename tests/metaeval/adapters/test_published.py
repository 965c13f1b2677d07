"""The published files themselves, held against what their papers and read-me files say of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from plainly.metaeval.adapters import load
from plainly.metaeval.adapters.files import bare
from plainly.metaeval.judged_set import row_means


def lines(path: Path) -> list[str]:
    return path.read_text().removesuffix("\n").split("\n")


def test_simplicity_da(shared: Path) -> None:
    found = load("simplicity-da", shared / "data")
    assert len(found) == 600
    assert Counter(found.systems) == dict.fromkeys(Counter(found.systems), 100)
    assert len(set(found.systems)) == 6
    assert len(set(found.segments)) == 302
    sources = lines(shared / "data" / "asset" / "asset.test.orig")
    assert all(sources[position] == source for position, source in zip(found.positions, found.sources, strict=True))
    assert {name: {len(texts) for texts in own} for name, own in found.reference_sets.items()} == {
        "asset": {10},
        "turkcorpus": {8},
        "hsplit": {4},
    }
    raw = load("simplicity-da", shared / "data", "raw")
    assert raw.ratings["simplicity"].shape == (600, 67)  # raters, by the read-me file
    assert np.isfinite(raw.ratings["simplicity"]).sum(axis=1).tolist() == [15] * 600
    np.testing.assert_allclose(row_means(raw.ratings["simplicity"]), raw.values["simplicity"], atol=1e-6)
    # our z-scores of the single ratings are theirs
    np.testing.assert_allclose(row_means(found.ratings["simplicity"]), found.values["simplicity"], atol=1e-6)


def test_asset_ratings(shared: Path) -> None:
    found = load("asset-ratings", shared / "data", "raw")
    assert len(found) == 100
    assert all(np.isfinite(table).sum(axis=1).tolist() == [15] * 100 for table in found.ratings.values())
    sources = lines(shared / "data" / "asset" / "asset.test.orig")
    # the casing differs, the sentence does not
    assert all(
        bare(sources[position]) == bare(source or "")
        for position, source in zip(found.positions, found.sources, strict=True)
    )


def test_simpeval(shared: Path) -> None:
    found = load("simpeval-2022", shared / "data")
    assert (len(found), len(set(found.segments)), len(set(found.systems))) == (360, 60, 6)
    with_references = [system for system, texts in zip(found.systems, found.references, strict=True) if texts]
    assert Counter(with_references) == {system: 60 for system in set(found.systems) if system != "Human 1 Writing"}
    table = found.ratings["quality"]
    pairs = [np.corrcoef(table[:, a], table[:, b])[0, 1] for a, b in combinations(range(3), 2)]
    assert np.mean(pairs) == pytest.approx(0.325, abs=0.0005)  # the ceiling that issue 11 names


@pytest.mark.parametrize("name", ["simpeval-2022-da", "simpeval-2022-likert"])
def test_simpeval_by_three_workers(shared: Path, name: str) -> None:
    found = load(name, shared / "data", "raw")
    assert (len(found), len(set(found.segments)), len(set(found.systems))) == (360, 60, 6)
    assert set(Counter(zip(found.segments, found.systems, strict=True)).values()) == {1}
    assert all(np.isfinite(table).sum(axis=1).tolist() == [3] * 360 for table in found.ratings.values())
    assert sum(map(bool, found.references)) == 300
    low, high = (-2, 2) if name.endswith("likert") else (0, 100)
    assert np.nanmin(found.ratings["simplicity"]) == low
    assert np.nanmax(found.ratings["simplicity"]) == high


def test_qats(shared: Path) -> None:
    found = load("qats", shared / "data")
    part = np.array(found.fields["part"])
    assert Counter(found.fields["part"]) == {"train": 505, "test": 126}
    assert Counter(found.values["overall"][part == "train"].tolist()) == {2: 158, 1: 208, 0: 139}
    assert len({found.segments[i] for i in np.flatnonzero(part == "test")}) == 34


def test_arts94(shared: Path) -> None:
    found = load("arts94", shared / "data")
    assert Counter(found.fields["side"]) == {"simp": 46, "src": 48}
    hard = np.array(found.fields["side"]) == "src"
    assert found.values["difficulty"][hard].mean() > found.values["difficulty"][~hard].mean()
    # every text took part in eight comparisons: shares are eighths, and half of all texts win
    eighths = found.ratings["difficulty"] * 8
    assert (eighths == eighths.round()).all()
    assert eighths.sum(axis=0).tolist() == [376] * 16
    assert np.corrcoef(found.ratings["difficulty"].mean(axis=1), found.values["difficulty"])[0, 1] > 0.95


def test_german(shared: Path) -> None:
    pairs = load("deplain-web", shared / "data")
    assert len(pairs) == 384
    assert Counter(pairs.fields["rater"]) == {"2": 352, "1": 32}
    sentences = load("textcomplexityde", shared / "data")
    assert len(sentences) == 1000
    assert float(np.median(sentences.values["complexity"])) == pytest.approx(3.1, abs=0.05)  # by the read-me file
