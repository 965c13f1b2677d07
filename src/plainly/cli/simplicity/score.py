"""`plainly simplicity score`: how simple are these texts?"""

from __future__ import annotations

import argparse

from plainly.cli.printing import print_findings
from plainly.cli.simplicity.inputs import USUAL, texts_of
from plainly.simplicity import load_model, score
from plainly.simplicity.findings import score_findings


def run(options: argparse.Namespace) -> None:
    name = options.model or USUAL
    model = load_model(name)
    found = score(texts_of(options), model, options.confidence)
    print_findings(options, score_findings(found, model, name, options.confidence))
