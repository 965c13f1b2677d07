"""`plainly ranking rate`: the same ratings in every format, studies of methods and raters, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.ranking import rate, read_judgements

HEADER = "first,second,winner,rater,seconds,level\n"
TEXTS = "abcdef"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Four raters judge all pairs of six texts: the later letter wins. Dan errs in every fourth match."""
    rows = []
    for rater, level in {"ann": "B2", "ben": "C1", "cem": "C1", "dan": "B2"}.items():
        pairs = [(a, b) for a in TEXTS for b in TEXTS if a < b]
        for number, (a, b) in enumerate(pairs):
            winner = a if rater == "dan" and number % 4 == 0 else b
            rows.append(f"{a},{b},{winner},{rater},{5 + number % 3},{level}\n")
    (tmp_path / "j.csv").write_text(HEADER + "".join(rows))
    (tmp_path / "t.csv").write_text("id,text\n" + "".join(f"{letter},Text {letter} is here.\n" for letter in TEXTS))
    return ["--judgements", "j.csv", "--winner", "harder", "--resamples", "50"]


def test_an_entry_of_the_catalogue_is_not_one_study(plainly: Any) -> None:
    """Its files are judgements by people and by models; all of them at once would be a study of nothing."""
    refusal = plainly("ranking", "rate", "arts94").refusal
    assert refusal.startswith("arts94 is an entry of the catalogue, not a file: it has 24 files of judgements")
    assert "arts94_rater01.csv (plainly data show arts94 lists them)" in refusal
    Path("arts94").write_text("first,second,winner\na,b,a\n")
    assert "catalogue" not in plainly("ranking", "rate", "arts94").refusal


def test_json_is_the_study(plainly: Any, files: list[str]) -> None:
    content = plainly("ranking", "rate", *files, "--format", "json").json
    assert content == rate(read_judgements("j.csv", "harder"), resamples=50).to_dict()


def test_table_says_what_the_numbers_are(plainly: Any, files: list[str]) -> None:
    out = plainly("ranking", "rate", *files).printed
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["text", "rating", "rank"]
    assert [line.split()[0] for line in lines[2:8]] == list(TEXTS)
    assert "rank 1 is the easiest text: winning means to be harder" in out
    assert "all 6 texts are connected by comparisons" in out
    assert lines[-1].startswith("bradley-terry|winner:harder|")


def test_csv_carries_the_signature(plainly: Any, files: list[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("ranking", "rate", *files, "--format", "csv").printed)))
    assert [row["text"] for row in rows] == list(TEXTS)
    assert {row["signature"] for row in rows} == {rate(read_judgements("j.csv", "harder"), resamples=50).signature}


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_formats_end_in_the_signature(plainly: Any, files: list[str], form: str) -> None:
    printed = plainly("ranking", "rate", *files, "--format", form).printed
    assert "bradley-terry|winner:harder" in printed.splitlines()[-1]


def test_settings_of_a_method(plainly: Any, files: list[str]) -> None:
    options = ["--method", "elo", "--k", "32", "--start", "0", "--uncertainty", "none", "--scale", "min-max"]
    found = plainly("ranking", "rate", *files, *options, "--format", "json").json
    expected = rate(
        read_judgements("j.csv", "harder"), "elo", k=32.0, start=0.0, interval="none", scale="min-max", resamples=50
    )
    assert found["texts"] == expected.to_dict()["texts"]
    assert "elo|winner:harder|k:32|start:0|" in found["signature"]


def test_side_term_is_printed(plainly: Any, files: list[str]) -> None:
    assert "to be shown first helps by -" in plainly("ranking", "rate", *files, "--position").printed


def test_texts_are_shown(plainly: Any, files: list[str]) -> None:
    assert "Text a is here." in plainly("ranking", "rate", *files, "--texts", "t.csv").printed


def test_written_to_a_file(plainly: Any, files: list[str], tmp_path: Path) -> None:
    out = plainly("ranking", "rate", *files).printed
    plainly("ranking", "rate", *files, "-o", "r.txt")
    assert (tmp_path / "r.txt").read_text() == out


