"""`plainly comprehension report`: all that the answers tell, as tables or as one HTML page."""

from __future__ import annotations

import argparse
from datetime import date

from plainly.cli.comprehension.inputs import analysis_of
from plainly.cli.comprehension.parser import TABLES
from plainly.cli.comprehension.tables import text_of
from plainly.files import writing


def run(options: argparse.Namespace) -> None:
    if (options.output or "").endswith(".html"):
        text = _page(options)
    else:
        text = text_of(analysis_of(options, options.by), TABLES, options)
    with writing(options.output) as out:
        out.write(text)


def _page(options: argparse.Namespace) -> str:
    from plainly.report.assets import chart_library
    from plainly.report.comprehension import comprehension_page

    chart_library()  # if it is missing, say so before the work
    return comprehension_page(analysis_of(options, options.by), date.today().isoformat(), options.title)
