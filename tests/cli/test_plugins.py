"""`plainly plugins`, and plug-ins in `score`, `compare` and `report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.metrics import registry

PROGRAM = """
import json, sys
hello = json.loads(sys.stdin.readline())
print(json.dumps({"plainly": 1, "name": hello["name"], "version": "1.0"}), flush=True)
for line in sys.stdin:
    records = json.loads(line)["records"]
    ANSWER
"""
GOOD = 'print(json.dumps({"scores": [{"id": r["id"], "score": len(r["output"])} for r in records]}), flush=True)'
BAD = 'sys.exit(\'out of memory\') if records[0]["output"] != "The cat slept." else ' + GOOD  # fine at the self-check

ENTRY = """
name = "tally"
title = "Tally"
about = "characters of the output"
paper = "nobody 2026"
licence = "Apache-2.0"
direction = "lower"
range = [0, inf]
command = ["{python}", "{folder}/tally.py"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAINLY_PLUGINS", str(tmp_path / "plugins"))
    monkeypatch.chdir(tmp_path)
    registry.metric_class.cache_clear()
    return tmp_path / "plugins"


def write(answer: str, entry: str = ENTRY) -> None:
    Path("tally.toml").write_text(entry, "utf-8")
    Path("tally.py").write_text(PROGRAM.replace("ANSWER", answer), "utf-8")


def test_from_a_file_to_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    write(GOOD)
    assert main(["plugins", "install", "./tally.toml"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "tally 1.0 is installed and works; say --metrics tally\n"
    assert printed.err.startswith("tally: characters of the output. Licence: Apache-2.0\n")
    assert main(["plugins", "check", "tally"]) == 0
    assert capsys.readouterr().out == "tally 1.0 works\n"
    assert main(["plugins", "list", "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert "tally,installed,lower,outputs only,any,Apache-2.0,characters of the output" in rows

    assert main(["score", "--demo", "--metrics", "sari,tally", "--format", "json"]) == 0
    printed = capsys.readouterr()
    scores = json.loads(printed.out)["systems"]["identity"]
    assert scores["tally"]["signature"] == "tally|lang:en|plugin:1.0|plainly:0.1.0"
    assert scores["tally"]["scored"] == 60
    assert scores["sari"]["scored"] == 60
    assert "tally" not in printed.err

    assert main(["plugins", "remove", "tally"]) == 0
    assert capsys.readouterr().out == "tally is removed\n"
    registry.metric_class.cache_clear()
    assert main(["score", "--demo", "--metrics", "tally"]) == 2
    assert capsys.readouterr().err.startswith("plainly: unknown metric 'tally'; ")


def test_the_scores_are_those_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    write(GOOD)
    assert main(["plugins", "install", "./tally.toml", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    Path("out.txt").write_text("ab\nabcd\nabc\n", "utf-8")
    assert main(["score", "--system", "mine=out.txt", "--metrics", "tally", "--per-segment", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "segment,id,system,tally\n0,,mine,2.0\n1,,mine,4.0\n2,,mine,3.0\n"


@pytest.mark.slow
def test_a_plugin_that_fails_leaves_the_others(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write(BAD)
    assert main(["plugins", "install", "tally.toml", "--quiet"]) == 0
    log = folder / "installed" / "tally" / "standard-error.txt"
    line = (
        "note: tally failed and has no scores: it ended with status 1; "
        f"its last words: out of memory (more in {log})\n"
    )
    assert main(["score", "--demo", "--metrics", "sari,tally", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == line
    for results in json.loads(printed.out)["systems"].values():
        assert results["tally"]["score"]["value"] is None
        assert (results["tally"]["scored"], results["tally"]["unscored"]) == (0, 60)
        assert results["sari"]["score"]["value"] > 0

    assert main(["score", "--demo", "--metrics", "sari,tally"]) == 0
    printed = capsys.readouterr()
    assert "47.31" in printed.out  # SARI of careful-writer, as on docs/output.md
    assert printed.err == line

    assert main(["compare", "--demo", "--metrics", "sari,tally", "--resamples", "100"]) == 0
    printed = capsys.readouterr()
    assert "47.31" in printed.out
    assert line in printed.err

    assert main(["report", "--demo", "--metrics", "sari,tally", "-o", "report.html", "--resamples", "100"]) == 0
    assert line in capsys.readouterr().err
    assert "47.31" in Path("report.html").read_text("utf-8")


def test_alone_it_fails_too(capsys: pytest.CaptureFixture[str]) -> None:
    write(BAD)
    assert main(["plugins", "install", "tally.toml", "--quiet"]) == 0
    assert main(["score", "--demo", "--metrics", "tally", "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert "careful-writer,tally,,,,0,60," in printed.out
    assert "tally failed" in printed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("plugins install lense", "unknown plug-in 'lense'; did you mean 'lens'?"),
        ("plugins install none.toml", "cannot read none.toml: No such file or directory"),
        ("plugins install sari.toml", "sari.toml: 'sari' is the name of another metric; choose another"),
        ("plugins install mine.toml", "mine.toml: 'lens' is the name of another plug-in; choose another"),
        ("plugins check lens", "lens is not installed; run: plainly plugins install lens"),
        ("plugins remove lense", "unknown plug-in 'lense'; did you mean 'lens'?"),
        ("plugins install broken.toml --quiet", "tally does not work: it ended with status 1; its last words: no"),
        ("score --demo --metrics sari,lens", "lens is not installed; run: plainly plugins install lens"),
        ("score --demo --metrics lens --lang de", "lens cannot be computed: it is not defined for language 'de'"),
    ],
)
def test_one_line_says_what_is_wrong(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("sari.toml").write_text(ENTRY.replace('"tally"', '"sari"'), "utf-8")
    Path("mine.toml").write_text(ENTRY.replace('"tally"', '"lens"'), "utf-8")
    Path("broken.toml").write_text(ENTRY, "utf-8")
    Path("tally.py").write_text("import sys; sys.exit('no')", "utf-8")
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"plainly: {message}")
    assert printed.err.count("\n") == 1


def test_the_facts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "list", "--format", "json"]) == 0
    facts = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)["plugins"]}
    assert facts["lens"]["state"] == "not installed"
    assert facts["lens"]["model"] == "davidheineman/lens"
    assert facts["sle"]["range"] == [None, None]


def test_a_broken_entry_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    write(GOOD)
    assert main(["plugins", "install", "./tally.toml", "--quiet"]) == 0
    write(GOOD, ENTRY + "\nmodel = 3\n")
    capsys.readouterr()
    assert main(["plugins", "list", "--format", "csv"]) == 2
    printed = capsys.readouterr()
    assert "lens," in printed.out
    assert printed.err.endswith("tally.toml: entry: model must be of type str\n")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("name", ["sari", "linguistic", "all"])
def test_names_of_metrics_and_groups_are_taken(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(GOOD, ENTRY.replace('name = "tally"', f'name = "{name}"'))
    assert main(["plugins", "install", "./tally.toml", "--quiet"]) == 2
    assert f"'{name}' is the name of another metric" in capsys.readouterr().err
