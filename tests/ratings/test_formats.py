"""Files of ratings: read, written, and refused with the row named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.ratings import Range, Rating, Ratings, gathered, read_ratings, write_ratings
from plainly.ratings.records import MOST

HEADER = "rater,item,system,scale,value,seconds,time,page,role,expected\n"


def put(folder: Path, text: str, name: str = "r.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column(tmp_path: Path) -> None:
    row = "ann,i1,check,fluency,2,3.5,2026-03-01T12:30:00Z,7,check,1..2\n"
    (entry,) = read_ratings(put(tmp_path, HEADER + row)).entries
    assert entry == Rating(
        rater="ann",
        item="i1",
        system="check",
        scale="fluency",
        value=2,
        seconds=3.5,
        time="2026-03-01T12:30:00Z",
        page="7",
        role="check",
        expected=Range(1, 2),
        row=2,
        file=entry.file,
    )
    assert entry.file.endswith("r.csv")


def test_one_row_an_output(tmp_path: Path) -> None:
    text = "WorkerId,id,sys,Answer.f,Answer.m\nw1,4,x,5,\nw2,4,x,3,2\n"
    found = read_ratings(
        put(tmp_path, text),
        scales=["Answer.f", "Answer.m"],
        columns={"rater": "WorkerId", "item": "id", "system": "sys"},
    )
    assert [(entry.rater, entry.scale, entry.value) for entry in found.entries] == [
        ("w1", "Answer.f", 5),
        ("w1", "Answer.m", None),
        ("w2", "Answer.f", 3),
        ("w2", "Answer.m", 2),
    ]


def test_jsonl_with_numbers(tmp_path: Path) -> None:
    text = '{"rater": 1, "item": 2, "system": "x", "scale": "s", "value": null}\n'
    text += '{"rater": 1, "item": 3, "system": "x", "scale": "s", "value": 4.5, "expected": 4, "role": "check"}\n'
    with pytest.raises(PlainlyError, match=r"r.jsonl:2: x has the role check, but output at .*r.jsonl:1"):
        read_ratings(put(tmp_path, text, "r.jsonl"))
    found = read_ratings(put(tmp_path, text.replace('3, "system": "x"', '3, "system": "y"'), "r.jsonl"))
    assert [(entry.item, entry.value, entry.expected) for entry in found.entries] == [
        ("2", None, None),
        ("3", 4.5, Range(4, 4)),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("ann,i1,x,s,five,,,,,", r"r.csv:2: value must be a number, not five"),
        ("ann,i1,x,s,nan,,,,,", r"r.csv:2: value must be a number, not nan"),
        ("ann,i1,x,s,1e300,,,,,", rf"r.csv:2: value must be a number of at most {MOST:,}, not 1e\+300"),
        (",i1,x,s,5,,,,,", r"r.csv:2: rater is empty"),
        ("ann,,x,s,5,,,,,", r"r.csv:2: item is empty"),
        ("ann,i1,,s,5,,,,,", r"r.csv:2: system is empty"),
        ("ann,i1,x,,5,,,,,", r"r.csv:2: scale is empty"),
        ("ann,i1,x,s,5,-1,,,,", r"r.csv:2: seconds must be 0 or more, not -1"),
        ("ann,i1,x,s,5,soon,,,,", r"r.csv:2: seconds must be a number, not soon"),
        ("ann,i1,x,s,5,,yesterday,,,", r"r.csv:2: time must be as 2026-03-01T12:30:00\+00:00, not yesterday"),
        ("ann,i1,x,s,5,,,,good,", r"r.csv:2: role must be output, reference or check, not good"),
        ("ann,i1,x,s,5,,,,check,2..1", r"r.csv:2: expected must be a number or a range as 4..5, not 2..1"),
        ("ann,i1,x,s,5,,,,,5", r"r.csv:2: only a check has an expected value; its role is output"),
        ("ann,i1,x,s,5,,,,,\nann,i1,x,s,4,,,,,", r"r.csv:3: rater ann rated s of this output before, at .*r.csv:2"),
        ("ann,i1,x,s,5,,,,,\nben,i1,x,s,4,,,,reference,", r"r.csv:3: x has the role reference, but output at"),
        ("ann,i1,x,s,9,,,,,", r"r.csv:2: s must be 1..5, not 9"),
        ("ann,i1,x,s,5,,,,", r"r.csv:2: 9 cells, but the header has 10"),
        ("", r"there are no ratings"),
    ],
)
def test_what_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        read_ratings(
            put(tmp_path, HEADER + rows + "\n" * bool(rows)), ranges={"s": Range(1, 5)} if "9" in rows else {}
        )


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match=r"r.csv:2: value is missing; there is rater, item, system, scale"):
        read_ratings(put(tmp_path, "rater,item,system,scale\na,b,c,d\n"))
    with pytest.raises(PlainlyError, match=r"r.csv:2: meaning is missing"):
        read_ratings(put(tmp_path, "rater,item,system,fluency\na,b,c,4\n"), scales=["fluency", "meaning"])
    with pytest.raises(PlainlyError, match=r"r.csv:2: checks with an expected value need one row a rating"):
        read_ratings(put(tmp_path, "rater,item,system,s,role,expected\na,b,c,4,check,5\n"), scales=["s"])
    with pytest.raises(
        PlainlyError,
        match=r"needs rater, item, system, scale and value; found ann, .*; is this line a header",
    ):
        read_ratings(put(tmp_path, "ann,i1,x,s,5\n"))
    with pytest.raises(PlainlyError, match="is given twice"):
        read_ratings([put(tmp_path, HEADER), put(tmp_path, HEADER)])


names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=8).filter(
    lambda text: text == text.strip() and bool(text)
)


@given(
    st.lists(
        st.builds(
            Rating,
            rater=names,
            item=names,
            system=names,
            scale=names,
            value=st.none() | st.integers(-5, 100).map(float) | st.floats(-100, 100).map(lambda x: round(x, 6) + 0.0),
            seconds=st.none() | st.floats(0, 1e4),
            page=st.just("") | names,
        ),
        min_size=1,
        max_size=6,
        unique_by=lambda row: (row.rater, row.item, row.system, row.scale),
    ),
    st.sampled_from(["r.csv", "r.jsonl"]),
)
def test_written_and_read_again(tmp_path_factory: pytest.TempPathFactory, rows: list[Rating], name: str) -> None:
    path = tmp_path_factory.mktemp("ratings") / name
    write_ratings(gathered(rows), path)
    found = read_ratings(path)
    plain = [Rating(**{**vars(row), "row": 0, "file": ""}) for row in found.entries]
    assert Ratings(tuple(plain)) == Ratings(tuple(rows))


def test_files_with_other_names(tmp_path: Path) -> None:
    """They have a header, but other names; with these named, they are read as they are."""
    path = put(tmp_path, "Worker,Input.id,Input.system,Answer.simplicity\nann,i1,x,4\nbob,i1,x,5\n")
    with pytest.raises(PlainlyError, match=r"needs rater, item, system, scale and value; found Worker") as error:
        read_ratings(path)
    (remedy,) = error.value.remedies
    assert isinstance(remedy.value, tuple)
    found = read_ratings(path, columns=dict(remedy.value)).entries
    assert [(e.rater, e.item, e.system, e.scale, e.value) for e in found] == [
        ("ann", "i1", "x", "simplicity", 4.0),
        ("bob", "i1", "x", "simplicity", 5.0),
    ]
