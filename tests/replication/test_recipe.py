"""Recipes: what they may say, and what is told where one is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.replication import load, names, replicate

Write = Callable[[dict[str, str]], str]


def test_a_recipe_is_read(written: Write) -> None:
    recipe = load(written({"PRINTED": "12.30"}))
    assert (recipe.name, recipe.title, len(recipe.errata)) == ("mine", "Two systems", 1)
    assert [table.where for table in recipe.tables] == ["Table 1", "Table 2", "Figure 1"]
    assert [table.printed for table in recipe.tables] == [3, 0, 0]
    assert recipe.chosen(["2"], "table") == [recipe.tables[1]]
    assert recipe.chosen(["1"], "figure") == [recipe.tables[2]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({'columns = ["BLEU", "Precision", "Meaning"]': "columns = []"}, "table 1: there are no columns"),
        ({'"1", "12.3"': '"12.3"'}, "table 1: Mine has 2 printed numbers for 3 columns"),
        ({"PRINTED": "many"}, "table 1: Mine: 'many' is not a number"),
        ({"PRINTED": "nan"}, "'nan' is not a number"),
        ({'name = "2"': 'name = "1"'}, "two of the tables and figures have the same name"),
        ({'title = "Second"': 'titel = "Second"'}, "table 2: unknown key 'titel'"),
        ({'chart = { kind = "bars", y = "BLEU" }': ""}, "figure 1: a figure, and nothing else, has a chart"),
        ({'kind = "bars"': 'kind = "pie"'}, "figure 1: a chart is one of lines, bars, boxes"),
        ({'shows = ["plainly"]': 'shows = "plainly"'}, "erratum 1: shows must be a list of texts"),
        ({'{ system = "identity" }': '{ system = "mine" }'}, "figure 1: two rows are the same"),
        ({"[columns.BLEU]": "[columns.BLEU"}, "mine.toml: "),
        (
            {'name = "2"\n': 'name = "2"\ncauses = [{ kind = "moon", about = "Full." }]\n'},
            "table 2, cause 1: a kind is one of release, paper, restricted, ours",
        ),
        (
            {'name = "2"\n': 'name = "2"\ncauses = [{ kind = "ours", about = "So.", columns = ["SARI"] }]\n'},
            "table 2: a cause names 'SARI', which is not there",
        ),
    ],
)
def test_faults_of_a_recipe_are_named(written: Write, changes: dict[str, str], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        load(written(changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({'compute = "scores"': 'compute = "score"'}, "unknown computation 'score'; did you mean 'scores'"),
        ({'metric = "bleu"\ncomp': 'metrik = "bleu"\ncomp'}, "column Precision: unknown key 'metrik'"),
        ({'metric = "bertscore"': 'metric = "bertskore"'}, "unknown metric 'bertskore'; did you mean"),
        ({'tokenizer = "none"': 'tokenizer = "nonne"'}, "Table 1: unknown tokenizer 'nonne'; did you"),
        ({'{ system = "first-reference" }': '{ system = "mein" }'}, "unknown system 'mein'; did you mean 'mine'"),
        ({'component = "precision_1"': 'component = "precision"'}, "unknown component of bleu 'precision'"),
        ({'test_set = "small"': 'test_set = "smal"'}, "unknown test set 'smal'; did you mean 'small'"),
    ],
)
def test_faults_that_only_a_computation_can_see(written: Write, changes: dict[str, str], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        replicate(load(written(changes)))


def test_unknown_papers_tables_and_errata(tmp_path: Path, written: Write) -> None:
    with pytest.raises(UnknownName, match="did you mean 'stodden-2024'"):
        load("stoden-2024")
    with pytest.raises(PlainlyError, match="cannot read"):
        load(str(tmp_path / "none.toml"))
    recipe = load(written({}))
    with pytest.raises(UnknownName, match="unknown table of mine '3'"):
        recipe.chosen(["3"], "table")
    with pytest.raises(PlainlyError, match="stodden-2024 has no figures"):
        load("stodden-2024").chosen(["1"], "figure")
    with pytest.raises(UnknownName, match="unknown erratum of mine 'blue'; did you mean 'bleu'"):
        recipe.erratum("blue")


def test_every_recipe_that_comes_along_can_be_read() -> None:
    assert "stodden-2024" in names()
    for name in names():
        recipe = load(name)
        assert recipe.name == name
        assert recipe.citation
