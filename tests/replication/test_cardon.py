"""The recipe of Cardon et al. 2022: what it transcribes, numbers of other programs, and what explains what."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.replication import Recipe, load, replicate
from plainly.replication.found import Cell

from ..real import NOT_HERE, SHARED

PAPER = "cardon-2022"
Cells = Mapping[str, Mapping[str, Cell]]
"""Name of the row -> title of the column -> cell."""
Table = Callable[..., Cells]


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    return load(PAPER)


@pytest.fixture
def table(recipe: Recipe, shared: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Computes a table of the recipe from the published files."""
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))

    def compute(name: str) -> Cells:
        (found,) = replicate(recipe, recipe.chosen([name], "table")).tables
        return {line.row.name: line.cells for line in found.lines}

    return compute


# ---- what was printed

# Where a table begins and ends in the text of the paper, and the numbers of a line that are none of the table.
PLACES = {
    "1": ("Label #anno gold", "Table 1: Occ"),
    "3": ("keep add del\n\ninoth 0 0.1 0", "Table 3: Coeff"),
    "6": ("Tag Avg Std", "Table 6: Average"),
    "7": ("#anno #pairs of sent", "Table 7: Number"),
    "8": ("Operation Total Count", "Table 8: Number"),
    "9": ("Spearman correlation p-value", "Table 9: Spearman"),
    "10": ("Transformation Spearman", "Table 10: Spearman"),
}


@pytest.mark.parametrize("name", PLACES)
def test_every_number_is_transcribed(recipe: Recipe, name: str) -> None:
    """Row by row: the numbers of a line of the paper are those of a row of the recipe."""
    paper = SHARED / "papers" / "assetann.txt"
    if not paper.is_file():
        pytest.skip(NOT_HERE)
    begin, end = PLACES[name]
    text = paper.read_text("utf-8").replace("verbal features", "verbf").replace("POS change", "POSchange")
    lines = [line.split() for line in text[text.index(begin) : text.index(end)].splitlines()]
    (described,) = recipe.chosen([name], "table")
    width = len(described.columns)
    in_paper = {line[0]: numbers(line[1:]) for line in lines if len(line) == width + 1 and numbers(line[-width:])}
    ours = {row.name: numbers(row.printed) for row in described.rows}
    if name == "3":  # what is not in the table is 0, says the paper
        ours = {row: found for row, found in ours.items() if row in in_paper or any(found)}
    if name == "8":  # this count stands in section-3.6
        in_paper["err"].remove(5)
    assert ours == in_paper


def numbers(texts: Any) -> list[float]:
    """Those of a line, a comma being a point."""
    return [float(text.replace(",", ".")) for text in texts if re.fullmatch(r"-?\d+([.,]\d+)?", text)]


def test_table_4_is_transcribed(recipe: Recipe) -> None:
    oracle = SHARED / "oracle" / "assetann_table4.json"
    if not oracle.is_file():
        pytest.skip(NOT_HERE)
    printed = [list(row["paper"].values()) for row in json.loads(oracle.read_text("utf-8"))["rows"]]
    (described,) = recipe.chosen(["4"], "table")
    assert Counter(tuple(sorted(numbers(row.printed))) for row in described.rows) == Counter(
        tuple(sorted(row)) for row in printed
    )


# ---- against the numbers of another program


@pytest.mark.slow
def test_counts_are_those_of_another_program(table: Table, shared: Path) -> None:
    oracle = json.loads((shared / "oracle" / "assetann.json").read_text("utf-8"))
    assert {label: (cells["gold"].value, cells["whole"].value) for label, cells in table("1").items()} == {
        label: (row["recomputed_gold"], row["recomputed_whole"]) for label, row in oracle["table1"].items()
    }
    assert {n: cells["pairs"].value for n, cells in table("7").items()} == oracle["table7"]["recomputed"]


def test_correlations_are_those_of_another_program(table: Table, shared: Path) -> None:
    theirs = json.loads((shared / "oracle" / "assetann.json").read_text("utf-8"))["table10"]["recomputed"]
    for label, cells in table("10").items():
        for part in ("keep", "add", "del"):
            assert cells[f"{part} rho"].value == pytest.approx(theirs[label][part], abs=6e-5)


# Columns of Table 4, and their names there.
COLUMNS = {
    **{f"SARI {name}": f"sari_{name}" for name in ("new", "lex", "synt", "add", "del", "repl")},
    "BLEU new": "bleu_new",
    "Proportion add": "prop_add",
    "Proportion del": "prop_del",
}


