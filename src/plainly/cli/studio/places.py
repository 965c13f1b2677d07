"""Where the studio of a command is."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.studio.settings import DATABASE, made_folder, sqlite_url, studio_folder
from plainly.studio.store.database import Database, checked_url


def url_of(options: argparse.Namespace, *, new: bool = False) -> str:
    """The URL of the database that the options name; `new`: it need not be there yet."""
    if options.database and options.folder:
        raise PlainlyError("--database says where everything is kept; leave out --folder")
    named: str | None = options.database or (None if options.folder else os.environ.get("PLAINLY_STUDIO_DATABASE"))
    if named:
        url = checked_url(named)
        if not new and url.get_backend_name() == "sqlite" and not Path(str(url.database)).is_file():
            raise PlainlyError(f"there is no studio in {url.database}")
        return named
    folder = studio_folder(options.folder)
    if not new and not (folder / DATABASE).is_file():
        raise PlainlyError(f"there is no studio in {folder}")
    return sqlite_url(made_folder(folder) / DATABASE)


@contextmanager
def opened(options: argparse.Namespace, *, new: bool = False) -> Iterator[Database]:
    """The database that the options name; a new one only where the task is one that may begin a studio."""
    database = Database(url_of(options, new=new))
    try:
        yield database
    finally:
        database.close()
