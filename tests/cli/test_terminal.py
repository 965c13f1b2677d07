"""What a terminal shows: tables that fit it, and bold where it is wanted; elsewhere nothing is cut."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from .conftest import COMMAND

BOLD = "\x1b["
TABLES = [["score", "--list"], ["operations", "labels"], ["compare", "--demo", "--resamples", "50"], ["data", "list"]]


def on_terminal(*words: str, columns: int = 80, **environment: str) -> str:
    """What a terminal of so many columns gets to see."""
    ours, theirs = pty.openpty()
    usual = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    usual |= {"COLUMNS": str(columns), "TERM": "xterm", **environment}
    with subprocess.Popen([COMMAND, *words], stdout=theirs, stderr=subprocess.DEVNULL, env=usual) as running:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
    os.close(ours)
    assert running.returncode == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


def table_lines(text: str) -> list[str]:
    """The lines of the first table: those from its rule to the next blank line."""
    lines = text.split("\n")
    start = next(place for place, line in enumerate(lines) if line.startswith("---"))
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start - 1 : end]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("words", TABLES)
def test_tables_fit(words: list[str], columns: int) -> None:
    assert max(map(len, table_lines(on_terminal(*words, columns=columns, NO_COLOR="1")))) <= columns


@pytest.mark.slow
def test_nothing_is_cut_elsewhere() -> None:
    piped = subprocess.run(
        [COMMAND, "score", "--list"], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"}
    ).stdout
    assert max(map(len, table_lines(piped))) > 200
    assert "Too wide" not in piped
    shown = on_terminal("score", "--list", "-o", "list.txt")
    assert shown == ""
    assert Path("list.txt").read_text("utf-8") == piped


@pytest.mark.slow
def test_what_is_cut_is_named() -> None:
    shown = on_terminal("score", "--list")
    assert "Too wide for this screen: " in shown
    assert "-o FILE.txt or --format json" in shown


@pytest.mark.slow
def test_the_best_is_bold_on_terminals_alone() -> None:
    words = ("compare", "--demo", "--resamples", "50")
    assert BOLD in on_terminal(*words)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert BOLD not in on_terminal(*words, **plain)
    piped = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=True).stdout
    assert BOLD not in piped
    assert "rank" in piped  # what bold says stands there in words, too
