"""Annotated operations: numbers of the tables of `plainly operations stats` and `correlate`, and of printed ones.

Table, column and row say together which number a cell holds: the table of a study (`table`), the keys of a row of it
(`of`, and then the name of the row), and what stands there (`value`, as "pairs.count").
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from plainly import operations
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.inference import Estimate, Resampling
from plainly.operations import AnnotatedPair, AnnotatedSet, Group, Regressing
from plainly.operations.formats import Rules
from plainly.operations.regression import Folding, Model
from plainly.replication.computations.cells import asked, places
from plainly.replication.found import Found, Values, digits
from plainly.replication.recipe import Row, Table
from plainly.replication.work import Work

KEYS: Mapping[str, tuple[str, ...]] = {
    "summary": (),
    "labels": ("name",),
    "classes": ("name",),
    "reported": ("name",),
    "tokens": ("label",),
    "per_pair": ("n",),
    "length": ("side", "counted_as"),
    "by_length": ("longest",),
    "correlations": ("score", "operation"),
    "regressions": ("score", "model", "folding"),
}
"""What tells the rows of a table apart."""
OF_REWARDS = ("correlations", "regressions")
ONE_BY_ONE = Resampling(resamples=0)


@dataclass(frozen=True)
class Asked:
    """Which number a cell holds."""

    table: str
    """One of `KEYS`; or "references": how many an expression keeps; "printed"; "unpublished"."""
    of: tuple[str, ...] = ()
    """Keys of the row; of printed numbers: the table, the column, and perhaps a column to subtract."""
    value: str = ""
    rows: tuple[str, ...] = ()
    """Rows that are added up, in the place of the one with the name of the row."""
    data: str = "assetann"
    alias: tuple[str, ...] = ()
    """Other names of labels, as literal=synonym."""
    erroneous: bool = False
    """Whether faulty pairs are counted."""
    earlier: tuple[str, ...] = ()
    """Annotations as they were before: "98 asset.simp.6 neg2pos -1" has one group less."""
    penalty: float = 0.0
    """Of the lasso; 0: the best within each training set."""
    per: float = 0.0
    """The number is per cent of this."""
    cut: int = -1
    """It was cut off, not rounded, after so many digits."""
    why: str = ""
    """Why it is not to be had."""


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    return {(row.key, title): _found(table, row, title, work) for row, title in places(table)}


def _found(table: Table, row: Row, title: str, work: Work) -> Found:
    cell = asked(Asked, table, row, title)
    if cell.table not in KEYS and cell.table not in OTHERS:
        raise UnknownName("table of operations", cell.table, [*KEYS, *OTHERS])
    fewest, most = PARTS.get(cell.table, (0, len(KEYS.get(cell.table, ()))))
    if not fewest <= len(cell.of) <= most:
        raise PlainlyError(f"{row.key}, {title}: of must have {fewest} to {most} parts in {cell.table}")
    try:
        found = OTHERS.get(cell.table, _of_study)(cell, row.name, work)
    except MissingResource as error:
        return Found(why=str(error))
    return _shown(found, cell)


def _shown(found: Found, asked: Asked) -> Found:
    value = found.estimate.value
    if asked.per:
        value *= 100 / asked.per
    if asked.cut >= 0:
        value = math.trunc(value * 10**asked.cut) / 10**asked.cut
    return replace(found, value=value) if asked.per or asked.cut >= 0 else found


def _of_study(asked: Asked, name: str, work: Work) -> Found:
    """What stands in the table of a study; several rows are added up."""
    table = _table(asked, work)
    names = asked.rows or (name,)
    values = [_value(table, asked, one) for one in names]
    if len(values) == 1:
        return Found(values[0])
    return Found(math.fsum(value.value if isinstance(value, Estimate) else value for value in values))


def _table(asked: Asked, work: Work) -> Mapping[tuple[str, ...], Any]:
    """The rows of a table by their keys."""
    of = (asked.data, asked.alias, asked.erroneous, asked.earlier)
    if asked.table in OF_REWARDS:
        fitted = (asked.of[1:], asked.penalty) if asked.table == "regressions" else ()
        study: Any = work.once(("rewards", of, fitted), lambda: _rewards(asked, work))
    else:
        study = work.once(("statistics", of), lambda: _statistics(asked, work)).description
    rows = getattr(study, asked.table)
    keys = KEYS[asked.table]
    return {tuple(str(getattr(row, key)) for key in keys): row for row in (rows if keys else [rows])}


def _statistics(asked: Asked, work: Work) -> operations.Statistics:
    work.tell(f"{asked.data}: counts")
    return operations.statistics(_pairs(asked, work), resampling=work.resampling, erroneous=asked.erroneous)


def _rewards(asked: Asked, work: Work) -> operations.Rewards:
    work.tell(f"{asked.data}: SARI of every reference")
    regressing = Regressing()
    if asked.table == "regressions":
        _, model, folding = asked.of
        regressing = Regressing(
            (cast("Model", model),),
            (cast("Folding", folding),),
            alpha=asked.penalty or None,
            without_faulty_sources=True,
        )
    return operations.correlate(_set(asked, work), "sari", regressing=regressing, resampling=ONE_BY_ONE)


def _pairs(asked: Asked, work: Work) -> list[AnnotatedPair]:
    def read() -> list[AnnotatedPair]:
        aliases = {name: label for name, _, label in (item.partition("=") for item in asked.alias)}
        return _as_before(operations.published(asked.data, Rules(aliases=aliases)), asked.earlier)

    return work.once(("pairs", asked.data, asked.alias, asked.earlier), read)


def _set(asked: Asked, work: Work) -> AnnotatedSet:
    return operations.annotated_set(_pairs(asked, work))


def _as_before(pairs: Iterable[AnnotatedPair], earlier: Sequence[str]) -> list[AnnotatedPair]:
    """The pairs with some groups more or less; a group more stands at the first tokens."""
    changes: dict[tuple[str, str], Counter[str]] = {}
    for item in earlier:
        said = re.fullmatch(r"(\S+) (\S+) (\w+) ([+-]\d+)", item)
        if said is None:
            raise PlainlyError(f"{item!r} must be as '98 asset.simp.6 neg2pos -1': pair, origin, label, groups")
        changes.setdefault((said[1], said[2]), Counter())[said[3]] += int(said[4])
    before = [_changed(pair, changes.pop((pair.id, pair.origin), Counter())) for pair in pairs]
    for identity, origin in changes:
        raise PlainlyError(f"earlier: there is no pair {identity!r} of {origin!r}")
    return before


def _changed(pair: AnnotatedPair, changes: Counter[str]) -> AnnotatedPair:
    groups = list(pair.groups)
    for label, count in changes.items():
        if label not in operations.assetann().labels:
            raise UnknownName("label", label, operations.assetann().labels)
        if -count > sum(group.label == label for group in groups):
            raise PlainlyError(f"earlier: pair {pair.id!r} of {pair.origin!r} has no {-count} groups of {label}")
        for group in [group for group in groups if group.label == label][: max(-count, 0)]:
            groups.remove(group)
        groups += [Group((0,), (0,), label)] * count
    return replace(pair, groups=tuple(groups))


def _value(table: Mapping[tuple[str, ...], Any], asked: Asked, name: str) -> Estimate | float:
    length = len(next(iter(table)))
    key = (*asked.of, name)[:length]
    if key not in table:
        # Tables of groups leave out labels without any, tables by length or number what does not occur.
        if key[-1] not in operations.assetann().labels and not key[-1].isdigit():
            raise UnknownName(f"row of the table {asked.table}", " ".join(key), map(" ".join, table))
        return math.nan
    value = table[key]
    for part in asked.value.split("."):
        if not hasattr(value, part):
            raise UnknownName(f"value in the table {asked.table}", part, vars(value))
        value = getattr(value, part)
    if isinstance(value, Mapping):
        value = {str(one): number for one, number in value.items()}.get(name, 0)
    return value if isinstance(value, Estimate) else float(value)


def _references(asked: Asked, name: str, work: Work) -> Found:
    """How many references an expression keeps."""
    (expression,) = asked.of
    return Found(sum(map(len, operations.select(_set(asked, work), operations.parse(expression)))))


def _printed(asked: Asked, name: str, work: Work) -> Found:
    """Printed numbers of another table, put together: their sum, mean, or sum with each times the name of its row."""
    title, *columns = asked.of
    (table,) = work.recipe.chosen([title], "table")
    first, *less = (_column(table, column) for column in columns)
    for one in asked.rows:
        if one not in first:
            raise UnknownName(f"printed row of {table.where}", one, first)
    numbers = {one: float(first[one]) - sum(float(other[one]) for other in less) for one in asked.rows or first}
    if asked.value == "weighted":
        numbers = {one: float(one) * number for one, number in numbers.items()}
    found = math.fsum(numbers.values()) / (len(numbers) if asked.value == "mean" else 1)
    return Found(found, decimals=max(map(digits, first.values())))


def _column(table: Table, title: str) -> dict[str, str]:
    """What is printed in a column, by the names of the rows."""
    if title not in table.columns:
        raise UnknownName(f"column of {table.where}", title, table.columns)
    place = table.columns.index(title)
    return {row.name: row.printed[place] for row in table.rows if row.printed and row.printed[place]}


def _unpublished(asked: Asked, name: str, work: Work) -> Found:
    return Found(why=asked.why)


OTHERS: Mapping[str, Callable[[Asked, str, Work], Found]] = {
    "references": _references,
    "printed": _printed,
    "unpublished": _unpublished,
}
"""What is no table of a study."""
PARTS: Mapping[str, tuple[int, int]] = {
    "references": (1, 1),
    "printed": (2, 3),
    "unpublished": (0, 9),
    "regressions": (3, 3),
}
"""How many parts `of` must have, where the name of the row is not the last of them."""
