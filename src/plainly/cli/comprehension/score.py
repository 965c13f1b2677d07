"""`plainly comprehension score`: C-Scores of texts, and whether the simpler version helps."""

from __future__ import annotations

import argparse

from plainly.cli.comprehension.inputs import analysis_of
from plainly.cli.printing import print_findings
from plainly.comprehension.findings import findings


def run(options: argparse.Namespace) -> None:
    print_findings(options, findings(analysis_of(options), options.table, brief=True))
