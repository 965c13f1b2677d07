"""`plainly comprehension check`, `design` and `simulate`, as their users run them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "comprehension-experiments.md"
SIMULATE = ("comprehension", "simulate", "--runs", 40)


@pytest.fixture(autouse=True)
def _storms(tmp_path: Path, _in_empty_folder: None) -> None:
    text = GUIDE.read_text("utf-8").split("$ cat storms.yaml\n")[1].split("```")[0]
    Path("storms.yaml").write_text(text, encoding="utf-8")
    weak = text.replace("Up the stairs.", "Down the road.").replace("Away from", "Safest far from")
    Path("weak.yaml").write_text(weak, encoding="utf-8")


def test_check(plainly: Any) -> None:
    assert plainly("comprehension", "check", "storms.yaml").printed == "storms.yaml: nothing to change\n"
    run = plainly("comprehension", "check", "weak.yaml")
    assert (run.status, run.err) == (1, "")
    lines = [" ".join(line.split()) for line in run.out.splitlines()]
    assert lines[4].startswith("24 storm-room echo advice 'safest' is in the question")
    assert lines[5] == "51 flood-where same-answer error two correct answers: 'Down the road.'; change one of them"
    assert lines[:2] == ["weak.yaml: 1 error, 1 piece of advice", ""]


def test_check_strictly(plainly: Any) -> None:
    text = Path("storms.yaml").read_text("utf-8").replace("Away from", "Safest far from")
    Path("advice.yaml").write_text(text, encoding="utf-8")
    assert plainly("comprehension", "check", "advice.yaml").status == 0
    run = plainly("comprehension", "check", "advice.yaml", "--strict", "--format", "json", "-o", "found.json")
    assert (run.status, run.out) == (1, "")
    found = json.loads(Path("found.json").read_text("utf-8"))
    assert (found["errors"], found["advice"], found["findings"][0]["rule"]) == (0, 1, "echo")
    rows = list(csv.DictReader(plainly("comprehension", "check", "advice.yaml", "--format", "csv").out.splitlines()))
    assert [(row["line"], row["place"], row["severity"]) for row in rows] == [("24", "storm-room", "advice")]


def test_check_refuses(plainly: Any) -> None:
    Path("bad.yaml").write_text("name: x\nlang: en\npassages:\n  - id: a\n", encoding="utf-8")
    refusal = plainly("comprehension", "check", "bad.yaml").refusal
    missing = "are missing, or no list of tables"
    assert refusal == f"bad.yaml:4: passage 'a': versions {missing}; line 4: passage 'a': questions {missing}"
    assert "nowhere.yaml" in plainly("comprehension", "check", "nowhere.yaml").refusal


def test_design(plainly: Any) -> None:
    run = plainly("comprehension", "design", "storms.yaml", "--participants", 6, "--seed", 3)
    rows = list(csv.DictReader(io.StringIO(run.printed)))
    assert len(rows) == 6 * 8
    assert {(row["experiment"], row["seed"]) for row in rows} == {("storms", "3")}
    assert "6 participants, each 2 passages in 2 versions; seed 3" in run.err
    assert "balanced after every 4 participants; next with 8" in run.err
    quiet = ("comprehension", "design", "storms.yaml", "--participants", 4, "--quiet", "-o", "plan.jsonl")
    assert plainly(*quiet).err == ""
    assert len(Path("plan.jsonl").read_text("utf-8").splitlines()) == 4
    assert "next with" not in plainly("comprehension", "design", "storms.yaml", "--participants", 4).err


def test_design_refuses_an_experiment_with_errors(plainly: Any) -> None:
    run = plainly("comprehension", "design", "weak.yaml", "--participants", 4, "-o", "plan.csv")
    assert run.refusal.startswith("weak.yaml:51: flood-where: two correct answers: 'Down the road.'; change one")
    assert not Path("plan.csv").exists()
    for action in (["design", "storms.yaml", "--participants", 4], ["check", "storms.yaml", "--format", "table"]):
        assert "is an input of this run" in plainly("comprehension", *action, "-o", "storms.yaml").refusal


def test_check_says_all_faults_at_once(plainly: Any) -> None:
    text = Path("storms.yaml").read_text("utf-8").replace("id: flood-avoid", "id: flood-cause")
    Path("bad.yaml").write_text(text.replace("kind: number", "kind: colour"), encoding="utf-8")
    assert plainly("comprehension", "check", "bad.yaml").refusal == (
        "bad.yaml:10: form field 'age': kind must be one of text, number, choice, yes-no, not 'colour'; "
        "line 63: question 'flood-cause' is there twice"
    )


def test_design_refuses(plainly: Any) -> None:
    run = plainly("comprehension", "design", "storms.yaml", "--participants", 0, "-o", "plan.csv")
    assert run.refusal == "a plan is for 1 to 100000 participants, not 0"
    assert not Path("plan.csv").exists()


def test_how_many(plainly: Any) -> None:
    printed = plainly(*SIMULATE, "--difference", 20, "--faster", 0, "--format", "csv").printed
    [row] = csv.DictReader(printed.splitlines())
    assert row["difference in"] == "correct"
    assert 6 <= int(row["participants"]) < 30
    run = plainly(*SIMULATE, "--difference", 20, "--faster", 30, "--power", 0.9, "--seed", 5)
    assert "participants for a power of 0.9" in run.printed
    assert "60 % correct and +20 points; 20 s and 30 % less; 4 passages, 18 questions" in run.out
    assert "alpha 0.05, two-sided; 40 runs, seed 5" in run.out


def test_power_of_some_numbers(plainly: Any) -> None:
    found = plainly(*SIMULATE, "--participants", "8,64", "--spread", "ability=0.5", "--format", "json").json
    assert [point["participants"] for point in found["power"]] == [8, 64]
    assert found["power"][0]["correct"]["value"] < found["power"][1]["correct"]["value"]
    assert (found["effects"]["ability_sd"], found["runs"], found["seed"]) == (0.5, 40, 12345)
    run = plainly(*SIMULATE, "--experiment", "storms.yaml", "--participants", 10)
    assert "2 passages, 8 questions" in run.printed


def test_records(plainly: Any) -> None:
    arguments = ("--participants", 12, "--dropouts", 20, "--experiment", "storms.yaml")
    run = plainly(*SIMULATE, *arguments, "--records", "answers.csv", "--truth", "truth.csv")
    assert run.printed == ""
    assert "simulated answers of 12 participants" in run.err
    rows = list(csv.DictReader(Path("answers.csv").read_text("utf-8").splitlines()))
    assert len({row["user"] for row in rows}) == 12
    assert {"0", "1"} == {row["completed"] for row in rows}
    truth = list(csv.DictReader(Path("truth.csv").read_text("utf-8").splitlines()))
    assert len(truth) == 16
    run = plainly(*SIMULATE, "--records", "-", "--quiet")
    assert len(run.printed.splitlines()) == 1 + 103 * 18


@pytest.mark.parametrize("option", ["--records", "--truth", "-o"])
def test_simulate_does_not_write_over_the_experiment(plainly: Any, option: str) -> None:
    before = Path("storms.yaml").read_text("utf-8")
    records = () if option in ("--records", "-o") else ("--records", "r.csv")
    refusal = plainly(
        *SIMULATE, "--format", "table", "--experiment", "storms.yaml", *records, option, "./storms.yaml"
    ).refusal
    assert "./storms.yaml is an input of this run; choose another file" in refusal
    assert Path("storms.yaml").read_text("utf-8") == before


@pytest.mark.parametrize("truth", ["./r.csv", "link.csv"])
def test_answers_and_truth_go_to_two_files(plainly: Any, truth: str) -> None:
    Path("r.csv").write_text("kept\n")
    Path("link.csv").symlink_to("r.csv")
    refusal = plainly(*SIMULATE, "--records", "r.csv", "--truth", truth).refusal
    assert refusal == f"--records and --truth are the same file, {truth}; choose two"
    assert Path("r.csv").read_text() == "kept\n"
    assert "the same file" in plainly(*SIMULATE, "--records", "new.csv", "--truth", "new.csv").refusal
    assert not Path("new.csv").exists()


def test_simulate_refuses_an_experiment_with_errors(plainly: Any) -> None:
    refusal = plainly(*SIMULATE, "--experiment", "weak.yaml", "--records", "r.csv").refusal
    assert refusal.startswith("weak.yaml:51: flood-where: two correct answers: 'Down the road.'; change one")


def test_simulate_keeps_the_limit_of_time(plainly: Any) -> None:
    text = Path("storms.yaml").read_text("utf-8").replace("answer_seconds: 45", "answer_seconds: 20")
    Path("storms.yaml").write_text(text, encoding="utf-8")
    experiment = ("--experiment", "storms.yaml")
    run = plainly(*SIMULATE, *experiment, "--participants", 40, "--records", "r.csv")
    rows = list(csv.DictReader(Path("r.csv").read_text("utf-8").splitlines()))
    late = [row for row in rows if not row["answer"]]
    assert len(late) > 40
    assert {(row["time"], row["correct"]) for row in late} == {("20000.0", "0")}
    assert max(float(row["time"]) for row in rows) == 20_000
    assert f"320 simulated answers of 40 participants; {len(late)} of them cut off at the limit" in run.err
    assert "8 questions; no answer after 20 s" in plainly(*SIMULATE, *experiment, "--participants", 8).printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["design", "storms.yaml", "--participants", 4, "-o", "p.html"],
            "a plan is written as csv or jsonl; for p.html",
        ),
        (["design", "storms.yaml", "--participants", 4, "-o", "p.json"], "a plan is written as csv or jsonl"),
        (["simulate", "--records", "p.html"], "--records is written as csv or jsonl"),
        (["simulate", "--records", "r.csv", "--truth", "p.tex"], "--truth is written as csv; for p.tex"),
    ],
)
def test_endings_that_would_lie(plainly: Any, arguments: list[object], message: str) -> None:
    assert message in plainly("comprehension", *arguments).refusal
    assert not list(Path().glob("p.*"))


def test_nothing_is_half_written(plainly: Any) -> None:
    run = plainly(*SIMULATE, "--records", "no/answers.csv", "--truth", "truth.csv")
    assert "cannot write no/answers.csv" in run.refusal
    run = plainly(*SIMULATE, "--records", "answers.csv", "--truth", "no/truth.csv")
    assert "cannot write no/truth.csv" in run.refusal
    assert not list(Path().glob("*.csv"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--participants", "ten"], "--participants takes whole numbers from 1 to 4096"),
        (["--participants", "0"], "--participants takes whole numbers from 1 to 4096"),
        (["--participants", "8", "--power", "0.9"], "not both"),
        (["--power", "2"], "power must lie between 0 and 1, not 2"),
        (["--difference", "0", "--faster", "0"], "where nothing differs"),
        (["--difference", "50"], "a share of 1.1 correct answers cannot be"),
        (["--difference", "nan"], "difference must be a number"),
        (["--passages", "3"], "--passages must be an even number"),
        (["--passages", "2", "--experiment", "storms.yaml"], "--passages is for a made-up experiment"),
        (["--answers", "1"], "a question has at least 2"),
        (["--questions", "4,x"], "--questions takes whole numbers"),
        (["--spread", "abilty=1"], "did you mean 'ability'?"),
        (["--spread", "ability=much"], "--spread takes NAME=NUMBER"),
        (["--truth", "t.csv"], "--truth goes with --records"),
        (["--dropouts", "5"], "--dropouts goes with --records"),
        (["--records", "r.csv", "--participants", "3,4"], "one number of --participants"),
        (["--records", "r.csv", "-o", "x"], "leave -o and --power out"),
    ],
)
def test_refused(plainly: Any, arguments: list[object], message: str) -> None:
    assert message in plainly(*SIMULATE, *arguments).refusal
