"""Whether a migration keeps everything: compared before it is made final."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, inspect, select, table, text

from plainly.base.errors import PlainlyError

COUNTERS = "sqlite_sequence"
"""SQLite's own table of the highest ids that were ever given. It is there as soon as one table counts."""


@dataclass(frozen=True)
class Kept:
    """How much there is of everything."""

    rows: Mapping[str, int]
    """By table."""
    counters: Mapping[str, int]
    """Of tables whose ids are never used again, in SQLite: the highest one that there ever was."""

    @classmethod
    def of(cls, connection: Connection) -> Kept:
        names = inspect(connection).get_table_names()
        rows = {name: connection.scalar(select(func.count()).select_from(table(name))) or 0 for name in names}
        return cls(rows, _counters(connection) if connection.dialect.name == "sqlite" else {})

    def insist(self, connection: Connection, named: str) -> None:
        """Refuse if something is missing now. Ids go on where they were, also in tables that were made anew."""
        now = Kept.of(connection)
        lost = {name for name, rows in self.rows.items() if now.rows.get(name, rows) < rows}
        if connection.dialect.name == "sqlite":
            lost.update(row[0] for row in connection.execute(text("PRAGMA foreign_key_check")))
            lost.update(self.counters.keys() & now.rows.keys() - now.counters.keys())
        if lost:
            raise PlainlyError(
                f"{named}: bringing the database up to date would lose something of {', '.join(sorted(lost))}; "
                "nothing was changed. Use the plainly that you had until then, and report this"
            )
        for name in self.counters.keys() & now.counters.keys():
            _count_on(connection, name, max(self.counters[name], now.counters[name]))


def _counters(connection: Connection) -> dict[str, int]:
    made = connection.execute(
        text("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    )
    names = [row.name for row in made]
    known = {row.name: row.seq for row in connection.execute(text(f"SELECT * FROM {COUNTERS}"))} if names else {}
    return {name: known.get(name, 0) for name in names}


def _count_on(connection: Connection, name: str, highest: int) -> None:
    connection.execute(text(f"DELETE FROM {COUNTERS} WHERE name = :name"), {"name": name})
    row = {"name": name, "highest": highest}
    connection.execute(text(f"INSERT INTO {COUNTERS} (name, seq) VALUES (:name, :highest)"), row)
