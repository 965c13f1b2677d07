"""How the files of an entry are to be had: fetched, put in place by hand, or asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Literal

from plainly.corpus.catalogue import store
from plainly.corpus.catalogue.entries import Entry

FEW = 8
"""Names of files in a sentence."""

Way = Literal["fetch", "by hand", "ask"]


def way(entry: Entry) -> Way:
    """By hand where not every file has an address that is known; to be asked for where the texts are not public."""
    if entry.restricted:
        return "ask"
    return "fetch" if all(file.parts for file in entry.files) else "by hand"


def cure(entry: Entry) -> str:
    """What to do to get the files of an entry, in words that may end a message."""
    if entry.restricted:
        at = f" ({entry.restricted.address})" if entry.restricted.address else ""
        return f"its texts are not public: ask {entry.restricted.ask}{at}, then {_put(entry)}"
    if way(entry) == "by hand":
        return f"the addresses of its files are not known here: get them from {entry.origin}, then {_put(entry)}"
    return f"run: plainly data fetch {entry.name}"


def _put(entry: Entry) -> str:
    """Names are said where they are few and lie in one folder; those of outputs, where they lie there as well."""
    places = [PurePosixPath(file.name) for file in entry.required]
    parents = {place.parent for place in places}
    if len(places) <= FEW and len(parents) == 1:
        folder = parents.pop()
        others = [PurePosixPath(file.name) for file in entry.files if file not in entry.required]
        beside = 0 < len(others) <= FEW and all(other.parent == folder for other in others)
        outputs = f" (and the outputs {_names(others)})" if beside else ""
        return f"put {_names(places)}{outputs} into {store.folder() / folder}"
    return f"put the files that 'plainly data show {entry.name}' lists into {store.folder()}"


def _names(places: Sequence[PurePosixPath]) -> str:
    return ", ".join(place.name for place in places)
