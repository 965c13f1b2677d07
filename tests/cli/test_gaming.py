"""`plainly gaming`: the study's numbers in every format, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.demo import demo_corpus
from plainly.gaming import names, study
from plainly.metrics import get

FEW = ["--trials", "5", "--edits", "random-period,replace-longest", "--metrics", "fkgl,sari"]


def test_numbers_are_those_of_the_study(plainly: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("gaming", "--demo", *FEW, "--format", "csv").printed)))
    metrics = [get("fkgl"), get("sari")]
    found = study(demo_corpus("en"), metrics=metrics, edits=["random-period", "replace-longest"], trials=5)
    assert len(rows) == 2 * 6 * 2
    for row in rows:
        spreads = found.curves[row["system"]][row["edit"]][row["metric"]].spreads()
        assert [float(row[f"{level} %"]) for level in (0, 10, 50, 100)] == [spread.mean for spread in spreads]


def test_fkgl_is_fooled_and_says_so(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", *FEW, "--table", "verdicts").printed
    lines = [line.split() for line in printed.splitlines() if line.startswith("fkgl") and "random-period" in line]
    assert [line[-1] for line in lines] == ["NO"] * 6
    assert all(float(line[-2]) == pytest.approx(float(line[-4]) / 60, abs=1e-4) for line in lines)  # all are changed
    assert "60 segments, 5 trials, seed 0, strengths nested; segments edited: 0, 6, 30, 60" in printed
    assert "fkgl|lang:en|" in printed


def test_rules_by_edit_and_metric(plainly: Any) -> None:
    rows = plainly("gaming", "--demo", *FEW, "--table", "rules", "--format", "csv").printed.splitlines()
    assert rows[0] == "edit,rule,fkgl,sari"
    assert rows[1].startswith("random-period,no better,NO 0/6,")


def test_components_are_rows_of_their_own(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", *FEW, "--components", "--format", "csv").printed
    rows = {(row["metric"], row["system"], row["edit"]): row for row in csv.DictReader(io.StringIO(printed))}
    length = rows["fkgl.words_per_sentence", "identity", "random-period"]
    assert float(length["0 %"]) == pytest.approx(2024 / 75)  # words and sentences: plainly score --components
    assert float(length["100 %"]) < float(length["0 %"])


def test_counts_in_place_of_fkgl(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", "--post-hoc", "--format", "csv").printed
    rows = [row for row in csv.DictReader(io.StringIO(printed)) if row["metric"] == "split-share"]
    found = {row["system"]: float(row["score"]) for row in rows}
    assert found["source"] == 0.0
    assert {"reference 1", "reference 2", "reference 3", "splitter"} < found.keys()
    assert found["splitter"] == pytest.approx(14 / 60)  # outputs of the splitter with more full stops than the source


@pytest.mark.usefixtures("punkt")
def test_counts_in_place_of_fkgl_as_in_a_paper(plainly: Any, tmp_path: Path) -> None:
    texts = {
        "src": "It rains and we stay .\n",
        "ref": "It rains . We stay .\n",
        "out": "It rains and we stay at home .\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    files = [
        "--sources",
        str(tmp_path / "src"),
        "--references",
        str(tmp_path / "ref"),
        "--system",
        f"a={tmp_path / 'out'}",
    ]
    profile = ["--profile", "tanprasert-kauchak-2021", "--post-hoc"]
    rows = csv.DictReader(io.StringIO(plainly("gaming", *files, *profile, "--format", "csv").printed))
    found = {(row["system"], row["metric"]): float(row["score"]) for row in rows}
    # By hand: a stop with its blanks is a word without syllables, so the source has 6 words in a sentence.
    assert found["source", "sentence-length-tk2021"] == 6
    assert found["source", "syllables-per-word-tk2021"] == 5 / 6
    assert found["reference", "sentence-length-tk2021"] == 3
    assert found["reference", "percent-split-tk2021"] == 100
    assert found["a", "sentence-length-tk2021"] == 8
    assert found["a", "percent-split-tk2021"] == 0


@pytest.mark.slow
def test_a_page(plainly: Any, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="pages need vl-convert-python")
    path = tmp_path / "gaming.html"
    assert plainly("gaming", "--demo", *FEW, "-o", str(path)).status == 0
    page = path.read_text("utf-8")
    assert "NO 0/6" in page
    assert "Which trivial edits does FKGL like?" in page
    assert 'class="scroll" role="region" aria-label="SARI, 100 % edited"' in page


def test_the_cheapest_deception(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", *FEW, "--deceive", "splitter,hasty-model").printed
    assert "fkgl    random-period  splitter  hasty-model" in printed
    assert "sari    none lifts it  splitter  hasty-model" in printed


def test_json(plainly: Any) -> None:
    content = plainly("gaming", "--demo", *FEW, "--format", "json").json
    assert content["signatures"]["sari"].startswith("sari|lang:en|tok:13a|case:lower|refs:3|")
    assert content["strengths"] == [0, 10, 50, 100]


def test_what_a_language_lacks_is_left_out_and_said(plainly: Any, tmp_path: Path) -> None:
    for name in ("src", "out"):
        (tmp_path / name).write_text("猫が寝た。\n", "utf-8")
    files = ["--lang", "ja", "--sources", str(tmp_path / "src"), "--system", f"a={tmp_path / 'out'}"]
    done = plainly("gaming", *files, "--metrics", "compression-ratio", "--trials", "2")
    assert done.status == 0
    assert "note: the edit drop-negation is left out: there are no words for it in language 'ja'" in done.err
    assert "note: the edit copy-reference is left out: it needs references" in done.err
    assert "note: 10 % of 1 segments is less than one: nothing was edited there" in done.err
    assert "1 segment, 2 trials" in done.printed
    refused = plainly("gaming", *files, "--metrics", "compression-ratio", "--edits", "drop-negation").refusal
    assert "edit 'drop-negation' cannot be made" in refused
    listed = plainly("gaming", "--list", "--lang", "ja", "--format", "json").json
    assert "random-the" in listed
    assert "drop-negation" not in listed


def test_nothing_to_flip_is_said(plainly: Any) -> None:
    few = ["--edits", "lower-case", "--trials", "1", "--metrics", "bleu,split-share"]
    notes = plainly("gaming", "--demo", *few, "--deceive", "splitter,hasty-model").err
    assert "note: nothing to flip for split-share: it has no better end" in notes


@pytest.mark.parametrize(
    ("lang", "the"), [("en", "'the' is put in"), ("de", "'die' is put in"), ("fr", "'le' is put in")]
)
def test_the_list_names_the_words_of_the_language(plainly: Any, lang: str, the: str) -> None:
    listed = plainly("gaming", "--list", "--lang", lang, "--format", "json").json
    assert listed["random-the"] == the
    assert listed["replace-rand-period"] == "a token becomes a full stop (.)"
    assert not any(":" in name for name in listed)  # variants are found by name alone


def test_edits_are_listed(plainly: Any) -> None:
    printed = plainly("gaming", "--list", "--format", "csv").printed
    assert [row["edit"] for row in csv.DictReader(io.StringIO(printed))] == names()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--edits", "random-perod"], "did you mean 'random-period'"),
        (["--strengths", "0,ten"], "--strengths takes numbers from 0 to 100"),
        (["--strengths", "0,101"], "strengths must be per cents from 0 to 100"),
        (["--trials", "0"], "trials"),
        (["--profile", "tanprasert"], "unknown profile 'tanprasert'"),
        (
            ["--deceive", "splitter", "--trials", "1", "--edits", "lower-case"],
            "--deceive takes two systems, as A,B, not 'splitter'",
        ),
        (["--deceive", "splitter,none", "--trials", "1", "--edits", "lower-case"], "unknown system 'none'"),
        (["--edits", " , "], "--edits names no edit"),
        (["--lang", "de", "--profile", "tanprasert-kauchak-2021"], "is for language 'en'; these texts are in 'de'"),
        (["--deceive", "splitter,splitter"], "--deceive takes two systems, as A,B, not 'splitter,splitter'"),
        (["--post-hoc", "--metrics", "sari"], "--post-hoc has counts of its own"),
        (["--table", "deceptions"], "--table deceptions needs two systems: --deceive A,B"),
        (["--format", "csv", "-o", "x.html"], "x.html becomes a page"),
        (["--baselines", "identity"], "--baselines are not edited"),
    ],
)
def test_bad_input(plainly: Any, arguments: list[str], message: str) -> None:
    assert message in plainly("gaming", "--demo", *arguments).refusal
