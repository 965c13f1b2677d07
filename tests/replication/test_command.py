"""`plainly replicate`: what it prints, which files it writes, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.replication import names

Write = Callable[[dict[str, str]], str]
FEW = ("--resamples", "20")


@pytest.fixture
def recipe(written: Write) -> str:
    return written({})


def test_the_list_names_tables_figures_and_what_they_need(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    assert main(["replicate", "--list", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["tables"]
    assert {row["paper"] for row in listed} == {*names()}
    table = next(row for row in listed if (row["paper"], row["table"]) == ("stodden-2024", "Table 9"))
    assert "deplain-web-test" in table["needs"]
    assert main(["replicate", recipe, "--list", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["table"] for row in rows] == ["Table 1", "Table 2", "Figure 1"]
    assert {row["data"] for row in rows} == {"here"}


def test_the_list_says_which_tables_can_be_had_in_part(
    capsys: pytest.CaptureFixture[str], written: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path / "none"))
    recipe = written({'{ system = "first-reference" }': '{ system = "identity", test_set = "deplain-apa-test" }'})
    assert main(["replicate", recipe, "--list", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["tables"]
    restricted = "not public: see plainly data show"
    assert [row["data"] for row in listed] == [f"here in part; the rest is {restricted}", "here", "here"]


def test_a_table_of_cells(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    assert main(["replicate", recipe, "--table", "1", *FEW]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Of 3 printed numbers, 0 come out here")
    assert "≠ 1" in out
    assert "1 cannot be had here" in out
    assert "Without a number here (1): model 'no/such-model'" in out  # of three cells one has a printed number
    assert main(["replicate", recipe, "--figure", "1", *FEW]) == 0
    assert "Without" not in capsys.readouterr().out


def test_a_reason_without_printed_numbers_has_no_count(capsys: pytest.CaptureFixture[str], written: Write) -> None:
    recipe = written({'"12.3", "0.5"]': '"12.3", ""]'})
    assert main(["replicate", recipe, "--table", "1", *FEW]) == 0
    assert "Without a number here: model 'no/such-model'" in capsys.readouterr().out


def test_tables_and_figures_are_called_as_in_the_list(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    for option, called in (("--table", "Table 1"), ("--table", "table  1"), ("--figure", "Figure 1")):
        assert main(["replicate", recipe, option, called, "--format", "csv", *FEW]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert {row["table"] for row in rows} == {called.capitalize().replace("  ", " ")}


def test_cells_for_programs(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    assert main(["replicate", recipe, "--table", "1", "--format", "csv", *FEW]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    first = rows[0]
    assert [first[name] for name in ("paper", "table", "row", "column", "printed", "status")] == [
        *("mine", "Table 1", "Mine", "BLEU", "1", "unexplained")
    ]
    assert float(first["difference"]) == pytest.approx(float(first["found"]) - 1, abs=1e-6)
    assert float(first["found low"]) <= float(first["found"]) <= float(first["found high"])


def test_a_paper_alone_gives_a_summary(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    assert main(["replicate", recipe, "--format", "csv", *FEW]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["table"], row["printed"], row["unexplained"]) for row in rows] == [
        *(("Table 1", "3", "2"), ("Table 2", "0", "0"), ("Figure 1", "0", "0"))
    ]


@pytest.mark.parametrize(("ending", "opens"), [("svg", b"<svg"), ("pdf", b"%PDF")])
def test_a_figure_is_a_picture(recipe: str, tmp_path: Path, ending: str, opens: bytes) -> None:
    pytest.importorskip("vl_convert")
    out = tmp_path / f"figure.{ending}"
    assert main(["replicate", recipe, "--figure", "1", "-o", str(out), "--quiet", *FEW]) == 0
    assert out.read_bytes().startswith(opens)


def test_a_page_holds_a_table(recipe: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert main(["replicate", recipe, "--table", "1", "-o", str(out), "--quiet", *FEW]) == 0
    assert "no/such-model" in out.read_text("utf-8")


def test_all_goes_into_a_folder(capsys: pytest.CaptureFixture[str], recipe: str, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    out = tmp_path / "replicated"
    assert main(["replicate", recipe, "--all", "-o", str(out), "--quiet", *FEW]) == 0
    capsys.readouterr()
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()) == [
        *("mine/figure-1.csv", "mine/figure-1.md", "mine/figure-1.svg", "mine/summary.csv", "mine/summary.md"),
        *("mine/table-1.csv", "mine/table-1.md", "mine/table-2.csv", "mine/table-2.md"),
        *("summary.csv", "summary.md"),
    ]
    rows = list(csv.DictReader(io.StringIO((out / "summary.csv").read_text("utf-8"))))
    assert [rows[0][name] for name in ("paper", "printed", "met")] == ["mine", "3", "0"]


def test_errata_are_listed(capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    assert main(["replicate", recipe, "--errata"]) == 0
    assert "It is not." in capsys.readouterr().out
    assert main(["replicate", recipe, "--errata", "bleu", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["errata"][0]["command"] == "plainly --version"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "which paper? plainly replicate --list lists them"),
        (["RECIPE", "--table", "7"], "unknown table of mine '7'"),
        (["RECIPE", "--figure", "2"], "unknown figure of mine '2'"),
        (["stodden-2025"], "unknown paper 'stodden-2025'; did you mean 'stodden-2024'?"),
        (["--table", "1"], "--table and --figure need a paper"),
        (["RECIPE", "--all", "--table", "1"], "--all computes everything; leave --table and --figure out"),
        (
            ["RECIPE", "--table", "1", "-o", "table.svg"],
            "is a picture of one figure: say --figure NAME",
        ),
        (["RECIPE", "--table", "1", "-o", "table.doc"], "unknown ending of a file 'doc'"),
        (["--list", "--all"], "--list and --all are several things"),
        (["--errata", "bleu"], "--errata NAME needs a paper"),
        (["RECIPE", "--all", "-o", "RECIPE"], "is a file; --all -o needs a folder"),
        (["RECIPE", "--all", "-o", "there", "--format", "csv"], "leave --format out"),
        (["RECIPE", "--all", "-o", "there.csv"], "there.csv has the name of a file; --all -o needs a folder"),
        (["RECIPE", "--figure", "1", "-o", "one.png"], "json, markdown, md, pdf, svg, tex"),
        (["RECIPE", "--table", ""], "unknown table of mine ''; known: 1, 2"),
        (["RECIPE", "--list", "--table", "1"], "--list lists everything; leave --table and --figure out"),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], recipe: str, arguments: list[str], complaint: str, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    assert main(["replicate", *(recipe if argument == "RECIPE" else argument for argument in arguments)]) == 2
    assert complaint in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before
