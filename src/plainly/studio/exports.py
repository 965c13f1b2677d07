"""All files of an export: those of the kind, the participants, and the archive of the whole campaign."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from plainly.studio.api.participants import listed
from plainly.studio.api.results import export_files
from plainly.studio.kinds.base import ExportFile
from plainly.studio.live import Gathered
from plainly.studio.store import archive
from plainly.studio.store.answers import given
from plainly.studio.store.database import Database
from plainly.studio.store.loaded import loaded
from plainly.studio.store.people import people


def all_files(database: Database, campaign_id: str) -> list[ExportFile]:
    """What the pages export, and the archive from which another studio makes the same campaign."""
    with database.reading() as session:  # all of one moment, except how far participants are
        whole = archive.written(archive.archived(session, campaign_id))
        found = Gathered(loaded(session, campaign_id), people(session, campaign_id), given(session, campaign_id))
    files = export_files(found, listed(database, campaign_id))
    return [*files, ExportFile(archive.NAME, whole, "application/json")]


def zipped(files: Sequence[ExportFile]) -> bytes:
    """The files as one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            packed.writestr(file.name, file.content.encode("utf-8", "backslashreplace"))
    return buffer.getvalue()
