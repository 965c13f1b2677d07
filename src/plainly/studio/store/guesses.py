"""Failed logins: how many more each address and name has left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from plainly.studio.store import tables


class Left(NamedTuple):
    """Of one key of a limit."""

    kind: str
    key: str
    remaining: float


def kept(session: Session) -> list[Left]:
    """All that are written down."""
    table = tables.Guess
    return [Left(*row) for row in session.execute(select(table.kind, table.key, table.remaining))]


def replace(session: Session, rows: Sequence[Left]) -> None:
    """These, and no others."""
    session.execute(delete(tables.Guess))
    if rows:
        session.execute(insert(tables.Guess), [row._asdict() for row in rows])
