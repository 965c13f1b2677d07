"""Printed numbers beside computed ones: met, explained, unexplained, or not to be had."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.inference import Resampling
from plainly.replication import Found, Replication, Table, Values, Work, load, replicate
from plainly.replication.computations import COMPUTATIONS

FEW = Resampling(resamples=50)
Write = Callable[[dict[str, str]], str]


def test_numbers_are_held_against_printed_ones(written: Write, bleu: float) -> None:
    outcome = replicate(load(written({"PRINTED": f"{bleu:.1f}"})), resampling=FEW)
    first, second, _ = outcome.tables
    mine = first.lines[0].cells
    assert mine["BLEU"].value == bleu
    assert mine["BLEU"].found.estimate.has_interval
    assert [cell.status for cell in mine.values()] == ["met", "unexplained", "unavailable"]
    assert "no/such-model" in mine["Meaning"].found.why
    assert mine["Precision"].difference == pytest.approx(mine["Precision"].value - 12.3)
    assert [cell.status for cell in first.lines[1].cells.values()] == ["", "", ""]
    assert "|tok:none|" in first.lines[1].cells["BLEU"].found.signature
    assert first.lines[2].cells["BLEU"].value == pytest.approx(100)
    assert [line.row.name for line in second.lines] == ["mine", "identity", "truncate"]
    assert outcome.counts() == {"met": 1, "explained": 0, "unexplained": 1, "unavailable": 1}


@pytest.mark.parametrize("digits", [0, 1, 2, 3])
def test_met_is_a_matter_of_printed_digits(written: Write, bleu: float, digits: int) -> None:
    step = 10.0**-digits
    for shift, status in ((0.0, "met"), (step, "unexplained"), (-step, "unexplained")):
        recipe = load(written({"PRINTED": f"{bleu + shift:.{digits}f}"}))
        outcome = replicate(recipe, recipe.tables[:1], FEW)
        assert outcome.tables[0].lines[0].cells["BLEU"].status == status


GUESS = '{ kind = "release", about = "Other outputs." }'
WRONG = '{ kind = "ours", about = "Words are cut.", columns = ["BLEU"], settings = { tokenizer = "char" } }'
RIGHT = '{ kind = "paper", about = "Words at blanks.", rows = ["Mine"], settings = { tokenizer = "none" } }'


def with_causes(written: Write, *causes: str) -> Replication:
    """The BLEU that is printed is that of words split at blanks."""
    value = replicate(load(written({'system = "mine", name': 'system = "mine", tokenizer = "none", name'})))
    printed = f"{value.tables[0].lines[0].cells['BLEU'].value:.2f}"
    changes = {"PRINTED": printed, 'title = "First"': f'title = "First"\ncauses = [{", ".join(causes)}]'}
    recipe = load(written(changes))
    return replicate(recipe, recipe.tables[:1], FEW)


def test_only_a_computation_explains(written: Write) -> None:
    outcome = with_causes(written, GUESS, WRONG, RIGHT)
    bleu, precision, meaning = outcome.tables[0].lines[0].cells.values()
    assert bleu.status == "explained"
    assert bleu.cause is not None
    assert bleu.cause.kind == "paper"
    assert [cause.kind for cause in bleu.tried] == ["release", "ours", "paper"]
    assert precision.status == "unexplained"
    assert [cause.kind for cause in precision.tried] == ["release", "paper"]  # the other is not about this column
    assert precision.cause is None
    assert meaning.tried == ()
    data = outcome.data["tables"][0]["rows"][0]["cells"]
    assert data["BLEU"]["cause"] == {"kind": "paper", "about": "Words at blanks."}
    assert [cause["kind"] for cause in data["Precision"]["tried"]] == ["release", "paper"]
    text = outcome.table("table", "cells")
    assert "(a) a fault of the paper: Words at blanks. Computed so, 1 of 2 come out as printed." in text


def test_a_cause_that_explains_nothing_is_no_fault_of_anybody(written: Write) -> None:
    text = with_causes(written, WRONG).table("table", "cells")
    assert "(a) tried in vain: our choice: Words are cut. Computed so, none of 1 comes out as printed." in text


def test_a_guess_explains_nothing(written: Write) -> None:
    outcome = with_causes(written, GUESS)
    assert outcome.counts()["explained"] == 0
    assert outcome.tables[0].lines[0].cells["BLEU"].status == "unexplained"


def test_what_chance_explains_is_met() -> None:
    found = Found(0.503, margin=0.004)
    assert found.meets("0.50")  # half a digit is .005
    assert Found(0.509, margin=0.004).meets("0.50")
    assert not Found(0.5091, margin=0.004).meets("0.50")
    assert not Found(0.509).meets("0.50")


def test_half_a_digit_is_rounded_either_way() -> None:
    assert Found(0.125).meets("0.12")
    assert Found(0.125).meets("0.13")


def missing(table: Table, work: Work) -> Values:
    raise MissingResource("the texts of moon are not on this machine; ask the moon")


def test_missing_data_leave_cells_empty(written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(COMPUTATIONS, "own", {"scores": missing})
    outcome = replicate(load(written({})), resampling=FEW)
    assert outcome.counts() == {"met": 0, "explained": 0, "unexplained": 0, "unavailable": 3}
    assert outcome.tables[1].lines == []
    notes = [str(note.message) for note in outcome.findings().notes]
    assert any(note.startswith("Table 2 cannot be had here: the texts of moon") for note in notes)


def test_a_computation_that_lacks_a_cell_is_a_fault(written: Write) -> None:
    with pytest.raises(PlainlyError, match="mine: Table 1: "):
        replicate(load(written({'component = "precision_1"': 'component = "precision_9"'})))


def test_files_of_a_recipe_that_do_not_fit_are_an_error(written: Write) -> None:
    """Not data that cannot be had: every table that needs them is refused, with rows or without."""
    recipe = load(written({}))
    (recipe.folder / "out.txt").write_text("One line alone.\n", encoding="utf-8")
    for table in recipe.tables:
        with pytest.raises(PlainlyError, match=rf"mine: {table.where}: .*out\.txt: line 2 is missing"):
            replicate(recipe, [table], FEW)


def test_a_missing_file_is_an_error(written: Write, tmp_path: object) -> None:
    place = written({})
    (load(place).folder / "out.txt").unlink()
    with pytest.raises(PlainlyError, match=r"out\.txt"):
        replicate(load(place), resampling=FEW)
