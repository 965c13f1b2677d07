"""Ratings from files of any layout, joined to the texts."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metaeval.judged_set import JudgedSet, rated, rating_table
from plainly.metaeval.rated_texts import file_name, joined, read_judgements

CORPUS = Corpus(
    ["A hard text.", "Another text."],
    [["An easy text."], ["B."]],
    {"one": ["An easy text.", "B1."], "two": ["A2.", None]},
)


def read(tmp_path: Path, text: str, corpus: Corpus = CORPUS, **settings: object) -> JudgedSet:
    path = tmp_path / "r.csv"
    path.write_text(text)
    scales = settings.pop("scales", ())
    return joined(read_judgements([str(path)], scales), corpus, **settings)  # type: ignore[arg-type]


ROWS = (
    "segment,system,rater,dimension,value\n0,one,ann,simplicity,4\n0,one,ben,simplicity,2\n1,one,ann,simplicity,1\n"
)


def test_one_row_an_output(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS)
    assert found.systems == ("one", "one")
    assert found.segments == ("0", "1")
    assert found.outputs == ("An easy text.", "B1.")
    assert found.sources == ("A hard text.", "Another text.")
    assert found.values["simplicity"].tolist() == [3, 1]
    np.testing.assert_array_equal(found.ratings["simplicity"], [[4, 2], [1, np.nan]])
    assert "nobody rated two" in [*map(str, found.notes)]
    assert "1 output of one is among its own references" in [*map(str, found.notes)]


def test_the_words_of_the_ratings_room(tmp_path: Path) -> None:
    other = ROWS.replace("segment", "item").replace("dimension", "scale")
    assert read(tmp_path, other).values["simplicity"].tolist() == [3, 1]


def test_case_and_blanks_in_the_header_do_not_count(tmp_path: Path) -> None:
    for header in ("Segment, System, Rater, Dimension, VALUE", "ITEM,system , rater,Scale,value"):
        other = ROWS.replace("segment,system,rater,dimension,value", header)
        assert read(tmp_path, other).values["simplicity"].tolist() == [3, 1]
    found = read(tmp_path, "segment, system, rater, Meaning\n0, two, ann, 4\n", scales=("meaning",))
    assert found.values["meaning"].tolist() == [4]


def test_messages_use_the_words_of_this_room(tmp_path: Path) -> None:
    wide = "segment,system,rater,fluency\n1,one,ann,5\n"
    with pytest.raises(
        PlainlyError, match=r"r\.csv:2: there is neither dimension nor value; there is .*pass scales="
    ):
        read(tmp_path, wide)
    with pytest.raises(PlainlyError, match=r"r\.csv:2: segment is empty"):
        read(tmp_path, ROWS.replace("\n0,", "\n,"))
    with pytest.raises(PlainlyError, match=r"r\.csv:2: dimension is missing; there is .*; did you mean dimensions\?"):
        read(tmp_path, ROWS.replace("dimension", "dimensions"))
    with pytest.raises(
        PlainlyError,
        match=r"needs rater, segment, system, dimension and value; found 0, .*; is this line a header",
    ):
        read(tmp_path, "0,one,ann,simplicity,4\n")


def test_whole_numbers_with_a_point(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS.replace("\n0,", "\n0.0,").replace("\n1,", "\n1.0,"))
    assert found.segments == ("0", "1")
    with pytest.raises(PlainlyError, match=r"there is no segment 1\.5; the texts have 0 to 1$"):
        read(tmp_path, ROWS.replace("\n1,", "\n1.5,"))


def test_empty_values_are_counted(tmp_path: Path) -> None:
    found = read(tmp_path, ROWS + "1,one,ben,simplicity,\n0,two,ben,simplicity,\n")
    assert "2 ratings without a value: left out" in [*map(str, found.notes)]
    assert not any("without a value" in note for note in map(str, read(tmp_path, ROWS).notes))


def test_one_column_a_dimension(tmp_path: Path) -> None:
    text = "segment,system,rater,fluency,meaning\n1,one,ann,5,\n0,two,ann,4,3\n"
    found = read(tmp_path, text, scales=("fluency", "meaning"))
    assert found.values["fluency"].tolist() == [5, 4]
    np.testing.assert_array_equal(found.values["meaning"], [np.nan, 3])


def test_jsonl_and_tsv(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"segment": 0, "system": "two", "rater": 1, "dimension": "d", "value": 2.5}\n')
    (tmp_path / "s.tsv").write_text("segment\tsystem\trater\tdimension\tvalue\n1\tone\t1\td\t3\n")
    paths = [str(tmp_path / "r.jsonl"), str(tmp_path / "s.tsv")]
    assert joined(read_judgements(paths), CORPUS).values["d"].tolist() == [2.5, 3]
    assert file_name(paths) == "r+s"


def test_segments_counted_from_1(tmp_path: Path) -> None:
    text = "segment,system,rater,dimension,value\n2,one,ann,d,4\n1,one,ann,d,2\n"
    with pytest.raises(
        PlainlyError, match=r"r\.csv:2: there is no segment 2; the texts have 0 to 1; if the ratings "
    ):
        read(tmp_path, text)
    found = read(tmp_path, text, first=1)
    assert found.outputs == ("B1.", "An easy text.")
    assert found.segments == ("2", "1")


def test_a_doubt_about_counting_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "segment,system,rater,dimension,value\n1,one,ann,d,4\n")
    assert any("the first segment is 1" in note for note in map(str, found.notes))


def test_ids_of_records(tmp_path: Path) -> None:
    corpus = Corpus(CORPUS.sources, CORPUS.references, CORPUS.outputs, ids=["x", "y"])
    found = read(tmp_path, ROWS.replace("\n0,", "\ny,").replace("\n1,", "\nx,"), corpus)
    assert found.segments == ("y", "x")
    assert found.outputs[0] == "B1."
    with pytest.raises(PlainlyError, match=r"r\.csv:2: there is no segment with the id 0 in the texts"):
        read(tmp_path, ROWS, corpus)


def test_outputs_of_one_source_text_are_one_cluster(tmp_path: Path) -> None:
    """Line files number every line, so only the texts say that two lines have one source."""
    corpus = Corpus(["The same.", "Another.", "The same."], [[]] * 3, {"one": ["A.", "B.", "C."]})
    rows = "".join(f"{i},one,ann,d,{i}\n" for i in range(3))
    found = read(tmp_path, f"segment,system,rater,dimension,value\n{rows}", corpus)
    assert found.segments == ("0", "1", "2")
    assert found.units[0] == found.units[2] != found.units[1]
    assert "sources that several segments have are drawn anew as wholes: 2 in place of 3 segments" in [
        *map(str, found.notes)
    ]
    without = Corpus([None] * 3, [[]] * 3, {"one": ["A.", "B.", "C."]})
    assert len(set(read(tmp_path, f"segment,system,rater,dimension,value\n{rows}", without).units)) == 3


def test_documents_are_clusters_and_metadata_are_fields(tmp_path: Path) -> None:
    corpus = Corpus(
        CORPUS.sources, CORPUS.references, CORPUS.outputs, documents=["d", "d"], metadata=[{"genre": "news"}, {}]
    )
    found = read(tmp_path, ROWS, corpus)
    assert found.segments == ("0", "1")  # as annotations name them
    assert len(set(found.units)) == 1
    assert "documents are drawn anew as wholes: 1 in place of 2 segments" in [*map(str, found.notes)]
    assert found.select([1]).units == found.units[1:]
    assert found.fields == {"genre": ("news", "")}


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("0,tow,ann,d,1", r"r\.csv:2: unknown system 'tow'; did you mean 'two'\?"),
        ("7,one,ann,d,1", r"r\.csv:2: there is no segment 7"),
        ("²,one,ann,d,1", r"r\.csv:2: there is no segment ²"),
        (f"{'9' * 6000},one,ann,d,1", r"r\.csv:2: there is no segment 999"),
        ("1,two,ann,d,1", r"r\.csv:2: two has no output for segment 1"),
        ("0,one,ann,d,much", r"r\.csv:2: value must be a number, not much"),
        ("0,one,,d,1", r"r\.csv:2: rater is empty"),
        ("0,one,ann,d,", "no rating counts"),
        ("0,one,ann,d,1\n00,one,ann,d,2", r"r\.csv:3: rater ann rated d of this output before, at .*r\.csv:2"),
    ],
)
def test_what_is_refused(tmp_path: Path, row: str, complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint):
        read(tmp_path, f"segment,system,rater,dimension,value\n{row}\n")


def test_attention_checks_are_no_outputs(tmp_path: Path) -> None:
    text = (
        ROWS.replace("value\n", "value,role\n").replace("4\n", "4,\n").replace("2\n", "2,\n").replace(",1\n", ",1,\n")
    )
    found = read(tmp_path, text + "k9,check,ann,simplicity,1,check\n")
    assert len(found) == 2


def test_z_scores_of_each_rater(tmp_path: Path) -> None:
    text = "segment,system,rater,dimension,value\n0,one,ann,d,4\n1,one,ann,d,2\n0,one,ben,d,5\n1,one,ben,d,5\n"
    found = read(tmp_path, text, values="z")
    assert found.values["d"].tolist() == [1, -1]  # of ann alone
    assert found.scale["d"] == "z"
    assert "1 rater of d always gave the same value: no z-scores" in [*map(str, found.notes)]
    assert "left out of d, as they have no z-scores: the ratings of ben" in [*map(str, found.notes)]


@pytest.mark.parametrize("values", ["raw", "z"])
def test_thousands_of_raters_need_no_table(values: str) -> None:
    # 20,000 outputs with two raters each who rated one other: 400 million cells, 3.2 GB.
    size = 20_000
    entries = [(row, f"{side} {row // 2}", float(row % 2)) for row in range(size) for side in ("left", "right")]
    tracemalloc.start()
    means, tables, notes = rated({"d": entries}, size, values)  # type: ignore[arg-type]
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 100_000_000
    assert means["d"][:4].tolist() == ([0, 1, 0, 1] if values == "raw" else [-1, 1, -1, 1])
    assert not tables
    assert "d has 20,000 raters of 20,000 outputs: too many to compare" in str(notes[0])
    with pytest.raises(PlainlyError, match="20,000 raters of 20,000 outputs are too many for a table"):
        rating_table(entries, size)


def test_standard_input_cannot_be_read_twice() -> None:
    with pytest.raises(PlainlyError, match="not from standard input"):
        read_judgements(["-"])
