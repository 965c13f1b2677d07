"""All files of an export: those of the kind, the participants, and the archive of the whole campaign."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import Any

from plainly.base.records import as_text, write_csv
from plainly.studio.cells import safe
from plainly.studio.kinds.base import ExportFile
from plainly.studio.live import Gathered
from plainly.studio.store import archive, overview
from plainly.studio.store.answers import given
from plainly.studio.store.database import Database
from plainly.studio.store.loaded import loaded
from plainly.studio.store.people import people

PEOPLE = "participants.csv"


def all_files(database: Database, campaign_id: str) -> list[ExportFile]:
    """The files of the kind, the participants, and the archive from which another studio makes the same campaign."""
    with database.reading() as session:  # all of one moment, except how far participants are
        whole = archive.written(archive.archived(session, campaign_id))
        found = Gathered(loaded(session, campaign_id), people(session, campaign_id), given(session, campaign_id))
    files = found.loaded.kind.exports(found.loaded.campaign, found.people, found.given)
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


def _people(found: Gathered, progress: list[dict[str, Any]]) -> str:
    asked = [field["id"] for field in found.loaded.welcome.get("form", ())]
    keys = ("status", "started", "finished", "done", "total")
    columns = ["participant", *keys, "median_seconds", *(f"form.{name}" for name in asked)]
    fields = {person.code: person.fields for person in found.people}
    rows = []
    for one in progress:
        given_fields = [safe(str(fields.get(one["code"], {}).get(name, ""))) for name in asked]
        rows.append([one["code"], *(one[key] for key in keys), one["pace"], *given_fields])
    return as_text(lambda out: write_csv(columns, rows, out))
