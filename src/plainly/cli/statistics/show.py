"""`plainly statistics show`: what is in a folder."""

from __future__ import annotations

import argparse

from plainly.cli.printing import print_findings
from plainly.scoring.statistics import Folder
from plainly.scoring.statistics.findings import folder_findings


def run(options: argparse.Namespace) -> None:
    print_findings(options, folder_findings(Folder(options.folder)))
