"""`plainly studio export`: the answers of a campaign as files, and the whole campaign as one of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import write_bytes, writing
from plainly.cli.printing import note
from plainly.cli.studio.places import opened
from plainly.findings import Column, Findings, Table, message, printed
from plainly.findings.shape import Kind
from plainly.report.words import plural
from plainly.studio.results import all_files, encoded, zipped
from plainly.studio.store import overview
from plainly.studio.store.database import Database

LISTED: dict[str, Kind] = {
    "id": "text",
    "name": "text",
    "kind": "text",
    "status": "text",
    "participants": "count",
    "done": "count",
}
"""Columns of the list of campaigns."""


def run(options: argparse.Namespace) -> None:
    with opened(options) as database:
        if options.campaign is None:
            _list(database, options)
            return
        if not options.output:
            raise PlainlyError("say where to with -o FOLDER or -o FILE.zip")
        files = all_files(database, _id(database, options.campaign))
    target = Path(options.output)
    if target.suffix.lower() == ".zip":
        _insist_new([target], options.force)
        write_bytes(str(target), zipped(files))
        note(f"wrote {target} ({plural(len(files), 'file')})")
        return
    if target.exists() and not target.is_dir():
        raise PlainlyError(f"{target} is no folder; an export is a folder, or a file that ends in .zip")
    _insist_new([target / file.name for file in files], options.force)
    target.mkdir(parents=True, exist_ok=True)
    for file in files:
        write_bytes(str(target / file.name), encoded(file))
    note(f"wrote {', '.join(file.name for file in files)} to {target}")


def _list(database: Database, options: argparse.Namespace) -> None:
    found = [{name: one[name] for name in LISTED} for one in overview.campaigns(database)]
    columns = [Column(name, kind) for name, kind in LISTED.items()]
    rows = [list(one.values()) for one in found]
    table = Table("campaigns", message("cli.campaigns", "Which campaigns are there?"), columns, rows)
    with writing(options.output) as out:
        out.write(printed(Findings([table], data={"campaigns": found}), options.format))


def _id(database: Database, wanted: str) -> str:
    """The id of the campaign with that id or name."""
    known = [(one["id"], one["name"]) for one in overview.campaigns(database)]
    found = [one for one, name in known if wanted in (one, name)]
    if not known:
        raise PlainlyError(f"there are no campaigns in {database.named}")
    if not found:
        raise UnknownName("campaign", wanted, [name for _, name in known])
    if len(found) > 1:
        raise PlainlyError(f"{len(found)} campaigns are named {wanted!r}; say which by its id: {', '.join(found)}")
    return str(found[0])


def _insist_new(paths: list[Path], force: bool) -> None:
    for path in paths:
        if path.exists() and not force:
            raise PlainlyError(f"{path} is there already; --force writes over it")
