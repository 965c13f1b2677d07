"""Rows of people who were left out, in all four kinds of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainly.comprehension.formats import read_answers
from plainly.corpus.readers.left_out import is_left_out
from plainly.operations import read_jsonl
from plainly.ranking import read_judgements
from plainly.ratings.formats import read_ratings


def table(path: Path, *rows: str) -> str:
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return str(path)


def test_any_reason_leaves_out() -> None:
    assert all(map(is_left_out, ("failed checks", "yes", "1", 1, True, "x")))
    assert not any(map(is_left_out, (None, "", " ", "no", "No", "0", 0, "false", False)))


def test_every_kind_of_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    judged = table(
        tmp_path / "j.csv",
        "first,second,winner,question,rater,left_out",
        "a,b,a,harder,P001,",
        "a,b,b,harder,P002,too quick",
    )
    judgements = read_judgements([judged])
    assert (judgements.raters, judgements.items[0].groups) == (("P001",), {})
    rated = table(
        tmp_path / "r.csv",
        "rater,item,system,scale,value,left_out",
        "P001,i,s,fluency,3,",
        "P002,i,s,fluency,5,too quick",
    )
    assert [entry.rater for entry in read_ratings([rated]).entries] == ["P001"]
    answered = table(
        tmp_path / "a.csv",
        "left_out,user,pair,text,question,answer,time",
        ",P001,p,complex,q,1,2000",
        "too quick,P002,p,complex,q,0,2000",
    )
    assert [(one.participant, one.fields) for one in read_answers(answered)] == [("P001", {})]
    pair = {"id": "a", "source": ["A"], "target": ["B"], "groups": [], "annotator": "P001", "origin": "x"}
    lines = (json.dumps(one) for one in (pair, {**pair, "annotator": "P002", "left_out": "too quick"}))
    assert [one.annotator for one in read_jsonl(table(tmp_path / "o.jsonl", *lines))] == ["P001"]
    said = [record.message for record in caplog.records]
    assert len(said) == 4
    assert said[0].endswith("j.csv: 1 row of people who were left out; they do not count")
