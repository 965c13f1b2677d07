"""Where a big run may write: no two results to one place, nothing among what it reads. Said before the work."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from pathlib import Path, PurePath

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import STDIN


def check_outputs(data: str | None, outputs: Mapping[str, str | None]) -> None:
    """Refuses places for outputs, by option, of which one would spoil another, or the data for the next run.

    The name of a folder ends in a slash.
    """
    named = {option: path for option, path in outputs.items() if path not in (None, "", STDIN)}
    options = list(named)
    for number, option in enumerate(options):
        path = str(named[option])
        for other in options[:number]:
            if _within(path, str(named[other])) or _within(str(named[other]), path):
                raise PlainlyError(
                    f"{other} {named[other]} and {option} {path} are the same place, or one in the other"
                )
        read = path.lower().endswith((".parquet", "/"))
        if read and data and data != STDIN and _would_be_read(path, data):
            raise PlainlyError(f"{option} {path} is among the data of this run ({data}); choose another place")


def note_of_passed_over(data: str | None) -> str | None:
    """What is said of files in a folder of data that nobody reads."""
    found = places.passed_over(data, ".parquet") if data and data != STDIN else []
    if not found:
        return None
    more = ", ..." if len(found) > 5 else ""
    return f"note: passed over, as they do not end in .parquet: {', '.join(found[:5])}{more} ({len(found):,})"


def _would_be_read(output: str, data: str) -> bool:
    """Whether the data are a folder or a pattern that takes in the output, too."""
    here = places.local(data)
    if glob.has_magic(data) and not (here is not None and here.exists()):
        return PurePath(_place(output)).match(places.absolute(data))
    if here is not None and not here.is_dir():
        return False
    return _within(output, data) and places.holds_data(PurePath(_place(output)).relative_to(_place(data)))


def _within(path: str, folder: str) -> bool:
    """Whether a place is another, or inside it."""
    return PurePath(_place(path)).is_relative_to(_place(folder))


def _place(path: str) -> str:
    """The place itself, whatever links lead to it."""
    here = places.local(path)
    return path.rstrip("/") if here is None else str(Path(here).resolve())