def test_table_4_is_that_of_another_program(table: Table, shared: Path) -> None:
    """Explained cells with the faults in them, and all cells without; there, sources weigh by their references."""
    rows = json.loads((shared / "oracle" / "assetann_table4.json").read_text("utf-8"))["rows"]
    oracle = {row["paper_label"]: row for row in rows}
    cells = table("4")
    compared = 0
    for system in ("Dress", "Dress-Ls", "EditNTS", "NTS-SARI", "PBMT-R"):
        faulty, mended = (
            oracle[system][way] for way in ("recomputed_as_in_paper", "index_removed_empty_refs_dropped")
        )
        for column, name in COLUMNS.items():
            cell = cells[system][column]
            if cell.with_cause:
                assert cell.with_cause.estimate.value == pytest.approx(faulty[name], abs=1e-6)
                compared += 1
            if not name.startswith("sari"):
                assert cell.value == pytest.approx(mended[name], abs=1e-6)
                compared += 1
    # explained: 27 SARI, 4 BLEU, 5 deletions, and the additions of PBMT-R
    assert compared == 37 + 15


@pytest.mark.slow
def test_the_changes_are_those_of_another_program(table: Table, shared: Path) -> None:
    rows = json.loads((shared / "oracle" / "assetann_table4.json").read_text("utf-8"))["rows"]
    five = [row for row in rows if row["n_outputs_averaged"] == 1]
    ways = {
        "as printed": "recomputed_as_in_paper",
        "without numbers": "index_removed_empty_refs_kept",
        "mended, counts": "index_removed_empty_refs_dropped",
    }
    for subset, cells in table("4-change").items():
        for column, way in ways.items():
            changes = [row[way][f"sari_{subset}"] - row["recomputed_as_in_paper"]["sari_orig"] for row in five]
            assert cells[column].value == pytest.approx(sum(changes) / 5, abs=1e-6)


@pytest.mark.slow
def test_the_lasso_of_the_paper(table: Table) -> None:
    """Table 3 as printed, to .015; R2 by the notes on the data: of the fit, and folds by reference."""
    pytest.importorskip("sklearn", reason="needs plainly[learn]")
    for cells in table("3").values():
        for cell in cells.values():
            assert cell.value == pytest.approx(float(cell.printed), abs=0.015)
    found = [[cell.value for cell in cells.values()][:3] for cells in table("section-4.1").values()]
    assert found == [pytest.approx(row, abs=0.0006) for row in ([0.253, 0.051, 0.239], [0.241, 0.036, 0.230])]


# ---- what explains what


@pytest.mark.slow
def test_three_pairs_explain_five_operations(table: Table) -> None:
    """All numbers of these operations, of both tables, with the pairs as they seem to have been."""
    for name, count in (("9", 2), ("10", 6)):
        for label in ("neg2pos", "synonym", "inoth", "p2a", "verbf"):
            cells = table(name)[label]
            assert len(cells) == count
            assert {cell.status for cell in cells.values()} <= {"met", "explained"}


def test_scores_rise_without_faulty_references(table: Table) -> None:
    """The paper says that they fall."""
    found = table("4")
    for system in ("Dress", "Dress-Ls", "EditNTS", "NTS-SARI", "PBMT-R"):
        before, after = (found[system][column] for column in ("SARI orig", "SARI new"))
        assert float(before.printed) > float(after.printed)
        assert (before.value or 0) < (after.value or 0)


@pytest.mark.slow
def test_swapped_rows_explain_the_gold(table: Table) -> None:
    cells = table("6")
    assert cells["hyperonym"]["gold orig avg"].status == "explained"
    assert cells["hyponym"]["gold orig std"].status == "explained"
    gold = [
        cell for row in cells.values() for title, cell in row.items() if title.startswith("gold") and cell.printed
    ]
    assert {cell.status for cell in gold} == {"met", "explained"}


def test_what_was_not_published_says_so(table: Table) -> None:
    agreement = table("section-3.4")["Davies and Fleiss"]["source"]
    assert (agreement.status, agreement.found.why) == (
        "unavailable",
        "the annotations of the nine annotators were not published",
    )
    muss = table("4")["MUSS wiki"]["SARI orig"]
    assert (muss.status, "not in the catalogue" in muss.found.why) == ("unavailable", True)


