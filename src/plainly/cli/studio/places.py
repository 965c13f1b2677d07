"""Where the studio of a command is. All actions read this page first: it says which packages are missing."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from plainly.errors import MissingResource, PlainlyError

_NEEDED = ("alembic", "argon2", "fastapi", "jinja2", "python_multipart", "sqlalchemy", "uvicorn", "vl_convert")
if missing := [name for name in _NEEDED if find_spec(name) is None]:
    raise MissingResource(f"the studio needs {', '.join(missing)}: pip install 'plainly[studio]'")

from plainly.studio.settings import DATABASE, made_folder, sqlite_url, studio_folder  # noqa: E402
from plainly.studio.store.database import Database  # noqa: E402


def url_of(options: argparse.Namespace) -> str:
    """The URL of the database that the options name."""
    if options.database and options.folder:
        raise PlainlyError("--database says where everything is kept; leave out --folder")
    named: str | None = options.database or (None if options.folder else os.environ.get("PLAINLY_STUDIO_DATABASE"))
    return named or sqlite_url(made_folder(studio_folder(options.folder)) / DATABASE)


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[Database]:
    """The database that the options name."""
    database = Database(url_of(options))
    try:
        yield database
    finally:
        database.close()
