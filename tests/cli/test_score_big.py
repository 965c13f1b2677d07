"""`plainly score` in parts: the same numbers as in one stream, and files for all segments."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.base.exact_sums import Totals

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

TALE = "the old king gave his crown to a young girl who lived near that quiet river and loved long walks"
WORDS = TALE.split()


def record(i: int) -> dict[str, Any]:
    """A pair that no other is like."""
    words = [WORDS[(i * step + step) % len(WORDS)] for step in range(3, 16)]
    return {
        "id": f"p{i}",
        "source": f"{' '.join(words).capitalize()} number {i}.",
        "reference": f"{' '.join(words[:8]).capitalize()} number {i}.",
        "output": f"{' '.join(words[2:11]).capitalize()}. It is {i}." if i % 7 else " ".join(words),
        "output.other": None if i % 11 == 0 else " ".join(words[1:]),
        "document": f"d{i // 4}",
        "genre": ["news", "tales"][i % 2],
    }


def write(path: str, rows: list[dict[str, Any]], **settings: Any) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, **settings)


@pytest.fixture
def folder() -> str:
    """700 pairs in a folder of three files; one of them in row groups of odd sizes."""
    write("data/a.parquet", [record(i) for i in range(300)], row_group_size=77)
    write("data/b.parquet", [record(i) for i in range(300, 301)])
    write("data/c.parquet", [record(i) for i in range(301, 700)])
    return "data"


@pytest.fixture
def one_file() -> str:
    write("all.parquet", [record(i) for i in range(700)])
    return "all.parquet"


Plainly = Callable[..., Any]
METRICS = ("--metrics", "sari,bleu,fkgl,levenshtein-similarity,lexical-complexity")


@pytest.mark.parametrize("workers", [1, 2])
def test_the_numbers_are_those_of_one_stream(plainly: Plainly, folder: str, one_file: str, workers: int) -> None:
    """To the last bit, intervals too: sums are exact, and so few segments are resampled one by one, in documents."""
    stream = plainly("score", "--data", one_file, *METRICS, "--baselines", "identity", "--format", "json").json
    arguments = ["score", "--data", folder, *METRICS, "--baselines", "identity", "--format", "json"]
    assert plainly(*arguments, "--workers", workers).json == stream


@pytest.mark.slow
def test_scores_of_segments(plainly: Plainly, folder: str, one_file: str) -> None:
    expected = plainly("score", "--data", one_file, *METRICS, "--per-segment").rows
    assert plainly(
        "score", "--data", folder, *METRICS, "--per-segment", "-o", "scores.parquet", "--workers", 2
    ).printed
    table = parquet.read_table("scores.parquet")
    labels = METRICS[1].split(",")
    assert table.column_names == ["segment", "id", "document", "system", *labels]
    found = [
        {
            "segment": row["segment"],
            "id": row["id"],
            "system": row["system"],
            "scores": {label: row[label] for label in labels},
        }
        for row in table.to_pylist()
    ]
    assert found == expected
    assert table["document"][8].as_py() == "d1"
    assert table["fkgl"].null_count == sum(1 for row in expected if row["scores"]["fkgl"] is None) > 0
    about = json.loads(table.schema.metadata[b"plainly"])
    assert about["segments"] == 700
    assert about["signatures"]["sari"].startswith("sari|lang:en")
    assert sorted(path.name for path in Path().iterdir()) == ["all.parquet", "data", "scores.parquet"]


@pytest.mark.slow
def test_a_folder_of_parts(plainly: Plainly, folder: str) -> None:
    assert plainly("score", "--data", folder, *METRICS, "--per-segment", "-o", "parts/").printed
    assert plainly("score", "--data", folder, *METRICS, "--per-segment", "-o", "whole.parquet").printed
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        "_manifest.json",
        "part-00000.parquet",
        "part-00001.parquet",
        "part-00002.parquet",
    ]
    parts = parquet.read_table("parts")
    assert parts.to_pylist() == parquet.read_table("whole.parquet").to_pylist()
    refusal = plainly("score", "--data", folder, *METRICS, "--per-segment", "-o", "parts/").refusal
    assert refusal == "parts/ has Parquet files already; delete them, or choose another folder"


@pytest.mark.slow
def test_statistics_add_up_to_the_scores(plainly: Plainly, folder: str) -> None:
    scores = plainly("score", "--data", folder, *METRICS, "--write-statistics", "stats", "--format", "json").json
    manifest = json.loads(Path("stats/manifest.json").read_text())
    assert manifest["kind"] == "statistics"
    assert manifest["segments"] == 700
    assert manifest["systems"] == ["output", "other"]
    assert manifest["columns"] == ["genre"]
    assert manifest["parts"] == [
        {"file": "part-00000.parquet", "rows": 600, "first": 0},
        {"file": "part-00001.parquet", "rows": 2, "first": 300},
        {"file": "part-00002.parquet", "rows": 798, "first": 301},
    ]
    rows = [row for part in manifest["parts"] for row in parquet.read_table(f"stats/{part['file']}").to_pylist()]
    assert [row["segment"] for row in rows] == [i for i in range(700) for _ in range(2)]
    assert rows[2] | {"id": "p1", "document": "d0", "system": "output", "@genre": "tales"} == rows[2]
    for system in manifest["systems"]:
        for label, facts in manifest["metrics"].items():
            columns = [f"{label}/{name}" for name in facts["columns"]]
            sums = [math.fsum(row[column] for row in rows if row["system"] == system) for column in columns]
            assert Totals.from_json(manifest["totals"][system][label]).values().tolist() == sums
            assert sums[0] == scores["systems"][system][label]["scored"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["jsonl", "csv", "lines", "jsonl.gz"])
def test_other_formats_run_in_parts_too(plainly: Plainly, one_file: str, kind: str) -> None:
    import gzip

    rows = [record(i) for i in range(700)]
    if kind == "lines":
        for name in ("source", "reference", "output"):
            Path(name).write_text("".join(row[name] + "\n" for row in rows))
        given = ["--sources", "source", "--references", "reference", "--system", "output=output"]
    else:
        if kind == "csv":
            names = [name for name in rows[0] if name != "output.other"]
            lines = [",".join(names), *(",".join(str(row[name]) for name in names) for row in rows)]
        else:
            lines = [json.dumps(row) for row in rows]
        text = "".join(line + "\n" for line in lines)
        opener = gzip.open if kind.endswith("gz") else open
        with opener(f"data.{kind}", "wt") as stream:
            stream.write(text)
        given = ["--data", f"data.{kind}"]
    stream_scores = plainly("score", *given, *METRICS, "--format", "json").json
    found = plainly("score", *given, *METRICS, "--format", "json", "-o", "s.parquet", "--per-segment", "--workers", 2)
    assert found.json == stream_scores
    expected = plainly("score", *given, *METRICS, "--per-segment").rows
    table = parquet.read_table("s.parquet").to_pylist()
    assert [(row["segment"], row["system"], row["sari"]) for row in table] == [
        (row["segment"], row["system"], row["scores"]["sari"]) for row in expected
    ]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_scores_of_segments_as_text_have_the_bytes_of_one_go(
    plainly: Plainly, folder: str, one_file: str, form: str
) -> None:
    assert plainly("score", "--data", one_file, *METRICS, "--per-segment", "-o", f"one.{form}").status == 0
    for workers in (1, 2):
        run = ["score", "--data", folder, *METRICS, "--per-segment", "-o", f"parts.{form}", "--workers", workers]
        assert plainly(*run).printed.startswith("system")
        assert Path(f"parts.{form}").read_bytes() == Path(f"one.{form}").read_bytes()
    names = sorted(path.name for path in Path().iterdir())
    assert names == ["all.parquet", "data", f"one.{form}", f"parts.{form}"]


def test_rows_of_csv_have_one_header_whatever_is_left_out(plainly: Plainly, folder: str) -> None:
    write("data/a.parquet", [record(i) | {"source": " "} for i in range(300)])
    run = ["score", "--data", folder, *METRICS, "--per-segment", "--on-error", "skip", "-o", "s.csv"]
    assert plainly(*run).status == 0
    lines = Path("s.csv").read_text().splitlines()
    assert lines[0].startswith("segment,id,system,sari")
    assert [line.split(",")[0] for line in lines[1:]] == [str(i) for i in range(300, 700) for _ in range(2)]


def test_patterns_name_several_files(plainly: Plainly, folder: str) -> None:
    scores = plainly("score", "--data", "data/[ac].parquet", *METRICS, "--format", "json", "--workers", 1).json
    assert scores["segments"] == 699


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--unit", "document"], "documents cannot be joined in a run in parts"),
        (["--metrics", "fre:textstat"], "fre:textstat depends on the order of all segments"),
        (["--per-segment"], "writes the scores of segments to a file: -o FILE"),
        (["--threads", "2"], "say --workers, not --threads"),
        (["--idf"], "--idf weighs by all references at once"),
        (["--workers", "0"], "--workers must be at least 1"),
        (["--resume"], "can be resumed"),
        (["--format", "parquet"], "say -o FILE.parquet"),
        (["--explain-sari"], "--explain-sari does not go with"),
    ],
)
def test_what_cannot_be_had_in_parts_is_said(
    plainly: Plainly, folder: str, options: list[str], complaint: str
) -> None:
    assert complaint in plainly("score", "--data", folder, *options).refusal
    assert sorted(path.name for path in Path().iterdir()) == ["data"]


def test_missing_and_empty_data(plainly: Plainly) -> None:
    assert "no such" in plainly("score", "--data", "none.parquet", "--workers", 1).refusal.lower()
    Path("empty").mkdir()
    assert plainly("score", "--data", "empty", "--workers", 1).refusal == "no file with .parquet in empty"
    write("z.parquet", [record(0)])
    parquet.write_table(parquet.read_table("z.parquet").slice(0, 0), "z.parquet")
    assert plainly("score", "--data", "z.parquet", "--workers", 1).refusal == "z.parquet: there are no records"


def test_the_output_may_not_be_an_input(plainly: Plainly, one_file: str) -> None:
    refusal = plainly("score", "--data", one_file, "--per-segment", "-o", one_file).refusal
    assert refusal == "all.parquet is an input of this run; choose another file"
