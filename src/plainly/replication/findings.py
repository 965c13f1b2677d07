"""What replicating papers found, as every face prints it: each number beside the printed one, and why they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

from plainly.findings import Cell as Shown
from plainly.findings import Column, Findings, Message, Note, Table, column, message, plain
from plainly.findings.shape import Value
from plainly.replication.data_sets import AVAILABLE, availability
from plainly.replication.drawing import chart_of
from plainly.replication.found import STATUSES, Cell
from plainly.replication.recipe import CAUSES, Cause, Erratum, Recipe
from plainly.replication.recipe import Table as Described
from plainly.replication.replicating import Replicated, Replication

SIGNS = {"met": "=", "explained": "≠", "unexplained": "≠", "unavailable": "/"}
"""Between a number and the printed one."""


def findings(replication: Replication) -> Findings:
    """`summary`: how many printed numbers of each table come out; `cells`: every number."""
    tables = [_summary(replication.recipe.name, replication.tables)]
    tables += [_cells(replication.recipe.name, replicated) for replicated in replication.tables]
    return Findings(
        tables=tables,
        verdict=verdict([replication]),
        charts=[
            chart_of(one)
            for one in replication.tables
            if one.table.kind == "figure" and any(cell.value is not None for cell in one.cells)
        ],
        notes=[Note(one) for one in (*_drawn(replication), *_missing(replication), *_doubts(replication))],
        signatures=sorted({cell.found.signature for cell in _all_cells(replication) if cell.found.signature}),
        data=replication.data,
    )


def of_papers(replications: Sequence[Replication]) -> Findings:
    """Several papers: how many printed numbers of each come out."""
    rows: list[list[Value]] = [[one.recipe.name, *_counted(one.counts().values())] for one in replications]
    table = Table(
        "papers", message("replication.papers", "Which printed numbers come out?"), [_PAPER, *_COUNTS], rows
    )
    data = {"papers": [{"paper": one.recipe.name, "counts": one.counts()} for one in replications]}
    return Findings([table], verdict=verdict(replications), data=data)


def verdict(replications: Sequence[Replication]) -> list[Message]:
    """How many of the printed numbers come out again."""
    counts = {status: sum(one.counts()[status] for one in replications) for status in STATUSES}
    if not (printed := sum(counts.values())):
        return []
    return [
        message(
            "replication.agreement",
            "Of {printed} printed numbers, {met} come out here to the last printed digit (or within what chance "
            "explains), {explained} differ for a reason that a computation shows, {unexplained} differ and nothing "
            "shows why, {unavailable} cannot be had here.",
            printed=printed,
            **counts,
        )
    ]


def listed(recipes: Sequence[Recipe]) -> Findings:
    """What there is to replicate, what each table needs, and whether it is public."""
    rows: list[list[Value]] = [
        [recipe.name, table.where, table.title, table.printed, _needs(table), _public(table, recipe)]
        for recipe in recipes
        for table in recipe.tables
    ]
    columns = [
        _PAPER,
        column("replication", "table"),
        column("replication", "title", key="what"),
        column("replication", "printed", "count"),
        column("replication", "needs"),
        column("replication", "data", key="public"),
    ]
    question = message("replication.listed", "Which tables and figures can be computed anew?")
    names = ("paper", "table", "title", "printed", "needs", "data")
    plain_rows = [dict(zip(names, map(str, row), strict=True)) for row in rows]
    return Findings([Table("tables", question, columns, rows)], data={"tables": plain_rows})


def errata(recipes: Sequence[Recipe], name: str = "") -> Findings:
    """Published numbers and claims that do not hold; or one of them."""
    found = [(recipe, one) for recipe in recipes for one in (recipe.errata if not name else [recipe.erratum(name)])]
    columns = [_PAPER, *(column("replication", part) for part in ("name", "where", "claim", "finding", "command"))]
    question = message("replication.errata", "Which published numbers and claims do not hold?")
    rows = [[recipe.name, *_parts(one)] for recipe, one in found]
    data = [{"paper": recipe.name, **dict(zip(_ERRATUM, _parts(one), strict=True))} for recipe, one in found]
    return Findings([Table("errata", question, columns, rows)], data={"errata": data})


_ERRATUM = ("name", "where", "claim", "finding", "command")


def _parts(erratum: Erratum) -> list[str]:
    return [getattr(erratum, part) for part in _ERRATUM]


def _needs(table: Described) -> str:
    return ", ".join(table.data_sets) or "nothing"


def _public(table: Described, recipe: Recipe) -> Message:
    """Whether the data of a table are to be had, and whether they are here; of several, what is hardest to get."""
    states = {availability(name, recipe) for name in table.data_sets}
    hardest = next((state for state in AVAILABLE if state in states), None)
    if hardest is None:
        return message("replication.data.nothing", "needs none")
    said = message(f"replication.data.{hardest}", AVAILABLE[hardest])
    if hardest == "here" or "here" not in states:
        return said
    return message("replication.data.partly", "here in part; the rest is {rest}", rest=said)


def _summary(paper: str, tables: Sequence[Replicated]) -> Table:
    rows: list[list[Value]] = [[one.table.where, one.table.title, *_counted(one.counts().values())] for one in tables]
    columns = [column("replication", "table"), column("replication", "title", key="what"), *_COUNTS]
    question = message("replication.summary", "{paper}: which printed numbers come out?", paper=paper)
    return Table("summary", question, columns, rows, keys={})


def _counted(counts: Iterable[int]) -> list[int]:
    counts = list(counts)
    return [sum(counts), *counts]


_PAPER = column("replication", "paper")
_COUNTS = [
    column("replication", "printed", "count"),
    column("replication", "met", "count"),
    column("replication", "explained", "count"),
    column("replication", "unexplained", "count"),
    column("replication", "unavailable", "count"),
]


def _cells(paper: str, replicated: Replicated) -> Table:
    table = replicated.table
    causes = list(dict.fromkeys(cause for cell in replicated.cells for cause in _tried(cell)))
    letters = {cause: ascii_lowercase[i % 26] for i, cause in enumerate(causes)}
    digits = {title: _digits([line.cells[title] for line in replicated.lines]) for title in table.columns}
    named = [line.row.key for line in replicated.lines]
    return Table(
        "cells",
        message("replication.table", "{where}: {title}", where=table.where, title=table.title),
        [column("replication", "row"), *(Column(title, "estimate", digits[title]) for title in table.columns)],
        [
            [name, *(_beside_printed(cell, letters) for cell in line.cells.values())]
            for name, line in zip(named, replicated.lines, strict=True)
        ],
        legend=[*_legend(replicated), *(_cause(letters[cause], cause, replicated) for cause in causes)],
        long=_long(paper, replicated),
    )


def _digits(cells: Sequence[Cell]) -> int:
    """Of a column. Where nothing is printed beside a number, it takes those of its neighbours."""
    known = [cell for cell in cells if cell.printed or cell.found.decimals is not None]
    return max((cell.decimals for cell in known or cells), default=2)


def _beside_printed(cell: Cell, letters: dict[Cause, str]) -> Shown:
    if not cell.printed:
        return Shown(cell.found.estimate)
    tried = ", ".join(letters[cause] for cause in _tried(cell))
    return Shown(cell.found.estimate, frozenset({f"{SIGNS[cell.status]} {cell.printed}{tried and f' ({tried})'}"}))


def _tried(cell: Cell) -> Sequence[Cause]:
    """What explains a cell; where nothing does, what was tried."""
    return (cell.cause,) if cell.cause else cell.tried


def _legend(replicated: Replicated) -> list[Message]:
    note = [plain(replicated.table.note)] if replicated.table.note else []
    if not any(cell.printed for cell in replicated.cells):
        return note
    return [
        message(
            "replication.legend",
            "After each number stands the printed one: = comes out, ≠ does not, / cannot be had here.",
        ),
        *note,
    ]


def _cause(letter: str, cause: Cause, replicated: Replicated) -> Message:
    """What a letter means; only a computation explains."""
    mine = [cell for cell in replicated.cells if cause in cell.tried]
    shown = sum(cell.cause == cause for cell in mine)
    said = {"letter": letter, "kind": _KINDS[cause.kind], "about": cause.about, "shown": shown, "all": len(mine)}
    if not cause.settings:
        return message("replication.tried", "({letter}) {kind}: {about} (No computation shows it.)", **said)
    tried = [cell.with_cause for cell in mine if cell.tried[-1] == cause]
    whys = [found.why for found in tried if found and found.why]
    if len(whys) == len(mine):
        english = "({letter}) {kind}: {about} (It could not be computed here: {why}.)"
        return message("replication.not-tried", english, **said, why=whys[0].rstrip("."))
    if not shown:
        english = "({letter}) tried in vain: {kind}: {about} Computed so, none of {all} comes out as printed."
        return message("replication.in-vain", english, **said)
    return message(
        "replication.cause",
        "({letter}) {kind}: {about} Computed so, {shown} of {all} come out as printed.",
        **said,
    )


_KINDS = {kind: message(f"replication.kind.{kind}", words) for kind, words in CAUSES.items()}


def _long(paper: str, replicated: Replicated) -> Table:
    columns = [
        *map(Column, ("row", "column", "printed")),
        Column("found", "estimate"),
        *(Column(name, "number", 6) for name in ("difference", "with cause")),
        *map(Column, ("status", "kind", "cause", "why", "signature")),
    ]
    return Table(
        "cells",
        plain(replicated.table.where),
        columns,
        [
            [
                line.row.key,
                title,
                cell.printed,
                cell.found.estimate,
                cell.difference,
                cell.with_cause.estimate.value if cell.with_cause else None,
                cell.status,
                *(", ".join(getattr(cause, part) for cause in _tried(cell)) or None for part in ("kind", "about")),
                cell.found.why,
                cell.found.signature,
            ]
            for line in replicated.lines
            for title, cell in line.cells.items()
        ],
        keys={"paper": paper, "table": replicated.table.where},
    )


def _drawn(replication: Replication) -> list[Message]:
    """How intervals were drawn, where there are any."""
    if not any(cell.found.resampled and cell.found.estimate.has_interval for cell in _all_cells(replication)):
        return []
    drawn = replication.resampling
    return [
        message(
            "replication.drawn",
            "Numbers in brackets are {confidence:.0%} intervals from {resamples} resamples (seed {seed}).",
            confidence=drawn.confidence,
            resamples=drawn.resamples,
            seed=drawn.seed,
        )
    ]


def _missing(replication: Replication) -> list[Message]:
    """Why numbers are not there: how many printed ones for each reason, and tables that have no rows without data."""
    empty = [cell for cell in _all_cells(replication) if cell.value is None and cell.found.why]
    printed = Counter(cell.found.why for cell in empty if cell.printed)
    counted = [
        message("replication.missing", "Without a number here ({count}): {why}.", count=count, why=why.rstrip("."))
        if (count := printed[why])
        else message("replication.missing-others", "Without a number here: {why}.", why=why.rstrip("."))
        for why in dict.fromkeys(cell.found.why for cell in empty)
    ]
    whole = [
        message(
            "replication.missing-table",
            "{where} cannot be had here: {why}.",
            where=replicated.table.where,
            why=replicated.why.rstrip("."),
        )
        for replicated in replication.tables
        if replicated.why
    ]
    return [*counted, *whole]


def _doubts(replication: Replication) -> list[Message]:
    """Data that may be others than those of the paper: files without checksums, and files that readers make."""
    made = [
        message(
            "replication.unchecked",
            "Files of {name} that are not byte for byte those of the catalogue: {count}. They have its columns, ids "
            "and number of records, but nobody checked the rest, so numbers may differ. The first is {file}.",
            name=name,
            count=len(files),
            file=files[0],
        )
        for name, files in replication.unchecked.items()
    ]
    return made + [
        message(
            "replication.doubt",
            "{name} has {here} segments here, but {expected} in the catalogue: these may be other files.",
            name=name,
            here=here,
            expected=expected,
        )
        for name, (here, expected) in replication.doubts.items()
    ]


def _all_cells(replication: Replication) -> list[Cell]:
    return [cell for replicated in replication.tables for cell in replicated.cells]
