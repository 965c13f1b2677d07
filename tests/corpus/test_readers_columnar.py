"""Ranges of rows of Parquet files, read column by column; the records of the same file are the oracle."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate
from plainly.corpus.readers import Inputs, read_corpus
from plainly.corpus.readers.columnar import Odd, corpus_of
from plainly.corpus.readers.parquet import Described, columns_of, describe, read_rows
from plainly.corpus.readers.records import Rules

from ..cases import each

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

RULES = Rules("en", "error")
TEXTS = ["One text.", "two\u2028lines", "\U0001f600 café", "tab\there", "\x1b[0m \x7f \ufeff"]


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(columns: dict[str, Any], **more: Any) -> None:
    pq.write_table(pa.table(columns), "data.parquet", **more)


def rows(start: int, stop: int, systems: tuple[str, ...] = ("output",), has_ids: bool = False, **more: Any) -> Corpus:
    return concatenate(list(read_rows("data.parquet", start, stop, RULES, systems, has_ids, **more)))


def not_utf_8() -> Any:
    offsets, data = pa.py_buffer(b"\0\0\0\0\1\0\0\0\3\0\0\0"), pa.py_buffer(b"sa\xff")
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])


PLAIN: dict[str, dict[str, Any]] = {
    "all": {
        "id": range(5),
        "source": TEXTS,
        "reference.1": TEXTS[::-1],
        "reference.0": TEXTS,
        "output.a": TEXTS,
        "output.b": ["", " ", None, *TEXTS[3:]],
        "document": ["d", "d", None, "e", "e"],
        "lang": ["en", None, "en", "en", None],
        "year": [2001, None, 3, 4, 5],
        "when": [datetime(2020, 1, 2, tzinfo=timezone.utc)] * 5,
        "tags": [["x"], [], None, ["y", "z"], ["x"]],
    },
    "lists": {"source": TEXTS, "references": [["r", None, "q"], None, [], ["r"], TEXTS], "output": TEXTS},
    "large": {
        "source": pa.array(TEXTS, pa.large_string()),
        "references": pa.array([TEXTS] * 5, pa.large_list(pa.string())),
    },
    "nulls": {"source": [None, "s"], "reference": ["r", None], "output": pa.nulls(2)},
    "no sources": {"output": TEXTS},
    "no outputs": {"source": TEXTS, "id": ["", "b", "c", "d", "e"]},
    "dictionary": {"source": pa.array(TEXTS).dictionary_encode(), "output": TEXTS},
    "numbers": {"source": TEXTS, "id": pa.array(range(5), pa.uint64()), "document": [7, 7, None, 8, 8]},
    "a dot in the name of a system": {"source": TEXTS, "output": TEXTS, "output.a.b": TEXTS, "output_c": TEXTS},
}
ODD: dict[str, dict[str, Any]] = {
    "outputs by name": {"source": TEXTS[:2], "outputs": [{"a": "a1", "b": None}, {"a": "", "b": "b2"}]},
    "map": {"outputs": pa.array([[("a", "1")], None, [("b", "2")]], pa.map_(pa.string(), pa.string()))},
    "map with a system twice": {"outputs": pa.array([[("a", "1"), ("a", "2")]], pa.map_(pa.string(), pa.string()))},
    "blank source": {"source": ["s", " \u3000"], "output": ["o", "o"]},
    "empty source": {"source": ["s", None, ""]},
    "NUL": {"source": ["s", "a\0b"]},
    "NUL in an id": {"source": ["s", "t"], "id": ["a", "\0"]},
    "NUL in a reference": {"references": [["r"], ["r", "\0"]]},
    "long": {"source": ["s", "x" * 1_000_001]},
    "not UTF-8": {"source": not_utf_8()},
    "not UTF-8 in metadata": {"source": ["s", "t"], "note": not_utf_8()},
    "a time too far": {"source": ["s"], "when": pa.array([2**62], pa.timestamp("us"))},
    "numbers for texts": {"source": [None, 7]},
    "bytes": {"source": [b"s"]},
    "truth": {"source": ["s"], "id": [True]},
    "half numbers": {"source": ["s"], "document": [1.5]},
    "blank reference": {"reference.0": ["r", "r"], "reference.1": [None, " "]},
    "blank reference in a list": {"references": [["r"], ["r", ""]]},
    "numbers in a list": {"references": [[1]]},
    "no list": {"references": [{"a": 1}]},
    "another language": {"source": ["s", "t"], "lang": ["en", "de"]},
    "an id is missing": {"source": ["s", "t"], "id": ["a", None]},
    "an id too many": {"source": ["s", "t"], "id": [None, 1]},
}


def outcome(read: Any) -> Any:
    try:
        corpus = read()
    except PlainlyError as error:
        return str(error)
    return {
        "sources": list(corpus.sources),
        "references": [tuple(group) for group in corpus.references],
        "outputs": {system: list(texts) for system, texts in corpus.outputs.items()},
        "ids": corpus.ids,
        "documents": corpus.documents,
        "metadata": corpus.metadata,
        "lang": corpus.lang,
    }


@pytest.mark.parametrize("empty", ["error", "missing", "keep"])
@pytest.mark.parametrize("kind", [*PLAIN, *ODD])
def test_same_as_records(kind: str, empty: str) -> None:
    columns = PLAIN.get(kind) or ODD[kind]
    write(columns, row_group_size=2)
    found = describe("data.parquet")
    expected = outcome(lambda: read_corpus(Inputs(data="data.parquet", empty_reference=empty)))
    first = outcome(lambda: read_corpus(Inputs(data="data.parquet", empty_reference="keep")))
    # What the first records say; where they cannot be read, what the columns say.
    systems = ("output",) if isinstance(first, str) else tuple(first["outputs"])
    has_ids = columns.get("id", [None])[0] is not None
    chunks = read_rows("data.parquet", 0, found.rows, Rules("en", empty), systems, has_ids)
    assert outcome(lambda: concatenate(list(chunks))) == expected


@pytest.mark.parametrize("kind", PLAIN)
def test_plain_rows_are_not_looked_at_one_by_one(kind: str) -> None:
    (batch,) = pa.table(PLAIN[kind]).to_batches()
    assert len(corpus_of(columns_of(batch), RULES, (), has_ids="id" in PLAIN[kind])) == batch.num_rows


@each("kind", ODD)
def test_odd_rows_are(kind: str) -> None:
    (batch,) = pa.table(ODD[kind]).to_batches()
    with pytest.raises(Odd):
        corpus_of(columns_of(batch), RULES, (), has_ids="id" in ODD[kind])


def test_description() -> None:
    write({"source": ["s"] * 5, "references": [["r"]] * 5}, row_group_size=2)
    kinds = {"source": "string", "references": "list<element: string>"}
    assert describe("data.parquet") == Described(5, kinds, (2, 2, 1))


@pytest.mark.parametrize("group", [700, 2048, 5000, 20_000])
def test_ranges(group: int) -> None:
    texts = [f"text {number}" for number in range(10_000)]
    write({"source": texts, "output": texts[::-1]}, row_group_size=group)
    # In order, out of order, backwards, across row groups, and to the end.
    for start, stop in [(0, 1), (1, 3000), (3000, 3001), (6000, 9999), (4990, 5010), (0, 10_000), (9_990, 10_000)]:
        assert rows(start, stop).sources == texts[start:stop]
        assert rows(start, stop).outputs["output"] == texts[::-1][start:stop]


def test_rows_that_are_not_there() -> None:
    write({"source": ["s"] * 10})
    with pytest.raises(PlainlyError, match=r"data\.parquet: it has 10 rows now, so there is no row 12"):
        rows(5, 12)


def test_of_another_file_than_was_planned_nothing_is_read() -> None:
    write({"source": ["s"] * 10})
    facts = places.size_and_time("data.parquet")
    assert len(rows(0, 10, unchanged=facts)) == 10
    with pytest.raises(PlainlyError, match=r"data\.parquet: it has changed since the run began"):
        rows(0, 10, unchanged=(facts[0], facts[1] + "0"))


def test_a_range_goes_on_where_the_last_one_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"source": ["s"] * 10_000})
    begun = []
    real = pq.ParquetFile.iter_batches

    def noted(*arguments: Any, **settings: Any) -> Any:
        begun.append(settings["row_groups"])
        return real(*arguments, **settings)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", noted)
    for start in range(0, 10_000, 1000):
        assert len(rows(start, start + 1000)) == 1000
    assert begun == [[0]]


def test_a_file_that_changed_is_read_anew() -> None:
    write({"source": ["old"] * 10})
    assert rows(0, 5).sources == ["old"] * 5
    write({"source": ["other"] * 10})
    assert rows(5, 10).sources == ["other"] * 5


def test_only_what_is_needed_is_read() -> None:
    write({"source": ["s", "t"], "output.a": ["o", "p"], "output.b": [1, 2], "note": not_utf_8()})
    corpus = rows(0, 2, systems=("a",), metadata=False)
    assert corpus.outputs == {"a": ["o", "p"]}
    assert corpus.metadata is None


def test_bad_rows_keep_their_places() -> None:
    texts: list[Any] = [f"text {number}" for number in range(5000)]
    for bad in (0, 17, 18, 3000, 4999):
        texts[bad] = " "
    write({"source": texts, "output": ["o"] * 5000, "id": range(5000)}, row_group_size=1500)
    told: list[tuple[str, str]] = []
    corpus = rows(10, 5000, has_ids=True, leave_out=lambda _, place, why: told.append((place, why)))
    assert told == [(f"data.parquet: row {row}", "empty source") for row in (18, 19, 3001, 5000)]
    assert corpus.sources == [None if text == " " else text for text in texts[10:]]
    assert corpus.outputs["output"].count(None) == 4
    assert (corpus.ids or [])[:9] == ["10", "11", "12", "13", "14", "15", "16", "", ""]


def test_a_broken_row_group() -> None:
    texts = [f"{number:06} is the text" for number in range(9000)]
    write({"source": texts}, row_group_size=3000, compression="none", use_dictionary=False)
    with Path("data.parquet").open("r+b") as file:
        file.seek(pq.ParquetFile("data.parquet").metadata.row_group(1).column(0).data_page_offset)
        file.write(b"\xff" * 64)
    with pytest.raises(PlainlyError, match=r"^data\.parquet: rows 3001 to 6000: broken Parquet file: "):
        rows(0, 9000)
    told: list[tuple[str, str]] = []
    corpus = rows(1000, 8000, leave_out=lambda _, place, why: told.append((place, why)))
    assert [place for place, _ in told] == [f"data.parquet: row {row}" for row in range(3001, 6001)]
    assert {why.partition(": ")[0] for _, why in told} == {"broken Parquet file"}
    assert corpus.sources == [*texts[1000:3000], *[None] * 3000, *texts[6000:8000]]


def test_a_file_elsewhere() -> None:
    fsspec = pytest.importorskip("fsspec")
    write({"source": ["s", "t"], "output": ["o", "p"]})
    url = "memory://folder/data.parquet"
    fsspec.filesystem("memory").pipe("/folder/data.parquet", Path("data.parquet").read_bytes())
    assert describe(url).rows == 2
    (corpus,) = read_rows(url, 1, 2, RULES, ("output",), False)
    assert (corpus.sources, corpus.outputs) == (["t"], {"output": ["p"]})
    (corpus,) = read_rows(f"file://{Path('data.parquet').resolve()}", 1, 2, RULES, ("output",), False)
    assert corpus.sources == ["t"]
