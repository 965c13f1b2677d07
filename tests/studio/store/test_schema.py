"""Older databases are brought up to date, newer ones are refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from plainly.errors import PlainlyError
from plainly.studio.store import campaigns, schema
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Base

Make = Callable[..., str]
LATER = """
import sqlalchemy as sa
from alembic import op
revision = "9999"
down_revision = "{before}"
branch_labels = None
depends_on = None

def upgrade():
    op.add_column("campaigns", sa.Column("colour", sa.String(20), nullable=False, server_default="blue"))
    {more}

def downgrade():
    op.drop_column("campaigns", "colour")
"""


def later(folder: Path, more: str = "pass") -> tuple[Path, ...]:
    """A plainly with one migration more."""
    folder.mkdir()
    (folder / "9999_later.py").write_text(LATER.format(before=schema.newest(), more=more), "utf-8")
    return (*schema.VERSIONS, folder)


def columns(database: Database) -> set[str]:
    return {column["name"] for column in inspect(database.engine).get_columns("campaigns")}


def test_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_opening_again_changes_nothing(database: Database, database_url: str, make_in: Make) -> None:
    made = make_in(database)
    again = Database(database_url)
    with again.reading() as session:
        assert campaigns.get(session, made).name == "Short words"
    again.close()


def test_an_older_database_is_brought_up_to_date(database: Database, make_in: Make, tmp_path: Path) -> None:
    made = make_in(database)
    schema.migrate(database.engine, database.path, database.named, later(tmp_path / "later"))
    assert "colour" in columns(database)
    assert schema.version(database.engine) == "9999"
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT id, colour FROM campaigns")).all() == [(made, "blue")]
    if database.path is not None:  # and there is a copy of what it was
        copy = database.path.with_name(f"{database.path.name}.before-9999")
        assert copy.stat().st_mode & 0o777 == 0o600
        with sqlite3.connect(copy) as before:
            assert before.execute("SELECT count(*) FROM campaigns").fetchone() == (1,)
            assert before.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.newest(),)
        before.close()


def test_a_database_at_the_very_beginning_gets_all_tables(database_url: str) -> None:
    database = Database(database_url)
    with database.engine.execution_options(writes=True).begin() as connection:
        Base.metadata.drop_all(connection)
        connection.execute(text("DELETE FROM alembic_version"))
    database.close()
    again = Database(database_url)
    assert set(inspect(again.engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}
    again.close()


def test_a_newer_database_is_refused_in_words(database: Database, database_url: str, tmp_path: Path) -> None:
    schema.migrate(database.engine, database.path, database.named, later(tmp_path / "later"))
    with pytest.raises(PlainlyError, match=r"written by a newer plainly \(version 9999"):
        Database(database_url)


def test_a_migration_that_fails_changes_nothing(database: Database, database_url: str, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        schema.migrate(database.engine, database.path, database.named, later(tmp_path / "later", "1 / 0"))
    assert "colour" not in columns(database)
    assert schema.version(database.engine) == schema.newest()
    Database(database_url).close()


def test_a_database_of_something_else_is_left_alone(database_url: str) -> None:
    database = Database(database_url)
    with database.engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    database.close()
    with pytest.raises(PlainlyError, match="not made by a studio"):
        Database(database_url)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("studio.sqlite", "is no database"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("mysql://root@localhost/x", "no database of the kind 'mysql'"),
        ("postgresql://localhost", "must end in its name"),
        ("sqlite:////nowhere/at/all.sqlite", "cannot open the database"),
    ],
)
def test_urls_that_cannot_be(url: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        Database(url)


def test_files_are_for_their_owner_only(tmp_path: Path, make_in: Make) -> None:
    database = Database(f"sqlite:///{tmp_path / 'new.sqlite'}")
    make_in(database)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    database.close()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database\n" * 1000)
    with pytest.raises(PlainlyError, match="damaged, or is none"):
        Database(f"sqlite:///{path}")
