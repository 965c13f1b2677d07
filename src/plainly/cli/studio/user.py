"""`plainly studio user`: who may log in. Passwords never come from arguments, which others could read."""

from __future__ import annotations

import argparse
import getpass
import sys

from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli.printing import note
from plainly.cli.studio.places import opened
from plainly.findings import Column, Findings, Table, message, printed
from plainly.studio.security.passwords import hashed
from plainly.studio.store import tables, users
from plainly.studio.store.database import Database


def run(options: argparse.Namespace) -> None:
    with opened(options, new=options.task == "add") as database:
        TASKS[options.task](database, options)


def _add(database: Database, options: argparse.Namespace) -> None:
    kept = hashed(_password())
    with database.writing() as session:
        users.add(session, options.name, kept, options.role)
    note(f"added {options.name!r}, {options.role}")


def _set_password(database: Database, options: argparse.Namespace) -> None:
    with database.reading() as session:
        number = _found(session, options.name).id
    kept = hashed(_password())
    with database.writing() as session:
        users.set_password(session, number, kept)
    note(f"set a new password for {options.name!r}; all logins have ended")


def _delete(database: Database, options: argparse.Namespace) -> None:
    with database.writing() as session:
        users.remove(session, _found(session, options.name).id)
    note(f"deleted {options.name!r}")


def _list(database: Database, options: argparse.Namespace) -> None:
    with database.reading() as session:
        rows = [[user.name, user.role, user.created] for user in users.every(session)]
    names = ["name", "role", "created"]
    table = Table("users", message("cli.users", "Who may log in?"), list(map(Column, names)), rows)
    listed = [dict(zip(names, row, strict=True)) for row in rows]
    print(printed(Findings([table], data={"users": listed}), options.format), end="")


def _found(session: Session, name: str) -> tables.User:
    user = users.named(session, name)
    if user is None:
        raise UnknownName("user", name, [one.name for one in users.every(session)])
    return user


def _password() -> str:
    """From the person at the terminal, twice; else the first line of standard input."""
    if sys.stdin is None:
        raise PlainlyError("there is no terminal and no standard input to read the password from")
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("New password: ")
    if getpass.getpass("Once more: ") != first:
        raise PlainlyError("the two passwords differ; nothing was changed")
    return first


TASKS = {"list": _list, "add": _add, "password": _set_password, "delete": _delete}
