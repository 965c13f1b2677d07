"""The full report of kinds whose study is all tables: those of the command line, on one page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from plainly.findings import Findings
from plainly.findings.printers.html import fragment, page
from plainly.studio.kinds.base import Campaign


def report_of(campaign: Campaign, date: str, found: Iterable[Findings]) -> str:
    """All tables, with their notes and signatures, under the name of the campaign."""
    head = f"<h1>{escape(campaign.name)}</h1>\n<p>{escape(date)}</p>\n"
    tables = "".join(fragment(each) for each in found)
    return page(campaign.name, f'{head}<div tabindex="0" style="overflow-x:auto">{tables}</div>\n')  # wide on a phone