def test_cross_validation(plainly: Any, files: list[str]) -> None:
    options = ["--cross-validate", "--method", "elo,bradley-terry", "--folds", "3"]
    out = plainly("ranking", "rate", *files, *options).printed
    assert "bradley-terry minus elo: accuracy" in out
    assert "60 judgements of 15 pairs in 3 folds, 1 times" in out
    content = plainly("ranking", "rate", *files, *options, "--repeats", "2", "--format", "json").json
    assert [row["method"] for row in content["methods"]] == ["elo", "bradley-terry"]
    assert content["methods"][1]["repeats"] == 2
    assert 0.5 < content["methods"][1]["accuracy"]["value"] <= 1


def test_fewer_raters(plainly: Any, files: list[str]) -> None:
    options = ["--fewer-raters", "1,3", "--method", "elo:majority,bradley-terry", "--ties", "first", "--draws", "4"]
    rows = plainly("ranking", "rate", *files, *options, "--format", "json").json["rows"]
    assert [(row["raters"], row["way"]) for row in rows] == [
        (1, "elo:majority"),
        (1, "bradley-terry"),
        (3, "elo:majority"),
        (3, "bradley-terry"),
    ]
    against = plainly("ranking", "rate", *files, *options, "--gold", "j.csv").printed
    assert "the yardstick" in against


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--method", "ello"], "unknown method of rating 'ello'; did you mean 'elo'"),
        (["--method", "elo,glicko"], "--method takes one method here"),
        (["--method", "elo,elo", "--cross-validate"], "--method names a method twice"),
        (["--method", ","], "--method names no method"),
        (["--k", "3"], "--k is no setting of bradley-terry"),
        (["--method", "glicko", "--position"], "--position is no setting of glicko"),
        (["--ties", "first"], "--ties is a rule of --votes majority"),
        (["--votes", "majority"], "say what to do with ties"),
        (["--cross-validate", "--fewer-raters", "1"], "are two studies"),
        (["--gold", "j.csv"], "--gold is the yardstick of --fewer-raters"),
        (["--fewer-raters", "one"], "--fewer-raters takes numbers"),
        (["--fewer-raters", "4"], "must lie between 1 and 3 here, not 4"),
        (["--fewer-raters", "2", "--method", "elo:most"], "--method takes NAME or NAME:majority here"),
        (["--texts", "none.csv"], "none.csv: no such file"),
        (["--judgements", "lone.csv"], "2 parts that no comparison connects: [a, b, c, d, e, ... 6 texts], [x, y]"),
    ],
)
def test_what_cannot_be_is_refused(
    plainly: Any, files: list[str], tmp_path: Path, options: list[str], complaint: str
) -> None:
    (tmp_path / "lone.csv").write_text(HEADER + "x,y,x,eve,3,B2\n")
    tied = (tmp_path / "j.csv").read_text() + "a,b,a,ann,5,B2\na,b,b,ben,5,B2\n"
    if "majority" in options:
        (tmp_path / "j.csv").write_text(tied)
    assert complaint in plainly("ranking", "rate", *files, *options).refusal


def test_disconnected_texts_are_rated_if_wished(plainly: Any, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "lone.csv").write_text(HEADER + "x,y,x,eve,3,B2\n")
    out = plainly("ranking", "rate", *files, "--judgements", "lone.csv", "--disconnected").printed
    assert "ranks across parts mean nothing" in out


def test_no_input_is_written_over(plainly: Any, files: list[str], tmp_path: Path) -> None:
    before = (tmp_path / "j.csv").read_text()
    for given in (files, ["--judgements", "ann=j.csv", *files[2:]]):
        assert "j.csv is an input of this run" in plainly("ranking", "rate", *given, "-o", "j.csv").refusal
    texts = plainly("ranking", "rate", *files, "--texts", "t.csv", "-o", tmp_path / "t.csv").refusal
    assert "t.csv is an input of this run" in texts
    assert "is an input of this run" in plainly("ranking", "agreement", *files, "-o", "j.csv").refusal
    assert "is written as html" in plainly("ranking", "report", *files, "-o", "j.csv").refusal
    assert (tmp_path / "j.csv").read_text() == before
