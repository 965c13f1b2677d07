"""Which metric agrees with people, as every face prints it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from plainly.findings import Column, Findings, Message, Note, Table, column, message
from plainly.findings.shape import Value
from plainly.inference.estimates import Estimate
from plainly.inference.ties import TauVariant
from plainly.metaeval.adapters import ADAPTERS
from plainly.metaeval.correlations import Pairs
from plainly.metaeval.judged_set import many
from plainly.metaeval.operations import OperationsStudy
from plainly.metaeval.study import Row, Study
from plainly.metaeval.study import Table as Beside

DIGITS = 3
_column = partial(column, "metaeval")
SYMBOLS = {"pearson": "r", "spearman": "rho", "kendall": "tau-b"}
OF_OPERATIONS = {"pearson": "r", "spearman": "rho", "kendall": "tau"}
TAUS: tuple[TauVariant, ...] = ("10", "13", "14", "c")
WITHIN = TAUS[:3]


def findings(found: Study, done: OperationsStudy | None = None) -> Findings:
    """The tables of a study: correlations, pairs of outputs, ceilings; and what operations metrics reward."""
    return Findings(
        tables=(
            *_last([_correlations(found, table) for table in found.tables], _of_correlations(found)),
            *_last([_pairs(found, table) for table in found.tables], _of_pairs()),
            ceilings(found, found.tables),
            *(operations_tables(done) if done else ()),
        ),
        verdict=[best_sentence(found, table) for table in found.chosen(field="")],
        notes=[Note(_counted(found)), Note(_drawn(found)), *map(Note, found.notes)],
        signatures=list(dict.fromkeys(found.signatures.values())),
        data={**found.data, **({"operations": done.to_dict()} if done else {})},
    )


def data_sets() -> Findings:
    """The data sets that can be read."""
    return Findings(
        tables=[
            Table(
                "data sets",
                message("metaeval.data-sets", "Which data sets can be read?"),
                [
                    _column("data set"),
                    _column("what it is", key="about"),
                    _column("its file", key="file"),
                ],
                [[name, adapter.about, adapter.file] for name, adapter in ADAPTERS.items()],
            )
        ],
        data={name: adapter.about for name, adapter in ADAPTERS.items()},
    )


def _last(tables: Sequence[Table], line: Message) -> Sequence[Table]:
    """The tables with a line below the last one, which goes for all of them."""
    return [*tables[:-1], *(replace(table, legend=[*table.legend, line]) for table in tables[-1:])]


def _correlations(found: Study, table: Beside) -> Table:
    of_outputs = table.granularity == "segment"
    removed = [f"r less {' and '.join(found.controls)}"] if found.controls else []
    return Table(
        "correlations",
        message("metaeval.correlations", "Which metric agrees with people? {what}", what=what(table)),
        [
            *_first(found),
            Column("r", "estimate", DIGITS),
            Column("rho", "number", DIGITS),
            Column("tau-b", "number", DIGITS),
            *(Column(name, "number", DIGITS, for_people=of_outputs) for name in removed),
            _column("behind", "estimate", DIGITS),
            Column("p Williams", "p", for_people=of_outputs),
            _column("p permuted", "p", key="permuted", for_people=of_outputs),
            _column("mark"),
        ],
        [
            [
                *_first_cells(found, row),
                row.agreement.pearson.estimate,
                row.agreement.spearman.value,
                row.agreement.kendall.value,
                *(row.agreement.partial.value if row.agreement.partial else None for _ in removed),
                row.standing.gap.difference if row.standing.gap else None,
                *((row.standing.p_williams, row.standing.p_holm) if of_outputs else (None, None)),
                _marks(row),
            ]
            for row in table.rows
        ],
        keys=_keys(found, table),
        legend=[_ceiling_line(table), *table.notes],
    )


def _pairs(found: Study, table: Beside) -> Table:
    of_outputs = table.granularity == "segment"
    of_sources = [
        *(Column(f"source tau {name}", "number", DIGITS) for name in WITHIN),
        *(Column("source accuracy", "estimate", DIGITS), Column("source pairs", "count")),
    ]
    names = [f"tau WMT {name}" for name in WITHIN] + ["tau-c"]
    return Table(
        "pairs",
        message(
            "metaeval.pairs",
            "Which of two outputs does a metric prefer? {what}",
            what=what(table),
        ),
        [
            *_first(found),
            Column("tau-b", "estimate", DIGITS),
            *(Column(name, "number", DIGITS, for_people=of_outputs) for name in names),
            _column("accuracy", "estimate", DIGITS),
            Column("epsilon", "number", DIGITS),
            _column("pairs", "count"),
            *(of_sources if _has_sources(found) else []),
        ],
        [
            [
                *_first_cells(found, row),
                row.agreement.kendall.estimate,
                *(row.agreement.taus[name].value if name in row.agreement.taus else None for name in TAUS),
                row.agreement.accuracy.estimate,
                row.agreement.accuracy.epsilon,
                row.agreement.accuracy.pairs,
                *(_within_sources(row.agreement.within) if _has_sources(found) else []),
            ]
            for row in table.rows
        ],
        keys=_keys(found, table),
        legend=[_ceiling_line(table), *table.notes],
    )


def _first(found: Study) -> list[Column]:
    sets = [_column("references")] if _several_sets(found) else []
    return [_column("metric"), *sets, _column("better"), Column("n", "count")]


def _first_cells(found: Study, row: Row) -> list[Value]:
    direction = row.agreement.direction
    sets: list[Value] = [row.references or None] if _several_sets(found) else []
    return [row.metric, *sets, message(f"metaeval.direction.{direction}", direction), row.agreement.n]


def _keys(found: Study, table: Beside) -> dict[str, Value]:
    return {
        "data set": found.name,
        "dimension": table.dimension,
        "granularity": table.granularity,
        "field": table.field,
        "group": table.group,
    }


def _has_sources(found: Study) -> bool:
    """Whether outputs of the same source can be paired anywhere: all tables have the same columns."""
    return any(row.agreement.within is not None for table in found.tables for row in table.rows)


def _within_sources(pairs: Pairs | None) -> list[Value]:
    if pairs is None:
        return [None] * (len(WITHIN) + 2)
    taus: list[Value] = [pairs.taus[name].value if name in pairs.taus else None for name in WITHIN]
    return [*taus, pairs.accuracy.estimate, pairs.accuracy.pairs]


def _several_sets(found: Study) -> bool:
    return any(row.references for table in found.tables for row in table.rows)


def what(table: Beside) -> Message:
    """What a table is about: "simplicity: 60 outputs of 20 segments"."""
    return message(
        "metaeval.what",
        "{dimension}{less}{over}{group}: {outputs} of {segments}",
        dimension=table.dimension,
        less=message("metaeval.less", " (less is better)") if table.human_direction == "lower" else "",
        over=message("metaeval.over", " over {systems}", systems=many(table.systems, "system"))
        if table.granularity == "system"
        else "",
        group=f", {table.field}: {table.group}" if table.field else "",
        outputs=many(table.outputs, "output"),
        segments=many(table.segments, "segment"),
    )


def _marks(row: Row) -> Message | None:
    """How a metric stands, in words."""
    marks = list(_each_mark(row))
    if not marks:
        return None
    said = marks[0]
    for mark in marks[1:]:
        said = Message("", "{first}, {second}", {"first": said, "second": mark})
    return said


def _each_mark(row: Row) -> Iterator[Message]:
    if row.standing.best:
        yield message("metaeval.mark.best", "best") if row.agrees else message("metaeval.mark.least", "least bad")
    elif row.tied:
        yield message("metaeval.mark.tied", "tied")
    elif row.standing.within_noise:
        yield message("metaeval.mark.noise", "within noise")
    if not row.orientation:
        yield message("metaeval.mark.none", "no direction")
    if row.wrong_way:
        yield message("metaeval.mark.wrong", "wrong way")


def ceilings(found: Study, tables: Sequence[Beside]) -> Table:
    """How far raters agree, table by table."""
    grouped = any(table.field for table in tables)
    return Table(
        "ceiling",
        message("metaeval.ceiling", "How far do raters agree?"),
        [
            _column("dimension"),
            *(_column(name, for_people=grouped) for name in ("field", "group")),
            *(_column("raters", "count"), _column("outputs", "count")),
            _column("two raters", "estimate", DIGITS),
            _column("with others", "estimate", DIGITS),
            Column("alpha", "estimate", DIGITS),
            _column("measurement of alpha", key="measurement"),
            _column("rho of two", "number", DIGITS),
            _column("tau-b of two", "number", DIGITS, "tau-of-two"),
            _column("note"),
        ],
        [
            [
                *(table.dimension, table.field or None, table.group or None),
                *(table.ceiling.raters, table.ceiling.outputs),
                *(table.ceiling.between, table.ceiling.with_others, table.ceiling.alpha),
                table.ceiling.alpha_measurement if math.isfinite(table.ceiling.alpha.value) else None,
                *(table.ceiling.between_ranks.get(name) for name in ("spearman", "kendall")),
                table.ceiling.reason,
            ]
            for table in tables
        ],
        keys={"data set": found.name},
        legend=[
            message(
                "metaeval.ceiling.legend",
                "two raters, with others: means of correlations, weighted by the outputs in common",
            )
        ],
    )


def _ceiling_line(table: Beside) -> Message:
    """What raters reach, under every table."""
    agreed = table.ceiling
    if agreed.reason is not None:
        return message("metaeval.no-ceiling", "ceiling: not known; {reason}", reason=agreed.reason)
    return message(
        "metaeval.ceiling.line",
        "ceiling: two raters {two}, a rater with the mean of the others {others}: means, weighted by outputs in "
        "common; {measurement} alpha {alpha}; {raters}, {outputs}",
        two=figure(agreed.between),
        others=figure(agreed.with_others),
        measurement=agreed.alpha_measurement,
        alpha=figure(agreed.alpha),
        raters=many(agreed.raters, "rater"),
        outputs=many(agreed.outputs, "output"),
    )


def figure(found: Estimate, digits: int = DIGITS) -> Message:
    """A number in a sentence: 0.431 (0.310 to 0.542)."""
    values = {"value": found.value, "low": found.low, "high": found.high}
    if not found.has_interval:
        return Message("", f"{{value:.{digits}f}}", values)
    known = "metaeval.figure" if digits == DIGITS else "metaeval.short-figure"
    return Message(known, f"{{value:.{digits}f}} ({{low:.{digits}f}} to {{high:.{digits}f}})", values)


def best_sentence(found: Study, table: Beside) -> Message:
    """Which metric agrees best, in words."""
    where = Message("", "{name}, {dimension}", {"name": found.name, "dimension": table.dimension})
    if table.granularity == "system":
        where = message("metaeval.over-systems", "{where} over systems", where=where)
    best = table.best
    if best is None:
        return message("metaeval.none", "{where}: no metric can be held against people.", where=where)
    estimate = best.agreement.coefficient(found.coefficient).estimate
    values = {"where": where, "best": best.contender, "figure": figure(estimate, 2)}
    if not best.agrees:
        return message(
            "metaeval.least-bad",
            "{where}: no metric agrees with people; the least bad is {best}, {figure}.",
            **values,
        )
    if estimate.has_interval and not best.beyond_chance:
        return message(
            "metaeval.chance",
            "{where}: no metric agrees with people beyond chance; the best is {best}, {figure}.",
            **values,
        )
    if not (others := tied(table)):
        return message("metaeval.best", "{where}: {best} agrees best, {figure}.", **values)
    return message(
        "metaeval.best-tied",
        "{where}: {best} agrees best, {figure}. Not told from it: {others}.",
        **values,
        others=", ".join(others),
    )


def tied(table: Beside) -> list[str]:
    """What cannot be told from the best metric."""
    return [row.contender for row in table.rows if row.tied]


def operations_tables(found: OperationsStudy) -> Sequence[Table]:
    """Which operations go with which scores: over all outputs, then of each system."""
    tables = [
        Table(
            "operations",
            message(
                "metaeval.operations",
                "Which operations do metrics and people reward? {whose}",
                whose=system or message("metaeval.all-outputs", "all outputs"),
            ),
            [
                *(_column("score"), _column("operation"), _column("with it", "count"), _column("of", "count")),
                Column(OF_OPERATIONS[found.coefficient], "estimate", DIGITS),
                _column("p corrected", "p"),
                _column("verdict"),
                _column("difference", "estimate", DIGITS),
            ],
            [
                [
                    *(effect.finding.score, effect.finding.operation, effect.finding.pairs),
                    effect.finding.correlation.n,
                    effect.finding.correlation.estimate,
                    effect.finding.p_corrected,
                    effect.finding.verdict or None,
                    effect.difference,
                ]
                for effect in effects
            ],
            keys={"data set": found.name, "system": system},
        )
        for system, effects in found.groups.items()
        if effects
    ]
    lines = [
        message(
            "metaeval.operations.legend",
            "operations by {annotators}; {coefficient} of the score with the number of operations; Holm within each "
            "table; difference: mean score with the operation less that without it; {outputs}, {segments}",
            annotators=", ".join(found.annotators),
            coefficient=OF_OPERATIONS[found.coefficient],
            outputs=many(found.outputs, "output"),
            segments=many(found.segments, "segment"),
        ),
        *found.notes,
    ]
    return [*tables[:-1], *(replace(table, legend=lines) for table in tables[-1:])]


def _counted(found: Study) -> Message:
    return message(
        "metaeval.counted",
        "{name}: {outputs}, {segments}, {systems}; values: {values}",
        name=found.name,
        outputs=many(found.outputs, "output"),
        segments=many(found.segments, "segment"),
        systems=many(found.systems, "system"),
        values=", ".join(f"{dimension} {scale}" for dimension, scale in found.scale.items()),
    )


def _drawn(found: Study) -> Message:
    chosen = found.resampling
    return message(
        "metaeval.drawn",
        "in brackets: {confidence:.0%} intervals, {resamples} resamples of {units}, seed {seed}",
        confidence=chosen.confidence,
        resamples=chosen.resamples,
        units=message("metaeval.drawn.both", "segments and systems")
        if found.chosen("system")
        else message("metaeval.drawn.segments", "segments"),
        seed=chosen.seed,
    )


def _of_correlations(found: Study) -> Message:
    return message(
        "metaeval.correlations.legend",
        "best: the largest {coefficient} in the metric's own direction; behind: how far another is from it; "
        "p permuted: Holm-corrected; p Williams takes outputs as independent",
        coefficient=SYMBOLS[found.coefficient],
    )


def _of_pairs() -> Message:
    return message(
        "metaeval.pairs.legend",
        "accuracy goes by the metric's own direction; tau WMT 10 counts ties in that direction, and its sign is that "
        "of the others; a metric without a direction has neither; all other columns are as they come",
    )
