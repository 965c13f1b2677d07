"""`plainly comprehension report`: all that the answers tell, as tables or as one HTML page."""

from __future__ import annotations

import argparse
from datetime import date

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.cli.comprehension.inputs import analysis_of
from plainly.cli.comprehension.outputs import is_page
from plainly.cli.comprehension.parser import TITLE
from plainly.cli.printing import print_findings
from plainly.comprehension.findings import findings


def run(options: argparse.Namespace) -> None:
    if is_page(options.output):
        text = _page(options)
        with writing(options.output) as out:
            out.write(text)
    elif options.title is not None:
        raise PlainlyError("--title is for a page; write one with -o FILE.html")
    else:
        print_findings(options, findings(analysis_of(options, options.by), options.table))


def _page(options: argparse.Namespace) -> str:
    from plainly.report.assets import chart_library
    from plainly.report.comprehension import comprehension_page

    if options.table is not None or "format" in options.given:
        raise PlainlyError("a page has every table; leave --table and --format out, or write to no .html file")
    chart_library()  # if it is missing, say so before the work
    title = options.title or TITLE
    return comprehension_page(analysis_of(options, options.by), date.today().isoformat(), title)
