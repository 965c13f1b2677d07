"""`plainly comprehension score`: C-Scores of texts, and whether the simpler version helps."""

from __future__ import annotations

import argparse

from plainly.base.files import writing
from plainly.cli.comprehension.inputs import analysis_of
from plainly.cli.comprehension.outputs import refuse_page
from plainly.cli.comprehension.parser import SCORE_TABLES
from plainly.cli.comprehension.tables import text_of


def run(options: argparse.Namespace) -> None:
    refuse_page(options.output, "score", "say plainly comprehension report")
    found = analysis_of(options)
    with writing(options.output) as out:
        out.write(text_of(found, SCORE_TABLES, options))
