"""`plainly report`: what it writes, and what it says when it cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainly.cli import main

SOURCES = [
    "The committee postponed the vote.",
    "The physician prescribed antibiotics.",
    "He relinquished his position.",
]
OUTPUTS = ["The committee delayed the vote.", "The doctor gave antibiotics.", "He left."]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"src.txt": SOURCES, "ref.0": OUTPUTS, "ref.1": SOURCES, "out.txt": OUTPUTS}.items():
        Path(name).write_text("\n".join(lines) + "\n", "utf-8")


BASE = [
    "report",
    "--sources",
    "src.txt",
    "--references",
    "ref.0",
    "--references",
    "ref.1",
    "--system",
    "mine=out.txt",
]


def systems(path: str) -> list[str]:
    text = Path(path).read_text("utf-8")
    data = json.loads(re.search(r'id="segment-data">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    found: list[str] = data["systems"]
    return found


def test_it_writes_report_html(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BASE, "--title", "Mine & yours"]) == 0
    assert systems("report.html") == ["mine", "identity", "truncate", "reference"]
    text = Path("report.html").read_text("utf-8")
    assert "<title>Mine &amp; yours</title>" in text
    assert "src.txt" in text
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "wrote report.html: 1." in printed.err


def test_options(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--baselines", "identity", "--baseline", "mine", "--seed", "7", "--resamples", "50", "--quiet"]
    assert main([*BASE, *options, "--metrics", "sari,compression-ratio", "--confidence", "0.9", "-o", "x.html"]) == 0
    text = Path("x.html").read_text("utf-8")
    assert systems("x.html") == ["mine", "identity"]
    assert "90% intervals" in text
    assert "7 for resamples, 7 for random samples" in text
    assert "Against mine: " in text
    assert capsys.readouterr().err.startswith("warning: reference 2 is the source itself in 3 of 3 segments")


def test_the_first_reference_is_explained_where_it_is_asked_for() -> None:
    assert main([*BASE, "--baselines", "reference,first-reference", "--metrics", "sari,fre", "--quiet"]) == 0
    text = Path("report.html").read_text("utf-8")
    assert systems("report.html") == ["mine", "first-reference", "reference"]
    assert "a high score is no achievement" in text
    assert re.search(r"Flesch reading ease in words \(Flesch 1948\): [a-z ]+: mine", text)
    assert main([*BASE, "--quiet"]) == 0
    assert "a high score is no achievement" not in Path("report.html").read_text("utf-8")


def test_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BASE, "--quiet", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")


def test_baselines_that_the_data_do_not_allow_are_left_out() -> None:
    few = ["report", "--sources", "src.txt", "--references", "ref.0", "--system", "identity=src.txt", "--quiet"]
    assert main(few) == 0
    assert systems("report.html") == ["identity", "truncate"]  # a system has that name; one reference only
    assert main(["report", "--system", "mine=out.txt", "--metrics", "fkgl", "--quiet"]) == 0
    assert systems("report.html") == ["mine"]


def test_records_with_fields(capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        {"source": s, "references": [o, s], "outputs": {"mine": o}, "domain": "ab"[i % 2]}
        for i, (s, o) in enumerate(zip(SOURCES * 4, OUTPUTS * 4, strict=True))
    ]
    Path("data.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    assert main(["report", "--data", "data.jsonl", "--quiet"]) == 0, capsys.readouterr().err
    assert "Does the score depend on domain?" in Path("report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "no/such/folder/report.html"], "cannot write no/such/folder/report.html: No such file or directory"),
        (["--system", "short=short.txt"], "short.txt: line 2 is missing: it has 1 line, but src.txt has 3"),
        (["--baseline", "min"], "unknown system 'min'; did you mean 'mine'?"),
        (["--baselines", "identiti"], "unknown baseline 'identiti'; did you mean 'identity'?"),
        (["--metrics", "sarii"], "unknown metric 'sarii'; did you mean 'sari'?"),
        (["--resamples", "-5"], "resamples must be at least 1, not -5"),
        (["--confidence", "2"], "the confidence must lie between 0 and 1, for example 0.95, not 2.0"),
    ],
)
def test_bad_input(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("short.txt").write_text("One line.\n", "utf-8")
    Path("report.html").write_text("old", "utf-8")
    assert main([*BASE, *options]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"plainly: {message}\n"
    assert printed.out == ""
    assert Path("report.html").read_text("utf-8") == "old"
    assert not list(Path().glob(".plainly-*"))
