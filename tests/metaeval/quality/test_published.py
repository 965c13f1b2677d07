"""Published judgements: who shares sources with whom, and what cannot be learned from one for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.inference import Resampling
from plainly.metaeval import JudgedSet, load
from plainly.metaeval.quality import Inputs, pooled, train
from plainly.metaeval.quality.pool import Pool
from plainly.metaeval.quality.ridge import agreements

CHEAP = Inputs.named(["bleu", "sari/add", "fkgl", "deletions-proportion"], "en")


@pytest.fixture(scope="module")
def sets(shared: Path) -> dict[str, JudgedSet]:
    names = ("simplicity-da", "asset-ratings", "simpeval-2022-da")
    return {name: load(name, shared / "data") for name in names}


@pytest.fixture(scope="module")
def pool(sets: dict[str, JudgedSet]) -> Pool:
    return pooled(list(sets.values()), ["simplicity"], CHEAP, threads=1)


@pytest.mark.slow
def test_alike_are_those_with_the_same_line_of_the_asset_test_set(sets: dict[str, JudgedSet], pool: Pool) -> None:
    da, asset = sets["simplicity-da"], sets["asset-ratings"]
    same = [position not in set(da.positions) for position in asset.positions]
    assert sum(same) == 17
    kept = pool.unlike(pool.rows("asset-ratings"), "simplicity-da") - pool.rows("asset-ratings")[0]
    assert kept.tolist() == [row for row, other in enumerate(same) if other]
    assert len(pool.unlike(pool.rows("simplicity-da"), "asset-ratings")) == 600 - 171


@pytest.mark.slow
def test_people_disagree_about_leaving_out(pool: Pool) -> None:
    """Why nothing carries over: in SimpEval deletions are liked, in Simplicity-DA they are not."""
    found = {
        name: agreements(pool.values[pool.rows(name)], pool.people[pool.rows(name), None])[3, 0]
        for name in ("simpeval-2022-da", "simplicity-da")
    }
    assert found == pytest.approx({"simpeval-2022-da": 0.59, "simplicity-da": -0.18}, abs=0.01)


@pytest.mark.slow
def test_what_others_teach_is_no_better_in_simplicity_da(sets: dict[str, JudgedSet]) -> None:
    da, *others = sets.values()
    found = train(others, ["simplicity"], CHEAP, unseen=[da], resampling=Resampling(200), threads=1)
    (test,) = found.deciding
    assert (test.seen, test.left_out) == (317, 83)
    assert not found.better
    assert test.combined.value < test.by_afterwards
    assert test.by_afterwards == pytest.approx(0.505, abs=0.001)  # BLEU; published values give .496
