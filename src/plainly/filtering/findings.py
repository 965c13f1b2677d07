"""What a filter dropped and why, as every face prints it; for programs one figure a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from plainly.filtering.summary import QUANTILES, Summary
from plainly.findings import Column, Findings, Message, Note, Table, column, message, plain
from plainly.findings.printing import shown
from plainly.findings.shape import Row

_column = partial(column, "filtering")
SCORE = Column("score", "number", 3)
HEADS = [f"{100 * q:g} %" for q in QUANTILES]
LONGEST = 300  # characters of a text that is shown
LONG = [Column("what"), Column("of"), Column("figure"), Column("value", "number")]
KEPT = message("filtering.kept", "kept")
IN = message("filtering.in", "in")


def findings(summary: Summary) -> Findings:
    """How many rows are kept, what each condition drops, and how scores change; dropped pairs below."""
    tables = [_rows(summary), _conditions(summary), *([_quantiles(summary)] if summary.quantiles else [])]
    return Findings(
        tables=[*tables[:-1], _with_examples(tables[-1], summary)],
        notes=[Note(one, aside=True) for one in _notes(summary)],
        signatures=list(summary.signatures.values()),
        data=summary.data,
    )


def _rows(summary: Summary) -> Table:
    counts: list[tuple[Message, int]] = [
        (IN, summary.rows),
        (KEPT, summary.kept),
        (message("filtering.dropped", "dropped"), summary.dropped),
        *([(message("filtering.left-out", "left out"), summary.left_out)] if summary.left_out else []),
    ]
    names = ("rows", "kept", "dropped", "left_out")
    return _table(
        message("filtering.rows", "How many rows are kept?"),
        [_column("rows"), _column("number", "count"), Column("%", "number")],
        [[name, count, 100 * count / summary.rows if summary.rows else None] for name, count in counts],
        [["rows", None, name, getattr(summary, name)] for name in names],
    )


def _conditions(summary: Summary) -> Table:
    return _table(
        message("filtering.conditions", "What does each condition drop?"),
        [
            _column("condition"),
            *(_column(name, "count") for name in ("fails", "cannot be computed", "drops alone")),
        ],
        [[_one_line(count.condition), count.failed, count.unknown, count.alone] for count in summary.conditions],
        [
            ["condition", count.condition, figure, getattr(count, figure)]
            for count in summary.conditions
            for figure in ("failed", "unknown", "alone")
        ],
    )


def _quantiles(summary: Summary) -> Table:
    both = [
        (found.name, when, values)
        for found in summary.quantiles
        for when, values in ((IN, found.before), (KEPT, found.after))
    ]
    return _table(
        message("filtering.quantiles", "How are scores distributed, before and after?"),
        [_column("score"), _column("rows"), *(Column(head, "number", 3) for head in HEADS)],
        [[name, when, *(values or [None] * len(QUANTILES))] for name, when, values in both],
        [
            ["quantile", name, f"{head} {when}", value]
            for name, when, values in both
            for head, value in zip(HEADS, values, strict=False)
        ],
    )


def _table(question: Message, columns: Sequence[Column], rows: Sequence[Row], long: Sequence[Row]) -> Table:
    return Table("summary", question, columns, rows, long=Table("summary", question, LONG, long))


def _with_examples(table: Table, summary: Summary) -> Table:
    """The last table, with dropped pairs below it."""
    long = table.long or table
    rows: list[Row] = [["example", example.condition, "row", example.row] for example in summary.examples]
    return replace(
        table,
        legend=list(_examples(summary)),
        long=replace(long, rows=[*long.rows, *rows]),
    )


def _examples(summary: Summary) -> Iterator[Message]:
    """Dropped pairs, each in three lines."""
    for example in summary.examples:
        yield message(
            "filtering.example",
            "dropped by {condition}{unknown}: row {row}{scores}",
            condition=_one_line(example.condition),
            unknown=message("filtering.uncomputed", " (cannot be computed)") if example.unknown else "",
            row=example.row,
            scores="".join(f", {name} {shown(value, SCORE)}" for name, value in example.scores.items()),
        )
        yield message("filtering.example-source", "  source: {text}", text=_one_line(example.source))
        yield message("filtering.example-output", "  output: {text}", text=_one_line(example.output))


def _one_line(text: str | None) -> str:
    """As a terminal may show it: no line breaks, nothing that steers it, not too long."""
    if text is None:
        return "-"
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def _notes(summary: Summary) -> Iterator[Message]:
    """What the figures alone do not say."""
    if summary.system is None:
        yield message(
            "filtering.reference",
            "there are no outputs; the first reference of each row is taken for the output",
        )
    if any(count.unknown for count in summary.conditions):
        yield message(
            "filtering.unknown",
            "rows for which a condition cannot be computed are dropped; the summary counts them",
        )
    if not summary.kept:
        yield message("filtering.nothing", "nothing is kept")
    if summary.sampled:
        yield message(
            "filtering.sampled",
            "quantiles come from a random sample of the rows, drawn with seed {seed}",
            seed=summary.seed,
        )
    yield from map(plain, summary.remarks)
