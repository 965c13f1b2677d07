"""Which version of the tables a database has: an older one is brought up to date, a newer one is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from plainly.base.errors import PlainlyError
from plainly.studio.store.copying import appearing, copy_sqlite
from plainly.studio.store.migration_check import Kept
from plainly.studio.store.tables import Base

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = (MIGRATIONS / "versions",)
LOCK = 7_023_914_588_112_047
"""A number of our own, for PostgreSQL: two studios that start at once migrate one after the other."""


def migrate(engine: Engine, path: Path | None, named: str, versions: Sequence[Path] = VERSIONS) -> None:
    """Bring the tables up to date, in one transaction, with all rows kept. An SQLite file is copied before."""
    config = _config(versions)
    script = ScriptDirectory.from_config(config)
    head = script.get_current_head()
    with engine.connect() as connection:
        current = _checked(connection, script, named)
    if current == head:
        return
    if path is not None and current is not None:
        with appearing(path.with_name(f"{path.name}.before-{head}")) as copy:
            copy_sqlite(path, copy)
    with _changing(engine) as connection:
        if path is None:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        _checked(connection, script, named)  # somebody else may have been quicker
        before = Kept.of(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        before.insist(connection, named)


def version(engine: Engine) -> str | None:
    """The version that a database has; None where it is empty."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest(versions: Sequence[Path] = VERSIONS) -> str:
    """The version that this plainly makes."""
    return str(ScriptDirectory.from_config(_config(versions)).get_current_head())


@contextmanager
def _changing(engine: Engine) -> Iterator[Connection]:
    """A transaction in which tables may be made anew.

    To change a column, SQLite needs a new table and drops the old one. Were references to it in force, all rows that
    refer to it would be deleted with it. They can be put out of force before a transaction only.
    """
    with engine.connect().execution_options(writes=True) as connection:
        if engine.dialect.name == "sqlite":
            connection.detach()  # nobody else gets this connection afterwards
            connection.connection.cursor().execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            yield connection


def _checked(connection: Connection, script: ScriptDirectory, named: str) -> str | None:
    current = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise PlainlyError(
            f"{named}: the database was written by a newer plainly (version {current} of its tables); "
            "install that one, or restore an older backup"
        )
    if current is None and set(inspect(connection).get_table_names()) & set(Base.metadata.tables):
        raise PlainlyError(f"{named}: the database has tables of the studio's names, but was not made by a studio")
    return current


def _config(versions: Sequence[Path]) -> Config:
    config = Config()
    config.set_main_option("script_location", _escaped(MIGRATIONS))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(_escaped, versions)))
    return config


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")
