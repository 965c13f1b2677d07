"""`make data`: the test sets of the catalogue, into a folder where tests look for them before ../shared.

What lies in ../shared besides, such as the numbers of other tools, is linked, so that tests find all in one place.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from plainly.cli import main
from plainly.corpus.catalogue import info, names
from plainly.corpus.catalogue.fetching import must_accept
from plainly.corpus.catalogue.obtaining import way


def fetch_all(folder: Path, accepted: bool, beside: Path) -> int:
    """The status of the command."""
    closed = [entry for entry in map(info, names()) if way(entry) == "fetch" and must_accept(entry)]
    if closed and not accepted:
        for entry in closed:
            print(f"{entry.name}: {entry.licence.name}. {entry.licence.terms}")
        print("If you accept these terms, say: make data LICENCES=accept")
        return 2
    os.environ["PLAINLY_DATA"] = str(folder / "data")
    public = [name for name in names() if way(info(name)) == "fetch"]
    status = main(["data", "fetch", *public, "--accept-licence"])
    if not status and beside.is_dir():
        link(beside, folder)
    return status or 0


def link(source: Path, target: Path) -> None:
    """All of the source that the target does not have."""
    for path in sorted(source.iterdir()):
        here = target / path.name
        if not here.exists():
            here.symlink_to(path)
        elif here.is_dir() and not here.is_symlink():
            link(path, here)


if __name__ == "__main__":
    ROOT = Path(__file__).parent.parent
    sys.exit(fetch_all(ROOT / ".data", sys.argv[1:] == ["accept"], ROOT.parent / "shared"))
