"""What a cell of a recipe's table asks for: its table, column and row say it together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from plainly.base.declarations import Fault, made
from plainly.base.errors import PlainlyError, UnknownName
from plainly.replication.recipe import Row, Table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A", bound="DataclassInstance")
T = TypeVar("T")


def places(table: Table) -> list[tuple[Row, str]]:
    """Rows and columns."""
    return [(row, title) for row in table.rows for title in table.columns]


def said(table: Table, row: Row, title: str) -> dict[str, Any]:
    """All settings of a cell: those of the row go over those of the column, and these over the table's."""
    return {**table.settings, **table.meaning.get(title, {}), **row.settings}


def asked(kind: type[A], table: Table, row: Row, title: str) -> A:
    """The same, checked."""
    return declared(kind, said(table, row, title), f"{row.key}, {title}")


def declared(kind: type[A], given: Mapping[str, Any], where: str) -> A:
    """Settings as a computation knows them."""
    try:
        return made(kind, given, where)
    except Fault as error:
        raise PlainlyError(str(error)) from error


def chosen(table: Mapping[str, T], name: str, what: str) -> T:
    """The entry of that name."""
    if name not in table:
        raise UnknownName(what, name, table)
    return table[name]
