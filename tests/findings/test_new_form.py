"""A new form of printing is one file: here in a package outside the tree, met by its name and by its ending."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.findings import form_of, forms

SHOUTING = """
from plainly.findings import Printer
from plainly.findings.printing import seen, shown

def write(findings, lang):
    lines = []
    for table in findings.tables:
        columns, rows = seen(table)
        for row in rows:
            lines.append("! ".join(shown(cell, column, lang) for cell, column in zip(row, columns)).upper() + "!")
    return "\\n".join(lines) + "\\n"

PRINTER = Printer(("shout",), write)
"""


def test_a_form_of_another_package(
    package: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package("plainly.printers", {"shouting": "shouting:PRINTER"}, shouting=SHOUTING)
    assert "shouting" in forms()
    assert form_of("scores.shout") == "shouting"
    arguments = ["score", "--demo", "--metrics", "sari", "--no-intervals", "--quiet"]
    assert main([*arguments, "--format", "shouting"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "CAREFUL-WRITER! 47.31!"  # as in README
    assert main([*arguments, "-o", str(tmp_path / "scores.shout")]) == 0
    assert (tmp_path / "scores.shout").read_text("utf-8") == printed
