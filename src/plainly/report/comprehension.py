"""Answers of readers as one HTML page: scores of texts, both hypotheses, groups of readers, and the questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from plainly.comprehension.analysis import Analysis
from plainly.comprehension.findings import findings
from plainly.findings import Chart as Picture
from plainly.findings import Table
from plainly.inference.estimates import Estimate
from plainly.report import specs
from plainly.report.assets import rendered
from plainly.report.charts import Chart, Panel, Value
from plainly.report.comprehension_tables import (
    ASKED,
    bounded,
    group_tests_grid,
    questions_grid,
    reading_tests_grid,
    tests_grid,
    text_name,
)
from plainly.report.tables import Grid, grid
from plainly.report.words import plural

MOST_APART = 100
"""Rows kept apart that the page lists; JSON lists all."""


class Readers(NamedTuple):
    """What a column of readers tells: scores of its groups, and tests of all texts together and of each."""

    scores: Grid
    together: Grid
    single: Grid


def comprehension_page(analysis: Analysis, date: str, title: str = "What did readers understand?") -> str:
    """The page of an analysis."""
    told = findings(analysis)
    tables = {table.name: table for table in told.tables}
    styles = _styles(analysis)
    charts = [*_scores(analysis, styles), _questions_chart(analysis, styles), *map(_drawn, told.charts)]
    return rendered(
        "comprehension.html",
        charts,
        title=title,
        date=date,
        confidence=_confidence(analysis),
        short=list(_short(analysis)),
        charts=charts,
        texts=grid(tables["texts"]),
        pairs=grid(tables["pairs"]) if "pairs" in tables else None,
        tests=tests_grid(analysis),
        reading=grid(tables["reading"]) if "reading" in tables else None,
        reading_tests=reading_tests_grid(analysis),
        people=grid(tables["participants"]) if "participants" in tables else None,
        groups=[_readers(name, analysis, tables["groups"]) for name in analysis.groups],
        questions=questions_grid(analysis),
        counts=grid(tables["counts"]),
        apart=_apart(tables["apart"]) if "apart" in tables else None,
        notes=analysis.notes,
        permutations=f"{analysis.settings['permutations']:,}",
        signature=analysis.signature,
    )


def _confidence(analysis: Analysis) -> str:
    return f"{100 * analysis.settings['confidence']:g} %"


def _short(analysis: Analysis) -> Iterator[str]:
    counts = analysis.counts
    who = plural(counts.counted_participants, "participant")
    yield f"{plural(counts.counted_answers, 'answer')} of {who} about {plural(len(analysis.texts), 'text')}."
    if counts.apart:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in counts.faulty.items())
        verb = "was" if len(counts.apart) == 1 else "were"
        yield f"{plural(len(counts.apart), 'row')} {verb} kept apart: {kinds}. They are listed under Method."
    for test in (*analysis.hypotheses, *(test for test in analysis.reading_tests if test.passage is None)):
        asked = ASKED[test.hypothesis]
        yield f"{asked.capitalize()} with {test.version} than with {test.baseline}: {test.verdict}."


def _apart(table: Table) -> Grid:
    shown = grid(replace(table, rows=table.rows[:MOST_APART]))
    if len(table.rows) <= MOST_APART:
        return shown
    return replace(shown, title=f"{shown.title} The first {MOST_APART} of {len(table.rows):,}")


def _readers(name: str, analysis: Analysis, groups: Table) -> Readers:
    tests = analysis.group_tests[name]
    places = [place for place, column in enumerate(groups.columns) if column.name not in ("column", "questions")]
    rows = [[row[place] for place in places] for row in groups.rows if row[0] == name]
    own = replace(groups, columns=[groups.columns[place] for place in places], rows=rows)
    return Readers(
        replace(grid(own), title=f"Readers by {name}"),
        group_tests_grid(
            f"Do readers differ by {name}? All texts together", [test for test in tests if test.passage is None]
        ),
        group_tests_grid(
            f"Do readers differ by {name}? Each text", [test for test in tests if test.passage is not None]
        ),
    )


def _styles(analysis: Analysis) -> dict[str, specs.LineStyle]:
    """How each version looks, in all charts."""
    versions = list(dict.fromkeys(row.version for row in analysis.texts))
    return dict(zip(versions, specs.line_styles(len(versions)), strict=True))


def _scores(analysis: Analysis, styles: Mapping[str, specs.LineStyle]) -> Iterator[Chart]:
    for formula in analysis.formulas:
        rows: list[list[Value]] = []
        for row in analysis.texts:
            score = row.scores[formula]
            rows.append([text_name(row), row.version, score.value, score.low, score.high])
        names = [text_name(row) for row in analysis.texts]
        told = "; ".join(f"{text_name(row)} {_figure(row.scores[formula])}" for row in analysis.texts)
        spec = specs.intervals(names, f"{formula}, higher is better", {}, "text", styles)
        yield Chart(
            formula,
            f"How well is each text understood, by {formula}?",
            "",
            f"Each line is an interval ({_confidence(analysis)}).",
            ("text", "kind", "score", "low", "high"),
            rows,
            [Panel("", f"{formula} of each text: {told}.", spec)],
            styles,
        )


def _questions_chart(analysis: Analysis, styles: Mapping[str, specs.LineStyle]) -> Chart:
    rows: list[list[Value]] = [
        [item.seconds, 100 * item.correct, item.version, f"{item.passage}: {item.question}"]
        for item in analysis.items
    ]
    alt = (
        f"Correct answers and mean time of {plural(len(rows), 'question')}, by version; the table below has them all."
    )
    return Chart(
        "question-map",
        "Which questions are hard, and which slow?",
        "",
        "Each point is a question about one version. Easy questions are at the top left: quick and correct.",
        ("x", "y", "series", "name"),
        rows,
        [Panel("", alt, specs.scatter(("mean seconds to answer", "correct answers, %"), list(styles), legend=False))],
        styles,
    )


def _drawn(chart: Picture) -> Chart:
    """A picture of the findings, drawn by this page."""
    rows = chart.spec["data"]["values"]
    spec = {**chart.spec, "data": {"name": "rows"}}
    panel = Panel("", chart.words.text(), spec)
    return Chart(
        chart.name, chart.question.text(), "", "", tuple(rows[0]), [list(row.values()) for row in rows], [panel]
    )


def _figure(figure: Estimate) -> str:
    shown = bounded(figure)
    return shown if isinstance(shown, str) else f"{shown.value} ({shown.interval})"
