"""Older databases are brought up to date, newer ones are refused."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from plainly.base.errors import PlainlyError
from plainly.studio.store import campaigns, copying, people, schema, tasks
from plainly.studio.store.database import Database
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record
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


REBUILT = """
import sqlalchemy as sa
from alembic import op
revision = "9999"
down_revision = "{before}"
branch_labels = None
depends_on = None

def upgrade():
    with op.batch_alter_table("participants", recreate="auto"{kwargs}) as table:
        table.alter_column("note", existing_type=sa.String(200), type_=sa.String(400))
    {more}

def downgrade():
    pass
"""
COUNTING = ", table_kwargs={'sqlite_autoincrement': True}"


def rebuilt(folder: Path, kwargs: str = COUNTING, more: str = "pass") -> tuple[Path, ...]:
    """A plainly that makes one table anew, to which others refer."""
    folder.mkdir()
    text = REBUILT.format(before=schema.newest(), kwargs=kwargs, more=more)
    (folder / "9999_rebuilt.py").write_text(text, "utf-8")
    return (*schema.VERSIONS, folder)


def begun(database: Database, make_in: Make) -> str:
    """A campaign in which one has answered, and the newest of the invited was deleted."""
    made = make_in(database)
    with database.writing() as session:
        first, last = people.invite(session, made, 2)
        who = tasks.begin(session, visitor(session, first.secret, changes=True), True, {"age": "4"})
        task = tasks.ahead(session, who)[0]["id"]
        record(session, who, [Sent("a", task, "answer", {"yes": True}, 1.0)])
        people.remove(session, made, last.number)
    return made


def everything(database: Database) -> dict[str, int]:
    with database.engine.connect() as connection:
        names = Base.metadata.tables
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names}


def test_answers_stay_when_a_table_is_made_anew(database: Database, make_in: Make, tmp_path: Path) -> None:
    made = begun(database, make_in)
    before = everything(database)
    assert before["responses"] == 1
    with database.engine.connect() as connection:
        highest = connection.execute(text("SELECT max(id) FROM participants")).scalar_one() + 1  # it was deleted
    schema.migrate(database.engine, database.path, database.named, rebuilt(tmp_path / "later"))
    assert everything(database) == before
    assert schema.version(database.engine) == "9999"
    with database.writing() as session:
        people.invite(session, made, 1)
        assert session.scalar(text("SELECT max(id) FROM participants")) > highest
    with database.writing() as session:  # references are in force again
        campaigns.remove(session, made)
    assert everything(database)["responses"] == 0


@pytest.mark.parametrize(
    ("kwargs", "more", "lost"),
    [
        (COUNTING, "op.execute('DELETE FROM responses')", "responses"),
        (COUNTING, "op.execute('UPDATE tasks SET participant_id = 999')", "tasks"),
        ("", "pass", "participants"),  # ids would be used again
    ],
)
def test_a_migration_that_loses_something_changes_nothing(
    database: Database, make_in: Make, tmp_path: Path, kwargs: str, more: str, lost: str
) -> None:
    begun(database, make_in)
    before = everything(database)
    if database.path is None and lost != "responses":
        pytest.skip("PostgreSQL changes columns in place, with references in force")
    with pytest.raises(PlainlyError, match=f"would lose something of {lost}; nothing was changed"):
        schema.migrate(database.engine, database.path, database.named, rebuilt(tmp_path / "later", kwargs, more))
    assert everything(database) == before
    assert schema.version(database.engine) == schema.newest()


def test_a_copy_is_never_open_to_others(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if database.path is None:
        pytest.skip("of PostgreSQL no copy is made")
    modes = []

    def look(path: Path, copy: Path) -> None:
        copying.copy_sqlite(path, copy)
        modes.append(copy.stat().st_mode & 0o777)

    monkeypatch.setattr(schema, "copy_sqlite", look)
    before = os.umask(0)
    try:
        schema.migrate(database.engine, database.path, database.named, later(tmp_path / "later"))
    finally:
        os.umask(before)
    assert modes == [0o600]


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
        ("studio.sqlite", "is no URL of a database"),
        ("postgresql://anna@localhost:many/x", "is no URL of a database"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("mysql://root@localhost/x", "no database of the kind 'mysql'"),
        ("postgresql://localhost", "must end in its name"),
        ("sqlite:///studio.sqlite?mode=ro", "three slashes and a file"),
        ("sqlite:////nowhere/at/all.sqlite", "cannot open the database"),
    ],
)
def test_urls_that_cannot_be(url: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        Database(url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql//anna:geheim@localhost/x",
        "postgresql:/anna:geheim@localhost/x",
        "postgresql://anna:geheim@localhost:many/x",
        "mysql://anna:geheim@localhost/x",
        "postgresql://anna:geheim@localhost",
    ],
)
def test_passwords_in_urls_are_not_said_again(url: str) -> None:
    with pytest.raises(PlainlyError) as refused:
        Database(url)
    assert "geheim" not in str(refused.value)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_people_may_read_of_an_address(database_url: str) -> None:
    assert "@" in database_url
    database = Database(f"{database_url}?password=geheim")
    assert database.named.startswith("postgresql://")
    assert "geheim" not in database.named
    database.close()


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
