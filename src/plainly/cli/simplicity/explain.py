"""`plainly simplicity explain`: what makes these texts simple or hard, by the model?"""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.cli.printing import print_findings
from plainly.cli.simplicity.inputs import USUAL, texts_of
from plainly.simplicity import explain, load_model
from plainly.simplicity.findings import explanation_findings


def run(options: argparse.Namespace) -> None:
    if options.top < 1:
        raise PlainlyError(f"--top must be at least 1, not {options.top}")
    name = options.model or USUAL
    model = load_model(name)
    texts = texts_of(options)
    found = [explain(text, model) for text in texts]
    print_findings(
        options,
        explanation_findings(
            texts, found, name, by="features" if options.each_feature else "families", top=options.top
        ),
    )
