"""`plainly comprehension score` and `report`: every format, every rule, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.comprehension.analysis import analyse
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.formats import read_records, write_records
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling

HEADER = "user,pair,text,question,answer,time,completed,age\n"
EXPERIMENT = """
name: storms
lang: en
passages:
  - id: "1"
    versions:
      - {id: complex, text: "Should a storm approach, close every window promptly."}
      - {id: simplified, text: "Is a storm near? Close all windows now."}
    questions:
      - {id: q1, text: "What do you close?", correct: "The window.", distractors: ["The door.", "The shop."]}
      - {id: q2, text: "When?", correct: "At once.", distractors: ["Later."]}
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "e.yaml").write_text(EXPERIMENT)
    rows = ["ann,1,complex,q1,0,10000,1,30", "ann,1,complex,q2,1,4000,1,30"]
    rows += ["bob,1,complex,q1,2,30000,1,50", "bob,1,complex,q2,0,4000,1,50"]
    rows += ["cem,1,simplified,q1,0,5000,0,50", "cem,1,simplified,q2,0,2000,0,50"]
    (tmp_path / "a.csv").write_text(HEADER + "\n".join(rows) + "\n")
    return ["a.csv", "--experiment", "e.yaml", "--resamples", "50"]


def test_scores_worked_by_hand(plainly: Any, files: list[str]) -> None:
    out = plainly("comprehension", "score", *files, "--table", "texts", "--format", "csv").printed
    complex_, simplified = csv.DictReader(io.StringIO(out))
    # Worked out in tests/comprehension/test_scores.py and test_analysis.py.
    names = ["c-score-simple", "c-score-complete", "c-score-textsize"]
    assert [float(complex_[name]) for name in names] == pytest.approx([50 / 12, 87.5, 700])
    assert [float(simplified[name]) for name in names] == pytest.approx([100 / 3.5, 500, 4000])
    assert complex_["signature"].startswith("c-score|unit:1s|scale:plain|guessing:no|outliers:none|")


def test_json_is_the_study(plainly: Any, files: list[str]) -> None:
    content = plainly("comprehension", "report", *files, "--by", "age:45", "--format", "json").json
    experiment = read_experiment("e.yaml")
    found = analyse(read_records("a.csv", experiment), experiment, by=["age:45"], resampling=Resampling(resamples=50))
    assert content == found.to_dict()


def test_some_participants(plainly: Any, files: list[str]) -> None:
    options = ("comprehension", "score", *files, "--format", "json")
    (text,) = plainly(*options, "--where", "age<45").json["texts"]
    assert (text["participants"], text["correct"], text["seconds"]) == (1, 50.0, 7.0)  # ann: 1 of 2, 10 and 4 s
    texts = plainly(*options, "--where", "age=30,50").json["texts"]
    assert [text["participants"] for text in texts] == [2, 1]


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_all_tables(plainly: Any, files: list[str], form: str) -> None:
    out = plainly("comprehension", "report", *files, "--by", "age:45", "--format", form).printed
    for title in ("How well is each text", "How do the scores", "More correct answers?", "What do groups",
                  "How good are the questions?", "Which answers were chosen?", "What counts?"):  # fmt: skip
        assert title in out
    assert "more correct answers with simplified than with complex: not shown: 50.0 points more" in out
    assert "under 45" in out


def test_rules_are_counted_and_shown(plainly: Any, files: list[str]) -> None:
    asked = ["--unfinished", "drop", "--outliers", "range:1,20", "--table", "counts"]
    out = plainly("comprehension", "score", *files, *asked).printed
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "read 6 3" in lines
    assert "of unfinished participants (left out) 2 1" in lines
    assert "times left out as outliers (range:1,20) 1 -" in lines
    assert "counted 3 2" in lines
    assert "outliers:range:1,20|unfinished:drop|unanswered:apart" in out


def test_settings_change_the_numbers(plainly: Any, files: list[str]) -> None:
    def score(*more: str) -> float:
        found = plainly("comprehension", "score", *files, "--format", "json", *more).json
        return float(found["texts"][0]["scores"]["c-score-simple"]["value"])

    assert score("--time-unit", "minutes") == pytest.approx(60 * 50 / 12)
    assert score("--formula", "tables") == pytest.approx(10 * 50 / 12)
    assert score("--guessing") == pytest.approx(12.5 / 12)
    assert score("--baseline", "simplified") == pytest.approx(50 / 12)


def test_faults(plainly: Any, files: list[str]) -> None:
    with Path("a.csv").open("a") as out:
        out.write("dan,1,complex,q9,0,100,1,20\n")
    assert plainly("comprehension", "score", *files).refusal.startswith(
        "a.csv:8: passage 1 has no question q9; say --faults apart to keep such rows apart, or mend it"
    )
    assert "kept apart: unknown question" in plainly("comprehension", "score", *files, "--faults", "apart").printed


def test_rows_kept_apart_are_listed(plainly: Any, files: list[str]) -> None:
    with Path("a.csv").open("a") as out:
        out.write("dan,1,complex,q9,0,100,1,20\n")
    found = plainly("comprehension", "score", *files, "--faults", "apart", "--format", "json").json
    assert found["counts"]["apart"] == [
        {
            "file": "a.csv",
            "row": 8,
            "participant": "dan",
            "kind": "unknown question",
            "reason": "passage 1 has no question q9",
        }
    ]
    assert "|faults:apart|" in found["signature"]


