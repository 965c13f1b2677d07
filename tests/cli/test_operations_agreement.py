"""`plainly operations agreement`: the study's numbers in every format, who did what in words, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from plainly.inference import Resampling
from plainly.operations import read_jsonl
from plainly.operations.agreement import agreement

TABLES = ["overall", "kappas", "spread", "groups", "labels", "confusions", "matrix", "contested"]
PAIRS = {
    "1": ("the vessel sank off the coast", "the ship sank near land"),
    "2": ("she left , sadly", "she left"),
    "3": ("rain fell incessantly", "it rained"),
}
GOLD = {
    "1": [([1], [1], "synonym"), ([3, 4, 5], [3, 4], "hyperonym")],
    "2": [([2], [], "delcst"), ([3], [], "delmod")],
    "3": [([0, 1], [0, 1], "POSchange"), ([2], [], "delmod")],
}
ANA = {**GOLD, "1": [([1], [1], "synonym"), ([3, 4, 5], [3, 4], "synonym")]}
BEN = {"1": GOLD["1"], "2": [([2], [], "delcst")]}
Groups = dict[str, list[tuple[list[int], list[int], str]]]


def lines(groups: Groups, **more: str) -> str:
    records = (
        {
            "id": key,
            "source": PAIRS[key][0].split(),
            "target": PAIRS[key][1].split(),
            "groups": [{"source": s, "target": t, "label": label} for s, t, label in found],
            **more,
        }
        for key, found in groups.items()
    )
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, groups in {"ana": ANA, "ben": BEN, "gold": GOLD}.items():
        (tmp_path / f"{name}.jsonl").write_text(lines(groups))
    return ["--annotations", "ana.jsonl", "--annotations", "ben.jsonl", "--resamples", "50"]


def study() -> Any:
    people = {name: read_jsonl(f"{name}.jsonl") for name in ("ana", "ben")}
    return agreement(people, read_jsonl("gold.jsonl"), resampling=Resampling(resamples=50, unit="source"))


def test_json_has_everything(plainly: Any, files: list[str]) -> None:
    content = plainly("operations", "agreement", *files, "--gold", "gold.jsonl", "--format", "json").json
    assert content == json.loads(json.dumps(study().to_dict()))
    assert content["annotators"] == {"ana": 3, "ben": 2}
    assert content["gold"] == 3
    assert all(
        content[key] for key in ("overall", "kappas", "spreads", "matching", "labels", "matrices", "confusions")
    )
    assert content["contested"][0] == {"id": "1", "origin": "", "annotators": 3, "compared": 33, "differing": 10}


def test_tables_have_the_numbers_of_the_study(plainly: Any, files: list[str]) -> None:
    found = study()
    arguments = ["operations", "agreement", *files, "--gold", "gold.jsonl", "--format", "csv", "--table"]
    tables = {name: list(csv.DictReader(io.StringIO(plainly(*arguments, name).printed))) for name in TABLES}
    overall = tables["overall"][0]
    assert float(overall["Davies & Fleiss"]) == found.overall[0].davies_fleiss.value
    assert float(overall["alpha high"]) == found.overall[0].alpha.high
    kappas = {(r["first"], r["second"], r["labels read as"], r["side"]): r["kappa"] for r in tables["kappas"]}
    assert len(kappas) == len(found.kappas)
    for row in found.kappas:
        assert float(kappas[row.first, row.second, row.variant, row.side]) == row.kappa.value
    assert [float(row["spans low"]) for row in tables["groups"]] == [r.spans.low for r in found.matching]
    assert {row["annotator"] for row in tables["labels"]} == {"mean of annotators"}
    assert {row["annotator"] for row in tables["confusions"]} == {"all annotators"}
    assert [float(row["sd"]) for row in tables["spread"]] == [row.sd for row in found.spreads]
    cells = {(row["side"], row["gold"], row["found"]): int(row["tokens"]) for row in tables["matrix"]}
    assert cells["source", "hyperonym", "synonym"] == 3  # of ana; ben has all three right
    assert cells["source", "hyperonym", "hyperonym"] == 3
    # 1: 6 + 5 tokens in 3 pairs of annotators; ana differs from both others in 3 + 2. 3: ana and gold are the same.
    # 2: 4 + 2 tokens; ben, who has not seen that "sadly" is gone, differs from both others in one.
    contested = {row["pair"]: float(row["% of tokens that differ"]) for row in tables["contested"]}
    assert [*contested.items()] == [("1", pytest.approx(1000 / 33)), ("2", pytest.approx(200 / 18))]
    assert cells["source", "delmod", "unchanged"] == 1  # of ben, who has not done the last pair


def test_contested_pairs_name_their_origin(plainly: Any, tmp_path: Path) -> None:
    """Pair 1 of two systems; on that of system b only, ana and ben differ: in 3 + 2 of 6 + 5 tokens."""
    for name, others in {"ana": ANA, "ben": BEN}.items():
        same, other = {"1": ANA["1"]}, {"1": others["1"]}
        (tmp_path / f"{name}.jsonl").write_text(lines(same, origin="a") + lines(other, origin="b"))
    arguments = ["--annotations", "ana.jsonl", "--annotations", "ben.jsonl", "--table", "contested"]
    printed = plainly("operations", "agreement", *arguments, "--format", "csv").printed
    (row,) = csv.DictReader(io.StringIO(printed))
    assert [row["pair"], row["origin"], row["annotators"], row["source"]] == ["1", "b", "2", PAIRS["1"][0]]
    assert float(row["% of tokens that differ"]) == pytest.approx(500 / 11)


def test_people_read_who_did_what(plainly: Any, files: list[str]) -> None:
    printed = plainly("operations", "agreement", *files, "--gold", "gold.jsonl").printed
    assert "How far do all annotators agree, token by token?\n\nlabels read as" in printed
    assert "3 pairs; done by ana 3, ben 2, gold 3\n" in printed
    assert "two annotators are compared on the pairs that both have done" in printed
    mean = "mean of annotators: gold and found are sums; a precision, recall or F1 that is undefined is left out"
    assert mean in printed
    kappas = plainly("operations", "agreement", *files, "--gold", "gold.jsonl", "--table", "kappas").printed
    assert "are sums" not in kappas
    assert "95 % intervals, bootstrap over sources, 50 resamples, seed 12345" in printed


def test_one_annotator_against_gold(plainly: Any, files: list[str]) -> None:
    arguments = ["operations", "agreement", *files, "--gold", "gold.jsonl", "--annotator", "ana", "--top", "1"]
    printed = plainly(*arguments, "--table", "confusions", "--format", "csv").printed
    assert list(csv.reader(io.StringIO(printed)))[1:] == [
        ["ana", "source", "hyperonym", "synonym", "3", "100.0"],
        ["ana", "target", "hyperonym", "synonym", "2", "100.0"],
    ]


def test_annotators_in_one_file_without_gold(plainly: Any, files: list[str]) -> None:
    Path("both.jsonl").write_text(lines(ANA, annotator="ana") + lines(BEN, annotator="ben"))
    two = plainly("operations", "agreement", *files, "--format", "json").json
    one = plainly(
        "operations", "agreement", "--annotations", "both.jsonl", "--resamples", 50, "--format", "json"
    ).json
    assert one == two
    assert one["gold"] is None
    assert one["pairs_of_one_annotator"] == 1
    printed = plainly("operations", "agreement", *files).printed
    assert "1 more pairs were done by one annotator alone and do not count" in printed


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_formats(plainly: Any, files: list[str], form: str) -> None:
    printed = plainly("operations", "agreement", *files, "--format", form).printed
    heading = {"markdown": "## ", "latex": r"\caption{"}[form] + "Do two annotators find the same groups?"
    assert heading in printed
    assert printed.count("\\begin{tabular}" if form == "latex" else "| ---") >= 5


def test_merged_as_asked(plainly: Any, files: list[str]) -> None:
    arguments = ["operations", "agreement", *files, "--merge", "lexis=synonym,hyperonym", "--format", "json"]
    rows = [row for row in plainly(*arguments).json["kappas"] if row["variant"] == "merged as asked"]
    assert {row["side"]: row["kappa"]["value"] for row in rows}["target"] == 1


def test_yawat_files_with_their_tokens(plainly: Any, files: list[str]) -> None:
    for name, groups in {"ana": ANA, "gold": GOLD}.items():
        Path(f"{name}.crp").write_text("".join(f"{key}\n{s}\n{t}\n" for key, (s, t) in PAIRS.items()))
        Path(f"{name}.aln").write_text(
            "".join(
                " ".join([key, *(f"{','.join(map(str, s))}:{','.join(map(str, t))}:{la}" for s, t, la in found)])
                + "\n"
                for key, found in groups.items()
            )
        )
    yawat, plain = (
        plainly(
            *("operations", "agreement", "--annotations", f"ana{end}", "--gold", f"gold{end}", "--format", "json")
        ).json
        for end in (".aln", ".jsonl")
    )
    assert yawat == plain


def test_names_cannot_drive_the_terminal(plainly: Any, files: list[str]) -> None:
    Path("bad.jsonl").write_text(lines(ANA, annotator="\x1b[31mana") + lines(BEN, annotator="ben"))
    printed = plainly("operations", "agreement", "--annotations", "bad.jsonl", "--resamples", "0").printed
    assert "\x1b" not in printed
    assert "in brackets" not in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "csv"], "one file holds one table"),
        (["--merge", "lexis"], "--merge takes NAME=LABEL,LABEL, not 'lexis'"),
        (["--merge", "lexis=synonim"], "did you mean 'synonym'"),
        (["--annotator", "anna", "--gold", "gold.jsonl"], "unknown annotator 'anna'; did you mean 'ana'"),
        (["--annotator", "ana"], "--annotator needs --gold"),
        (["--top", "0"], "--top must be at least 1, not 0"),
        (["--confidence", "2"], "the confidence must lie between 0 and 1"),
        (["--gold", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--gold", "gold=other.jsonl"], "pair '1': 'ana' and 'gold' have different tokens on the source side"),
        (["-o", "ana.jsonl", "--format", "json"], "is an input of this run"),
    ],
)
def test_refusals(plainly: Any, files: list[str], arguments: list[str], message: str) -> None:
    Path("other.jsonl").write_text(lines(GOLD).replace("vessel", "boat"))
    assert message in plainly("operations", "agreement", *files, *arguments).refusal


def test_resamples_must_be_possible(plainly: Any, files: list[str]) -> None:
    refusal = plainly("operations", "agreement", *files[:4], "--resamples", "-1").refusal
    assert refusal == "resamples must be at least 0, not -1"


def test_one_annotator_alone(plainly: Any, files: list[str]) -> None:
    alone = plainly("operations", "agreement", "--annotations", "ana.jsonl")
    assert alone.refusal == "agreement needs two annotators, or one and a gold annotation"
    arguments = ["--annotations", "ana.jsonl", "--gold", "gold.jsonl", "--table", "overall"]
    assert "needs two annotators besides gold" in plainly("operations", "agreement", *arguments).refusal


@pytest.mark.slow
def test_the_matrix_has_a_column_a_label_and_a_picture(plainly: Any, files: list[str]) -> None:
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    arguments = ["operations", "agreement", *files, "--gold", "gold.jsonl"]
    out = plainly(*arguments, "--table", "matrix").printed
    assert "gold       unchanged  synonym  hyperonym" in out
    assert "hyperonym          0        3          3" in out
    plainly(*arguments, "-o", "matrix.svg")
    picture = Path("matrix.svg").read_text()
    assert "found (source)" in picture
    assert "found (target)" in picture
    assert plainly(*arguments, "--annotator", "ana", "-o", "page.html").status == 0
    page = Path("page.html").read_text()
    assert "<svg" in page
    assert "Most often, hyperonym and synonym stand in each other&#x27;s place: 3 tokens." in page


def test_a_spread_needs_gold_and_several_annotators(plainly: Any, files: list[str]) -> None:
    refused = plainly("operations", "agreement", *files, "--table", "spread")
    assert refused.status == 2
    assert "--table spread needs gold and two annotators besides it" in refused.refusal
