"""A benchmark as one HTML page or as Markdown: every table, what was printed, what is not the same, and why."""

from __future__ import annotations

from collections import Counter

from plainly.base.tables import render
from plainly.base.version import __version__
from plainly.replication import Cell, Outcome
from plainly.report.assets import environment, stylesheet
from plainly.report.words import between, number

MARKS = {True: "=", False: "≠", None: ""}


def benchmark_page(outcome: Outcome, date: str) -> str:
    """The benchmark as one HTML page that needs no other file and no network."""
    agree, compared, printed = outcome.agreement()
    return (
        environment()
        .get_template("benchmark.html")
        .render(
            title=outcome.benchmark.title,
            outcome=outcome,
            benchmark=outcome.benchmark,
            agree=agree,
            compared=compared,
            printed=printed,
            summary=summary(outcome),
            causes=causes(outcome),
            missing=outcome.missing(),
            signatures=outcome.signatures(),
            shown=shown,
            interval=interval,
            marks=MARKS,
            date=date,
            version=__version__,
            stylesheet=stylesheet(),
        )
    )


def benchmark_markdown(outcome: Outcome) -> str:
    """The same as Markdown, for a documentation page."""
    parts = [f"# {outcome.benchmark.title}", outcome.benchmark.about, *summary(outcome)]
    for computed in outcome.tables:
        columns = computed.table.columns
        headers = ["system", "setting"] if any(line.setting for line in computed.lines) else ["system"]
        rows = [
            [*([line.name, line.setting][: len(headers)]), *(_cell_text(line.cells[title]) for title in columns)]
            for line in computed.lines
        ]
        parts += [f"## {computed.table.name}", *filter(None, [computed.table.note])]
        parts.append(render([*headers, *columns], rows, "markdown").rstrip())
    if found := causes(outcome):
        parts += ["## What differs, and why", *(f"- {count}: {cause}." for cause, count in found.items())]
    if missing := outcome.missing():
        parts += ["## What could not be computed", *(f"- {count}: {why}." for why, count in missing.items())]
    parts += ["## Signatures", "\n".join(f"- `{signature}`" for signature in outcome.signatures())]
    return "\n\n".join(parts).replace(".\n\n- ", ".\n- ") + "\n"


def summary(outcome: Outcome) -> list[str]:
    """What came out, in a few sentences."""
    agree, compared, printed = outcome.agreement()
    sentences = []
    if printed:
        sentences.append(
            f"Of {printed} printed numbers, {compared} could be computed here; {agree} of these agree to the last "
            f"printed digit, {compared - agree} do not."
        )
    drawn = outcome.resampling
    sentences.append(
        f"Numbers in brackets are {drawn.confidence:.0%} intervals from {drawn.resamples:,} resamples "
        f"(seed {drawn.seed})."
    )
    return sentences


def causes(outcome: Outcome) -> dict[str, int]:
    """Why numbers differ from printed ones, and how many for each cause."""
    return dict(Counter(cell.why or "no cause is known" for *_, cell in outcome.differences()).most_common())


def shown(cell: Cell) -> str:
    """The computed number, or a dash."""
    return number(float("nan") if cell.value is None else cell.value, cell.decimals)


def interval(cell: Cell) -> str:
    """Its interval, or nothing."""
    return between(cell.estimate, cell.decimals) if cell.estimate.has_interval else ""


def _cell_text(cell: Cell) -> str:
    text = shown(cell)
    if found := interval(cell):
        text += f" ({found})"
    return f"{cell.printed} {MARKS[cell.agrees] or '/'} {text}" if cell.printed else text
