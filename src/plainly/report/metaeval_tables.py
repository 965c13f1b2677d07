"""The tables of a meta-evaluation, as pages show them: metrics by dimensions, ceilings, groups, operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from plainly.inference.correlation import Correlation
from plainly.inference.estimates import Estimate
from plainly.metaeval import Row, Study, Table
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import tied
from plainly.metaeval.operations import Effect
from plainly.report.tables import Bounded, Cell, Column, Grid
from plainly.report.tables import Row as Line
from plainly.report.tables import Table as Shown
from plainly.report.words import ARROWS, BETTER, NOTHING, number, p_text, plural

DIGITS = 2
MARKS = {"tied": "≈", "noise": "~", "wrong": "✗", "none": "°"}
MEANING = {
    "≈": "tied with the best one: neither the test nor the interval of the difference tells them apart",
    "~": "within noise of the best one, by the interval of the difference alone",
    "✗": "goes against its own direction, beyond chance",
    "°": "no direction is the better one, so it does not take part",
}
Of = Callable[[Row], Correlation | None]


def marks(row: Row) -> list[str]:
    """How a metric stands, as signs."""
    signs = []
    if row.tied:
        signs.append(MARKS["tied"])
    elif row.standing.within_noise and not row.standing.best:
        signs.append(MARKS["noise"])
    if row.wrong_way:
        signs.append(MARKS["wrong"])
    if not row.orientation:
        signs.append(MARKS["none"])
    return signs


def agreement_table(found: Study, tables: Sequence[Table], titles: Sequence[str]) -> Shown:
    """Metrics by dimensions (or by groups): the coefficient with its interval, the best one marked."""
    return _table(found, tables, titles, lambda row: row.agreement.coefficient(found.coefficient))


def partial_table(found: Study) -> Shown | None:
    """The same with length removed; no marks, as nothing was tested here."""
    tables = found.chosen("segment", "")
    if not found.controls:
        return None
    return _table(found, tables, [table.dimension for table in tables], lambda row: row.agreement.partial, plain=True)


def _table(found: Study, tables: Sequence[Table], titles: Sequence[str], of: Of, plain: bool = False) -> Shown:
    columns = []
    for table, title in zip(tables, titles, strict=True):
        about = f"{plural(table.outputs, 'output')} of {plural(table.segments, 'segment')}"
        turned = table.human_direction == "lower"
        arrow = ARROWS["lower"] if turned else ""
        columns.append(Column(title, title, arrow, f"{about}, {BETTER[table.human_direction]}", about))
    labels = dict.fromkeys(row.contender for table in tables for row in table.rows)
    by_label = [{row.contender: row for row in table.rows} for table in tables]
    lines = []
    for label in labels:
        own = [rows.get(label) for rows in by_label]
        direction = next((row.agreement.direction for row in own if row), "none")
        arrow = ARROWS[direction]
        cells = [_cell(row, found, of, plain) for row in own]
        lines.append(Line(f"{label} {arrow}".strip(), False, False, cells))
    return Shown(columns, lines)


def _cell(row: Row | None, found: Study, of: Of, plain: bool) -> Cell:
    correlation = None if row is None else of(row)
    if row is None or correlation is None or not math.isfinite(correlation.value):
        return Cell("", NOTHING, "", "", False, "", "", 0)
    signs = [] if plain else marks(row)
    return Cell(
        order=repr(correlation.value),
        score=number(correlation.value, DIGITS),
        interval=_ends(correlation),
        rank="",
        best=row.standing.best and not plain,
        mark=" ".join(signs),
        against="; ".join(MEANING[sign] for sign in signs),
        unscored=0,
    )


def _ends(correlation: Correlation) -> str:
    estimate = correlation.estimate
    return f"{number(estimate.low, DIGITS)} to {number(estimate.high, DIGITS)}" if estimate.has_interval else ""


def overview(collection: Collection) -> Grid:
    """The best metric of each data set and dimension, what is tied with it, and what raters reach."""
    rows: list[list[str | Bounded]] = []
    for found, table in collection.tables:
        best = table.best
        value = best.agreement.coefficient(found.coefficient) if best else None
        rows.append(
            [
                found.name,
                f"{table.dimension} {ARROWS['lower']}" if table.human_direction == "lower" else table.dimension,
                best_name(found, table),
                ", ".join(tied(table)) or NOTHING,
                Bounded(number(value.value, DIGITS), _ends(value)) if value else NOTHING,
                figure(table.ceiling.between),
                figure(table.ceiling.with_others),
                f"{table.outputs:,}",
            ]
        )
    headers = ["Data set", "Dimension", "Best metric", "Tied with it", "Agreement", "Two raters", "Rater with others"]
    return Grid("The best metric of each data set", [*headers, "Outputs"], rows, words=4, sentences=(3,))


def effects_grid(title: str, effects: Sequence[Effect]) -> Grid:
    """Operations by scores: what goes with what, and what is sure."""
    scores = list(dict.fromkeys(effect.finding.score for effect in effects))
    operations = list(dict.fromkeys(effect.finding.operation for effect in effects))
    cells = {(effect.finding.operation, effect.finding.score): effect for effect in effects}
    counts = {effect.finding.operation: max(_pairs(effects, effect.finding.operation)) for effect in effects}
    rows: list[list[str | Bounded]] = [
        [operation, f"{counts[operation]:,}", *(_effect(cells.get((operation, score))) for score in scores)]
        for operation in sorted(operations, key=lambda name: -counts[name])
    ]
    return Grid(title, ["Operation", "Outputs with it", *scores], rows)


def _pairs(effects: Sequence[Effect], operation: str) -> list[int]:
    return [effect.finding.pairs for effect in effects if effect.finding.operation == operation]


def _effect(effect: Effect | None) -> str | Bounded:
    if effect is None or not math.isfinite(effect.finding.correlation.value):
        return NOTHING
    finding = effect.finding
    verdict = f", {finding.verdict}" if finding.verdict else ""
    return Bounded(number(finding.correlation.value, DIGITS), _ends(finding.correlation) + verdict)


def figure(value: Estimate) -> str | Bounded:
    """A number with its interval in small print."""
    if not math.isfinite(value.value):
        return NOTHING
    if not math.isfinite(value.low):
        return number(value.value, DIGITS)
    return Bounded(number(value.value, DIGITS), f"{number(value.low, DIGITS)} to {number(value.high, DIGITS)}")


def best_name(found: Study, table: Table) -> str:
    """The best metric; one that is only the least bad is called so."""
    best = table.best
    if best is None:
        return NOTHING
    if not best.agrees:
        return f"none (least bad: {best.contender})"
    sure = best.beyond_chance or not best.agreement.coefficient(found.coefficient).estimate.has_interval
    return best.contender if sure else f"{best.contender} (not beyond chance)"


def tests_grid(found: Study) -> Grid:
    """How far each metric is behind the best one, and what the tests say."""
    rows: list[list[str | Bounded]] = []
    for table in found.chosen("segment", ""):
        for row in table.rows:
            gap, standing = row.standing.gap, row.standing
            if gap is None:
                continue
            behind = gap.difference
            rows.append(
                [
                    row.contender,
                    table.dimension,
                    Bounded(
                        number(behind.value, DIGITS), f"{number(behind.low, DIGITS)} to {number(behind.high, DIGITS)}"
                    ),
                    p_text(standing.p_williams),
                    p_text(standing.p_holm),
                ]
            )
    headers = ["Metric", "Dimension", "Behind the best", "Williams", "Permuted, corrected"]
    return Grid("How far is each metric behind the best one?", headers, rows, words=2)
