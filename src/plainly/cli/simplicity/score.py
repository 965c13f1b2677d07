"""`plainly simplicity score`: how simple are these texts?"""

from __future__ import annotations

import argparse

from plainly.cli.printing import print_findings
from plainly.cli.simplicity.inputs import USUAL, texts_of
from plainly.simplicity import score


def run(options: argparse.Namespace) -> None:
    print_findings(options, score(texts_of(options), options.model or USUAL, options.confidence).findings())
