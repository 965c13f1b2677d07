"""`plainly compare`: the numbers are those of the inference room, in every format."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from plainly.inference import Comparison
from plainly.scoring import evaluate

PAIRS = ["--table", "pairs"]


@pytest.fixture
def expected(test_set: Any) -> Comparison:
    """Without --baselines, copying the source is compared as well."""
    return evaluate(test_set.sources, test_set.outputs, test_set.references, baselines=["identity"]).compare()


def test_json(plainly: Any, files: list[str], expected: Comparison) -> None:
    content = plainly("compare", *files, "--format", "json").json
    assert content["systems"] == expected.to_dict()["systems"]
    assert content["pairs"] == expected.to_dict()["pairs"]
    assert content["settings"]["resampling"]["seed"] == 12345
    assert content["signatures"]["mine"]["sari"].startswith("sari|lang:en|")


def test_table(plainly: Any, files: list[str], expected: Comparison) -> None:
    printed = plainly("compare", *files).printed
    standing = expected["mine"]["sari"]
    shown = f"{standing.score:.2f} [{standing.estimate.low:.2f}, {standing.estimate.high:.2f}]"
    assert re.search(rf"^mine +{re.escape(shown)} ", printed, re.MULTILINE)
    assert "6 segments, 1000 resamples, seed 12345" in printed
    assert "sari|lang:en|tok:13a|case:lower|refs:2|variant:easse|plainly:" in printed


def test_marks_against_a_baseline(plainly: Any) -> None:
    arguments = ["compare", "--demo", "--metrics", "sari", "--baseline", "identity"]
    printed = plainly(*arguments).printed
    assert re.search(r"^careful-writer  \d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\] \*", printed, re.MULTILINE)
    assert re.search(r"^identity +\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\]  ", printed, re.MULTILINE)
    assert "* differs from identity: p < 0.05 after Holm's correction" in printed


def test_pairs(plainly: Any, files: list[str], expected: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("compare", *files, *PAIRS, "--format", "csv").printed)))
    assert [(row["metric"], row["first"], row["second"]) for row in rows] == [
        (pair.metric, pair.first, pair.second) for pair in expected.pairs
    ]
    assert [float(row["p (Holm)"]) for row in rows] == [pair.p_holm for pair in expected.pairs]
    assert plainly("compare", *files, *PAIRS, "--format", "markdown").printed.count("| metric | first |") == 1


def test_systems_for_programs(plainly: Any, files: list[str], expected: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("compare", *files, "--format", "csv").printed)))
    for row in rows:
        standing = expected[row["system"]][row["metric"]]
        found = tuple(float(row[f"score{end}"]) for end in ("", " low", " high"))
        assert found == (standing.score, standing.estimate.low, standing.estimate.high)
        assert int(row["rank"]) == standing.rank
        assert (int(row["rank low"]), int(row["rank high"])) == standing.rank_interval
        assert row["signature"].startswith(f"{row['metric']}|lang:en|")


def test_latex_is_ready_to_paste(plainly: Any, files: list[str]) -> None:
    lines = plainly("compare", *files, "--format", "latex").printed.splitlines()
    assert r"\begin{tabular}{@{}lr@{}lr@{}lr@{}l@{}}" in lines
    heads = [rf"\multicolumn{{2}}{{c}}{{{name}}}" for name in (r"SARI $\uparrow$", r"BLEU $\uparrow$")]
    assert any(line.startswith(f"  system & {heads[0]} & {heads[1]}") for line in lines)
    caption = next(line for line in lines if line.startswith(r"\caption"))
    assert "Systems that share a letter cannot be told apart by that metric (corrected p of 0.05 or more)." in caption
    assert "best rank" not in caption  # a narrow table has no ranks
    end = len(lines) - lines[::-1].index(r"\end{table}") - 1  # of the last table: baselines have one of their own
    assert all(line.startswith("% ") for line in lines[end + 1 :])  # signatures do not print


def test_warnings_are_in_every_form(plainly: Any, files: list[str]) -> None:
    """A system given twice under another name: whoever reads the numbers must know, also where all is to be quiet."""
    again = [
        *files,
        "--system",
        f"again={next(word for word in files if word.startswith('mine=')).partition('=')[2]}",
    ]
    line = "mine and again have the same outputs: is one file given twice?"
    for form in ("table", "csv", "json", "markdown", "latex", "html"):
        for quiet in ([], ["--quiet"]):
            run = plainly("compare", *again, "--format", form, *quiet)
            assert f"warning: {line}" in run.err
    assert json.loads(plainly("compare", *again, "--format", "json").printed)["warnings"] == [line]
    for form, lead in (("markdown", ""), ("latex", "% "), ("html", "<p>")):
        assert f"{lead}Warning: {line}" in plainly("compare", *again, "--format", form).printed


def test_settings_reach_the_test(plainly: Any, files: list[str]) -> None:
    options = [
        "--resamples",
        "99",
        "--seed",
        "3",
        "--confidence",
        "0.9",
        "--interval",
        "bca",
        "--test",
        "randomisation",
    ]
    settings = plainly("compare", *files, *options, "--format", "json").json["settings"]
    assert settings["resampling"]["resamples"] == 99
    drawn = settings["resampling"]
    assert (drawn["seed"], drawn["confidence"], drawn["method"]) == (3, 0.9, "bca")
    assert (settings["trials"], settings["method"]) == (99, "randomisation")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "mien"], "unknown system 'mien'; did you mean 'mine'?"),
        (["--resamples", "0"], "resamples"),
        (["--confidence", "1.5"], "confidence"),
        (["--confidence", "x"], "--confidence"),
        (["--test", "t"], "--test"),
    ],
)
def test_bad_settings(plainly: Any, files: list[str], arguments: list[str], message: str) -> None:
    run = plainly("compare", *files, *arguments)
    assert run.status == 2
    assert run.out == ""
    assert message in run.err
    assert run.err.count("\n") == 1


@pytest.mark.usefixtures("files")
def test_one_system_has_no_pairs(plainly: Any) -> None:
    run = plainly("compare", "--system", "mine=mine.txt", "--metrics", "fkgl", *PAIRS)  # without sources
    assert (run.status, run.out) == (2, "")
    assert "only one system" in run.err


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
@pytest.mark.parametrize("pairs", [[], PAIRS])
def test_tables_say_how_they_were_made(plainly: Any, files: list[str], form: str, pairs: list[str]) -> None:
    printed = plainly("compare", *files, *pairs, "--format", form).printed
    assert "6 segments, 1000 resamples, seed 12345, calibrated paired bootstrap" in printed
    assert "sari|lang:en|tok:13a|" in printed


def test_csv_pairs_are_signed(plainly: Any, files: list[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("compare", *files, *PAIRS, "--format", "csv").printed)))
    assert all(row["signature"].startswith(f"{row['metric']}|lang:en|") for row in rows)


def test_documents_are_named_where_they_are_drawn(plainly: Any) -> None:
    records = [{"document": f"d{i // 2}", "source": "a b", "reference": "a", "output": "a"} for i in range(6)]
    Path("r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert "6 segments in 3 documents, " in plainly("compare", "--data", "r.jsonl", "--metrics", "bleu").printed


def test_what_a_system_left_out_stands_below_the_table(plainly: Any) -> None:
    records = [{"source": "a b", "reference": "a", "outputs": {"m": "a", "n": None if i else "a"}} for i in range(6)]
    Path("r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    printed = plainly("compare", "--data", "r.jsonl", "--metrics", "bleu", "--quiet").printed
    assert "bleu left 5 of 6 segments of n unscored" in printed


def test_ranks_under_profiles_refuse_what_has_no_meaning_there(plainly: Any) -> None:
    both = ("compare", "--demo", "--profiles", "easse-multi,easse", "--lang", "en")
    for more, complaint in {
        ("--profile", "easse"): "--profiles compares ranks; leave --profile out",
        ("--by", "length"): "--profiles compares ranks; leave --by out",
        ("--fail-if-worse",): "--profiles compares ranks; leave --fail-if-worse out",
        ("--table", "pairs"): "--table pairs does not go with --profiles; it has ranks, agreement, turned",
        ("--system", "mine=-"): "texts are read once a profile; standard input (-) can be read only once",
        ("--tokenizer", "none"): "the profile easse-multi says tokenizer spacy, but you say none: say one of them",
    }.items():
        assert plainly(*both, *more).refusal == complaint
    twice = plainly("compare", "--demo", "--profiles", "easse", "easse")
    assert twice.refusal == "the profile easse is named twice"
    apart = plainly("compare", "--demo", "--profiles", "easse", "tanprasert-kauchak-2021").refusal
    assert (
        "have no metric in common: easse has sari, bleu, fkgl:easse; tanprasert-kauchak-2021 has fkgl-tk2021" in apart
    )
    assert plainly("compare", "--demo", "--table", "turned").refusal == "--table turned goes with --profiles"
    unsaid = plainly(
        "compare", "--demo", "--profiles", "easse-multi", "easse", "--table", "agreement", "--format", "csv"
    )
    assert "sari,easse-multi,easse,6,15,0,0,1" in unsaid.printed  # the language of easse, which is English
