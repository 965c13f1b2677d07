"""How `plainly metaeval` prints a study: a table for each dimension, with the ceiling and the notes below it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from plainly.base.tables import Cell, render, shown, with_lines
from plainly.cli.study_tables import estimate_cells, p_cell
from plainly.inference.estimates import Estimate
from plainly.metaeval import Row, Study, Table
from plainly.metaeval.correlations import Pairs
from plainly.report.metaeval_markdown import escaped
from plainly.report.words import plural

Kind = Literal["correlations", "pairs", "ceiling"]
DECIMALS = 3
TITLES = {"markdown": "## {}\n\n", "latex": "% {}\n"}


def titled_tables(found: Study, kind: Kind, form: str) -> str:
    """All tables, each under its title, with what goes for all of them at the end."""
    parts = []
    if kind == "ceiling":
        headers, rows = (
            _ceiling_headers(found),
            [row for table in found.tables for row in _ceiling_rows(found, table)],
        )
        parts.append(with_lines(render(headers, rows, form, DECIMALS), _general(found, kind), form))
        return parts[0]
    for table in found.tables:
        headers, rows = _headers(found, kind, table), [_cells(found, kind, table, row, form) for row in table.rows]
        title = TITLES.get(form, "{}\n\n").format(escaped(_title(table)) if form == "markdown" else _title(table))
        lines = [shown(line, 0) for line in (_ceiling_line(table), *table.notes)]
        parts.append(title + with_lines(render(headers, rows, form, DECIMALS), lines, form))
    end = "".join(with_lines("", _general(found, kind), form))
    return "\n".join(parts) + end


def csv_table(found: Study, kind: Kind) -> str:
    """All tables as one, with columns that say which table a row belongs to."""
    if kind == "ceiling":
        rows = [row for table in found.tables for row in _ceiling_rows(found, table)]
        return render(_ceiling_headers(found), rows, "csv")
    tables = found.tables
    headers = ["data set", "dimension", "granularity", "field", "group", *_headers(found, kind, tables[0])]
    rows = [
        [
            found.name,
            table.dimension,
            table.granularity,
            table.field,
            table.group,
            *_cells(found, kind, table, row, "csv"),
        ]
        for table in tables
        for row in table.rows
    ]
    return render(headers, rows, "csv")


def _title(table: Table) -> str:
    counted = f"{plural(table.outputs, 'output')} of {plural(table.segments, 'segment')}"
    group = f", {table.field}: {table.group}" if table.field else ""
    over = f" over {plural(table.systems, 'system')}" if table.granularity == "system" else ""
    less = " (less is better)" if table.human_direction == "lower" else ""
    return shown(f"{table.dimension}{less}{over}{group}: {counted}", 0)


def _headers(found: Study, kind: Kind, table: Table) -> list[str]:
    first = ["metric", *(["references"] if _several_sets(found) else []), "better", "n"]
    if kind == "pairs":
        taus = [] if table.granularity == "system" else ["tau WMT 10", "tau WMT 13", "tau WMT 14", "tau-c"]
        within = ["tau 10", "tau 13", "tau 14", "accuracy", "accuracy low", "accuracy high", "pairs"]
        of_sources = [f"source {name}" for name in within] if _has_sources(found) else []
        return [*first, *_bounded("tau-b"), *taus, *_bounded("accuracy"), "epsilon", "pairs", *of_sources]
    partial = (
        [] if table.granularity == "system" or not found.controls else [f"r less {' and '.join(found.controls)}"]
    )
    tests = [] if table.granularity == "system" else ["p Williams", "p permuted"]
    return [*first, *_bounded("r"), "rho", "tau-b", *partial, *_bounded("behind"), *tests, "mark"]


def _cells(found: Study, kind: Kind, table: Table, row: Row, form: str) -> list[Cell]:
    agreement, standing = row.agreement, row.standing
    sets: list[Cell] = [row.references or None] if _several_sets(found) else []
    first: list[Cell] = [row.metric, *sets, agreement.direction, agreement.n]
    if kind == "pairs":
        taus = [agreement.taus[name].value if name in agreement.taus else None for name in ("10", "13", "14", "c")]
        accuracy = agreement.accuracy
        return [
            *first,
            *estimate_cells(agreement.kendall.estimate),
            *([] if table.granularity == "system" else taus),
            *estimate_cells(accuracy.estimate),
            accuracy.epsilon,
            accuracy.pairs,
            *(_within_sources(agreement.within) if _has_sources(found) else []),
        ]
    partial: list[Cell] = []
    tests: list[Cell] = []
    if table.granularity == "segment":
        partial = [] if not found.controls else [agreement.partial.value if agreement.partial else None]
        tests = [p_cell(p, form) for p in (standing.p_williams, standing.p_holm)]
    return [
        *first,
        *estimate_cells(agreement.pearson.estimate),
        agreement.spearman.value,
        agreement.kendall.value,
        *partial,
        *([None] * 3 if standing.gap is None else estimate_cells(standing.gap.difference)),
        *tests,
        ", ".join(_marks(row)),
    ]


def _has_sources(found: Study) -> bool:
    """Whether outputs of the same source can be paired anywhere: all tables have the same columns."""
    return any(row.agreement.within is not None for table in found.tables for row in table.rows)


def _within_sources(pairs: Pairs | None) -> list[Cell]:
    if pairs is None:
        return [None] * 7
    taus: list[Cell] = [pairs.taus[name].value if name in pairs.taus else None for name in ("10", "13", "14")]
    return [*taus, *estimate_cells(pairs.accuracy.estimate), pairs.accuracy.pairs]


def _marks(row: Row) -> Iterator[str]:
    if row.standing.best:
        yield "best" if row.agrees else "least bad"
    elif row.tied:
        yield "tied"
    elif row.standing.within_noise:
        yield "within noise"
    if not row.orientation:
        yield "no direction"
    if row.wrong_way:
        yield "wrong way"


def _ceiling_line(table: Table) -> str:
    """What raters reach, under every table."""
    agreed = table.ceiling
    if agreed.reason is not None:
        return f"ceiling: not known; {agreed.reason}"
    return (
        f"ceiling: two raters {_figure(agreed.between)}, a rater with the mean of the others "
        f"{_figure(agreed.with_others)}: means, weighted by outputs in common; {agreed.alpha_measurement} alpha "
        f"{_figure(agreed.alpha)}; {plural(agreed.raters, 'rater')}, {plural(agreed.outputs, 'output')}"
    )


def _figure(figure: Estimate) -> str:
    bounds = f" ({figure.low:.3f} to {figure.high:.3f})" if math.isfinite(figure.low) else ""
    return f"{figure.value:.3f}{bounds}"


def _ceiling_headers(found: Study) -> list[str]:
    return [
        *("data set", "dimension", "field", "group", "raters", "outputs"),
        *_bounded("two raters"),
        *_bounded("with others"),
        *_bounded("alpha"),
        "measurement of alpha",
        "rho of two",
        "tau-b of two",
        "note",
    ]


def _ceiling_rows(found: Study, table: Table) -> Iterator[list[Cell]]:
    agreed = table.ceiling
    figures: list[Cell] = []
    for figure in (agreed.between, agreed.with_others, agreed.alpha):
        figures += [figure.value, figure.low, figure.high]
    ranks: list[Cell] = [agreed.between_ranks.get("spearman"), agreed.between_ranks.get("kendall")]
    where: list[Cell] = [found.name, table.dimension, table.field or None, table.group or None]
    measurement = agreed.alpha_measurement if math.isfinite(agreed.alpha.value) else None
    yield [*where, agreed.raters, agreed.outputs, *figures, measurement, *ranks, agreed.reason]


def _general(found: Study, kind: Kind = "correlations") -> list[str]:
    drawn = "segments and systems" if any(table.granularity == "system" for table in found.tables) else "segments"
    best = {"pearson": "r", "spearman": "rho", "kendall": "tau-b"}[found.coefficient]
    chosen = found.resampling
    values = ", ".join(f"{dimension} {scale}" for dimension, scale in found.scale.items())
    by_kind = {
        "correlations": [
            f"best: the largest {best} in the metric's own direction; behind: how far another is from it; "
            "p permuted: Holm-corrected; p Williams takes outputs as independent"
        ],
        "pairs": [
            "accuracy goes by the metric's own direction; tau WMT 10 counts ties in that direction, and its sign is "
            "that of the others; a metric without a direction has neither; all other columns are as they come"
        ],
        "ceiling": ["two raters, with others: means of correlations, weighted by the outputs in common"],
    }
    lines = [
        f"{found.name}: {plural(found.outputs, 'output')}, {plural(found.segments, 'segment')}, "
        f"{plural(found.systems, 'system')}; values: {values}",
        f"low and high: {chosen.confidence:.0%} intervals, {chosen.resamples} resamples of {drawn}, "
        f"seed {chosen.seed}",
        *by_kind[kind],
        *found.notes,
        *dict.fromkeys(found.signatures.values()),
    ]
    return [shown(line, 0) for line in lines]


def _several_sets(found: Study) -> bool:
    return any(row.references for table in found.tables for row in table.rows)


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]
