"""`plainly ranking judge`: from files to judgements, also after a kill; and the metric `judge`."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import Fault, ScriptedJudge, user_text

from plainly.cli import main
from plainly.ranking import read_judgements

from ..waiting import LONG, until

Serve = Callable[..., ScriptedJudge]
SECRET = "sk-test-0123456789-abcdef"
COUNT = 20


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Twenty texts, each compared with the next one."""
    texts = [{"id": f"t{i}", "text": f"This is text number {i}, and it is {'very ' * i}long."} for i in range(COUNT)]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")
    pairs = [f"t{i},t{i + 1}\n" for i in range(COUNT - 1)]
    (tmp_path / "pairs.csv").write_text("first,second\n" + "".join(pairs), "utf-8")
    return ["--texts", "texts.jsonl", "--pairs", "pairs.csv", "--store", "replies.jsonl", "-o", "found.csv"]


def shorter(body: dict[str, Any], number: int) -> str:
    first, second = user_text(body).split("Text B:")[0:2]
    return "A" if first.count("very") < second.count("very") else "B"


def command(judge: ScriptedJudge, *options: str) -> list[str]:
    return ["ranking", "judge", "--url", judge.url, "--model", "scripted", *options]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that the command says on bad input."""
    assert main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()[-1]


def test_judgements_are_written(serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(shorter)
    assert main(command(judge, *files, "--format", "json")) == 0
    printed = capsys.readouterr()
    summary = json.loads(printed.out)
    assert (summary["judgements"], summary["ties"], summary["unscored"], summary["calls"]) == (19, 0, 0, 38)
    assert (summary["flips"], summary["flip rate"]["value"], summary["first text chosen"]["value"]) == (0, 0.0, 0.5)
    assert summary["signature"].startswith("judging|strategy:both-orders|prompt:pairwise-1|model:scripted")
    assert printed.err.startswith("38 calls: about ")
    found = read_judgements("found.csv")
    assert found.direction == "easier"
    assert [item.winner for item in found.items] == [f"t{i}" for i in range(19)]
    assert main(command(judge, *files)) == 0
    printed = capsys.readouterr()
    assert judge.calls == 38
    assert "0 calls (38 more have a reply already)" in printed.err
    assert "flip rate" in printed.out


def test_scores_are_written(serve: Serve, files: list[str], tmp_path: Path) -> None:
    judge = serve(lambda body, number: "75")
    options = ["--strategy", "score", "--scores", "scores.csv", "--quiet"]
    assert main(command(judge, *files[:2], *files[4:6], *options)) == 0
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text("utf-8").splitlines()))
    assert rows[3] == {"id": "t3", "score": "0.75"}
    assert len(rows) == COUNT


def test_a_dry_run_asks_nothing(serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(shorter)
    assert main(command(judge, *files, "--dry-run", "--price-in", "1", "--price-out", "2", "--format", "json")) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["questions"], content["calls"]) == (38, 38)
    assert content["cost, at most"] == pytest.approx(
        (content["tokens read, about"] + 2 * content["tokens written, at most"]) / 1e6
    )
    assert judge.calls == 0
    assert not Path("found.csv").exists()
    assert not Path("replies.jsonl").exists()


def test_much_money_needs_a_yes(serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(shorter)
    prices = ["--price-in", "1000", "--price-out", "1000"]
    said = refusal(capsys, *command(judge, *files, *prices))
    assert said.startswith("plainly: 38 calls: about ")
    assert said.endswith("; say --yes, or set --max-calls or --max-cost")
    assert judge.calls == 0
    assert main(command(judge, *files, *prices, "--yes")) == 0
    assert "cost" in capsys.readouterr().out


def test_a_budget_leaves_what_was_judged(serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(shorter)
    assert main(command(judge, *files, "--max-calls", "10", "--concurrency", "1")) == 0
    assert "the budget of 10 calls is used up; the same command with more goes on" in capsys.readouterr().err
    assert len(read_judgements("found.csv")) == 5
    assert main(command(judge, *files, "--quiet")) == 0
    assert (judge.calls, len(read_judgements("found.csv"))) == (38, 19)


def start(judge: ScriptedJudge, *options: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "plainly", *command(judge, *options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", [1, 4])
def test_killed_in_the_middle_and_run_again_nothing_is_paid_twice(
    concurrency: int, serve: Serve, files: list[str]
) -> None:
    """From the 15th request on the judge holds its replies. Once all who ask wait, all earlier replies are kept."""
    judge = serve(lambda body, number: Fault(hold=True) if number >= 15 else shorter(body, number))
    options = [*files, "--concurrency", str(concurrency)]
    killed = start(judge, *options)
    until(lambda: judge.calls == 15 + concurrency)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert sum(judge.answered.values()) == 15
    assert not Path("found.csv").exists()
    judge.go.set()
    judge.script = shorter
    again = start(judge, *options)
    _, err = again.communicate(timeout=LONG)
    assert again.returncode == 0, err
    assert "23 calls (15 more have a reply already)" in err
    assert len(read_judgements("found.csv")) == 19
    assert len(judge.answered) == 38
    assert set(judge.answered.values()) == {1}


def test_stopped_by_hand(serve: Serve, files: list[str]) -> None:
    judge = serve(lambda body, number: Fault(hold=True) if number >= 5 else shorter(body, number))
    running = start(judge, *files, "--concurrency", "2")
    until(lambda: judge.calls == 7)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=LONG)
    assert running.returncode == 130
    assert out == ""
    assert err.splitlines()[-2:] == [
        "the replies so far are kept in replies.jsonl; the same command goes on from there",
        "plainly: stopped",
    ]
    assert Path("replies.jsonl").read_text("utf-8").count("\n") == 1 + 5


def test_the_key_is_in_no_file_and_no_output(serve: Serve, files: list[str], tmp_path: Path) -> None:
    """The server repeats the key in its replies, and at last in the error that ends the run."""
    echo = f"Your key {SECRET} is nice."
    judge = serve(lambda body, number: Fault(401, echo.encode()) if number == 9 else echo if number == 3 else "A")
    running = start(judge, *files, "--key-variable", "TEST_KEY", TEST_KEY=SECRET)
    out, err = running.communicate(timeout=LONG)
    assert running.returncode == 2, err
    assert judge.headers[0]["Authorization"] == f"Bearer {SECRET}"
    assert "status 401: Your key [key] is nice." in err
    assert SECRET not in out + err
    written = {path: path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()}
    assert "[key]" in written[tmp_path / "replies.jsonl"]
    assert not [path for path, text in written.items() if SECRET in text]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--texts", "no.jsonl"], "no.jsonl: no such file"),
        (["--pairs", "bad.csv"], "bad.csv:2: text 'x' is not among the texts"),
        (["--pairs", "same.csv"], "same.csv:3: text 't1' is compared with itself"),
        (["--pairs", "half.csv"], "half.csv:2: second is missing"),
        (["--pairs", "none.csv"], "none.csv holds no pairs"),
        (["--url", "localhost"], "a judge's URL is like https://api.example.com/v1 or http://localhost:8000/v1"),
        (["--key-variable", "NOT_SET"], "the environment variable NOT_SET holds no key; export it first"),
        (["--key-variable", SECRET], "the key is taken from an environment variable; give its name, never the key"),
        (["--setting", "temperature"], "a setting of a judge is NAME=VALUE, not 'temperature'"),
        (["--setting", "messages=[]"], "'messages' is no setting of a judge: plainly sets it"),
        (["--price-in", "1"], "--price-in and --price-out go together"),
        (["--max-cost", "1"], "a budget in money needs the prices of a million tokens"),
        (["--concurrency", "0"], "1 to 1000 questions can be asked at a time, not 0"),
        (["--timeout", "0"], "the time for a reply must be above 0"),
        (["--reader-age", "1"], "the reader's age must be from 3 to 120, not 1"),
        (["--scores", "s.csv"], "--scores goes with --strategy score or rank-all; both-orders gives no scores"),
        (["--store", "texts.jsonl"], "texts.jsonl: this is no store of replies; choose another"),
    ],
)
def test_bad_input_is_said_before_anything_is_asked(
    options: list[str], message: str, serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.csv").write_text("first,second\nt1,x\n")
    Path("same.csv").write_text("first,second\nt1,t2\nt1,t1\n")
    Path("half.csv").write_text("first,second\nt1,\n")
    Path("none.csv").write_text("first,second\n")
    judge = serve(shorter)
    given = dict(zip(files[::2], files[1::2], strict=True))
    given |= {"--url": judge.url, "--model": "scripted"} | dict(zip(options[::2], options[1::2], strict=True))
    said = refusal(capsys, "ranking", "judge", *(part for item in given.items() for part in item))
    assert message in said
    assert SECRET not in said
    assert judge.calls == 0


def test_nothing_could_be_judged(serve: Serve, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(lambda body, number: "Hm.")
    assert main(command(judge, *files, "--quiet")) == 2
    assert "nothing could be judged: the reply was outside of what was offered, 3 times" in capsys.readouterr().err
    assert not Path("found.csv").exists()
