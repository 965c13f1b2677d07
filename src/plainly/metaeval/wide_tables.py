"""A study as pages show it: metrics by dimensions, the best one marked; operations by scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from plainly.findings import Cell, Column, Message, Table, column, joined, message
from plainly.findings.shape import Value
from plainly.inference.correlation import Correlation
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import tied
from plainly.metaeval.operations import Effect, parting
from plainly.metaeval.study import Row, Study
from plainly.metaeval.study import Table as Beside

DIGITS = 2
_column = partial(column, "metaeval")
ARROWS = {"higher": " ↑", "lower": " ↓", "none": ""}
LEGEND = message(
    "metaeval.signs",
    "* or ★: the best one. ≈: tied with it, neither the test nor the interval of the difference tells them apart. "
    "~: within its noise, by the interval of the difference alone. ✗: goes against its own direction, beyond chance. "
    "°: no direction is the better one, so it does not take part. An arrow down says that less is better, of a "
    "metric or of what people gave. Where only one of the two has it, a metric agrees with people if its "
    "number is below 0.",
)
Of = Callable[[Row], Correlation | None]


def signs(row: Row) -> frozenset[str]:
    """How a metric stands."""
    best, near = row.standing.best, row.standing.within_noise
    marks = {
        "best": best,
        "≈": row.tied,
        "~": near and not best and not row.tied,
        "✗": row.wrong_way,
        "°": not row.orientation,
    }
    return frozenset(sign for sign, holds in marks.items() if holds)


def wide_tables(found: Study) -> Iterator[Table]:
    """Of all outputs, first; with length removed; of the means of systems; and of groups of outputs."""
    outputs, systems = found.chosen("segment", ""), found.chosen("system", "")
    question = message("metaeval.wide", "How well does each metric agree with people? {name}", name=found.name)
    yield _wide(found, question, outputs or systems)
    if found.controls:
        question = message("metaeval.wide.partial", "r with {controls} removed", controls=", ".join(found.controls))
        yield _wide(found, question, outputs, of=lambda row: row.agreement.partial)
    if outputs and systems:
        most = max(table.systems for table in systems)
        yield _wide(found, message("metaeval.wide.systems", "Means of {count} systems", count=most), systems)
    for field in dict.fromkeys(table.field for table in found.tables if table.field):
        for dimension in dict.fromkeys(table.dimension for table in found.chosen("segment", field)):
            own = [table for table in found.chosen("segment", field) if table.dimension == dimension]
            question = message("metaeval.wide.by", "{dimension} by {field}", dimension=dimension, field=field)
            yield _wide(found, question, own)


def _wide(found: Study, question: Message, tables: Sequence[Beside], of: Of | None = None) -> Table:
    """One column a table: what `of` gives; without it, the coefficient by which metrics are compared, with marks."""
    labels = dict.fromkeys(row.contender for table in tables for row in table.rows)
    by_label = [{row.contender: row for row in table.rows} for table in tables]

    def cell(row: Row | None) -> Cell | Value:
        if row is None or of is not None:
            partial = of(row) if row and of else None
            return partial.estimate if partial else None
        return Cell(row.agreement.coefficient(found.coefficient).estimate, signs(row))

    rows = []
    for label in labels:
        own = [known.get(label) for known in by_label]
        rows.append([label + next(ARROWS[row.agreement.direction] for row in own if row), *map(cell, own)])
    return Table("wide", question, [_column("metric"), *map(_people, tables)], rows, legend=() if of else [LEGEND])


def _people(table: Beside) -> Column:
    name = f"{table.group} ({table.outputs:,})" if table.field else table.dimension
    return Column(name, "estimate", DIGITS, better="lower" if table.human_direction == "lower" else "")


def overview(collection: Collection) -> Table:
    """The best metric of each data set and dimension, what is tied with it, and what raters reach."""
    return Table(
        "overview",
        message("metaeval.overview", "Which metric is best where?"),
        [
            *map(_column, ("data set", "dimension", "best metric", "tied with it")),
            *(_column(name, "estimate", DIGITS) for name in ("agreement", "two raters", "with others")),
            _column("outputs", "count"),
        ],
        [
            [
                *(found.name, table.dimension + ARROWS["lower"] * (table.human_direction == "lower")),
                *(best_name(found, table), ", ".join(tied(table)) or None),
                table.best.agreement.coefficient(found.coefficient).estimate if table.best else None,
                *(table.ceiling.between, table.ceiling.with_others, table.outputs),
            ]
            for found, table in collection.tables
        ],
    )


def best_name(found: Study, table: Beside) -> Message | str | None:
    """The best metric; one that is only the least bad is called so."""
    best = table.best
    if best is None:
        return None
    if not best.agrees:
        return message("metaeval.only-least-bad", "none (least bad: {metric})", metric=best.contender)
    if best.beyond_chance or not best.agreement.coefficient(found.coefficient).estimate.has_interval:
        return best.contender
    return message("metaeval.not-beyond", "{metric} (not beyond chance)", metric=best.contender)


def effects_table(question: Message, effects: Sequence[Effect]) -> Table:
    """Operations by scores: what goes with what, and what is sure."""
    scores = list(dict.fromkeys(effect.finding.score for effect in effects))
    found = {(effect.finding.operation, effect.finding.score): effect.finding for effect in effects}
    counts: dict[str, int] = {}
    for (operation, _), finding in found.items():
        counts[operation] = max(finding.pairs, counts.get(operation, 0))

    def cell(operation: str, score: str) -> Cell | None:
        finding = found.get((operation, score))
        return Cell(finding.correlation.estimate, frozenset({finding.verdict} - {""})) if finding else None

    return Table(
        "effects",
        question,
        [
            _column("operation"),
            _column("outputs with it", "count"),
            *(Column(score, "estimate", DIGITS) for score in scores),
        ],
        [
            [operation, counts[operation], *(cell(operation, score) for score in scores)]
            for operation in sorted(counts, key=lambda name: -counts[name])
        ],
    )


def parting_sentences(effects: Sequence[Effect]) -> list[Message]:
    """Where a metric and people part for sure."""
    said = "{metric} and {people} part over {operations}: one rewards what the other punishes."
    return [
        message("metaeval.parting", said, metric=metric, people=people, operations=", ".join(own))
        for (metric, people), own in parting(effects).items()
    ]


def left_out(collection: Collection, found: Study) -> Message | None:
    """Which metrics a data set could not have, and why."""
    said = "{metrics} ({why})"
    why = [
        Message("", said, {"metrics": ", ".join(names), "why": reason})
        for reason, names in collection.reasons(found.name).items()
    ]
    return message("metaeval.left-out", "left out: {which}", which=joined(why, "; ")) if why else None
