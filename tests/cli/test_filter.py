"""`plainly filter`: what is kept is what an independent computation keeps, and nothing about it changes."""

from __future__ import annotations

import csv
import errno
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import plainly as package

pytest.importorskip("polars", reason="polars is not installed")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
from pyarrow import parquet  # noqa: E402

METRICS = ["compression-ratio", "sari", "levenshtein-similarity", "fkgl"]
KEEP = "compression_ratio < 0.9 and sari > 30 and (fkgl < 6 or year >= 2010) and source not like '%abandoned%'"


@pytest.fixture
def plainly(plainly: Any) -> Any:
    """As the command, but in this process alone, unless workers are asked for."""
    return lambda *given: plainly(*given, *(() if "--workers" in given else ("--workers", 1)))


@pytest.fixture
def records(test_set: Any) -> list[dict[str, Any]]:
    """Pairs of one system, with columns of many kinds, some values missing."""
    found = []
    for i in range(60):
        k = i % len(test_set.sources)
        found.append(
            {
                "id": f"p{i}",
                "source": test_set.sources[k] if i % 11 else None,
                "output": test_set.outputs["mine" if i % 3 else "other"][(k + i // 12) % 6],
                "reference": test_set.references[k][i % 2],
                "year": None if i % 13 == 5 else 2000 + i % 20,
                "näme ✓": "été" if i % 2 else "日本語",
                "tags": ["a", "b"][: i % 3],
                "share": i / 7,
            }
        )
    return found


@pytest.fixture
def expected(records: list[dict[str, Any]]) -> pandas.DataFrame:
    """The scores of each pair by `plainly.evaluate`, beside the columns: what pandas then filters."""
    evaluation = package.evaluate(
        [row["source"] for row in records],
        [row["output"] for row in records],
        [[row["reference"]] for row in records],
        metrics=METRICS,
        intervals=None,
    )
    scores = evaluation.segments().rename(columns=lambda name: name.replace("-", "_")).drop(columns=["system"])
    return pandas.concat([pandas.DataFrame(records), scores], axis=1)


def chosen(frame: pandas.DataFrame) -> pandas.Series[bool]:
    """KEEP, said to pandas, for which a comparison with nothing is false."""
    plain = (frame["fkgl"] < 6) | (frame["year"] >= 2010)
    long = frame["source"].notna() & ~frame["source"].fillna("").str.contains("abandoned")
    return (frame["compression_ratio"] < 0.9) & (frame["sari"] > 30) & plain & long


def write_parquet(path: str, records: list[dict[str, Any]]) -> None:
    schema = pyarrow.schema(
        [
            ("id", pyarrow.string()),
            ("source", pyarrow.large_string()),
            ("output", pyarrow.string()),
            ("reference", pyarrow.string()),
            ("year", pyarrow.int16()),
            ("näme ✓", pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
            ("tags", pyarrow.list_(pyarrow.string())),
            ("share", pyarrow.float32()),
        ],
        metadata={"written by": "somebody"},
    )
    parquet.write_table(pyarrow.Table.from_pylist(records, schema), path, row_group_size=7)


def write_jsonl(path: str, records: list[dict[str, Any]]) -> None:
    Path(path).write_text("".join(json.dumps(row, ensure_ascii=i % 2 == 0) + "\n" for i, row in enumerate(records)))


def read_jsonl(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def write_csv(path: str, rows: list[list[str]]) -> None:
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


@pytest.mark.parametrize("workers", [1, 2])
def test_keeps_what_pandas_keeps(
    plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame, workers: int
) -> None:
    write_parquet("in.parquet", records)
    run = plainly(
        *("filter", "--data", "in.parquet", "--keep", KEEP, "-o", "kept.parquet", "--dropped", "dropped.parquet"),
        *("--workers", workers, "--format", "json"),
    )
    mask = chosen(expected)
    assert 3 < mask.sum() < 50
    whole, kept, dropped = (parquet.read_table(f"{name}.parquet") for name in ("in", "kept", "dropped"))
    assert kept.schema.equals(whole.schema, check_metadata=True)
    assert kept.equals(whole.filter(pyarrow.array(mask)))
    assert dropped.drop_columns("dropped_by").equals(whole.filter(pyarrow.array(~mask)))
    assert run.json["rows"] == 60
    assert run.json["kept"] == mask.sum()
    assert run.json["dropped"] == 60 - mask.sum()


def test_the_summary_counts_what_each_condition_does(
    plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame
) -> None:
    write_parquet("in.parquet", records)
    said = plainly("filter", "--data", "in.parquet", "--keep", KEEP, "--dry-run", "--format", "json").json
    frame = expected
    ratio, sari = frame["compression_ratio"], frame["sari"]
    passed = {
        "compression_ratio < 0.9": ratio < 0.9,
        "sari > 30": sari > 30,
        "fkgl < 6 or year >= 2010": (frame["fkgl"] < 6) | (frame["year"] >= 2010),
        "source not like '%abandoned%'": frame["source"].notna()
        & ~frame["source"].fillna("").str.contains("abandoned"),
    }
    unknown = {
        "compression_ratio < 0.9": ratio.isna(),
        "sari > 30": sari.isna(),
        "fkgl < 6 or year >= 2010": ~passed["fkgl < 6 or year >= 2010"]
        & (frame["fkgl"].isna() | frame["year"].isna()),
        "source not like '%abandoned%'": frame["source"].isna(),
    }
    for count in said["conditions"]:
        name = count["condition"]
        others = pandas.concat([mask for other, mask in passed.items() if other != name], axis=1).all(axis=1)
        assert count["unknown"] == unknown[name].sum()
        assert count["failed"] == (~passed[name] & ~unknown[name]).sum()
        assert count["alone"] == (others & ~passed[name]).sum()
    assert [count["condition"] for count in said["conditions"]] == list(passed)
    kept = pandas.concat(passed.values(), axis=1).all(axis=1)
    shown = {found["name"]: found for found in said["quantiles"]}
    assert set(shown) == {"compression_ratio", "sari", "fkgl", "year"}
    for name, found in shown.items():
        assert found["unknown"] == frame[name].isna().sum()
        for when, mask in (("before", frame[name].notna()), ("after", kept)):
            values = frame[name][mask]
            assert found[when]["50%"] == pytest.approx(values.median())
            assert found[when]["95%"] == pytest.approx(values.quantile(0.95))
            assert (found[when]["0%"], found[when]["100%"]) == (values.min(), values.max())
    assert not list(Path().glob("*kept*"))


def test_dropped_rows_say_why(plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame) -> None:
    write_parquet("in.parquet", records)
    plainly(
        *("filter", "--data", "in.parquet", "--keep", "compression_ratio < 0.9 and sari > 30"),
        *("-o", "kept.parquet", "--dropped", "dropped.parquet"),
    )
    reasons = dict(
        zip(*(parquet.read_table("dropped.parquet")[name].to_pylist() for name in ("id", "dropped_by")), strict=True)
    )
    for row in expected.to_dict("records"):
        parts = []
        for name, text, right in [
            ("compression_ratio", "compression_ratio < 0.9", row["compression_ratio"] < 0.9),
            ("sari", "sari > 30", row["sari"] > 30),
        ]:
            if pandas.isna(row[name]):
                parts.append(f"{text} (cannot be computed)")
            elif not right:
                parts.append(text)
        assert reasons.get(row["id"], "") == "; ".join(parts)


def test_jsonl_lines_stay_as_they_are(
    plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame
) -> None:
    write_jsonl("in.jsonl", records)
    plainly("filter", "--data", "in.jsonl", "--keep", KEEP, "-o", "kept.jsonl", "--dropped", "no.jsonl")
    lines = Path("in.jsonl").read_text().splitlines(keepends=True)
    mask = chosen(expected)
    assert Path("kept.jsonl").read_text() == "".join(line for line, kept in zip(lines, mask, strict=True) if kept)
    assert [row["id"] for row in read_jsonl("no.jsonl")] == list(expected["id"][~mask])


def test_csv_keeps_its_cells(plainly: Any) -> None:
    header = ["id", "source", "output", "note"]
    body = [
        ["1", "The cat slept, then left.", 'A "cat".', "=1+1"],
        ["2", "Two\nlines of text", "Two lines of text", " x "],
        ["3", "A dog", "A dog of great and considerable length", "ü"],
    ]
    write_csv("in.csv", [header, *body])
    plainly(
        *("filter", "--data", "in.csv", "--keep", "characters < 20", "-o", "kept.csv", "--dropped", "no.csv"),
        "--with-scores",
    )
    with Path("kept.csv").open(newline="", encoding="utf-8") as stream:
        kept = list(csv.reader(stream))
    assert kept == [[*header, "characters"], [*body[0], "8.0"], [*body[1], "17.0"]]  # counted by hand
    with Path("no.csv").open(newline="", encoding="utf-8") as stream:
        assert list(csv.reader(stream))[1][:-1] == [*body[2], "38.0"]
    assert plainly("filter", "--data", "in.csv", "--keep", "try_cast(id as int) > 1", "-o", "later.jsonl").status == 0
    assert [row["id"] for row in read_jsonl("later.jsonl")] == ["2", "3"]


def test_scores_are_added_and_can_be_used_again(
    plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame
) -> None:
    write_parquet("in.parquet", records)
    plainly(
        *("filter", "--data", "in.parquet", "--keep", "true", "-o", "scored.parquet"),
        *("--with-scores", "sari,sari_keep,levenshtein-similarity"),
    )
    table = parquet.read_table("scored.parquet")
    assert table.column_names[-3:] == ["sari", "sari_keep", "levenshtein_similarity"]
    pandas.testing.assert_series_equal(table["sari"].to_pandas(), expected["sari"])
    pandas.testing.assert_series_equal(
        table["levenshtein_similarity"].to_pandas(), expected["levenshtein_similarity"]
    )
    assert table["sari"].null_count == expected["sari"].isna().sum()
    again = plainly(
        "filter", "--data", "scored.parquet", "--keep", "sari > 40", "-o", "x.parquet", "--format", "json"
    )
    assert again.json["signatures"] == {}  # nothing was measured
    assert again.json["kept"] == (expected["sari"] > 40).sum()
    refused = plainly(
        "filter", "--data", "scored.parquet", "--keep", "year > 1", "--with-scores", "sari", "-o", "y.parquet"
    )
    assert "the column 'sari' is there already" in refused.refusal


@pytest.mark.slow
def test_order_and_result_do_not_depend_on_partitions(
    plainly: Any, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from plainly.filtering import planning
    from plainly.scoring import partitions

    write_parquet("in.parquet", records)
    write_jsonl("in.jsonl", records)
    command = ["--keep", KEEP, "--unique", "source,output", "--examples", 3, "--format", "json", "--workers"]
    whole = plainly("filter", "--data", "in.parquet", *command, 1, "-o", "a.parquet").json
    lines = plainly("filter", "--data", "in.jsonl", *command, 1, "-o", "a.jsonl").json
    monkeypatch.setattr(partitions.plan, "__defaults__", ("stop", 7))
    monkeypatch.setattr(planning, "ROWS", 7)
    assert plainly("filter", "--data", "in.parquet", *command, 2, "-o", "b.parquet").json == whole
    assert plainly("filter", "--data", "in.jsonl", *command, 2, "-o", "b.jsonl").json == lines
    assert parquet.read_table("b.parquet").equals(parquet.read_table("a.parquet"))
    assert Path("b.jsonl").read_text() == Path("a.jsonl").read_text()
    assert whole["conditions"] == lines["conditions"]
    assert len(whole["examples"]) > 3


def test_repeated_pairs_are_dropped_but_for_the_first(plainly: Any) -> None:
    rows = [
        {"source": "a b c", "output": "a"},
        {"source": "a b c", "output": "b"},
        {"source": "a b c", "output": "a"},
        {"source": None, "output": "a"},
        {"source": None, "output": "a"},
        {"source": "a b", "output": "c a"},
        {"source": "a b c", "output": "a"},
    ]
    write_jsonl("in.jsonl", [{"id": i} | row for i, row in enumerate(rows)])
    command = ("filter", "--data", "in.jsonl", "--unique", "source,output", "-o", "kept.jsonl")
    said = plainly(*command, "--dropped", "no.jsonl", "--format", "json").json
    assert [row["id"] for row in read_jsonl("kept.jsonl")] == [0, 1, 3, 5]
    assert [row["dropped_by"] for row in read_jsonl("no.jsonl")] == ["unique source, output"] * 3
    assert said["conditions"] == [{"condition": "unique source, output", "failed": 3, "unknown": 0, "alone": 3}]
    # What is dropped for another reason does not make a later one a repeat.
    said = plainly(*command, "--keep", "id > 0", "--format", "json").json
    assert [row["id"] for row in read_jsonl("kept.jsonl")] == [1, 2, 3, 5]
    assert "score" in plainly("filter", "--data", "in.jsonl", "--unique", "sari", "-o", "x.jsonl").refusal


def test_references_are_outputs_where_there_are_none(plainly: Any) -> None:
    write_jsonl(
        "in.jsonl", [{"source": "one two three four", "reference": text} for text in ("one", "one two three")]
    )
    run = plainly("filter", "--data", "in.jsonl", "--keep", "compression_ratio < 0.5", "-o", "kept.jsonl")
    assert [row["reference"] for row in read_jsonl("kept.jsonl")] == ["one"]
    assert "the first reference of each row is taken for the output" in run.err
    refused = plainly("filter", "--data", "in.jsonl", "--keep", "sari > 1", "-o", "kept.jsonl")
    assert refused.refusal == "sari cannot be computed: it needs references"


def test_of_several_systems_one_is_chosen(plainly: Any) -> None:
    write_jsonl("in.jsonl", [{"source": "a b c d", "output.x": "a", "outputs": {"y": "a b c d"}}])
    command = ("filter", "--data", "in.jsonl", "--keep", "compression_ratio < 0.5", "-o", "kept.jsonl", "--format")
    assert "there are several systems: x, y; say --of x" in plainly(*command, "json").refusal
    assert plainly(*command, "json", "--of", "x").json["kept"] == 1
    assert plainly(*command, "json", "--of", "y").json["kept"] == 0
    assert "unknown system 'z'" in plainly(*command, "json", "--of", "z").refusal


def test_jsonl_lines_take_scores_at_their_end(plainly: Any) -> None:
    """What the fields before them hold is not written anew: here a number that Python would write as Infinity."""
    line = '{"source":"a b",  "output": "\\u00e9\\ud83d\\ude00" , "big": 1e999, "half": "\\ud83d"} '
    Path("in.jsonl").write_text(line + "\r\n" + '{"output": "b"}')
    plainly("filter", "--data", "in.jsonl", "--keep", "characters > 0", "--with-scores", "-o", "kept.jsonl")
    assert Path("kept.jsonl").read_text().splitlines() == [
        '{"source":"a b",  "output": "\\u00e9\\ud83d\\ude00" , "big": 1e999, "half": "\\ud83d", "characters": 2.0}',
        '{"output": "b", "characters": 1.0}',
    ]


def test_parquet_of_any_shape_becomes_jsonl(plainly: Any) -> None:
    table = pyarrow.table(
        {
            "source": ["a b c", "d e f", None],
            "references": pyarrow.array([["a", "b"], [], ["x"]]),
            "outputs": pyarrow.array(
                [[("m", "a"), ("n", "zz")], [("m", "d")], None], pyarrow.map_(pyarrow.string(), pyarrow.string())
            ),
            "when": pyarrow.array([0, 1, 2], pyarrow.timestamp("ms")),
            "share": [1.5, float("nan"), float("inf")],
        }
    )
    parquet.write_table(table, "in.parquet")
    command = ("filter", "--data", "in.parquet", "--of", "m", "--keep")
    plainly(*command, "length(output) = 1", "-o", "kept.jsonl")
    assert read_jsonl("kept.jsonl") == [
        {
            "source": "a b c",
            "references": ["a", "b"],
            "outputs": {"m": "a", "n": "zz"},
            "when": "1970-01-01 00:00:00",
            "share": 1.5,
        },
        {
            "source": "d e f",
            "references": [],
            "outputs": {"m": "d"},
            "when": "1970-01-01 00:00:00.001000",
            "share": None,
        },
    ]
    said = plainly(*command, "share > 1", "-o", "kept.parquet", "--format", "json").json
    assert said["conditions"][0]["unknown"] == 1  # what is not a number is no large one
    assert said["quantiles"][0]["before"]["100%"] == 1.5
    assert parquet.read_table("kept.parquet").equals(parquet.read_table("in.parquet").take([0, 2]))
    plainly(*command, "reference = 'a' and output = 'a'", "-o", "kept.parquet")
    assert parquet.read_table("kept.parquet").num_rows == 1


def test_nothing_kept_is_a_file_with_no_rows(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("in.parquet", records)
    run = plainly("filter", "--data", "in.parquet", "--keep", "sari > 100", "-o", "kept.parquet")
    assert run.status == 0
    assert "nothing is kept" in run.err
    kept = parquet.read_table("kept.parquet")
    assert kept.num_rows == 0
    assert kept.schema.equals(parquet.read_schema("in.parquet"), check_metadata=True)


def test_ten_conditions(plainly: Any, records: list[dict[str, Any]], expected: pandas.DataFrame) -> None:
    write_parquet("in.parquet", records)
    parts = [f"share < {n / 2}" for n in range(8, 17)] + ["\"näme ✓\" = 'été'"]
    run = plainly(
        *("filter", "--data", "in.parquet", "--keep", " and ".join(parts[:5]), "--keep", " AND ".join(parts[5:])),
        *("-o", "kept.parquet", "--format", "json"),
    )
    assert [count["condition"] for count in run.json["conditions"]] == parts
    mask = (expected["share"] < 4) & (expected["näme ✓"] == "été")
    assert parquet.read_table("kept.parquet")["id"].to_pylist() == list(expected["id"][mask])
    assert run.json["signatures"] == {}


def test_only_the_metrics_named_are_measured(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("in.parquet", records)
    run = plainly("filter", "--data", "in.parquet", "--keep", "fkgl < 6", "--dry-run", "--format", "json")
    assert list(run.json["signatures"]) == ["fkgl"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "compresion_ratio < 1"], "unknown name in the filter 'compresion_ratio'; did you mean"),
        (["--keep", "yaer < 1"], "did you mean 'year'?"),
        (["--keep", "sari_ad > 1"], "unknown name in the filter"),
        (["--keep", 'source = "cat sat"'], "a text stands in single quotes"),
        (["--keep", "exists (select * from read_csv('in.parquet'))"], "there is no function 'exists' here"),
        (["--keep", "sari > 'x'"], "sari holds numbers; say cast(sari as text)"),
        (["--keep", "sari"], "is no condition"),
        (["--keep", "tags > 1"], "--keep: tags > 1:"),
        (["--keep", "sari > 1", "-o", "in.parquet"], "is an input of this run"),
        (["--keep", "sari > 1", "-o", "out.csv"], "can become parquet or jsonl, not csv"),
        (["--keep", "sari > 1", "-o", "out"], "which format shall it have?"),
        (["--keep", "sari > 1", "-o", "-"], "the summary goes to standard output"),
        (["--keep", "sari > 1", "-o", "x.parquet", "--dropped", "x.parquet"], "are the same place"),
        (["--keep", "sari > 1", "-o", "no/such/x.parquet"], "cannot write no/such/x.parquet"),
        (["--keep", "sari:nonsense > 1"], "':' has no meaning here"),
        (["--keep", '"sari:nonsense" > 1'], "unknown variant of sari"),
        (["--keep", "fre_textstat > 1"], "depends on the order of the rows"),
        (["--keep", "true", "--with-scores", "nonsense"], "unknown name in the filter"),
        (["--keep", "true", "--examples", "-1"], "--examples must be at least 0"),
        (["-o", "x.parquet"], "nothing says what shall be kept; say --keep or --unique"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(
    plainly: Any, records: list[dict[str, Any]], arguments: list[str], message: str
) -> None:
    write_parquet("in.parquet", records)
    before = Path("in.parquet").read_bytes()
    given = arguments if "-o" in arguments else [*arguments, "-o", "out.parquet"]
    assert message in plainly("filter", "--data", "in.parquet", *given).refusal
    assert [path.name for path in Path().iterdir()] == ["in.parquet"]
    assert Path("in.parquet").read_bytes() == before


def test_numbers_of_any_size_have_quantiles(plainly: Any) -> None:
    write_jsonl("in.jsonl", [{"source": "a", "output": "b", "x": x} for x in (-1.7e308, 1.7e308, 5e-324, 3)])
    said = plainly("filter", "--data", "in.jsonl", "--keep", "x < 1", "--dry-run", "--format", "json").json
    assert (said["quantiles"][0]["before"]["0%"], said["quantiles"][0]["before"]["100%"]) == (-1.7e308, 1.7e308)


def test_without_polars_the_extra_is_named(
    plainly: Any, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parquet("in.parquet", records)
    monkeypatch.setitem(sys.modules, "polars", None)
    run = plainly("filter", "--data", "in.parquet", "--keep", "true", "-o", "x.parquet")
    assert run.refusal == "a filter needs Polars; run: pip install 'plainly[filter]'"


ON_DASK = """
import os, sys
from distributed import Client, LocalCluster
from plainly.cli import main
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with Client(cluster, set_as_default=False) as client:
            client.run(os.chdir, os.sep)  # workers are in other folders, and find the files nevertheless
        sys.exit(main([*sys.argv[1:], "--scheduler", cluster.scheduler_address]))
"""


@pytest.mark.slow
def test_a_cluster_writes_the_same_bytes(plainly: Any, records: list[dict[str, Any]]) -> None:
    pytest.importorskip("distributed", reason="needs plainly[cluster]")
    write_parquet("in.parquet", records * 600)  # three partitions
    command = ["filter", "--data", "in.parquet", "--keep", KEEP, "--unique", "id", "--format", "json", "-o"]
    here = plainly(*command, "here.parquet").printed
    Path("on_dask.py").write_text(ON_DASK)
    there = subprocess.run(
        [sys.executable, "on_dask.py", *command, "there.parquet"], capture_output=True, text=True, check=True
    )
    assert there.stdout == here
    assert Path("there.parquet").read_bytes() == Path("here.parquet").read_bytes()


def test_an_output_is_asked_for(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("in.parquet", records)
    assert "Say -o FILE, or --dry-run" in plainly("filter", "--data", "in.parquet", "--keep", "true").refusal


def spoil_jsonl() -> str:
    Path("in.jsonl").write_text(
        '{"id": 1, "source": "a b", "output": "a"}\n{"id": 2, "source": 5, "output": "a"}\n'
        '{"id": 3, "source"\n{"id": 4, "source": "a b", "output": "b"}\n'
    )
    return "in.jsonl"


def spoil_csv() -> str:
    Path("in.csv").write_text('id,source,output\n1,"a\nb",a\n2,a\n3,,a\n4,a b,b\n')
    return "in.csv"


def spoil_parquet() -> str:
    rows = [{"id": str(i + 1), "source": text, "output": "a"} for i, text in enumerate(["a b", " ", "\0", "a b"])]
    parquet.write_table(pyarrow.Table.from_pylist(rows), "in.parquet", row_group_size=2)
    return "in.parquet"


@pytest.mark.parametrize("spoil", [spoil_jsonl, spoil_csv, spoil_parquet])
def test_bad_rows_stop_the_run_or_are_left_out_and_counted(plainly: Any, spoil: Callable[[], str]) -> None:
    data = spoil()
    out = f"kept.{data.partition('.')[2]}"
    command = ("filter", "--data", data, "--keep", "compression_ratio < 2", "-o", out, "--format", "json")
    assert plainly(*command).refusal.startswith(data)
    assert not Path(out).exists()
    run = plainly(*command, "--on-error", "skip", "--dropped", f"no.{out.partition('.')[2]}")
    assert (run.json["rows"], run.json["kept"], run.json["dropped"], run.json["left_out"]) == (4, 2, 0, 2)
    assert run.err.count("left out: 1 for: ") == 2
    assert data in run.err
    kept = {
        "jsonl": lambda: [str(row["id"]) for row in read_jsonl(out)],
        "csv": lambda: list(pandas.read_csv(out, dtype=str)["id"]),
        "parquet": lambda: parquet.read_table(out)["id"].to_pylist(),
    }[out.partition(".")[2]]()
    assert kept == ["1", "4"]


def test_a_broken_row_group_is_left_out_and_counted(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("in.parquet", records[:28])
    chunk = parquet.ParquetFile("in.parquet").metadata.row_group(2).column(2)
    data = bytearray(Path("in.parquet").read_bytes())
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    Path("in.parquet").write_bytes(data)
    command = ("filter", "--data", "in.parquet", "--keep", "words > 0", "-o", "kept.parquet", "--format", "json")
    assert "broken Parquet file" in plainly(*command).refusal
    said = plainly(*command, "--on-error", "skip").json
    assert (said["rows"], said["left_out"]) == (28, 7)
    ids = parquet.read_table("kept.parquet")["id"].to_pylist()
    assert ids == [r["id"] for i, r in enumerate(records[:28]) if not 14 <= i < 21 and r["output"]]


def spoil_column(name: str, row_group: int) -> None:
    """Turns bytes in the middle of a column of in.parquet."""
    metadata = parquet.ParquetFile("in.parquet").metadata
    chunk = metadata.row_group(row_group).column(metadata.schema.names.index(name))
    data = bytearray(Path("in.parquet").read_bytes())
    middle = chunk.data_page_offset + chunk.total_compressed_size // 2
    for i in range(middle, middle + 200):
        data[i] ^= 0xFF
    Path("in.parquet").write_bytes(data)


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_with_a_broken_column_that_nobody_measures_are_never_nulls(plainly: Any, workers: int) -> None:
    texts = [f"A row with the number {i}, and {i * i % 977} more." for i in range(9000)]
    table = pyarrow.table({"source": texts, "output": ["A row."] * 9000, "note": [text[::-1] for text in texts]})
    parquet.write_table(table, "in.parquet", compression="zstd", use_dictionary=False, row_group_size=3000)
    spoil_column("note", 1)
    pairs = ("filter", "--data", "in.parquet", "--keep", "compression_ratio < 1", "-o", "kept.parquet")
    command = (*pairs, "--format", "json", "--workers", workers)
    refusal = plainly(*command).refusal
    assert re.fullmatch(r"in\.parquet: row [0-9]+: broken Parquet file: .*", refusal)
    assert not Path("kept.parquet").exists()
    run = plainly(*command, "--on-error", "skip", "--dropped", "dropped.parquet")
    kept = parquet.read_table("kept.parquet")
    lost = run.json["left_out"]
    assert 0 < lost <= 3000
    assert (run.json["rows"], run.json["kept"], run.json["dropped"]) == (9000, 9000 - lost, 0)
    assert sum(run.json["problems"].values()) == lost
    first = int(refusal.split()[2].rstrip(":"))
    assert f"left out: {lost:,} for: broken Parquet file" in run.err
    assert f"(in.parquet: row {first}, " in run.err
    assert kept.equals(pyarrow.concat_tables([table.slice(0, first - 1), table.slice(6000)]))


def test_a_disc_that_fails_is_an_error_whatever_is_skipped(
    plainly: Any, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parquet("in.parquet", records)
    read = parquet.ParquetFile.iter_batches

    def failing(file: Any, *given: Any, **more: Any) -> Any:
        if "columns" not in more:  # the rows as wholes; those who measure name their columns
            raise OSError(errno.EIO, "Input/output error")
        return read(file, *given, **more)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", failing)
    command = ("filter", "--data", "in.parquet", "--keep", KEEP, "-o", "kept.parquet", "--on-error", "skip")
    assert "in.parquet: row 1: cannot be read: [Errno 5] Input/output error" in plainly(*command).refusal
    assert not Path("kept.parquet").exists()


def test_columns_may_stand_in_another_order_in_each_file(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("whole.parquet", records)
    whole = parquet.read_table("whole.parquet")
    Path("in").mkdir()
    parquet.write_table(whole.slice(0, 25), "in/a.parquet")
    parquet.write_table(whole.slice(25).select(whole.column_names[::-1]), "in/b.parquet")
    for data, out in [("in", "x.parquet"), ("whole.parquet", "y.parquet")]:
        assert plainly("filter", "--data", data, "--keep", KEEP, "-o", out).status == 0
    assert parquet.read_table("x.parquet").equals(parquet.read_table("y.parquet"))


def test_a_folder_of_files_is_one_input(plainly: Any, records: list[dict[str, Any]]) -> None:
    Path("in").mkdir()
    write_parquet("in/a.parquet", records[:25])
    write_parquet("in/b.parquet", records[25:])
    write_parquet("whole.parquet", records)
    for data, out in [("in", "x.parquet"), ("whole.parquet", "y.parquet")]:
        assert plainly("filter", "--data", data, "--keep", KEEP, "-o", out).status == 0
    assert parquet.read_table("x.parquet").equals(parquet.read_table("y.parquet"))
    refusal = plainly("filter", "--data", "in", "--keep", KEEP, "-o", "in/b.parquet").refusal
    assert "in/b.parquet is among the data of this run" in refusal


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
def test_the_summary_has_all_forms(plainly: Any, form: str) -> None:
    write_jsonl("in.jsonl", [{"source": "a\x1b[31m b", "output": "x\ny" * i} for i in range(4)])
    run = plainly(
        *("filter", "--data", "in.jsonl", "--keep", "compression_ratio > 1 and 1 = 1", "--dry-run"),
        *("--examples", 2, "--format", form),
    )
    assert "compression" in run.printed
    assert "\x1b" not in run.printed


def test_examples_are_dropped_pairs_and_depend_on_the_seed(plainly: Any, records: list[dict[str, Any]]) -> None:
    write_parquet("in.parquet", records)
    command = ("filter", "--data", "in.parquet", "--keep", "sari > 40 and words > 5", "--dry-run", "--format", "json")

    def rows(seed: int) -> list[int]:
        said = plainly(*command, "--examples", 4, "--seed", seed).json
        assert len(said["examples"]) == 8
        for example in said["examples"]:
            record = records[example["row"] - 1]
            assert (example["source"], example["output"]) == (record["source"], record["output"])
            value = example["scores"]["sari" if "sari" in example["condition"] else "words"]
            assert example["unknown"] == (value is None)
            assert value is None or value <= (40 if "sari" in example["condition"] else 5)
        return [example["row"] for example in said["examples"]]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)
