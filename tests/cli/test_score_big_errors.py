"""Bad input in big data: named, counted, and left out only where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

Plainly = Callable[..., Any]


def rows(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {"id": str(i), "source": f"the red house {i}", "reference": f"a house {i}", "output": f"the house {i}"}
        for i in range(first, first + count)
    ]


def write(name: str, records: list[dict[str, Any]], **settings: Any) -> None:
    Path("data").mkdir(exist_ok=True)
    schema = settings.pop("schema", None)
    parquet.write_table(pyarrow.Table.from_pylist(records, schema), f"data/{name}.parquet", **settings)


def score(plainly: Plainly, *options: object, data: str = "data") -> Any:
    given = ["--metrics", "sari,fkgl", "--format", "json", "--workers", 1]
    return plainly("score", "--data", data, *given, *options)


def test_rows_that_cannot_be_used(plainly: Plainly) -> None:
    records = rows(3000)
    for i in (5, 2500):
        records[i]["source"] = None
    records[2047]["source"] = "  "
    for i in range(100, 107):
        records[i]["reference"] = ""
    records[9]["id"] = None
    write("a", records)
    assert score(plainly).refusal.startswith("data/a.parquet: row 101: empty reference (reference); say ")
    skipped = score(plainly, "--on-error", "skip", "-o", "s.parquet", "--per-segment")
    assert skipped.json["segments"] == 3000 - 11
    assert sorted(skipped.err.splitlines()[:4]) == [
        "left out: 1 for: empty source (data/a.parquet: row 2048)",
        "left out: 1 for: no id, but the records before it have one (data/a.parquet: row 10)",
        "left out: 2 for: no source, which a metric here needs (data/a.parquet: row 6, data/a.parquet: row 2501)",
        "left out: 7 for: empty reference (reference) (data/a.parquet: row 101, data/a.parquet: row 102, "
        "data/a.parquet: row 103, data/a.parquet: row 104, data/a.parquet: row 105, ...)",
    ]
    table = parquet.read_table("s.parquet")
    gone = {5, 9, 2047, 2500, *range(100, 107)}
    assert table["segment"].to_pylist() == [i for i in range(3000) if i not in gone]
    assert table["id"].to_pylist() == [str(i) for i in range(3000) if i not in gone]
    counts = {why: count for why, (count, _) in json.loads(table.schema.metadata[b"plainly"])["problems"].items()}
    assert sum(counts.values()) == 11
    clean = [record for i, record in enumerate(records) if i not in gone]
    write("clean", clean)
    expected = score(plainly, data="data/clean.parquet").json["systems"]
    found = skipped.json["systems"]
    assert found == expected


def test_a_source_that_is_missing(plainly: Plainly) -> None:
    records = rows(10)
    records[3]["source"] = None
    write("a", records)
    assert score(plainly).refusal == (
        "data/a.parquet: row 4: no source, which a metric here needs; say --on-error skip to leave such rows out"
    )


def test_a_source_that_no_metric_needs_may_be_missing(plainly: Plainly) -> None:
    records = rows(10)
    records[3]["source"] = None
    write("a", records)
    found = plainly("score", "--data", "data", "--metrics", "fkgl", "--format", "json", "--workers", 1).json
    assert found["systems"]["output"]["fkgl"]["scored"] == 10


def test_a_corrupt_file(plainly: Plainly) -> None:
    write("a", rows(10))
    write("b", rows(10, 10))
    write("c", rows(10, 20))
    path = Path("data/b.parquet")
    path.write_bytes(path.read_bytes()[:-200])
    assert score(plainly).refusal.startswith("data/b.parquet: broken Parquet file: ")
    skipped = score(plainly, "--on-error", "skip", "--write-statistics", "stats")
    assert skipped.json["segments"] == 20
    assert "(data/b.parquet)" in skipped.err
    manifest = json.loads(Path("stats/manifest.json").read_text())
    assert len(manifest["problems"]) == 1
    path.write_bytes(b"")
    way_out = "; say --on-error skip to leave such files out"
    assert score(plainly).refusal == f"data/b.parquet is empty{way_out}"
    path.write_bytes(b"no Parquet at all")
    assert score(plainly).refusal == f"data/b.parquet is not a Parquet file{way_out}"
    assert score(plainly, "--on-error", "skip").json["segments"] == 20


def test_a_corrupt_row_group(plainly: Plainly) -> None:
    """Its rows are known from the footer, so they are counted, and the others keep their numbers."""
    write("a", rows(100), row_group_size=20, compression="none", use_dictionary=False)
    path = Path("data/a.parquet")
    footer = parquet.ParquetFile(path).metadata
    column = footer.row_group(2).column(1)
    damaged = bytearray(path.read_bytes())
    start = column.data_page_offset
    damaged[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(damaged)
    assert score(plainly).refusal.startswith("data/a.parquet: rows 41 to 60: broken Parquet file: ")
    skipped = score(plainly, "--on-error", "skip", "-o", "s.parquet", "--per-segment")
    assert skipped.json["segments"] == 80
    assert skipped.err.startswith("left out: 20 for: broken Parquet file: ")
    assert parquet.read_table("s.parquet")["segment"].to_pylist() == [*range(40), *range(60, 100)]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda row: {k: v for k, v in row.items() if k != "reference"}, "there is no column 'reference'"),
        (lambda row: row | {"genre": "news"}, "the column 'genre' is new"),
        (lambda row: row | {"id": int(row["id"])}, "the column 'id' has the type int64, not string"),
    ],
)
def test_schema_drift(plainly: Plainly, change: Any, complaint: str) -> None:
    write("a", rows(5))
    write("b", [change(row) for row in rows(7, 5)])
    write("c", rows(5, 12))
    assert score(plainly).refusal.startswith(f"data/b.parquet: it differs from data/a.parquet: {complaint}; say ")
    skipped = score(plainly, "--on-error", "skip", "-o", "s.parquet", "--per-segment")
    assert skipped.json["segments"] == 10
    assert skipped.err.splitlines()[0] == (
        f"left out: 7 for: it differs from data/a.parquet: {complaint} (data/b.parquet)"
    )
    assert parquet.read_table("s.parquet")["segment"].to_pylist() == [*range(5), *range(12, 17)]


def test_types_that_hold_the_same_are_the_same(plainly: Plainly) -> None:
    write("a", rows(5))
    names = ["id", "source", "reference", "output"]
    write("b", rows(5, 5), schema=pyarrow.schema([(name, pyarrow.large_string()) for name in names]))
    coded = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    write("c", rows(5, 10), schema=pyarrow.schema([(name, coded) for name in names]))
    assert score(plainly).json["segments"] == 15


def test_nothing_left(plainly: Plainly) -> None:
    write("a", [row | {"source": " "} for row in rows(5)])
    assert score(plainly, "--on-error", "skip").refusal == "nothing is left to score: empty source (5)"


def test_bad_lines_of_jsonl(plainly: Plainly) -> None:
    lines = [json.dumps(row) for row in rows(10)]
    lines[3] = "{"
    lines[6] = json.dumps({"source": 5, "output": "a", "id": "6"})
    Path("d.jsonl").write_text("".join(line + "\n" for line in lines))
    assert score(plainly, data="d.jsonl").refusal.startswith("d.jsonl:4: ")
    skipped = score(plainly, "--on-error", "skip", "-o", "s.parquet", "--per-segment", data="d.jsonl")
    assert skipped.json["segments"] == 8
    assert "(d.jsonl:4)" in skipped.err
    assert "(d.jsonl:7)" in skipped.err
    assert parquet.read_table("s.parquet")["segment"].to_pylist() == [0, 1, 2, 4, 5, 7, 8, 9]


def test_a_source_that_is_missing_in_jsonl_is_placed_like_all_else(plainly: Plainly) -> None:
    records = rows(10)
    records[7]["source"] = None
    Path("d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records))
    assert score(plainly, data="d.jsonl").refusal.startswith("d.jsonl:8: no source, which a metric here needs")
    assert "(d.jsonl:8)" in score(plainly, "--on-error", "skip", data="d.jsonl").err


def test_an_empty_first_file(plainly: Plainly) -> None:
    write("b", rows(10))
    parquet.write_table(parquet.read_table("data/b.parquet").slice(0, 0), "data/a.parquet")
    assert score(plainly).json["segments"] == 10


def test_a_bad_row_among_the_first_ones_says_nothing_of_the_others(plainly: Plainly) -> None:
    """Ids that are all null are no ids, whatever the bad row is."""
    text = pyarrow.string()
    schema = pyarrow.schema([(name, text) for name in ("id", "source", "reference", "output")])
    records = [row | {"id": None} for row in rows(300)]
    records[0]["source"] = " "
    write("a", records, schema=schema)
    skipped = score(plainly, "--on-error", "skip")
    assert skipped.json["segments"] == 299
    assert "left out: 1 for: empty source (data/a.parquet: row 1)" in skipped.err


def test_only_bad_rows_among_the_first_ones(plainly: Plainly) -> None:
    records = rows(2100)
    for row in records[:2050]:
        row["source"] = " "
    write("a", records)
    assert score(plainly, "--on-error", "skip").json["segments"] == 50


@pytest.mark.parametrize("bad", ["twice", "blank", "not UTF-8"])
def test_a_bad_row_of_a_map_of_outputs(plainly: Plainly, bad: str) -> None:
    count = 30
    outputs = [[("one", f"the house {i}"), ("two", f"a house {i}")] for i in range(count)]
    sources = [f"the red house {i}".encode() for i in range(count)]
    if bad == "twice":
        outputs[4] = [("one", "a"), ("one", "b")]
    else:
        sources[4] = b" " if bad == "blank" else b"caf\xe9"
    table = pyarrow.table(
        {
            "source": pyarrow.array(sources, pyarrow.binary()).view(pyarrow.string()),
            "outputs": pyarrow.array(outputs, pyarrow.map_(pyarrow.string(), pyarrow.string())),
        }
    )
    Path("data").mkdir()
    parquet.write_table(table, "data/a.parquet")
    given = ["score", "--data", "data", "--metrics", "fkgl", "--format", "json", "--workers", 1]
    assert "data/a.parquet: row 5: " in plainly(*given).refusal
    skipped = plainly(*given, "--on-error", "skip")
    assert list(skipped.json["systems"]) == ["one", "two"]
    assert skipped.json["segments"] == count - 1
    assert "(data/a.parquet: row 5)" in skipped.err


@pytest.mark.parametrize("damage", ["row", "row group"])
def test_bad_rows_of_parquet_beside_line_files(plainly: Plainly, damage: str) -> None:
    records = [{key: row[key] for key in ("source", "reference")} for row in rows(40)]
    if damage == "row":
        records[4]["source"] = " "
    write("a", records, row_group_size=10, compression="none", use_dictionary=False)
    path = Path("data/a.parquet")
    if damage == "row group":
        column = parquet.ParquetFile(path).metadata.row_group(1).column(0)
        content = bytearray(path.read_bytes())
        start = column.data_page_offset
        content[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
        path.write_bytes(content)
    Path("mine").write_text("".join(f"the house {i}\n" for i in range(40)))
    skipped = score(plainly, "--system", "mine=mine", "--on-error", "skip", data="data/a.parquet")
    assert skipped.json["segments"] == (39 if damage == "row" else 30)
    assert (
        "left out: 1 for: empty source (data/a.parquet: row 5)" in skipped.err or "left out: 10 for: " in skipped.err
    )


def test_half_a_character_in_metadata(plainly: Plainly) -> None:
    """JSON can write it, UTF-8 cannot: it is kept as its escape."""
    lines = [json.dumps({**row, "genre": "\ud800 tale", "\udc00": "x"}) for row in rows(10)]
    Path("d.jsonl").write_text("".join(line + "\n" for line in lines))
    assert score(plainly, "--write-statistics", "stats", data="d.jsonl").json["segments"] == 10
    table = parquet.read_table("stats/part-00000.parquet")
    assert table["@genre"][0].as_py() == "\\ud800 tale"
    assert json.loads(Path("stats/manifest.json").read_text())["columns"] == ["genre", "\\udc00"]
    assert plainly("statistics", "score", "stats", "--format", "json").json["segments"] == 10
