"""Parquet files that say little and hold much."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs
from plainly.studio.errors import TooLarge
from plainly.studio.scoring.files import look_through

pa: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet: Any = pytest.importorskip("pyarrow.parquet")
ROOM = 16 << 20


def look(folder: Path, table: Any, **settings: Any) -> Any:
    path = folder / "0" / "r.parquet"
    path.parent.mkdir()
    parquet.write_table(pa.table(table), path, **settings)
    assert path.stat().st_size < 100_000
    return look_through(Inputs(data=str(path)), folder, ROOM)


def dictionary() -> Any:
    """One text of a megabyte, named a hundred times: 100 MB in less than a kilobyte."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array(["a" * 1_000_000]))


BOMBS = {
    "dictionary": ({"source": dictionary(), "reference": dictionary()}, {"compression": "zstd"}),
    "repeated": ({"source": ["a" * 1_000_000] * 100, "reference": ["b"] * 100}, {"compression": "zstd"}),
    "plain": (
        {"source": ["a" * 1_000_000] * 100, "reference": ["b"] * 100},
        {"compression": "zstd", "use_dictionary": False},
    ),
    "nothing": (
        {"source": ["a"], "reference": ["b"], "more": pa.array([[None] * 5_000_000], pa.list_(pa.string()))},
        {"compression": "zstd"},
    ),
    "rows": ({"source": ["a"] * 200_001, "reference": ["b"] * 200_001}, {}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_with_the_name_of_the_file(tmp_path: Path, name: str) -> None:
    table, settings = BOMBS[name]
    with pytest.raises(
        TooLarge, match=r"^r.parquet: unpacked, the file is too large; at most 16 MiB and 200,000 rows"
    ):
        look(tmp_path, table, **settings)


def test_what_people_have_is_read(tmp_path: Path) -> None:
    count = 500
    table = {
        "source": [f"The feline {number} slept." for number in range(count)],
        "references": [[f"The cat {number} slept.", "A cat slept."] for number in range(count)],
        "outputs": pa.array([[("mine", "The cat slept.")]] * count, pa.map_(pa.string(), pa.string())),
    }
    looked = look(tmp_path, table)
    assert (looked.segments, looked.outputs) == (count, ("mine",))


def test_a_damaged_file_is_told_by_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "0" / "r.parquet"
    path.parent.mkdir()
    path.write_bytes(b"PAR1" + os.urandom(100))
    with pytest.raises(PlainlyError, match=r"^r.parquet: broken Parquet file"):
        look_through(Inputs(data=str(path)), tmp_path, ROOM)
