"""What every result of a study can do."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module

import pytest

import plainly
from plainly.base.errors import MissingResource
from plainly.findings import Column, Findings, StudyResult, Table, plain
from plainly.findings.result import ROWS, WIDTH


def made(found: Counted, least: int = 0) -> Findings:
    """The findings of the result below: so many rows, and a table of one row."""
    rows = [[name, number] for number, name in enumerate(found.names) if number >= least]
    columns = [Column("name"), Column("number", "count")]
    return Findings(
        tables=[
            Table("few", plain("Which is first?"), columns, rows[:1]),
            Table("all", plain("Which?"), columns, rows),
        ],
        verdict=[plain("a is first"), plain("b is second"), plain("c is third")],
        data=found.data,
    )


@dataclass(frozen=True, repr=False)
class Counted(StudyResult, findings=f"{__name__}:made", usual="all"):
    """A result, as studies have them."""

    names: tuple[str, ...]


FOUND = Counted(("a", "b", "c", "d", "e" * 200, "f"))


def test_it_is_told_in_a_few_lines() -> None:
    lines = repr(FOUND).splitlines()
    assert lines[0] == "Counted: few, all"
    assert lines[1:3] == ["a is first", "b is second"]
    assert [line.split() for line in lines[3:]] == [
        *(["name", "number"], ["----", "------"], ["a", "0"], ["b", "1"], ["c", "2"], ["d", "3"]),
        ["...", "2", "more", "rows"],
    ]
    assert max(map(len, repr(Counted(("e" * 200,))).splitlines())) == WIDTH
    assert ROWS == 4
    assert str(FOUND) == repr(FOUND)


def test_the_usual_table_is_shown_unless_another_is_asked_for() -> None:
    assert FOUND.table("csv").splitlines()[1:3] == ["a,0", "b,1"]
    assert FOUND.table("csv", "few").splitlines() == ["name,number", "a,0"]
    assert FOUND.table("csv", least=4) == f"name,number\n{'e' * 200},4\nf,5\n"
    assert FOUND.findings(4).tables[0].rows == [["e" * 200, 4]]
    assert FOUND.to_frame()["number"].tolist() == [0, 1, 2, 3, 4, 5]
    assert FOUND.to_frame("few").to_dict("list") == {"name": ["a"], "number": [0]}
    assert "Which is first?" not in FOUND._repr_html_()
    assert "Which is first?" in FOUND.table("table", "few", "all")


def test_it_becomes_plain_data() -> None:
    assert FOUND.to_dict() == {"plainly": plainly.__version__, "names": list(FOUND.names)}


def test_a_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # as where it is not installed
    with pytest.raises(MissingResource, match=r"pip install 'plainly\[frames\]'"):
        FOUND.to_frame()


def test_no_result_goes_its_own_way() -> None:
    for name in plainly.__all__:
        getattr(plainly, name)
    results = [kind for kind in StudyResult.__subclasses__() if kind is not Counted]
    assert len(results) > 20
    for kind in results:
        assert kind.__repr__ is StudyResult.__repr__, f"{kind} has a repr of its own: say repr=False"
        assert kind.to_dict is StudyResult.to_dict
        module, _, name = getattr(kind, "_made_by", "").partition(":")
        assert kind.findings is not StudyResult.findings or callable(getattr(import_module(module), name))
