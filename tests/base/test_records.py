"""Rows that go to files: what is left out, what is quoted, and that streams and files get the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.records import as_text, csv_rows, write_csv, write_records

RECORDS = [{"id": "a", "value": 1.5}, {"id": "b", "value": None, "more": "x, y"}, {"id": "ü"}]
COLUMNS = ("id", "value", "more")


def test_csv_has_a_cell_for_what_is_left_out() -> None:
    found = as_text(lambda out: write_records(RECORDS, COLUMNS, out))
    assert found == 'id,value,more\na,1.5,\nb,,"x, y"\nü,,\n'


def test_jsonl_by_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write_records(RECORDS, COLUMNS, path)
    lines = ['{"id": "a", "value": 1.5}', '{"id": "b", "value": null, "more": "x, y"}', '{"id": "ü"}']
    assert path.read_text("utf-8").splitlines() == lines


def test_a_file_has_what_a_stream_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.csv"
    write_records(RECORDS, COLUMNS, str(path))
    write_records(RECORDS, COLUMNS, None)
    stream = as_text(lambda out: write_records(RECORDS, COLUMNS, out))
    assert path.read_bytes().decode("utf-8") == capsys.readouterr().out == stream


def test_a_carriage_return_quotes_all() -> None:
    assert as_text(lambda out: write_csv(["a", "b"], [["x\ry", 1]], out)) == '"a","b"\n"x\ry","1"\n'
    assert as_text(lambda out: write_csv(["a", "b"], [["x\ny", 1]], out)) == 'a,b\n"x\ny",1\n'


def test_rows_as_they_come() -> None:
    assert as_text(lambda out: [csv_rows(out)(row) for row in (["a"], ["x,y"])]) == 'a\n"x,y"\n'
