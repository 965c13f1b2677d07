"""`plainly operations labels`: which operations there are, and what they mean."""

from __future__ import annotations

import argparse

from plainly.cli.operations.inputs import typology_of
from plainly.cli.printing import print_findings
from plainly.operations.findings import label_findings


def run(options: argparse.Namespace) -> None:
    print_findings(options, label_findings(typology_of(options)))