def test_a_reader_in_two_groups(plainly: Any, files: list[str]) -> None:
    text = Path("a.csv").read_text().replace("age", "shoe").replace("4000,1,30", "4000,1,31")
    Path("a.csv").write_text(text)
    assert plainly("comprehension", "report", *files).status == 0
    refusal = plainly("comprehension", "report", *files, "--by", "shoe:40").refusal
    assert refusal == (
        "a.csv:3: shoe of participant ann is 31, but 30 at a.csv:2; "
        "say --faults apart to keep such rows apart, or mend it"
    )


def test_an_experiment_with_errors(plainly: Any, files: list[str]) -> None:
    Path("e.yaml").write_text(EXPERIMENT.replace("The door.", "the window"))
    for action in ("score", "report"):
        assert plainly("comprehension", action, *files).refusal == (
            "e.yaml:10: q1: two correct answers: 'the window'; change one of them; plainly comprehension check says "
            "all that should be changed"
        )


def test_a_title_is_for_a_page(plainly: Any, files: list[str]) -> None:
    for more in ([], ["-o", "x.txt"]):
        refusal = plainly("comprehension", "report", *files, "--title", "Storms", *more).refusal
        assert refusal == "--title is for a page; write one with -o FILE.html"


@pytest.mark.parametrize("name", ["a.csv", "e.yaml"])
def test_inputs_are_not_written_over(plainly: Any, files: list[str], name: str) -> None:
    assert (
        "is an input of this run"
        in plainly("comprehension", "score", *files, "--format", "table", "-o", name).refusal
    )


def test_times_in_seconds_are_noticed(plainly: Any, files: list[str]) -> None:
    Path("a.csv").write_text(Path("a.csv").read_text().replace("000,", ","))
    assert (
        "are they in seconds? They were taken for milliseconds" in plainly("comprehension", "score", *files).printed
    )


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--format", "csv"], "one file holds one table"),
        (["--outliers", "sd"], "outliers are none, range:LOW,HIGH, sd:K or fences:K"),
        (["--time-unit", "hours"], "unknown unit of time 'hours'"),
        (["--time-unit", "minutes", "--formula", "tables"], "for times in seconds"),
        (["--baseline", "easy"], "unknown version 'easy'"),
        (["--where", "agee<45"], "unknown column 'agee'; did you mean 'age'?"),
        (["--where", "age=31"], "unknown value of age '31'; known: 30, 50"),
        (["--resamples", "0"], "resamples must be at least 1"),
        (["--confidence", "95"], "the confidence must lie between 0 and 1"),
    ],
)
def test_refused(plainly: Any, files: list[str], more: list[str], complaint: str) -> None:
    assert complaint in plainly("comprehension", "score", *files[:3], *more).refusal


def test_nothing_is_written_where_something_is_wrong(plainly: Any, files: list[str]) -> None:
    assert plainly("comprehension", "report", *files, "--by", "shoe", "-o", "out.txt").refusal
    assert not Path("out.txt").exists()


def test_without_the_experiment(plainly: Any, files: list[str]) -> None:
    assert "a.csv:2: whether the answer is correct is not said" in plainly("comprehension", "score", "a.csv").refusal
    answers = simulated(made_up_experiment(passages=2), 24, Effects(), seed=1).answers
    write_records(answers, "marked.jsonl")
    out = plainly("comprehension", "score", "marked.jsonl", "--resamples", "20").printed
    assert "without the experiment only c-score-simple can be computed" in out
    assert "c-score-complete" not in out.replace("only c-score-simple", "")


def test_one_resample_is_one(plainly: Any, files: list[str]) -> None:
    out = plainly("comprehension", "score", *files[:3], "--resamples", 1, "--permutations", 1).printed
    assert "95 % intervals, 1 resample of participants" in out
    assert "|resamples:1|permutations:1|" in out
    assert "1 resamples" not in out


@pytest.mark.parametrize("form", ["table", "csv", "latex", "markdown", "json"])
def test_names_from_files_turn_nothing(plainly: Any, files: list[str], form: str) -> None:
    """A right-to-left override in a group's name would turn the rest of its line."""
    Path("a.csv").write_text(Path("a.csv").read_text().replace(",30\n", ",3\u202e0\n"), encoding="utf-8")
    out = plainly("comprehension", "report", *files, "--by", "age", "--format", form, "--table", "groups").printed
    assert "\u202e" not in out
    assert "3\\textbackslash{}u202e0" in out if form == "latex" else "u202e0" in out


def test_the_ending_says_the_format(plainly: Any, files: list[str]) -> None:
    for name, begins in (
        ("t.json", "{"),
        ("t.csv", "pair,text"),
        ("t.md", "more correct answers"),
        ("t.TEX", "% more correct answers"),
    ):
        assert plainly("comprehension", "score", *files, "--table", "texts", "-o", name).printed == ""
        assert Path(name).read_text("utf-8").startswith(begins), name
    for order in (["--format", "markdown", "-o", "u.csv"], ["-o", "u.csv", "--format", "markdown"]):
        assert plainly("comprehension", "score", *files, "--table", "texts", *order).printed == ""
        assert Path("u.csv").read_text("utf-8").startswith("more correct answers")
    assert plainly("comprehension", "score", *files, "--table", "texts", "-o", "t.txt").printed == ""
    assert "\npair " in Path("t.txt").read_text("utf-8")
    assert "one file holds one table" in plainly("comprehension", "score", *files, "-o", "all.csv").refusal
