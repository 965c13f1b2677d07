"""`plainly comprehension score`: C-Scores of texts, and whether the simpler version helps."""

from __future__ import annotations

import argparse

from plainly.cli.comprehension.inputs import analysis_of
from plainly.cli.comprehension.tables import text_of
from plainly.files import writing

TABLES = ("texts", "pairs", "hypotheses", "counts")


def run(options: argparse.Namespace) -> None:
    found = analysis_of(options)
    with writing(options.output) as out:
        out.write(text_of(found, TABLES, options))
