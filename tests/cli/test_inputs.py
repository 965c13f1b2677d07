"""Line files, records in every format and standard input give the same numbers."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from plainly.scoring import evaluate


def records(test_set: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": f"s{i}",
            "source": source,
            "references": list(references),
            "outputs": {system: texts[i] for system, texts in test_set.outputs.items()},
        }
        for i, (source, references) in enumerate(zip(test_set.sources, test_set.references, strict=True))
    ]


def flat(record: dict[str, Any]) -> dict[str, str]:
    references = {f"reference.{i}": text for i, text in enumerate(record["references"])}
    outputs = {f"output.{system}": text for system, text in record["outputs"].items()}
    return {"id": record["id"], "source": record["source"], **references, **outputs}


def jsonl(test_set: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records(test_set)).encode()


def table(test_set: Any, separator: str) -> bytes:
    rows = [flat(record) for record in records(test_set)]
    if separator == "\t":
        return "".join("\t".join(cells) + "\n" for cells in [rows[0], *(row.values() for row in rows)]).encode()
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def write_parquet(test_set: Any, path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(records(test_set)), path)


@pytest.fixture
def from_lines(plainly: Any, files: list[str]) -> Any:
    return plainly("score", *files, "--format", "json").json


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.tsv", "r.parquet", "r.jsonl.gz", "R.CSV"])
def test_records_give_the_numbers_of_line_files(
    name: str, plainly: Any, from_lines: Any, test_set: Any, tmp_path: Path
) -> None:
    if name.endswith("parquet"):
        write_parquet(test_set, tmp_path / name)
    else:
        lowered = name.lower()
        content = jsonl(test_set) if "jsonl" in lowered else table(test_set, "," if "csv" in lowered else "\t")
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert plainly("score", "--data", name, "--format", "json").json == from_lines


def test_the_format_can_be_said(plainly: Any, from_lines: Any, test_set: Any, tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_bytes(table(test_set, ","))
    assert plainly("score", "--data", "r.txt", "--data-format", "csv", "--format", "json").json == from_lines


def test_systems_can_be_added_to_records(plainly: Any, from_lines: Any, test_set: Any, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(jsonl(test_set))
    systems = plainly("score", "--data", "r.jsonl", "--system", "more=mine.txt", "--format", "json").json["systems"]
    assert systems == {**from_lines["systems"], "more": from_lines["systems"]["mine"]}


def test_the_system_is_named_after_its_file(plainly: Any, files: list[str]) -> None:
    systems = plainly("score", "--system", "mine.txt", "--metrics", "fkgl", "--format", "json").json["systems"]
    assert list(systems) == ["mine"]


@pytest.mark.parametrize("place", ["src.txt", "ref.1", "mine=mine.txt"])
def test_standard_input_in_place_of_a_file(
    place: str, plainly: Any, files: list[str], from_lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, _, path = place.rpartition("=")
    _stdin(monkeypatch, Path(path).read_bytes())
    Path(path).unlink()
    arguments = [(f"{system}=-" if system else "-") if argument == place else argument for argument in files]
    assert plainly("score", *arguments, "--format", "json").json == from_lines


def test_records_on_standard_input(
    plainly: Any, from_lines: Any, test_set: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _stdin(monkeypatch, jsonl(test_set))
    assert plainly("score", "--data", "-", "--data-format", "jsonl", "--format", "json").json == from_lines


@pytest.mark.slow
def test_a_real_pipe(command: Any, files: list[str], test_set: Any) -> None:
    wanted = ["--metrics", "sari", "--format", "json"]
    piped = command("score", "--data", "-", "--data-format", "jsonl", *wanted, stdin=jsonl(test_set))
    by_lines = command("score", *files, *wanted)
    assert piped.json == by_lines.json
    assert piped.err == ""


def test_ragged_references(plainly: Any, test_set: Any, tmp_path: Path) -> None:
    ragged = [references[: 1 + i % 2] for i, references in enumerate(test_set.references)]
    lines = [
        json.dumps({"source": source, "references": list(references), "output": output})
        for source, references, output in zip(test_set.sources, ragged, test_set.outputs["mine"], strict=True)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    found = plainly("score", "--data", "r.jsonl", "--format", "json").json["systems"]["output"]
    expected = evaluate(test_set.sources, test_set.outputs["mine"], ragged)["output"]
    assert {label: result["score"]["value"] for label, result in found.items()} == {
        label: result.score for label, result in expected.items()
    }
    assert "|refs:1-2|weight:segments|" in found["sari"]["signature"]


def test_reference_free_metrics_need_no_references(plainly: Any, files: list[str]) -> None:
    run = plainly("score", "--system", "mine=mine.txt", "--metrics", "fkgl", "--format", "json")
    assert list(run.json["systems"]["mine"]) == ["fkgl"]


def test_default_metrics_leave_out_what_lacks_references(plainly: Any, files: list[str]) -> None:
    run = plainly("score", "--sources", "src.txt", "--system", "mine=mine.txt", "--format", "json")
    assert list(run.json["systems"]["mine"]) == ["fkgl"]
    assert "note: sari is left out: it needs references\n" in run.err
    assert "note: bleu is left out: it needs references\n" in run.err


def test_sources_are_not_needed_by_all_metrics(plainly: Any, files: list[str]) -> None:
    run = plainly("score", "--references", "ref.0", "--system", "mine=mine.txt", "--format", "json")
    assert list(run.json["systems"]["mine"]) == ["bleu", "fkgl"]


def test_demo(plainly: Any) -> None:
    content = plainly("score", "--demo", "--format", "json").json
    assert content["segments"] == 60
    toys = ["identity", "splitter", "substituter", "truncation"]
    assert list(content["systems"]) == ["careful-writer", "hasty-model", *toys]
    for results in content["systems"].values():
        assert list(results) == ["sari", "bleu", "fkgl"]
        assert "|refs:3|" in results["sari"]["signature"]


@pytest.mark.parametrize("rule", ["missing", "keep"])
def test_empty_references(rule: str, plainly: Any, files: list[str], test_set: Any) -> None:
    lines = ["", *(references[1] for references in test_set.references[1:])]
    Path("ref.1").write_text("".join(f"{line}\n" for line in lines))
    found = plainly("score", *files, "--empty-reference", rule, "--format", "json").json["systems"]["mine"]
    first = test_set.references[0][0]
    groups = [(first,) if rule == "missing" else (first, ""), *test_set.references[1:]]
    expected = evaluate(test_set.sources, test_set.outputs["mine"], groups)["output"]
    assert found["sari"]["score"]["value"] == expected["sari"].score
    assert found["bleu"]["score"]["value"] == expected["bleu"].score
    assert found["sari"]["signature"] == expected["sari"].signature
    assert ("|refs:1-2|" if rule == "missing" else "|refs:2|") in found["sari"]["signature"]


def _stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
