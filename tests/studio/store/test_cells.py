"""No spreadsheet runs what participants wrote, and the command line reads it as it was written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.corpus.readers.files import open_input
from plainly.corpus.readers.rows import read_table
from plainly.tables import as_written, safe

odd = st.text(st.sampled_from("'=+-@\t\r\n,\"a1.é"), max_size=8)


@pytest.mark.parametrize("text", ["=1+1", "+a", "-a", "@SUM(A1)", "\t=1", "\r=1", "-2+3", "--5", "'=1", "-"])
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "1", "-1", "+1.5", "-3,25", "a=b", "'tis", "'", "'5", "2-1"])
def test_all_else_stays(text: str) -> None:
    assert safe(text) == text == as_written(text)


@given(odd)
def test_every_text_comes_back(text: str) -> None:
    assert as_written(safe(text)) == text
    assert safe(text)[:1] not in ("=", "@", "\t", "\r")


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
