"""A benchmark as one HTML page or as Markdown: every table, what was printed, what is not the same, and why."""

from __future__ import annotations

from plainly.findings import Findings, printed
from plainly.replication import Cell, Outcome
from plainly.replication.findings import causes
from plainly.report.assets import rendered
from plainly.report.words import between, number


def benchmark_text(form: str, outcome: Outcome, found: Findings, date: str) -> str:
    """The benchmark in a form; `found` is what it found. Forms that are no page print its findings."""
    page = PAGES.get(form)
    return printed(found, form) if page is None else page(outcome, found, date)


def _html(outcome: Outcome, found: Findings, date: str) -> str:
    """One page that needs no other file and no network."""
    return rendered(
        "benchmark.html",
        title=outcome.benchmark.title,
        outcome=outcome,
        benchmark=outcome.benchmark,
        summary=[*found.verdict, found.notes[0].message],
        causes=causes(outcome),
        missing=outcome.missing(),
        signatures=found.signatures,
        shown=shown,
        interval=interval,
        date=date,
    )


def _markdown(outcome: Outcome, found: Findings, date: str) -> str:
    """The same for a documentation page, which has no date."""
    return f"# {outcome.benchmark.title}\n\n{outcome.benchmark.about}\n\n{printed(found, 'markdown')}"


PAGES = {"html": _html, "markdown": _markdown}


def shown(cell: Cell) -> str:
    """The computed number, or a dash."""
    return number(float("nan") if cell.value is None else cell.value, cell.decimals)


def interval(cell: Cell) -> str:
    """Its interval, or nothing."""
    return between(cell.estimate, cell.decimals) if cell.estimate.has_interval else ""
