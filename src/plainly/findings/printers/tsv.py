"""Tab-separated values: as CSV, with a tab between cells."""

from __future__ import annotations

from plainly.findings.printing import Printer, separated
from plainly.findings.shape import Findings


def write(findings: Findings, lang: str) -> str:
    return separated(findings, "\t")


PRINTER = Printer(("tsv",), write, one_table=True)