@pytest.mark.slow
def test_counts_have_no_decimals_where_nothing_is_printed_beside_them(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    assert main(["replicate", PAPER, "--table", "4-sizes", "--quiet"]) == 0
    rows = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert [rows[2].split(), rows[-1].split()] == [["lex", "2138", "=", "2138"], ["all,", "untokenised", "3590"]]


@pytest.mark.slow
def test_how_many_numbers_come_out(recipe: Recipe, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As docs/papers/cardon-2022.md says."""
    pytest.importorskip("sklearn", reason="needs plainly[learn]")
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    page = (Path(__file__).parents[2] / "docs" / "papers" / f"{PAPER}.md").read_text("utf-8")
    said = re.search(
        r"Of (\d+) printed numbers, (\d+) come out, (\d+) are explained, (\d+) are not, (\d+) cannot", page
    )
    assert said
    printed, *counts = map(int, said.groups())
    found = replicate(recipe).counts()
    assert [*found.values()] == counts
    assert sum(counts) == printed


# ---- on texts of our own

PRINTED = """
title = "Printed"

[[tables]]
name = "1"
title = "First"
compute = "operations"
settings = { table = "unpublished", why = "it is gone" }
columns = ["a", "b"]
rows = [{ name = "1", printed = ["10", "4"] }, { name = "2", printed = ["5.5", "1"] }, { name = "3" }]

[[tables]]
name = "2"
title = "Sums"
compute = "operations"
settings = { table = "printed", of = ["1", "a"] }
columns = ["number"]
rows = [
    { name = "sum" },
    { name = "weighted", value = "weighted" },
    { name = "mean change", of = ["1", "a", "b"], value = "mean" },
    { name = "share", rows = ["1"], per = 15.5 },
    { name = "cut", rows = ["1"], per = 15.5, cut = 1 },
]
"""


def test_printed_numbers_are_put_together(tmp_path: Path) -> None:
    """10 + 5.5; 1 x 10 + 2 x 5.5; (6 + 4.5) / 2; 1000 / 15.5 = 64.516..., cut to 64.5."""
    (tmp_path / "own.toml").write_text(PRINTED, encoding="utf-8")
    first, second = replicate(load(str(tmp_path / "own.toml"))).tables
    assert [cell.found.why for cell in first.cells] == ["it is gone"] * 6
    assert [cell.value for cell in second.cells] == pytest.approx([15.5, 21, 5.25, 1000 / 15.5, 64.5])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('table = "printed"', 'table = "label"'), "unknown table of operations 'label'"),
        (("per = 15.5, cut", "pro = 15.5, cut"), "unknown key 'pro'"),
        (('["1", "a", "b"]', '["1", "a", "c"]'), "unknown column of Table 1 'c'"),
        (('["1", "a", "b"]', '["1"]'), "of must have 2 to 3 parts in printed"),
        (('rows = ["1"], per = 15.5 }', 'rows = ["4"], per = 15.5 }'), "unknown printed row of Table 1 '4'"),
    ],
)
def test_settings_must_be_spelt_right(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    (tmp_path / "own.toml").write_text(PRINTED.replace(*change), encoding="utf-8")
    with pytest.raises(PlainlyError, match=message):
        replicate(load(str(tmp_path / "own.toml")))


COUNTED = """
title = "Counted"

[[tables]]
name = "1"
title = "First"
compute = "operations"
settings = { table = "labels", value = "groups.count", earlier = ["98 asset.simp.6 neg2pos -1"] }
columns = ["whole"]
rows = [{ name = "neg2pos" }]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("98 asset", "998 asset"), "there is no pair '998' of 'asset.simp.6'"),
        (("simp.6 neg2pos", "simp.6 neg2poss"), "unknown label 'neg2poss'; did you mean 'neg2pos'"),
        (("neg2pos -1", "neg2pos -2"), "pair '98' of 'asset.simp.6' has no 2 groups of neg2pos"),
        (
            ('name = "neg2pos"', 'name = "neg2poss"'),
            "unknown row of the table labels 'neg2poss'; did you mean 'neg2pos'",
        ),
    ],
)
def test_names_of_operations_and_pairs_must_be_spelt_right(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], message: str
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    own = tmp_path / "own.toml"
    own.write_text(COUNTED, encoding="utf-8")
    (found,) = replicate(load(str(own))).tables[0].cells
    assert found.value == 8, "nine in the release (oracle of tokens: 9 groups), less one"
    own.write_text(COUNTED.replace(*change), encoding="utf-8")
    with pytest.raises(PlainlyError, match=message):
        replicate(load(str(own)))


OWN = """
title = "Own outputs"

[columns.files]
files = "lexical"

[columns.untokenised]
keeps = "lexical and not err"
untokenised = true

[test_sets.own]
sources = "src.txt"
references = ["ref.txt"]
systems = { mine = "src.txt" }

[[tables]]
name = "1"
title = "Ours"
compute = "subsets"
settings = { test_set = "own", metric = "sari" }
columns = ["COLUMN"]
rows = [{ name = "mine" }]
"""


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("files", "own has 2 sources, but the subset lexical has source 358, from 0 on"),
        ("untokenised", "the annotations have 359 sources, but the untokenised sources have 2 lines"),
    ],
)
def test_outputs_of_other_texts_are_refused(
    tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch, column: str, message: str
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    for name in ("src", "ref"):
        (tmp_path / f"{name}.txt").write_text("One.\nTwo.\n", encoding="utf-8")
    (tmp_path / "own.toml").write_text(OWN.replace("COLUMN", column), encoding="utf-8")
    with pytest.raises(PlainlyError, match=message):
        replicate(load(str(tmp_path / "own.toml")))
