"""Judgements, answers and annotations as people have them: other names of columns, patterns, several files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from plainly.comprehension.formats import read_answers
from plainly.ranking import read_judgements, read_texts

OURS = "first,second,winner,rater\na,b,a,x\nb,c,b,x\na,c,a,y\n"
THEIRS = "left,right,preferred,worker,first\na,b,a,x,1\nb,c,b,x,2\na,c,a,y,3\n"
NAMED = "first=left,second=right,winner=preferred,rater=worker"


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ours.csv").write_text(OURS)
    Path("theirs.csv").write_text(THEIRS)
    head, *rows = OURS.splitlines()
    for rater in "xy":
        Path(f"rater-{rater}.csv").write_text("\n".join([head, *(row for row in rows if row.endswith(rater))]) + "\n")


RATE = ["ranking", "rate", "--winner", "harder", "--format", "json", "--quiet"]


@each(
    "given",
    [
        ["ours.csv"],
        ["--judgements", "theirs.csv", "--columns", NAMED],
        ["theirs.csv", "--columns", NAMED.partition(",")[0], "--columns", NAMED.partition(",")[2]],
        ["--judgements", "rater-x.csv", "rater-y.csv"],
        ["--judgements", "rater-*.csv"],
        ["rater-[xy].csv"],
    ],
)
def test_each_is_the_same_ranking(given: list[str], plainly: Any) -> None:
    expected = plainly(*RATE, "--judgements", "ours.csv").json
    assert plainly(*RATE, *given).json == expected


def test_files_of_one_rater_by_a_pattern(plainly: Any) -> None:
    """RATER=PATTERN is one rater, whatever the rows' own files are."""
    for number, row in enumerate(("a,b,a", "b,c,b"), 1):
        Path(f"day{number}.csv").write_text(f"first,second,winner\n{row}\n")
    assert read_judgements(["ann=day1.csv", "ann=day2.csv"], "harder").raters == ("ann",)
    assert plainly(*RATE, "ann=day*.csv").json == plainly(*RATE, "ann=day1.csv", "ann=day2.csv").json


def test_what_is_said_works(plainly: Any) -> None:
    call = ["ranking", "rate", "theirs.csv", "--winner", "harder"]
    Path("theirs.csv").write_text(THEIRS.replace(",first", ",other"))
    refused = plainly(*call)
    assert refused.err.startswith(
        "plainly: theirs.csv: needs first, second and winner; found left, right, preferred,"
    )
    mapping = refused.err.strip().partition("; say ")[2].split()
    assert plainly(*call, *mapping).status == 0


@each(
    "given, said",
    [
        ([], "there are no judgements: give FILE or RATER=FILE"),
        (["nothing-*.csv"], "no file fits nothing-*.csv"),
        (["ours.csv", "--columns", "frist=a"], "unknown name of a column 'frist'; did you mean 'first'?"),
        (["ours.csv", "--columns", "text=a"], "--columns text is a column of --texts; give that, too"),
        (
            ["ours.csv", "--columns", "first=c"],
            "ours.csv: there is no column 'c'; found: first, second, winner, rater",
        ),
    ],
)
def test_complaints(given: list[str], said: str, plainly: Any) -> None:
    run = plainly("ranking", "rate", *given, "--winner", "harder")
    assert (run.status, said in run.err) == (2, True), run.err


def test_texts_with_other_names(plainly: Any) -> None:
    Path("texts.csv").write_text("key,sentence\na,A b.\nb,B c.\nc,C d.\n")
    named = ["--columns", "id=key,text=sentence"]
    assert plainly(*RATE, "ours.csv", "--texts", "texts.csv", *named).json == plainly(*RATE, "ours.csv").json


def test_data_frames_of_judgements_and_texts() -> None:
    rows = [{"left": "a", "right": "b", "preferred": "a"}]
    columns = {"first": "left", "second": "right", "winner": "preferred"}
    for table in (pytest.importorskip("pandas").DataFrame(rows), rows):
        (one,) = read_judgements(table, "harder", columns=columns).items
        assert (one.first, one.second, one.winner) == ("a", "b", "a")
    (text,) = read_texts(
        pytest.importorskip("pandas").DataFrame([{"id": 1, "sentence": "A b."}]), {"text": "sentence"}
    )
    assert (text.id, text.text) == ("1", "A b.")


def test_answers_with_other_names(plainly: Any) -> None:
    Path("answers.csv").write_text(
        "PROLIFIC_PID,passage,condition,question_id,response,rt\np1,t1,simple,q1,0,1200\np1,t1,simple,q2,,900\n"
    )
    columns = {"user": "PROLIFIC_PID", "pair": "passage", "text": "condition"}
    columns |= {"question": "question_id", "answer": "response", "time": "rt"}
    first, second = read_answers("answers.csv", columns)
    assert (first.participant, first.version, first.answer, first.seconds) == ("p1", "simple", 0, 1.2)
    assert second.answer is None
    refused = plainly("comprehension", "score", "answers.csv")
    assert "found PROLIFIC_PID, passage, condition, question_id, response, rt; say --columns" in refused.err


def test_ratings_and_annotations_by_patterns(plainly: Any) -> None:
    for rater in "ab":
        Path(f"r-{rater}.csv").write_text(f"rater,item,system,scale,value\n{rater},1,x,fluency,4\n")
    call = ["ratings", "score", "--format", "json"]
    assert plainly(*call, "r-*.csv").json["systems"] == plainly(*call, "r-a.csv", "r-b.csv").json["systems"]
    Path("tok").mkdir()
    Path("aln").mkdir()
    for number in "01":
        Path(f"aln/asset.simp.{number}.aln").write_text("0 1:0:synonym\n")
        Path(f"tok/asset.test.tok.simp.{number}").write_text("cat\n")
    Path("tok/asset.test.tok.orig").write_text("the feline\n")
    found = plainly("operations", "stats", "--annotations", "aln/*.aln", "--format", "json")
    assert found.status == 0, found.err
    assert "tokens of ASSETann are read from" in found.err
    given = ["--sources", "tok/asset.test.tok.orig"]
    given += [word for number in "01" for word in ("--targets", f"tok/asset.test.tok.simp.{number}")]
    assert plainly("operations", "stats", "--annotations", "aln/*.aln", *given, "--format", "json").json == found.json


def test_arts_as_released(shared: Path, plainly: Any) -> None:
    folder = shared / "data" / "arts"
    run = plainly("ranking", "rate", f"{folder}/histories/human/arts94_rater*.csv", "--format", "csv", "--quiet")
    # README of the data: 94 texts, each in 8 pairs that 16 people judged.
    assert run.out.count("\n") == 95
    assert {line.split(",")[8] for line in run.out.splitlines()[1:]} == {"128"}
