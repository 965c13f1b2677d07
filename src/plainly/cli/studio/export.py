"""`plainly studio export`: the answers of a campaign as files, and the whole campaign as one of them."""

from __future__ import annotations

import argparse
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import write_bytes, writing
from plainly.cli.notes import note
from plainly.cli.studio.places import opened
from plainly.findings import Column, Findings, Table, message, printed
from plainly.report.words import plural
from plainly.studio.results import all_files, zipped
from plainly.studio.store import campaigns, overview
from plainly.studio.store.database import Database


@dataclass(frozen=True)
class Listed:
    """A campaign in the list."""

    id: str
    name: str
    kind: str
    status: str
    participants: int
    answers: int


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
        write_bytes(str(target / file.name), file.content.encode("utf-8", "backslashreplace"))
    note(f"wrote {', '.join(file.name for file in files)} to {target}")


def _list(database: Database, options: argparse.Namespace) -> None:
    with database.reading() as session:
        sizes = overview.sizes(session)
        found = [
            Listed(row.id, row.name, row.kind, row.status, *_size(sizes.get(row.id)))
            for row in campaigns.every(session)
        ]
    columns = [Column(spec.name, "count" if spec.type == "int" else "text") for spec in fields(Listed)]
    rows = [list(astuple(one)) for one in found]
    table = Table("campaigns", message("cli.campaigns", "Which campaigns are there?"), columns, rows)
    with writing(options.output) as out:
        listed = Findings([table], data={"campaigns": [asdict(one) for one in found]})
        out.write(printed(listed, options.format))


def _size(size: overview.Size | None) -> tuple[int, int]:
    return (size.participants, size.answers) if size else (0, 0)


def _id(database: Database, wanted: str) -> str:
    """The id of the campaign with that id or name."""
    with database.reading() as session:
        known = [(row.id, row.name) for row in campaigns.every(session)]
    found = [one for one, name in known if wanted in (one, name)]
    if not known:
        raise PlainlyError(f"there are no campaigns in {database.named}")
    if not found:
        raise UnknownName("campaign", wanted, [name for _, name in known])
    if len(found) > 1:
        raise PlainlyError(f"{len(found)} campaigns are named {wanted!r}; say which by its id: {', '.join(found)}")
    return found[0]


def _insist_new(paths: list[Path], force: bool) -> None:
    for path in paths:
        if path.exists() and not force:
            raise PlainlyError(f"{path} is there already; --force writes over it")
