"""What computing a benchmark anew found, as every face prints it: each number beside the printed one."""

from __future__ import annotations

from collections import Counter

from plainly.findings import Cell as Shown
from plainly.findings import Column, Findings, Message, Note, Table, message, plain
from plainly.replication.run import Cell, Computed, Outcome

SIGNS = {True: "=", False: "≠", None: "/"}
"""Between a number and the printed one: the same, not the same, or not computed."""


def findings(outcome: Outcome) -> Findings:
    """All tables of a benchmark; for programs they are one, with a row a number."""
    return Findings(
        tables=[_table(computed) for computed in outcome.tables],
        verdict=verdict(outcome),
        notes=[Note(one) for one in (_drawn(outcome), *_differing(outcome), *_missing(outcome))],
        signatures=outcome.signatures(),
        data=outcome.data,
    )


def verdict(outcome: Outcome) -> list[Message]:
    """How many of the printed numbers come out again."""
    agree, compared, printed = outcome.agreement()
    if not printed:
        return []
    return [
        message(
            "replication.agreement",
            "Of {printed} printed numbers, {compared} could be computed here; {agree} of these agree to the last "
            "printed digit, {differ} do not.",
            printed=printed,
            compared=compared,
            agree=agree,
            differ=compared - agree,
        )
    ]


def causes(outcome: Outcome) -> dict[str, int]:
    """Why numbers differ from printed ones, and how many for each cause."""
    return dict(Counter(cell.why or "no cause is known" for *_, cell in outcome.differences()).most_common())


def _table(computed: Computed) -> Table:
    name = computed.table.name
    settings = any(line.setting for line in computed.lines)
    setting = [Column("setting", title=message("replication.column.setting", "setting"))] if settings else []
    digits = {title: cell.decimals for line in computed.lines for title, cell in line.cells.items() if cell.signature}
    return Table(
        "numbers",
        plain(name),
        [_SYSTEM, *setting, *(Column(title, "estimate", digits.get(title, 2)) for title in computed.table.columns)],
        [
            [line.name, *([line.setting] if settings else []), *map(_beside_printed, line.cells.values())]
            for line in computed.lines
        ],
        legend=[plain(computed.table.note)] if computed.table.note else (),
        long=_long(computed),
    )


def _long(computed: Computed) -> Table:
    names = ("system", "setting", "column", "printed")
    return Table(
        "numbers",
        plain(computed.table.name),
        [*map(Column, names), Column("score", "estimate"), *map(Column, ("agrees", "why", "signature"))],
        [
            [line.name, line.setting, title, cell.printed, cell.estimate, _agrees(cell), cell.why, cell.signature]
            for line in computed.lines
            for title, cell in line.cells.items()
        ],
        keys={"table": computed.table.name},
    )


_SYSTEM = Column("system", title=message("replication.column.system", "system"))


def _beside_printed(cell: Cell) -> Shown:
    return Shown(cell.estimate, frozenset({f"{SIGNS[cell.agrees]} {cell.printed}"} if cell.printed else ()))


def _agrees(cell: Cell) -> str | None:
    return {True: "yes", False: "no", None: None}[cell.agrees]


def _drawn(outcome: Outcome) -> Message:
    drawn = outcome.resampling
    return message(
        "replication.drawn",
        "Numbers in brackets are {confidence:.0%} intervals from {resamples} resamples (seed {seed}); "
        "after them stands what was printed.",
        confidence=drawn.confidence,
        resamples=drawn.resamples,
        seed=drawn.seed,
    )


def _differing(outcome: Outcome) -> list[Message]:
    english = "{count} differ: {why}."
    return [message("replication.differ", english, count=count, why=why) for why, count in causes(outcome).items()]


def _missing(outcome: Outcome) -> list[Message]:
    english = "{count} could not be computed: {why}."
    return [message("replication.missing", english, count=count, why=why) for why, count in outcome.missing().items()]
