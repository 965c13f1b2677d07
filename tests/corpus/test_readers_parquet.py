"""Records as Parquet files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs, read, read_corpus

from ..cases import each

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def corpus_of(columns: dict[str, Any], **more: Any) -> Corpus:
    pq.write_table(pa.table(columns), "data.parquet")
    return read_corpus(Inputs(data="data.parquet", **more))


def message(columns: dict[str, Any] | None = None) -> str:
    """What is said about these columns, or about the file that is there."""
    if columns is not None:
        pq.write_table(pa.table(columns), "data.parquet")
    with pytest.raises(PlainlyError) as caught:
        read_corpus(Inputs(data="data.parquet"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nested_columns() -> None:
    corpus = corpus_of(
        {
            "id": [1, 2],
            "source": ["s1", None],
            "references": [["r1", None, "q1"], None],
            "outputs": [{"a": "a1", "b": None}, {"a": "", "b": "b2"}],
            "document": ["d", None],
            "year": [2020, 2021],
        }
    )
    assert corpus.ids == ["1", "2"]
    assert corpus.sources == ["s1", None]
    assert corpus.references == [("r1", "q1"), ()]
    assert corpus.outputs == {"a": ["a1", ""], "b": [None, "b2"]}
    assert corpus.documents == ["d", None]
    assert corpus.metadata == [{"year": 2020}, {"year": 2021}]


def test_map_of_outputs() -> None:
    kind = pa.map_(pa.string(), pa.string())
    corpus = corpus_of({"outputs": pa.array([[("a", "1")], None, [("b", "2"), ("a", None)]], kind)})
    assert corpus.outputs == {"a": ["1", None, None], "b": [None, None, "2"]}


def test_flat_columns() -> None:
    text = pa.array(["s1", "s2"], pa.large_string())
    corpus = corpus_of(
        {
            "source": text,
            "reference.0": text.dictionary_encode(),
            "reference.1": [None, "q"],
            "output.a": pa.nulls(2),
        }
    )
    assert corpus.references == [("s1",), ("s2", "q")]
    assert corpus.outputs == {"a": [None, None]}


@pytest.mark.parametrize("size", [1000, 2048, 10_000])
def test_chunks(size: int) -> None:
    texts = [f"text {number}" for number in range(5000)]
    pq.write_table(pa.table({"source": texts}), "data.parquet", row_group_size=700)
    chunks = list(read(Inputs(data="data.parquet"), size))
    assert [text for chunk in chunks for text in chunk.sources] == texts
    assert all(len(chunk) == size for chunk in chunks[:-1])


def test_stopping_early() -> None:
    pq.write_table(pa.table({"source": ["s"] * 5000}), "data.parquet")
    chunks = read(Inputs(data="data.parquet"), 10)
    assert len(next(chunks)) == 10
    chunks.close()  # type: ignore[attr-defined]


def test_line_file_beside_it() -> None:
    Path("b.txt").write_text("b1\nb2\n")
    corpus = corpus_of({"source": ["s1", "s2"]}, systems={"b": "b.txt"})
    assert corpus.outputs == {"b": ["b1", "b2"]}


def test_empty_reference() -> None:
    columns = {"references": [["r"], ["r", ""]]}
    assert message(columns).startswith("data.parquet: row 2: empty reference (references[1]); pass empty_reference=")
    assert corpus_of(columns, empty_reference="missing").references == [("r",), ("r",)]
    assert corpus_of(columns, empty_reference="keep").references == [("r",), ("r", "")]


@each(
    "columns, said",
    [
        ({"source": [None, 7]}, "data.parquet: row 2: source must be text, not a number"),
        ({"source": [b"s"]}, "data.parquet: row 1: source must be text, not bytes"),
        ({"reference.0": [1.5]}, "data.parquet: row 1: reference.0 must be text, not a number"),
        ({"references": [["r"], [None, "q"]], "output": [None, 1]}, "data.parquet: row 2: output must be text"),
        ({"references": [[1]]}, "data.parquet: row 1: references[0] must be text, not a number"),
        ({"outputs": ["o"]}, "data.parquet: row 1: outputs must be texts by system, not text"),
        ({"outputs": [{"a": 1}]}, "data.parquet: row 1: the output of 'a' must be text, not a number"),
        ({"source": ["s", " "]}, "data.parquet: row 2: empty source"),
        ({"source": ["s"], "lang": ["de"]}, "data.parquet: row 1: lang is 'de', but the run is in 'en'"),
        ({"text": ["s"]}, "data.parquet: among the columns: neither source nor reference nor output; found: text"),
        ({"source": pa.array([], pa.string())}, "data.parquet: there are no records"),
        (
            {"outputs": pa.array([[("a", "1"), ("a", "2")]], pa.map_(pa.string(), pa.string()))},
            "data.parquet: row 1: outputs name a system twice",
        ),
        (
            {"outputs": pa.array([[(1, "1")]], pa.map_(pa.int32(), pa.string()))},
            "data.parquet: row 1: the name of a system in outputs must be text, not 1",
        ),
    ],
)
def test_refused(columns: dict[str, Any], said: str) -> None:
    assert message(columns).startswith(said)


def test_row_number_in_a_later_batch() -> None:
    assert message({"source": ["s"] * 4999 + [""]}) == "data.parquet: row 5000: empty source"


def test_not_utf_8() -> None:
    offsets, data = pa.py_buffer(b"\0\0\0\0\1\0\0\0\3\0\0\0"), pa.py_buffer(b"sa\xff")
    assert message({"source": pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])}) == (
        "data.parquet: row 2: source is not UTF-8"
    )


def test_same_column_twice() -> None:
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["source", "source"])
    pq.write_table(table, "data.parquet")
    assert message() == "data.parquet: among the columns: 'source' is there twice"


class TestBadFiles:
    def test_missing(self) -> None:
        assert message() == "data.parquet: no such file"

    def test_empty(self) -> None:
        Path("data.parquet").touch()
        assert message() == "data.parquet is empty"

    def test_something_else(self) -> None:
        Path("data.parquet").write_text("source\ns\n")
        assert message() == "data.parquet is not a Parquet file"

    def test_cut_off(self) -> None:
        corpus_of({"source": ["s"] * 100})
        content = Path("data.parquet").read_bytes()
        Path("data.parquet").write_bytes(content[:-20])
        assert message().startswith("data.parquet: broken Parquet file: ")

    def test_damaged(self) -> None:
        """The footer is whole, the pages are not."""
        corpus_of({"source": [f"text {number}" for number in range(1000)]})
        content = bytearray(Path("data.parquet").read_bytes())
        content[4:2000] = b"\xff" * 1996
        Path("data.parquet").write_bytes(content)
        assert message().startswith("data.parquet: rows 1 to 1000: broken Parquet file: ")

    def test_damaged_column_name(self) -> None:
        corpus_of({"source": ["s"]})
        content = Path("data.parquet").read_bytes()
        Path("data.parquet").write_bytes(content.replace(b"source", b"sourc\xeb"))
        assert message().startswith("data.parquet: broken Parquet file: ")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus_of({"source": ["s"]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingResource, match=r"pip install pyarrow"):
        read_corpus(Inputs(data="data.parquet"))
