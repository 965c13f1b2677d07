"""No spreadsheet runs what participants wrote, and the command line reads it as it was written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.records import as_written, safe
from plainly.corpus.readers.files import open_input
from plainly.corpus.readers.rows import read_table

from ...cases import each

odd = st.text(st.sampled_from("'=+-@\t\r\n,;\" a1.é＝"), max_size=10)
SIGNS = "=+-@＝＋－＠"


@each("text", ["=1+1", "+a", "-a", "@SUM(A1)", "-2+3", "--5", "'=1", "-", "＝1", "＋1", "－a", "＠a"])
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("x;=1+cmd|' /C calc'!A0", "x;'=1+cmd|' /C calc'!A0"),
        ('x;"=1', "x;'\"=1"),
        ("x;;'=1;@a", "x;;''=1;'@a"),
        ("one\n=1", "one\n'=1"),
        ("one\t-a", "one\t'-a"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        (" =1", "' =1"),
        ("a;b;\u3000＝1", "a;b;'\u3000＝1"),
    ],
)
def test_formulas_get_an_apostrophe_wherever_a_spreadsheet_may_cut(text: str, cell: str) -> None:
    assert safe(text) == cell
    assert as_written(cell) == text


@given(odd)
def test_a_spreadsheet_that_cuts_at_semicolons_finds_no_formula(text: str) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(["P001", safe(text), "end"])
    for line in out.getvalue().replace("\r", "\n").split("\n"):
        for place, part in enumerate(line.split(";")):
            cell = part.lstrip('" ')
            assert place == 0 or cell[:1] not in SIGNS or not cell, (line, part)
            assert not line.lstrip('" ').startswith(tuple(SIGNS)), line


@each("text", ["", "a", "1", "-1", "+1.5", "-3,25", "a=b", "'tis", "'", "'5", "2-1", "a; b", "a;b\nc", "x;1"])
def test_all_else_stays(text: str) -> None:
    assert safe(text) == text == as_written(text)


@given(odd)
def test_every_text_comes_back(text: str) -> None:
    assert as_written(safe(text)) == text
    assert safe(text)[:1] not in ("=", "@", "\t", "\r", "＝")


@given(st.lists(odd, min_size=1, max_size=4))
def test_every_table_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)  # else a carriage return stands bare
    writer.writerow(["id", "text"])
    writer.writerows([number, safe(text)] for number, text in enumerate(texts))
    path = Path(tmp_path_factory.mktemp("cells")) / "table.csv"
    path.write_text(out.getvalue(), "utf-8", newline="")
    with open_input(str(path)) as file:
        rows = list(read_table(file, str(path)))
    assert [row["text"] for _, row in rows] == texts
