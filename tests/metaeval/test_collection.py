"""Data sets of a folder, and the points of a study."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli import main
from plainly.inference import Resampling
from plainly.metaeval import ADAPTERS, JudgedSet, study
from plainly.metaeval.collection import Collection, load_all, points
from plainly.scoring.evaluator import prepare


def judged() -> JudgedSet:
    """Outputs of one to twenty words; people like long ones, but did not judge the last."""
    texts = tuple(" ".join(["word"] * n) + "." for n in range(1, 21))
    values = np.array([*map(float, range(1, 20)), np.nan])
    empty = ((),) * 20
    segments = tuple(map(str, range(20)))
    return JudgedSet("made up", "en", segments, ("a",) * 20, ("word .",) * 20, texts, empty, {"liking": values})


def test_a_folder_without_data_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="no data set is in this folder"):
        load_all(tmp_path)
    with pytest.raises(PlainlyError, match="is not a folder"):
        load_all(tmp_path / "nowhere")


def test_what_is_there_is_read_and_what_is_not_is_named(judged_folder: Path) -> None:
    found, missing = load_all(judged_folder)
    assert list(found) == ["deplain-web"]
    assert {*found, *missing} == set(ADAPTERS)
    assert "qats.train.tsv" in missing["qats"]


def test_a_broken_file_is_no_missing_one(judged_folder: Path) -> None:
    (judged_folder / "deplain_web_rated.csv").write_text("original,simplification\na,b\n", "utf-8")
    with pytest.raises(PlainlyError, match="deplain_web_rated"):
        load_all(judged_folder)


def test_points_are_those_that_both_judge() -> None:
    data = judged()
    found = study(data, prepare(["words", "fkgl"], "en", {}), resampling=Resampling(resamples=20))
    (best,) = points(found, data)
    assert best.contender == "fkgl"  # words has no direction, so it cannot be best
    (chosen,) = points(found, data, ["words"])
    assert chosen.people.tolist() == chosen.scores.tolist() == list(range(1, 20))
    assert chosen.segments == tuple(map(str, range(19)))
    with pytest.raises(UnknownName):
        points(found, data, ["bleu"])


def test_points_are_the_outputs_of_the_table() -> None:
    """BLEU has no reference for five outputs, so the correlation of words leaves these out, and so do its points."""
    data = replace(judged(), references=((),) * 5 + (("word word",),) * 15)
    found = study(
        data, prepare(["words", "bleu"], "en", {}), granularities=("segment",), resampling=Resampling(resamples=20)
    )
    (drawn,) = points(found, data, ["words"])
    (table,) = found.tables
    assert len(drawn.scores) == table.outputs == 14
    shown = np.corrcoef(drawn.scores, drawn.people)[0, 1]
    assert table.rows[0].agreement.pearson.value == pytest.approx(shown)


def test_json_holds_all_studies_and_what_is_not_there() -> None:
    data = judged()
    found = study(data, prepare(["words"], "en", {}), resampling=Resampling(resamples=20))
    content = Collection((found, found), {"qats": "no file"}, {"made up": {"sari": "no references"}}).to_dict()
    assert [row["name"] for row in content["data_sets"]] == ["made up"] * 2
    (table,) = found.chosen("segment", "")
    first = content["agreements"][0]
    assert first["pearson"] == pytest.approx(table.rows[0].agreement.pearson.value, rel=1e-3)
    assert (first["metric"], first["granularity"], first["n"], first["best"]) == ("words", "segment", 19, False)
    assert len(content["agreements"]) == 2 * len(found.tables)
    assert content["ceilings"][0]["reason"].startswith("single ratings are not known")
    json.dumps(content, allow_nan=False)
    assert content["missing"] == {"qats": "no file"}
    assert content["left_out"] == {"made up": {"sari": "no references"}}


def test_reasons_are_put_together() -> None:
    why = {"sari": "it needs references", "bleu": "it needs references", "lens": "no model: fetch it"}
    assert Collection((), left_out={"made up": why}).reasons("made up") == {
        "it needs references": ["sari", "bleu"],
        "no model": ["lens"],
    }


def test_one_command_studies_the_whole_folder(
    judged_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out" / "pictures").mkdir(parents=True)
    page = tmp_path / "out" / "results.md"
    asked = ["metaeval", "--all", str(judged_folder), "--metrics", "sari,fre,words", "--resamples", "30"]
    asked += ["--by", "quality,nonsense", "--dimension", "simplicity,fluency", "-o", str(page)]
    assert main([*asked, "--also", f"{page.parent}/results.json", "--pictures", f"{page.parent}/pictures"]) == 0
    assert "1 of 1: deplain-web" in capsys.readouterr().err
    text = page.read_text("utf-8")
    assert "](pictures/metaeval-deplain-web.svg)" in text
    assert "- left out: sari (it needs references)" in text
    assert "not in the folder: qats" in text
    assert "simplicity by quality" in text
    assert "langer Satz" not in text
    assert (page.parent / "pictures" / "metaeval-deplain-web.svg").read_text("utf-8").startswith("<svg")
    content = json.loads((page.parent / "results.json").read_text("utf-8"))
    assert {row["dimension"] for row in content["agreements"]} == {"simplicity"}
    assert {row["group"] for row in content["agreements"]} == {None, "low", "high"}
    assert content["left_out"] == {"deplain-web": {"sari": "it needs references"}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ratings-set", "qats"], "--all reads data sets from its folder; leave --ratings-set out"),
        (["--dimension", "fluency"], "deplain-web: nobody judged fluency"),
        (["--metrics", "nonsense"], "unknown metric 'nonsense'"),
        (["--metrics", "sari"], "deplain-web: no metric can be computed"),
        (["--pictures", "."], "--pictures goes with Markdown"),
    ],
)
def test_what_the_command_refuses(
    judged_folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output = judged_folder / "x.json"
    assert main(["metaeval", "--all", str(judged_folder), "-o", str(output), *options]) == 2
    assert message in capsys.readouterr().err
    assert not output.exists()


@pytest.fixture
def judged_folder(tmp_path: Path) -> Path:
    """A folder with one data set, in its published columns, and nothing else."""
    columns = ("original", "simplification", "domain", "corpus", "rater", "alignment", "simplicity")
    more = ("lexical_simplicity", "structural_simplicity", "meaning_preservation", "coherence_simple")
    last = ("grammaticality_simple", "ambiguity_simple")
    rows = [",".join((*columns, *more, *last))]
    for i in range(12):
        marks = ",".join(str((i * step) % 5 + 1) for step in (1, 2, 3, 4, 6, 7, 8))
        rows.append(
            f"Ein langer Satz Nummer {i} steht hier.,Satz {i} {'ist kurz ' * (i % 3)}.,web,made,r,1:1,{marks}"
        )
    (tmp_path / "deplain_web_rated.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return tmp_path
