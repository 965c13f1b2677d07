"""Backups of everything, while the studio runs, and the way back.

SQLite: a copy of the file, made by SQLite itself. PostgreSQL: all tables as they are at one moment, as gzipped lines
of JSON. Either can be restored to either.
"""

from __future__ import annotations

import base64
import gzip
import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, func, insert, select, text

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.studio.settings import sqlite_url
from plainly.studio.store.copying import appearing, copy_sqlite
from plainly.studio.store.database import Database
from plainly.studio.store.schema import newest
from plainly.studio.store.tables import Base

AT_ONCE = 500
_SQLITE = b"SQLite format 3\0"
_GZIP = b"\x1f\x8b"


def back_up(database: Database, path: Path, *, force: bool = False) -> None:
    """Write everything to a file, as a whole or not at all."""
    if path.exists() and not force:
        raise PlainlyError(f"{path} is there already; --force writes over it")
    with appearing(path) as part:
        if database.path is not None:
            copy_sqlite(database.path, part)
        else:
            with gzip.open(part, "wt", encoding="utf-8") as out:
                out.writelines(json.dumps(line) + "\n" for line in _lines(database))


def restore(backup: Path, database: Database, *, force: bool = False) -> None:
    """Put what a backup holds in the place of all that the database holds, in one transaction."""
    if _is_sqlite(backup):
        with tempfile.TemporaryDirectory(prefix="plainly-") as folder:
            copy = Path(folder) / "backup.sqlite"
            _insist_sound(backup)
            copy_sqlite(backup, copy)
            opened = Database(sqlite_url(copy))  # an older one is brought up to date
            try:
                _fill(database, _lines(opened), backup, force)
            finally:
                opened.close()
    else:
        _fill(database, _read(backup), backup, force)


def _fill(database: Database, lines: Iterable[dict[str, Any]], backup: Path, force: bool) -> None:
    found = iter(lines)
    head = next(found, {})
    if head.get("version") != newest():
        raise PlainlyError(
            f"{backup} has version {head.get('version')} of the tables, this plainly has {newest()}; "
            f"restore it with plainly {head.get('plainly')}, and open it with this one"
        )
    with database.writing() as session:
        connection = session.connection()
        if not force and any(_size(connection, table) for table in Base.metadata.sorted_tables):
            raise PlainlyError(f"{database.named} is not empty; --force writes over it")
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(table.delete())
        for line in found:
            table = Base.metadata.tables[line["table"]]
            connection.execute(insert(table), [_as_stored(table, row) for row in line["rows"]])
        if not database.is_sqlite:
            for table in Base.metadata.sorted_tables:
                _count_on(connection, table)


def _lines(database: Database) -> Iterator[dict[str, Any]]:
    """All rows of all tables, seen at one moment."""
    yield {"plainly": __version__, "version": newest()}
    with database.reading() as session:
        connection = session.connection()
        for table in Base.metadata.sorted_tables:
            found = connection.execute(select(table).order_by(*table.primary_key.columns))
            for chunk in found.partitions(AT_ONCE):
                yield {"table": table.name, "rows": [_as_json(row._mapping) for row in chunk]}


def _read(backup: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(backup, "rt", encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)
    except (OSError, EOFError, ValueError) as error:
        raise PlainlyError(f"{backup} is damaged: {error}") from error


def _as_json(row: Any) -> dict[str, Any]:
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value for name, value in row.items()
    }


def _as_stored(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    binary = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    return {name: base64.b64decode(value) if name in binary and value else value for name, value in row.items()}


def _size(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _count_on(connection: Connection, table: Table) -> None:
    """PostgreSQL gives new rows numbers that no row had, here or in the backup; SQLite does so by itself."""
    if "id" in table.c and table.c.id.type.python_type is int:
        counter = f"pg_get_serial_sequence('{table.name}', 'id')"
        after = f"greatest(nextval({counter}), (SELECT coalesce(max(id), 0) + 1 FROM {table.name}))"
        connection.execute(text(f"SELECT setval({counter}, {after}, false)"))


def _is_sqlite(backup: Path) -> bool:
    try:
        with backup.open("rb") as stream:
            start = stream.read(len(_SQLITE))
    except OSError as error:
        raise PlainlyError(f"cannot read {backup}: {error.strerror}") from error
    if start != _SQLITE and not start.startswith(_GZIP):
        raise PlainlyError(f"{backup} is no backup of a studio")
    return start == _SQLITE


def _insist_sound(backup: Path) -> None:
    try:
        with closing(sqlite3.connect(backup)) as connection:
            found = connection.execute("PRAGMA quick_check").fetchone()[0]
            connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise PlainlyError(f"{backup} is no sound backup of a studio: {error}") from error
    if found != "ok":
        raise PlainlyError(f"{backup} is damaged: {found}")
