"""CSV for programs: one table, all digits, an estimate in three columns."""

from __future__ import annotations

from plainly.findings.printing import Printer, separated
from plainly.findings.shape import Findings


def write(findings: Findings, lang: str) -> str:
    return separated(findings, ",")


PRINTER = Printer(("csv",), write, one_table=True)
