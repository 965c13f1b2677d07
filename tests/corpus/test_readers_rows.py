"""Rows with columns of any names, the same from CSV, TSV and JSONL."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import open_input
from plainly.corpus.readers.rows import Row, any_text, cell_text, read_table


def _rows(path: Path, text: str, *known: str) -> list[Row]:
    path.write_text(text, encoding="utf-8")
    with open_input(str(path)) as file:
        return list(read_table(file, str(path), known))


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
        ("ann,calm\nbob,calm\n", "a.csv: no header: the first line must name the columns, as user, mood"),
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
