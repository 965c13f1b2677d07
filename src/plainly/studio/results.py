"""What comes out of a campaign: all that a kind needs to know of it, and the files of an export."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from plainly.base.records import as_text, safe, write_csv
from plainly.studio.kinds.base import ExportFile, Given, Person
from plainly.studio.kinds.dealt import BESIDE, STUDY
from plainly.studio.kinds.quality import quality_files
from plainly.studio.store import afterwards, archive, golds, overview
from plainly.studio.store.afterwards import Comment
from plainly.studio.store.campaigns import Loaded, loaded
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given, people

PEOPLE = "participants.csv"
COMMENTS = "comments.csv"


@dataclass(frozen=True)
class Gathered:
    """All that a kind needs to know of its campaign, read at one moment."""

    loaded: Loaded
    people: Sequence[Person]
    given: Sequence[Given]
    beside: Sequence[Given] = ()
    """Practice, checks, and tasks that were shown once more: they count nowhere in the study."""

    def counted(self, everybody: bool) -> Gathered:
        """The same without those who were left out, unless `everybody` counts."""
        if everybody or not any(person.left_out for person in self.people):
            return self
        return Gathered(
            self.loaded,
            [person for person in self.people if not person.left_out],
            [one for one in self.given if not one.person.left_out],
            [one for one in self.beside if not one.person.left_out],
        )


def gathered(session: Session, campaign_id: str, *, named: bool = False) -> Gathered:
    """Everything of a campaign, as it is now; `named`: with what a platform says of people, for owners alone."""
    everything = given(session, campaign_id, roles=(STUDY, *BESIDE), named=named)
    return Gathered(
        loaded(session, campaign_id),
        people(session, campaign_id, named=named),
        [one for one in everything if one.role == STUDY],
        [one for one in everything if one.role != STUDY],
    )


def all_files(database: Database, campaign_id: str, *, named: bool = True) -> list[ExportFile]:
    """The files of the kind, the participants, and the archive from which another studio makes the same campaign.

    `named`: with what is for owners alone.
    """
    with database.reading() as session:  # all of one moment, except how far participants are
        whole = archive.written(archive.archived(session, campaign_id, named=named))
        found = gathered(session, campaign_id, named=named)
        decided = golds.every(session, found.loaded.campaign)
        said = afterwards.comments(session, campaign_id)
    kind, campaign = found.loaded.kind, found.loaded.campaign
    files = [
        *kind.exports(campaign, found.people, found.given),
        *(kind.adjudication.exports(campaign, decided) if kind.adjudication else ()),
    ]
    files += quality_files(kind, campaign, found.given, found.beside)
    if found.loaded.welcome.get("comments"):
        files.append(ExportFile(COMMENTS, _comments(said)))
    if all(file.name != PEOPLE for file in files):
        files = [*files, ExportFile(PEOPLE, _people(found, overview.participants(database, campaign_id)))]
    return [*files, ExportFile(archive.NAME, whole, "application/json")]


def encoded(file: ExportFile) -> bytes:
    """What the file holds; half a character becomes visible."""
    return file.content.encode("utf-8", "backslashreplace")


def zipped(files: Sequence[ExportFile]) -> bytes:
    """The files as one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            packed.writestr(file.name, encoded(file))
    return buffer.getvalue()


def _comments(said: Sequence[Comment]) -> str:
    """Tasks count from 1; those without a number are comments at the end."""
    rows = [[one.code, "" if one.place is None else one.place + 1, one.task, one.text, one.time] for one in said]
    cells = [[safe(str(cell)) for cell in row] for row in rows]
    return as_text(lambda out: write_csv(("participant", "task", "about", "comment", "time"), cells, out))


def _people(found: Gathered, progress: list[dict[str, Any]]) -> str:
    asked = [field["id"] for field in found.loaded.welcome.get("form", ())]
    keys = ("status", "started", "finished", "done", "total")
    of_leaving_out = ("left_out", "left_out_at")
    fields = {person.code: person.fields for person in found.people}
    platform = sorted({name for own in fields.values() for name in own if name.startswith("platform.")})
    asked_for = (*(f"form.{name}" for name in asked), *platform)
    columns = ["participant", *keys, "median_seconds", *of_leaving_out, *asked_for]
    after = [field["id"] for field in found.loaded.welcome.get("after", ())]
    said = {person.code: person.after for person in found.people}
    columns += [f"after.{name}" for name in after]
    rows = []
    for one in progress:
        given_fields = [safe(str(fields.get(one["code"], {}).get(name, ""))) for name in [*asked, *platform]]
        given_fields += [safe(str(said.get(one["code"], {}).get(name, ""))) for name in after]
        left_out = [safe(one[key] or "") for key in of_leaving_out]
        rows.append([one["code"], *(one[key] for key in keys), one["pace"], *left_out, *given_fields])
    return as_text(lambda out: write_csv(columns, rows, out))
