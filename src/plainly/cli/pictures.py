"""Charts of findings as files of their own, and on a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.files import write_bytes
from plainly.findings import Chart, Findings
from plainly.report.pictures import pdf, svg


def svg_of(chart: Chart) -> bytes:
    return svg(dict(chart.spec)).encode()


def pdf_of(chart: Chart) -> bytes:
    return pdf(svg(dict(chart.spec)))


DRAWN: Mapping[str, Callable[[Chart], bytes]] = {".svg": svg_of, ".pdf": pdf_of}
"""What draws the picture that a file of this ending holds."""


def draw(findings: Findings, path: str) -> None:
    """The one chart of these findings, as a picture."""
    charts = _of_tables(findings)
    if len(charts) != 1:
        named = ", ".join(f"--table {chart.name}" for chart in findings.charts)
        raise PlainlyError(f"{path} is a picture of one chart: say {named}")
    write_bytes(path, DRAWN[Path(path).suffix.lower()](charts[0]))


def on_page(page: str, findings: Findings) -> str:
    """The page with its charts below the tables; without them where nothing can draw them."""
    try:
        figures = [
            f"<figure>{svg_of(chart).decode()}<figcaption>{escape(str(chart.words))}</figcaption></figure>\n"
            for chart in _of_tables(findings)
        ]
    except MissingResource:
        return page
    return page.replace("</body>", f"{''.join(figures)}</body>")


def _of_tables(findings: Findings) -> list[Chart]:
    """The charts of the tables that were chosen."""
    return [chart for chart in findings.charts if chart.name in findings.names]
