"""Findings in every form: worked out by hand from the shapes."""

from __future__ import annotations

import json
import math

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.findings import Cell, Column, Findings, Message, Note, Table, form_of, forms, message, plain, printed
from plainly.inference.estimates import Estimate

MEAN = Estimate(3.14159, 2.5, 3.75)
COLUMNS = (
    Column("system"),
    Column("items", "count"),
    Column("mean", "estimate", better="higher"),
    Column("p", "p"),
    Column("flags", "flags"),
)
SYSTEMS = Table(
    "systems",
    plain("Which system is better?"),
    COLUMNS,
    [
        ["a|b", 12, Cell(MEAN, frozenset({"best"})), 0.01234567, ["fast", "odd"]],
        ["=c", 7, Estimate(math.nan), None, []],
    ],
)
FOUND = Findings([SYSTEMS], signatures=["ratings|plainly:0.1.0"], data={"systems": [MEAN.to_dict()]})


def test_text_has_an_estimate_in_one_cell() -> None:
    assert printed(FOUND) == (
        "system  items             mean ↑      p  flags\n"
        "------  -----  -----------------  -----  ---------\n"
        "a|b        12  3.14 [2.50, 3.75]  0.012  fast, odd\n"
        "=c          7                  -      -\n"
        "\n"
        "ratings|plainly:0.1.0\n"
    )


def test_csv_has_it_in_three_columns_with_all_digits() -> None:
    assert printed(FOUND, "csv") == (
        "system,items,mean,mean low,mean high,p,flags,signature\n"
        'a|b,12,3.14159,2.5,3.75,0.01234567,"fast, odd",ratings|plainly:0.1.0\n'
        "'=c,7,,,,,,ratings|plainly:0.1.0\n"
    )
    assert printed(FOUND, "tsv").splitlines()[1].split("\t")[:4] == ["a|b", "12", "3.14159", "2.5"]


def test_json_is_the_data_with_the_version() -> None:
    assert json.loads(printed(FOUND, "json")) == {
        "plainly": "0.1.0",
        "systems": [{"value": 3.14159, "low": 2.5, "high": 3.75}],
    }


def test_markdown_and_latex_escape_what_they_would_read() -> None:
    assert "| a\\|b | 12 | **3.14 [2.50, 3.75]** | 0.012 | fast, odd |\n" in printed(FOUND, "markdown")
    assert "- `ratings|plainly:0.1.0`\n" in printed(FOUND, "markdown")
    latex = printed(FOUND, "latex")
    assert r"  a\textbar{}b & 12 & \textbf{3.14} & $_{2.50}^{3.75}$ & 0.012 & fast, odd \\" in latex
    assert "<strong>3.14 [2.50, 3.75]</strong>" in printed(FOUND, "html")


def test_marks_stand_beside_their_numbers_and_the_verdict_first() -> None:
    cell = Cell(MEAN, frozenset({"best", "differs", "ab"}))
    table = Table("t", plain("Which?"), [Column("mean", "estimate")], [[cell]], legend=[plain("what it means")])
    found = Findings([table], verdict=[plain("It is a.")])
    assert printed(found).startswith("It is a.\n\n")
    assert "3.14 [2.50, 3.75] * ab\n" in printed(found)
    latex = printed(found, "latex")
    assert r"\textbf{3.14} & $_{2.50}^{3.75}$\,* ab \\" in latex
    assert r"\caption{Which? What it means. " in latex


def test_html_escapes_names() -> None:
    table = Table("t", plain("<q>"), [Column("system")], [["<script>"]])
    page = printed(Findings([table]), "html")
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert "<caption>&lt;q&gt;</caption>" in page


def test_tables_of_one_name_are_one_for_programs() -> None:
    parts = [
        Table("r", plain(f"{name}?"), [Column("metric"), Column("r", "number", 3)], [["sari", r]], {"scale": name})
        for name, r in (("meaning", 0.25), ("fluency", 0.5))
    ]
    found = Findings(parts)
    assert printed(found, "csv") == "scale,metric,r\nmeaning,sari,0.25\nfluency,sari,0.5\n"
    assert printed(found).startswith("meaning?\n\nmetric      r\n")


def test_a_file_of_cells_holds_one_table() -> None:
    other = Table("raters", plain("Who?"), [Column("rater")], [["r1"]])
    both = Findings([SYSTEMS, other])
    with pytest.raises(PlainlyError, match="one file holds one table: systems, raters"):
        printed(both, "csv")
    assert printed(both.only("raters"), "csv") == "rater\nr1\n"
    with pytest.raises(UnknownName, match="unknown table 'rater'; did you mean 'raters'"):
        both.only("rater")


def test_a_long_form_for_programs_and_columns_that_people_do_not_see() -> None:
    long = Table(
        "s", plain("?"), [Column("system"), Column("metric"), Column("score", "estimate")], [["a", "sari", MEAN]]
    )
    wide = Table("s", plain("?"), [Column("system"), Column("SARI", "estimate", 1)], [["a", MEAN]], long=long)
    assert printed(Findings([wide]), "csv").splitlines()[0] == "system,metric,score,score low,score high"
    assert "3.1 [2.5, 3.8]" in printed(Findings([wide]))
    hidden = Table("s", plain("?"), [Column("system"), Column("seed", "count", for_people=False)], [["a", 3]])
    assert "seed" not in printed(Findings([hidden]))
    assert printed(Findings([hidden]), "csv") == "system,seed\na,3\n"


def test_notes_stand_below_unless_they_are_said_aside() -> None:
    notes = [Note(message("ratings.few", "only {n} raters", n=2)), Note(plain("to the terminal"), aside=True)]
    text = printed(Findings([SYSTEMS], notes=notes))
    assert "only 2 raters\n" in text
    assert "terminal" not in text


def test_messages_are_filled_in_and_fall_back_to_english() -> None:
    said = message("nowhere.best", "{who} by {how:.2f}", who=message("nowhere.all", "all of us"), how=1.5)
    assert said.text() == "all of us by 1.50"
    assert said.text("de") == "all of us by 1,50"
    assert Message("", "{open}").text() == "{open}"


def test_control_characters_reach_no_terminal() -> None:
    table = Table("t", plain("?"), [Column("system")], [["a\x1b[31m"]])
    assert "\x1b" not in printed(Findings([table]))


def test_forms_by_name_and_by_ending() -> None:
    assert forms() == ["csv", "html", "json", "latex", "markdown", "table", "tsv"]
    assert form_of("results.MD") == "markdown"
    with pytest.raises(UnknownName, match="unknown ending of a file 'xlsx'"):
        form_of("results.xlsx")
    with pytest.raises(UnknownName, match="did you mean 'markdown'"):
        printed(FOUND, "markdwn")
