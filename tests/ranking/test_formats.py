"""Judgements and texts in files: what is read, what is refused with its row, and what comes back as written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.ranking import Judgement, Judgements, read_judgements, read_texts, write_judgements

OWN = """first,second,winner,rater,time,seconds,question,level
a,b,a,ann,2024-05-31T09:45:10+02:00,3.5,harder,B2
b,c,tie,ann,2024-05-31T07:45:20Z,,harder,B2
"""
HISTORY = """seq,match_id,first_id,second_id,winner_id,easier_id,time
1,0,57,51,57,51,09:45:36
0,1,45,69,69,45,09:45:10
2,2,29,93,93,29,11:00:00
"""


def put(folder: Path, text: str, name: str = "j.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_own_format(tmp_path: Path) -> None:
    found = read_judgements(put(tmp_path, OWN))
    assert found.direction == "harder"
    first, second = found.items
    assert (first.first, first.second, first.winner, first.rater, first.seconds) == ("a", "b", "a", "ann", 3.5)
    assert (first.row, dict(first.groups)) == (2, {"level": "B2"})
    assert (second.winner, second.seconds, second.time) == (None, None, "2024-05-31T07:45:20Z")


def test_json_lines(tmp_path: Path) -> None:
    path = put(tmp_path, '{"first": 1, "second": 2, "winner": 2, "rater": "x", "age": 7.5}\n', "j.jsonl")
    (item,) = read_judgements(path, "easier").items
    assert (item.first, item.winner, item.row, dict(item.groups)) == ("1", "2", 1, {"age": "7.5"})


def test_history_of_arts_is_read_by_seq(tmp_path: Path) -> None:
    found = read_judgements(put(tmp_path, HISTORY, "rater01.csv"))
    assert found.direction == "harder"
    assert found.raters == ("rater01",)
    assert [item.match for item in found.items] == ["1", "0", "2"]
    assert [item.winner for item in found.items] == ["69", "57", "93"]
    # 26 seconds after the first; the third came after a break of more than ten minutes.
    assert [item.seconds for item in found.items] == [None, 26.0, None]


def test_rater_by_file(tmp_path: Path) -> None:
    path = put(tmp_path, "first,second,winner\na,b,a\n")
    assert read_judgements(f"ann={path}", "harder").raters == ("ann",)
    other = put(tmp_path, "first,second,winner\na,b,a\n", "other.csv")
    assert read_judgements([f"ann={path}", f"ben={other}"], "harder").raters == ("ann", "ben")
    assert read_judgements(path, "harder").raters == ("",)


def test_mixed_questions_answer_the_first(tmp_path: Path) -> None:
    path = put(tmp_path, "first,second,winner,question\na,b,a,harder\na,b,a,easier\n")
    assert [item.winner for item in read_judgements(path).items] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "j.csv is empty"),
        ("first,second,winner,question\n", "j.csv holds no judgements"),
        ("first,second\na,b\n", "j.csv:2: winner is missing"),
        ("first,second,winner\na,b,a\n", "j.csv:2: does the harder or the easier text win?"),
        ("first,second,winner,question\na,b,c,harder\n", "j.csv:2: the winner c is neither a nor b"),
        ("first,second,winner,question\na,b,a,harder\na,a,a,harder\n", "j.csv:3: text a is compared with itself"),
        ("first,second,winner,question\na,b,,harder\n", "j.csv:2: winner is empty"),
        (
            "first,second,winner,question\na,b,a,better\n",
            "j.csv:2: question must be harder, easier, or more or less of something",
        ),
        ("first,second,winner,question\ntie,b,b,harder\n", "j.csv:2: 'tie' cannot be the id of a text"),
        ("first,second,winner,question,time\na,b,a,harder,noon\n", "j.csv:2: time must be like 2024"),
        ("first,second,winner,question,time\na,b,a,harder,2024-05-31T09:45:10\n", "j.csv:2: the time 2024-05-31"),
        ("first,second,winner,question,seconds\na,b,a,harder,-3\n", "j.csv:2: seconds must be a number"),
        ("first,second,winner,question,seconds\na,b,a,harder,inf\n", "j.csv:2: seconds must be a number"),
        ("first,second,winner,question,seconds\na,b,a,harder,soon\n", "j.csv:2: seconds must be a number"),
        ("first,second,winner,question\na,b,a\n", "j.csv:2: 3 cells, but the header has 4"),
        ("first,first,winner\na,b,a\n", "j.csv: in the header: first is there twice"),
        (
            "first;second;winner\na;b;a\n",
            "j.csv: columns must be separated by commas; the header is first;second;winner",
        ),
        ("first\tsecond\twinner\na\tb\ta\n", "j.csv: columns must be separated by commas"),
        ("a,b,a\nb,c,b\n", "j.csv: needs first, second and winner; found a, b, a"),
        (HISTORY.replace("0,1,45", "1,1,45"), "j.csv:3: seq 1 is there twice"),
        (HISTORY.replace("0,1,45", "x,1,45"), "j.csv:3: seq must be a whole number, not x"),
        (HISTORY.replace("09:45:10", "25:00:00"), "j.csv:3: time must be like 09:45:10"),
        (HISTORY.replace("69,69", "69,70"), "j.csv:3: the winner 70 is neither 45 nor 69"),
    ],
)
def test_faults_name_the_row(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PlainlyError) as error:
        read_judgements(put(tmp_path, text))
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_winner_must_not_contradict_the_file(tmp_path: Path) -> None:
    with pytest.raises(
        PlainlyError, match=r"j.csv:2: the question is which text is harder, but the winner is said to be easier"
    ):
        read_judgements(put(tmp_path, OWN), "easier")


def test_unknown_text(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match=r"j.csv:3: text c is not among the texts"):
        read_judgements(put(tmp_path, OWN), texts=["a", "b"])


def test_half_a_character(tmp_path: Path) -> None:
    path = put(tmp_path, '{"first": "\\ud800", "second": "b", "winner": "b"}\n', "j.jsonl")
    with pytest.raises(PlainlyError, match="half a character in first"):
        read_judgements(path, "harder")


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_written_and_read_again(tmp_path: Path, name: str) -> None:
    found = read_judgements(put(tmp_path, OWN))
    write_judgements(found, tmp_path / name)
    again = read_judgements(tmp_path / name)
    assert again.direction == found.direction
    assert [facts(item) for item in again.items] == [facts(item) for item in found.items]


IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).map(str.strip)


@given(ids=st.lists(IDS.filter(lambda text: text not in ("", "tie")), min_size=2, max_size=2, unique=True))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_any_ids_come_back(tmp_path: Path, name: str, ids: list[str]) -> None:
    items = [Judgement(ids[0], ids[1], ids[1], "r"), Judgement(ids[1], ids[0], None, "r", seconds=0.1)]
    write_judgements(Judgements.of(items, "easier"), tmp_path / name)
    again = read_judgements(tmp_path / name)
    assert [facts(item) for item in again.items] == [facts(item) for item in items]


def facts(item: Judgement) -> tuple[object, ...]:
    return item.first, item.second, item.winner, item.rater, item.time, item.seconds, dict(item.groups)


def test_texts(tmp_path: Path) -> None:
    path = put(tmp_path, '{"text_id": 0, "text": "A cat.", "label": "src"}\n{"id": "b", "text": "No."}\n', "t.jsonl")
    texts = read_texts(path)
    assert [(text.id, text.text, dict(text.fields)) for text in texts] == [
        ("0", "A cat.", {"label": "src"}),
        ("b", "No.", {}),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("id,text\na,One.\na,Two.\n", "t.csv:3: text a is there twice"),
        ("id,text\na,\n", "t.csv:2: text a is empty"),
        ("id,words\na,One.\n", "t.csv:2: text is missing"),
        ("name,text\na,One.\n", "t.csv:2: id is missing"),
        ("id,text\n,One.\n", "t.csv:2: id is empty"),
        ("id;text\na;One.\n", "t.csv: columns must be separated by commas"),
        ("a,One.\nb,Two.\n", "t.csv: needs id and text; found a, One."),
    ],
)
def test_faulty_texts(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PlainlyError) as error:
        read_texts(put(tmp_path, text, "t.csv"))
    assert complaint in str(error.value)


def test_the_same_file_twice(tmp_path: Path) -> None:
    path = put(tmp_path, "first,second,winner,question\na,b,a,harder\n")
    for again in (path, f"ben={path}", tmp_path / "." / "j.csv"):
        with pytest.raises(PlainlyError, match="is given twice; its judgements would count twice"):
            read_judgements([str(path), str(again)])
