"""Tables with one row a segment and system: as segments with all outputs, in any order of rows."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs, read_corpus
from plainly.scoring.partitions import plan

COLUMNS = ("id", "source", "reference.0", "system", "run", "output")
ROWS = [
    ("1", "A feline slept.", "A cat slept.", "m", "a", "A cat."),
    ("1", "A feline slept.", "A cat slept.", "m", "b", "The cat."),
    ("1", "A feline slept.", "A cat slept.", "other", "", "Cat!"),
    ("2", "It was obscure.", "It was dark.", "m", "a", "Dark."),
    ("2", "It was obscure.", "It was dark.", "other", "", ""),
]


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(form: str, rows: list[tuple[str, ...]]) -> str:
    path = Path(f"data.{form}")
    records = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    if form == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    elif form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(records), path)
    else:
        with path.open("w", newline="") as out:
            writer = csv.writer(out, delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
            writer.writerows([COLUMNS, *rows])
    return str(path)


def corpus_of(rows: list[Any], form: str = "csv", **settings: Any) -> Corpus:
    return read_corpus(Inputs(data=written(form, rows), **settings))


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_rows_become_segments(form: str) -> None:
    corpus = corpus_of(ROWS, form)
    assert corpus.ids == ["1", "2"]
    assert corpus.sources == ["A feline slept.", "It was obscure."]
    assert corpus.references == [("A cat slept.",), ("It was dark.",)]
    assert corpus.runs == {"m": ("m/a", "m/b")}
    # A row that is missing is no output; one with an empty text is an empty output.
    assert corpus.outputs == {"m/a": ["A cat.", "Dark."], "m/b": ["The cat.", None], "other": ["Cat!", ""]}


def test_rows_may_stand_in_any_order_of_systems() -> None:
    by_system = sorted(ROWS, key=lambda row: row[3:5])
    assert corpus_of(by_system).outputs == corpus_of(ROWS).outputs


def test_more_systems_than_one_look_ahead_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainly.corpus.readers.record_files.LOOK_AHEAD", 1)
    assert list(corpus_of(ROWS).outputs) == ["m/a", "m/b", "other"]


def test_a_column_that_differs_within_a_segment_is_not_kept() -> None:
    records = [{"id": 1, "system": s, "output": "x", "genre": "news", "seconds": s} for s in "ab"]
    Path("data.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    corpus = read_corpus(Inputs(data="data.jsonl"))
    assert corpus.metadata == [{"genre": "news"}]
    assert list(corpus.outputs) == ["a", "b"]
    assert corpus.runs == {}


def changed(row: int, column: int, text: str) -> list[tuple[str, ...]]:
    rows = [list(one) for one in ROWS]
    rows[row][column] = text
    return [tuple(one) for one in rows]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (changed(1, 1, "Another."), "data.csv:3: segment '1' has another source in line 2"),
        (changed(4, 2, "Another."), "data.csv:6: segment '2' has another reference in line 5"),
        ([*ROWS, ROWS[0]], "data.csv:7: segment '1' has an output of 'm', run 'a', in line 2 already"),
        ([*ROWS, ROWS[4]], "data.csv:7: segment '2' has an output of 'other' in line 6 already"),
        (changed(3, 4, ""), "data.csv:5: a run of 'm' has a name, and another has none (line 2)"),
        (changed(2, 0, ""), "data.csv:4: no id;"),
        (changed(2, 3, ""), "data.csv:4: no system;"),
    ],
)
def test_faults_name_their_lines(rows: list[tuple[str, ...]], said: str) -> None:
    with pytest.raises(PlainlyError) as error:
        corpus_of(rows)
    assert str(error.value).startswith(said)


def test_rows_of_parquet_are_named() -> None:
    with pytest.raises(PlainlyError, match=r"data.parquet: row 2: segment '1' has another source in row 1"):
        corpus_of(changed(1, 1, "Another."), "parquet")


def test_a_system_is_not_also_a_file() -> None:
    Path("m.txt").write_text("x\ny\n")
    with pytest.raises(PlainlyError, match=r"system 'm' is in data.csv and in m.txt"):
        corpus_of(ROWS, systems={"m": "m.txt"})
    assert list(corpus_of(ROWS, systems={"new": "m.txt"}).outputs) == ["m/a", "m/b", "other", "new"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_not_in_parts(form: str) -> None:
    with pytest.raises(PlainlyError, match="in one go"):
        plan(Inputs(data=written(form, ROWS)))
