"""Rows with columns of any names, the same from CSV, TSV and JSONL."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import Place, PlainlyError
from plainly.cli.faults import worded
from plainly.corpus.readers.files import open_input
from plainly.corpus.readers.rows import Needed, Row, any_text, cell_text, read_table, table_rows


def _rows(path: Path, text: str, *known: str) -> list[Row]:
    path.write_text(text, encoding="utf-8")
    with open_input(str(path)) as file:
        return list(read_table(file, str(path), Needed.of(*known) if known else None))


def test_three_formats(tmp_path: Path) -> None:
    expected = [(2, {"user": "ann", "mood": "calm, so so"}), (3, {"user": "bob", "mood": ""})]
    assert _rows(tmp_path / "a.csv", 'user,mood\nann,"calm, so so"\nbob,\n') == expected
    assert _rows(tmp_path / "a.TSV", "user\tmood\nann\tcalm, so so\nbob\t\n") == expected
    assert _rows(tmp_path / "a.jsonl", '{"user": 1}\n{"user": "bob"}\n') == [(1, {"user": 1}), (2, {"user": "bob"})]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("user,user\na,b\n", "a.csv: in the header: user is there twice"),
        ("user;mood\na;b\n", "a.csv: columns must be separated by commas; the header is user;mood"),
        ("ann,calm\nbob,calm\n", "a.csv: needs user and mood; found ann, calm"),
        ("ann,3.5\nbob,4\n", "a.csv: needs user and mood; found ann, 3.5; is this line a header?"),
        ("user,mood\nann\n", "a.csv:2: 1 cell, but the header has 2"),
    ],
)
def test_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PlainlyError) as refused:
        _rows(tmp_path / "a.csv", text, "user", "mood")
    assert complaint in str(refused.value)


def test_cells() -> None:
    assert [cell_text(value, "a:1", "id") for value in (None, 7, " a ")] == ["", "7", "a"]
    assert [any_text(value, "a:1", "id") for value in (None, 7, 0.5, True)] == ["", "7", "0.5", "true"]
    assert any_text(["é"], "a:1", "id") == '["é"]'
    for value in (0.5, True, []):
        with pytest.raises(PlainlyError, match="a:1: id must be text"):
            cell_text(value, "a:1", "id")
    with pytest.raises(PlainlyError, match="a:1: half a character in id"):
        any_text("\ud800", "a:1", "id")


def test_a_table_may_be_a_parquet_file_or_a_data_frame(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="pip install polars")
    pandas = pytest.importorskip("pandas", reason="pip install pandas")
    columns = {"user": ["ann", "bob"], "value": [1.5, None]}
    rows = [{"user": "ann", "value": 1.5}, {"user": "bob", "value": None}]
    polars.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
    for table in (tmp_path / "a.parquet", polars.DataFrame(columns), pandas.DataFrame(columns)):
        found = list(table_rows(table, Needed.of("user")))
        assert [row for _, row in found] == rows
        assert [place.row for place, _ in found] == [1, 2]
        with pytest.raises(PlainlyError, match="needs person; found user, value"):
            list(table_rows(table, Needed.of("person")))


MTURK = ["HITId", "WorkerId", "Input.id", "Input.system", "Answer.simplicity", "Answer.meaning"]
RATING = Needed({"rater": ("workerid",), "item": ("id",), "system": (), "scale": (), "value": ()}, nameable=True)


def test_columns_that_may_be_meant_are_named() -> None:
    error = RATING.lacking("ratings.csv", MTURK)
    assert error.place == Place("ratings.csv")
    assert worded(error) == (
        "ratings.csv: needs rater, item, system, scale and value; found HITId, WorkerId, Input.id, Input.system, "
        "Answer.simplicity, Answer.meaning; say --columns rater=WorkerId,item=Input.id,system=Input.system,"
        "simplicity=Answer.simplicity,meaning=Answer.meaning"
    )
    assert str(error).endswith('pass columns={"rater": "WorkerId", "item": "Input.id", "system": "Input.system", '
                               '"simplicity": "Answer.simplicity", "meaning": "Answer.meaning"}')  # fmt: skip


def test_what_is_there_is_not_guessed() -> None:
    found = RATING.lacking("r.csv", ["Rater", "System", "id", "score"]).remedies
    assert [remedy.value for remedy in found] == [(("item", "id"),)]
