"""The files of which a campaign was made. With them, the options of a draft or of a copy can be changed later."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from plainly.studio.store import tables

MOST = 40 << 20
"""Bytes of all files of a campaign, packed; of more nothing is kept, and owners give them again."""


@dataclass(frozen=True)
class Files:
    """What an owner gave: files, and how they are to be read."""

    request: Mapping[str, Any]
    """`options`, `columns` and `lang`, as they were asked for."""
    names: Mapping[str, str]
    """Of the files, by slot."""
    packed: bytes
    """The files, as a zip archive."""


def packed(request: Mapping[str, Any], files: Mapping[str, Path]) -> Files:
    """The files of the slots as they are kept."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for slot, path in files.items():
            archive.write(path, slot)
    return Files(request, {slot: path.name for slot, path in files.items()}, buffer.getvalue())


def unpacked(files: Files, folder: Path) -> dict[str, Path]:
    """The files in a folder, under the names that their owner gave them."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(files.packed)) as archive:
        for slot, name in files.names.items():
            path = folder / slot / name
            path.parent.mkdir(parents=True)
            path.write_bytes(archive.read(slot))
            found[slot] = path
    return found


def keep(session: Session, campaign_id: str, files: Files) -> None:
    """These, in the place of those that were there."""
    drop(session, campaign_id)
    if len(files.packed) <= MOST:
        session.add(
            tables.Material(
                campaign_id=campaign_id,
                request=dict(files.request),
                names=dict(files.names),
                files=files.packed,
            )
        )
        session.flush()


def drop(session: Session, campaign_id: str) -> None:
    """None any more: they are not all of what is judged now."""
    session.execute(delete(tables.Material).where(tables.Material.campaign_id == campaign_id))


def kept(session: Session, campaign_id: str) -> Files | None:
    """The files of a campaign, if they are there."""
    row = session.get(tables.Material, campaign_id)
    return None if row is None else Files(row.request, row.names, row.files)


def about(session: Session, campaign_id: str) -> tuple[Mapping[str, Any], Mapping[str, str]] | None:
    """How the files were read, and their names; without the files."""
    table = tables.Material
    row = session.execute(select(table.request, table.names).where(table.campaign_id == campaign_id)).first()
    return None if row is None else (row.request, row.names)
