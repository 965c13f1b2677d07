"""`python -m plainly.compat.easse`: EASSE's options, its line of output, and one line for bad input."""

from __future__ import annotations

import ast
import io
import shlex
import shutil
import subprocess
import sys
import warnings
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from plainly.base.errors import MissingResource
from plainly.compat.easse.cli import cli, evaluate_system_output, multiple_systems_report, report

pytestmark = pytest.mark.usefixtures("builtin_splitter")


@pytest.fixture
def custom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("orig").write_text("He purchased a car.\n It is an enormous house.\n", encoding="utf-8")
    Path("sys").write_text("He bought a car. \nIt is a big house.\n", encoding="utf-8")
    Path("ref.0").write_text("He bought a car.\nIt is a large house.\n", encoding="utf-8")
    Path("ref.1").write_text("He got a car.\nIt is a big house.\n", encoding="utf-8")
    return ["-t", "custom", "--orig_sents_path", "orig", "--refs_sents_paths", "ref.0,ref.1"]


def complaint(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that bad input gets."""
    with pytest.raises(SystemExit) as stop:
        cli(arguments)
    out, err = capsys.readouterr()
    assert stop.value.code == 2
    assert out == ""
    assert err.startswith("plainly.compat.easse: ")
    assert err.count("\n") == 1
    return err


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert cli(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_prints_one_rounded_dict(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(["evaluate", *custom, "-i", "sys"], capsys)
    exact = evaluate_system_output("custom", "sys", "orig", ["ref.0", "ref.1"])
    assert out == f"{ {name: round(value, 3) for name, value in exact.items()} }\n"
    assert list(exact) == ["bleu", "sari", "fkgl"]
    assert all(type(value) is float for value in exact.values())


def test_keys_come_in_easses_order(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    metrics = "f1_token,sari_by_operation,fkgl,sari_legacy,sari,sent_bleu,bleu,sari"
    out = printed(["evaluate", "-q", "-m", metrics, *custom, "-i", "sys"], capsys)
    scores = ast.literal_eval(out)
    assert list(scores) == [
        "bleu",
        "sent_bleu",
        "sari",
        "sari_legacy",
        "sari_add",
        "sari_keep",
        "sari_del",
        "fkgl",
        "f1_token",
        "quality_estimation",
    ]
    assert list(scores["quality_estimation"]) == [
        "Compression ratio",
        "Sentence splits",
        "Levenshtein similarity",
        "Exact copies",
        "Additions proportion",
        "Deletions proportion",
        "Lexical complexity score",
    ]


def test_options_have_long_and_short_names(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    long_test_set = ["--test_set", "custom", *custom[2:]]
    pairs = [
        (["-tok", "none", "-lc", "-m", "sari"], ["--tokenizer", "none", "--lowercase", "--metrics", "sari"]),
        (["--no-lc", "-q"], ["--no-lowercase", "--quality_estimation"]),
    ]
    for short, long in pairs:
        out = printed(["evaluate", *custom, *short, "-i", "sys"], capsys)
        assert out == printed(["evaluate", *long_test_set, *long, "--sys_sents_path", "sys"], capsys)


def test_casing_and_tokeniser_matter(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("sys").write_text("HE BOUGHT A CAR.\nIt is a big house.\n", encoding="utf-8")
    outs = {
        printed(["evaluate", *custom, "-i", "sys", "-m", "sari", *extra], capsys)
        for extra in ([], ["--no-lc"], ["-tok", "none"])
    }
    assert len(outs) == 3


def test_reads_standard_input(
    custom: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = printed(["evaluate", *custom, "-i", "sys"], capsys)
    # EASSE ends a line at U+2028 on standard input; here that is a blank, as in a file.
    for text in ("He bought a car.\nIt is a big house.\n", "He bought a car.\r\nIt is a\u2028big house."):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert printed(["evaluate", *custom], capsys) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    assert "standard input is not UTF-8" in complaint(["evaluate", *custom], capsys)


def test_test_sets_come_from_the_catalogue(
    shared: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    output = shared / "data" / "system_outputs" / "asset_turkcorpus" / "Dress-Ls.txt"
    # EASSE's values, rounded as it prints them: shared/oracle/easse_en.json.
    out = printed(["evaluate", "-t", "asset_test", "-i", str(output), "-m", "bleu,sari"], capsys)
    assert out == "{'bleu': 86.389, 'sari': 36.591}\n"


def test_warnings_are_one_line_each(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.1").write_text("He got a car.\n\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert cli(["evaluate", *custom, "-i", "sys"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("{'bleu':")
    assert err.startswith("plainly.compat.easse: warning: 1 references are empty")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "COMMAND"),
        (["evaluate"], "-t/--test_set"),
        (["evaluate", "-t", "turk"], "invalid choice: 'turk'"),
        (["evaluate", "-t", "asset_test"], "run: plainly data fetch asset-test"),
        (["evaluate", "-t", "wikisplit_test"], "is not in plainly's catalogue; use the test set 'custom'"),
        (["evaluate", "-t", "custom"], "needs --orig_sents_path and --refs_sents_paths"),
        (["evaluate", "-t", "custom", "-tok", "plain"], "invalid choice: 'plain'"),
        (["report", "-t", "custom", "-i", "a,b", "-p", "page.html"], "`plainly report`"),
    ],
)
def test_bad_options(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert expected in complaint(arguments, capsys)


def test_bad_input(custom: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    evaluate = ["evaluate", *custom, "-i"]
    Path("short").write_text("One line.\n", encoding="utf-8")
    Path("foreign").write_bytes(b"\xff\xfe")
    assert "short has 1 lines, but orig has 2" in complaint([*evaluate, "short"], capsys)
    assert "nowhere: No such file" in complaint([*evaluate, "nowhere"], capsys)
    assert "foreign is not UTF-8" in complaint([*evaluate, "foreign"], capsys)
    references = ["evaluate", *custom[:-1], "ref.0,short", "-i", "sys"]
    assert "short has 1 lines, but orig has 2" in complaint(references, capsys)
    assert "did you mean 'sari'" in complaint([*evaluate, "sys", "-m", "sarri"], capsys)
    assert "samsa is not available" in complaint([*evaluate, "sys", "-m", "samsa"], capsys)
    assert "bertscore is not available" in complaint([*evaluate, "sys", "-m", "bertscore"], capsys)
    assert "aligner 'simalign' is not available" in complaint([*evaluate, "sys", "-a"], capsys)


def test_functions_behind_the_commands(custom: list[str]) -> None:
    expected = evaluate_system_output("custom", "sys", "orig", "ref.0,ref.1", "none", False, ["sari"])
    assert expected == evaluate_system_output(
        test_set="custom",
        sys_sents_path=Path("sys"),
        orig_sents_path=Path("orig"),
        refs_sents_paths=[Path("ref.0"), Path("ref.1")],
        tokenizer="none",
        lowercase=False,
        metrics=["sari"],
    )
    with pytest.raises(AssertionError, match="unknown metric 'rouge'"):
        evaluate_system_output("custom", "sys", "orig", "ref.0", metrics=["rouge"])
    with pytest.raises(MissingResource, match="plainly report"):
        report("custom", sys_sents_path="sys")
    with pytest.raises(MissingResource, match="plainly report"):
        multiple_systems_report("custom", ["sys", "sys"], system_names=["a", "b"])


def test_the_example_on_the_docs_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "easse.md").read_text(encoding="utf-8")
    block = page.partition("$ python -m plainly.compat.easse ")[2].partition("```")[0]
    command, _, shown = block.replace("\\\n", "").partition("\n")
    with as_file(files("plainly") / "demo" / "en") as demo:
        shutil.copytree(demo, tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    assert printed(shlex.split(command), capsys) == shown


@pytest.mark.slow
def test_runs_as_a_module(custom: list[str]) -> None:
    command = [sys.executable, "-m", "plainly.compat.easse"]
    done = subprocess.run(
        [*command, "evaluate", *custom, "-i", "sys", "-m", "sari,bleu"], capture_output=True, text=True, check=True
    )
    assert list(ast.literal_eval(done.stdout)) == ["bleu", "sari"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("plainly.compat.easse, version ")
    done = subprocess.run([*command, "evaluate", "-t", "custom"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
