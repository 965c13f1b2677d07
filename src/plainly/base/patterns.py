"""Files by a pattern, as people and shells write it."""

from __future__ import annotations

import os
from glob import glob
from pathlib import Path

from plainly.base.errors import Argument, PlainlyError


def matching(path: str, argument: str | None = None) -> list[str]:
    """The files that a pattern stands for, in order; what is no pattern stands for itself.

    `argument` is what a complaint names.
    """
    path = home(path)
    if Path(path).exists() or not any(mark in path for mark in "*?["):
        return [path]
    found = sorted(glob(path))  # noqa: PTH207 - Path.glob takes no whole path
    if not found:
        raise PlainlyError(f"no file fits {path}", place=Argument(argument) if argument else None)
    return found


def home(path: str) -> str:
    """A path in which `~` stands for the folder of the user; else it is kept as it was written."""
    return os.path.expanduser(path)  # noqa: PTH111
