"""Files that are put together without being decoded have the bytes of a file that was written in one go."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from plainly.scoring.row_groups import stitch

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def table(rows: int, first: int) -> Any:
    return pa.table(
        {
            "segment": pa.array(range(first, first + rows), pa.int64()),
            "id": pa.array([None if i % 5 == 0 else f"id {i}" for i in range(rows)], pa.string()),
            "system": pa.array((["a", "b", "é"] * rows)[:rows], pa.string()).dictionary_encode(),
            "good": pa.array([i % 3 == 0 for i in range(rows)], pa.bool_()),
            "score": pa.array([None if i % 7 == 0 else i / 3 for i in range(rows)], pa.float64()),
            "tags": pa.array([[str(i)] * (i % 3) for i in range(rows)], pa.list_(pa.string())),
        }
    )


def written(schema: Any, tables: Sequence[Any], **settings: Any) -> bytes:
    out = io.BytesIO()
    with pq.ParquetWriter(out, schema, **settings) as writer:
        for one in tables:
            writer.write_table(one.replace_schema_metadata(schema.metadata))
    return out.getvalue()


@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize(
    "settings", [{}, {"compression": "zstd", "use_dictionary": ["id"], "data_page_version": "2.0"}]
)
def test_the_bytes_of_one_go(count: int, settings: dict[str, Any]) -> None:
    tables = [table(rows, 1000 * place) for place, rows in enumerate([700, 1, 0, 60] * 5)][:count]
    schema = tables[0].schema.with_metadata({"about": "x" * 300})
    files = [io.BytesIO(written(one.schema, [one], **settings)) for one in tables]
    out = io.BytesIO()
    stitch(out, written(schema, [], **settings), files)
    assert out.getvalue() == written(schema, tables, **settings)


@pytest.mark.parametrize("settings", [{"write_page_index": True}, {"version": "1.0", "write_page_checksum": True}])
def test_other_files_can_be_read(settings: dict[str, Any]) -> None:
    """The page index stands after all row groups in one go, so the bytes differ; what it says must be found."""
    tables = [table(700, 0), table(60, 700)]
    files = [io.BytesIO(written(one.schema, [one], **settings)) for one in tables]
    out = io.BytesIO()
    stitch(out, written(tables[0].schema, [], **settings), files)
    found = pq.ParquetFile(out)
    assert found.read().equals(pa.concat_tables(tables).unify_dictionaries())
    assert [found.metadata.row_group(i).num_rows for i in range(2)] == [700, 60]
