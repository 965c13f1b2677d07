"""`plainly operations stats`, as its users run it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

CRP = "0\nThe old bell rings\nThe bell sounds\n1\nIt rained all day\nIt rained\n2\nHe slept\nHe never slept\n"
ALN = "0 1::delmod 3:2:synonym\n1 2,3::delmod\n2 0:0:err\n"


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("a.aln").write_text(ALN, "utf-8")
    Path("a.crp").write_text(CRP, "utf-8")
    lines = CRP.splitlines()
    Path("s.txt").write_text("\n".join(lines[1::3]) + "\n", "utf-8")
    Path("t.txt").write_text("\n".join(lines[2::3]) + "\n", "utf-8")
    pair = {"id": "0", "source": ["The", "old", "bell", "rings"], "target": ["The", "bell"]}
    group = {"source": [1], "target": [], "label": "delmod"}
    Path("b.jsonl").write_text(json.dumps(pair | {"groups": [group]}) + "\n", "utf-8")


STATS = ("operations", "stats", "--resamples", 50)


def test_all_tables(plainly: Any) -> None:
    printed = plainly(*STATS, "--annotations", "a.aln").printed
    for title in (
        "How large is the corpus",
        "each operation?",
        "classes of operations?",
        "How many tokens",
        "does a pair",
    ):
        assert f"{title}" in printed
    assert "pairs with it" in printed
    assert "% of groups" in printed
    assert "pairs flagged as faulty are left out" in printed
    assert "bootstrap over sources, 50 resamples, seed 12345" in printed


def test_operations_by_length_have_a_name_for_each_number(plainly: Any) -> None:
    """Two sources of four tokens and a faulty one, which is left out: 2 labels in 2 groups, and 1 in 1."""
    (row,) = csv.DictReader(
        io.StringIO(plainly(*STATS, "--annotations", "a.aln", "--table", "by-length", "--format", "csv").printed)
    )
    named = ("shortest", "longest", "sources", "pairs", "labels per pair", "groups per pair")
    assert [float(row[name]) for name in named] == [1, 5, 2, 2, 1.5, 1.5]


@pytest.mark.parametrize(("ending", "opens"), [("svg", b"<svg"), ("pdf", b"%PDF")])
def test_operations_by_length_are_a_picture(plainly: Any, ending: str, opens: bytes) -> None:
    pytest.importorskip("vl_convert")
    assert plainly(*STATS, "--annotations", "a.aln", "-o", f"x.{ending}").printed == ""
    assert Path(f"x.{ending}").read_bytes().startswith(opens)


def test_a_page_has_the_picture_of_its_table(plainly: Any) -> None:
    pytest.importorskip("vl_convert")
    plainly(*STATS, "--annotations", "a.aln", "--table", "by-length", "-o", "x.html")
    assert Path("x.html").read_text("utf-8").count("<svg") == 1
    plainly(*STATS, "--annotations", "a.aln", "--table", "labels", "-o", "x.html")
    assert "<svg" not in Path("x.html").read_text("utf-8")
    refusal = plainly(*STATS, "--annotations", "a.aln", "--table", "labels", "-o", "y.svg").refusal
    assert "y.svg is a picture of one chart: say --table by-length" in refusal


def test_csv_is_one_table_with_different_headers(plainly: Any) -> None:
    rows = list(
        csv.reader(
            io.StringIO(plainly(*STATS, "--annotations", "a.aln", "--table", "labels", "--format", "csv").printed)
        )
    )
    assert len(set(rows[0])) == len(rows[0])
    assert dict(zip(rows[0], rows[1], strict=True))["label"] == "delmod"
    assert dict(zip(rows[0], rows[1], strict=True))["groups"] == "2"
    assert len(rows) == 27
    assert "one file holds one table" in plainly(*STATS, "--annotations", "a.aln", "--format", "csv").refusal


def test_json(plainly: Any) -> None:
    content = plainly(*STATS, "--annotations", "a.aln", "--format", "json").json
    assert content["summary"]["erroneous_pairs"] == 1
    delmod = content["labels"][0]
    assert (delmod["name"], delmod["pairs"]["count"], delmod["groups"]["count"]) == ("delmod", 2, 2)
    assert set(delmod["pairs"]["percent"]) == {"value", "low", "high"}
    assert "comparison" not in content


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_forms(plainly: Any, form: str) -> None:
    printed = plainly(*STATS, "--annotations", "a.aln", "--format", form).printed
    assert {"markdown": "## ", "latex": r"\caption{"}[form] + "How many operations does a pair have?" in printed


def test_faulty_pairs_are_counted_when_asked_for(plainly: Any) -> None:
    content = plainly(*STATS, "--annotations", "a.aln", "--erroneous", "--format", "json").json
    assert content["summary"]["counted_pairs"] == 3
    assert content["erroneous_pairs_counted"] is True


def test_tokens_from_line_files_or_from_the_crp_file_are_the_same(plainly: Any) -> None:
    beside = plainly(*STATS, "--annotations", "a.aln").printed
    assert plainly(*STATS, "--annotations", "a.aln", "--crp", "a.crp").printed == beside
    Path("a.crp").rename("other.crp")
    lines = plainly(*STATS, "--annotations", "a.aln", "--sources", "s.txt", "--targets", "t.txt").printed
    assert lines == beside


def test_crp_files_go_to_each_or_to_those_that_have_none(plainly: Any) -> None:
    """`a.aln` has `a.crp` beside it, `b.aln` has nothing."""
    Path("b.aln").write_text(ALN, "utf-8")
    Path("else.crp").write_text(CRP, "utf-8")
    both = (*STATS, "--annotations", "a.aln", "--annotations", "b.aln", "--table", "summary")
    one = plainly(*both, "--crp", "else.crp").printed
    assert plainly(*both, "--crp", "a.crp", "--crp", "else.crp").printed == one
    assert "2 or 1 are needed, 3 given" in plainly(*both, *(["--crp", "else.crp"] * 3)).refusal
    Path("wrong.crp").write_text("0\nOther\nOther\n", "utf-8")  # the first file given goes to the first .aln file
    assert "a.aln:1:" in plainly(*both, "--crp", "wrong.crp", "--crp", "else.crp").refusal


def test_without_resamples_there_are_no_intervals(plainly: Any) -> None:
    given = ("operations", "stats", "--annotations", "a.aln", "--beside", "b.jsonl", "--resamples", 0)
    run = plainly(*given)
    assert "in brackets" not in run.printed
    assert "intervals" not in run.err
    assert "resamples must be at least 0" in plainly(*given[:-1], -1).refusal
    content = plainly(*given, "--format", "json").json
    assert content["labels"][0]["pairs"]["percent"]["value"] == 100
    assert content["labels"][0]["pairs"]["percent"]["low"] is None
    rows = list(csv.DictReader(io.StringIO(plainly(*given, "--table", "comparison", "--format", "csv").printed)))
    assert {(row["difference low"], row["difference high"]) for row in rows} == {("", "")}
    assert all(row["difference"] for row in rows)


def test_csv_has_all_digits_of_p(plainly: Any) -> None:
    """Ranks 1 to 5 against 1, 2, 3, 5, 4: rho .9, and p of t = 3.576 with 3 degrees of freedom is .0374."""
    lengths, groups = (3, 4, 5, 6, 7), (0, 1, 2, 4, 3)
    with Path("p.jsonl").open("w", encoding="utf-8") as out:
        for i, (length, count) in enumerate(zip(lengths, groups, strict=True)):
            source = [f"{i}{k}" for k in range(length)]
            found = [{"source": [k], "target": [], "label": "delmod"} for k in range(count)]
            out.write(json.dumps({"id": str(i), "source": source, "target": source[count:], "groups": found}) + "\n")
    given = (*STATS, "--annotations", "p.jsonl", "--table", "length")
    row = next(csv.DictReader(io.StringIO(plainly(*given, "--format", "csv").printed)))
    assert float(row["p"]) == pytest.approx(0.0373860734)
    assert "  0.037  " in plainly(*given).printed


def test_comparison(plainly: Any) -> None:
    run = plainly(*STATS, "--annotations", "a.aln", "--beside", "b.jsonl", "--table", "comparison", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run.printed)))
    synonym = next(row for row in rows if (row["label or class"], row["share of"]) == ("synonym", "pairs"))
    assert (float(synonym["%"]), float(synonym["% against"]), float(synonym["difference"])) == (50, 0, 50)
    assert not [row for row in rows if row["label or class"] == "hyponym"]  # in neither
    assert "needs --beside" in plainly(*STATS, "--annotations", "a.aln", "--table", "comparison").refusal


def test_repair_and_aliases_are_said(plainly: Any) -> None:
    Path("a.aln").write_text("0 1::inmod 3:2:literal\n1\n2\n", "utf-8")
    assert (
        "a.aln:1: pair 0: source token 1 (old) has the label inmod"
        in plainly(*STATS, "--annotations", "a.aln", "--alias", "literal=synonym").refusal
    )
    run = plainly(*STATS, "--annotations", "a.aln", "--alias", "literal=synonym", "--repair")
    assert run.status == 0
    assert "labels repaired: inmod in the source became delmod, 1 times" in run.err
    assert "labels read as another: literal as synonym, 1 times" in run.err
    assert "note: intervals from fewer than 20 sources are too short" in run.err
    quiet = plainly(*STATS, "--annotations", "a.aln", "--alias", "literal=synonym", "--repair", "--quiet")
    assert (quiet.out, quiet.err) == (run.out, "")


def test_own_typology(plainly: Any) -> None:
    Path("own.yaml").write_text(
        "name: own\nlang: en\nlabels:\n- {name: gone, title: Gone, shapes: [source], computational: delete, "
        "linguistic: other, yawat: g, definition: Words are gone., example_source: a b, example_target: a}\n",
        "utf-8",
    )
    Path("a.aln").write_text("0 1::g\n1\n2\n", "utf-8")
    content = plainly(*STATS, "--annotations", "a.aln", "--typology", "own.yaml", "--format", "json").json
    assert [row["name"] for row in content["labels"]] == ["gone"]
    assert [row["name"] for row in content["classes"]] == ["delete"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ([], "--annotations"),
        (["--annotations", "none.jsonl"], "none.jsonl: no such file"),
        (["--annotations", "a.txt"], "a.txt: annotations are in files that end in .aln, .jsonl"),
        (["--annotations", "a.aln", "--annotations", "a.aln"], "--annotations: the name 'a' is there twice"),
        (["--annotations", "=a.aln"], "--annotations takes NAME=FILE, not '=a.aln'"),
        (["--annotations", "a.aln", "--targets", "t.txt"], "--targets takes one file for each .aln file"),
        (["--annotations", "a.aln", "--crp", "a.crp", "--crp", "a.crp"], "1 or 0 are needed, 2 given"),
        (["--annotations", "a.aln", "--crp", "a.crp", "--sources", "s.txt"], "--crp brings both sides"),
        (["--annotations", "alone.aln"], ".aln files hold no tokens; give --sources and --targets, or --crp"),
        (["--annotations", "none.aln"], "none.aln: no such file"),
        (["--annotations", "."], "--annotations: . is a folder, not a file"),
        (["--annotations", "unknown.aln", "--crp", "a.crp"], "; say --alias literal=LABEL to read it as another"),
        (["--annotations", "twice.aln", "--crp", "a.crp"], "delmod must be sorted and different: 1, 1"),
        (["--annotations", "a.aln", "--alias", "literal"], "--alias takes NAME=LABEL, not 'literal'"),
        (["--annotations", "a.aln", "--alias", "literal=sinonym"], "unknown label 'sinonym'"),
        (["--annotations", "a.aln", "--typology", "t.txt"], "t.txt"),
        (["--annotations", "a.aln", "--confidence", "2"], "the confidence must lie between 0 and 1"),
        (["--annotations", "a.aln", "--table", "label"], "did you mean 'labels'?"),
        (["--annotations", "a.aln", "-o", "a.aln", "--format", "table"], "a.aln is an input of this run"),
    ],
)
def test_bad_input_is_refused_in_one_line(plainly: Any, options: list[str], complaint: str) -> None:
    Path("alone.aln").write_text(ALN, "utf-8")
    Path("unknown.aln").write_text("0 1::literal\n1\n2\n", "utf-8")
    Path("twice.aln").write_text("0 1,1::delmod\n1\n2\n", "utf-8")
    assert complaint in plainly(*STATS, *options).refusal
    assert Path("a.aln").read_text("utf-8") == ALN


def test_labels(plainly: Any) -> None:
    content = plainly("operations", "labels", "--format", "json").json
    assert len(content["labels"]) == 27
    assert content["labels"][0]["shapes"] == ["both"]
    assert "source or target" in plainly("operations", "labels").printed


def test_convert_there_and_back(plainly: Any) -> None:
    assert plainly("operations", "convert", "--annotations", "a.aln", "-o", "x.jsonl").printed == ""
    assert plainly("operations", "convert", "--annotations", "x.jsonl").printed == Path("x.jsonl").read_text("utf-8")
    assert plainly("operations", "convert", "--annotations", "x.jsonl", "-o", "y.aln").printed == ""
    assert (Path("y.aln").read_text("utf-8"), Path("y.crp").read_text("utf-8")) == (ALN, CRP)


def test_convert_replaces_nothing_that_was_not_named(plainly: Any) -> None:
    Path("z.crp").write_text("precious", "utf-8")
    convert = ("operations", "convert", "--annotations", "b.jsonl", "-o")
    assert "z.crp is there already" in plainly(*convert, "z.aln").refusal
    assert Path("z.crp").read_text("utf-8") == "precious"
    assert "leave .gz out of the name" in plainly(*convert, "y.jsonl.gz").refusal
    assert "files that end in" in plainly(*convert, "y.txt").refusal


def test_output_file(plainly: Any) -> None:
    assert plainly(*STATS, "--annotations", "a.aln", "-o", "out.txt").printed == ""
    assert Path("out.txt").read_text("utf-8") == plainly(*STATS, "--annotations", "a.aln").printed
