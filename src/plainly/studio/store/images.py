"""Pictures in instructions: known by their first bytes, few and small; never changed once the campaign was opened."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict, NotThere, TooLarge
from plainly.studio.formatting import IMAGE
from plainly.studio.store import campaigns, tables

LARGEST = 2 << 20
MOST = 20
TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}
_LONGEST = 60
_ODD = re.compile(r"[^a-z0-9]+")


def ending_of(content: bytes) -> str:
    """What the picture is, by its first bytes and no name: png, jpg or webp."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR":
        return "png"
    if content[:3] == b"\xff\xd8\xff":
        return "jpg"
    if content[:4] == b"RIFF" and content[8:15] == b"WEBPVP8":
        return "webp"
    raise PlainlyError("this is no picture that can be used: PNG, JPEG and WebP are taken")


def add(session: Session, campaign_id: str, name: str, content: bytes) -> tables.Image:
    """A picture of a draft; its name becomes one that can stand in a text."""
    _insist_draft(session, campaign_id)
    row = checked(campaign_id, _named(name, ending_of(content[:16])), content)
    if session.get(tables.Image, (campaign_id, row.name)) is not None:
        raise Conflict(f"there is a picture {row.name} already")
    table = tables.Image
    if (session.scalar(select(func.count()).where(table.campaign_id == campaign_id)) or 0) >= MOST:
        raise PlainlyError(f"a campaign has {MOST} pictures at most")
    session.add(row)
    session.flush()
    return row


def checked(campaign_id: str, name: str, content: bytes) -> tables.Image:
    """A picture as it is kept."""
    if len(content) > LARGEST:
        raise TooLarge(f"{name}: a picture may have {LARGEST >> 20} MiB at most")
    ending = ending_of(content)
    if not IMAGE.fullmatch(name) or not name.endswith(f".{ending}"):
        raise PlainlyError(f"{name!r} cannot be the name of this picture")
    return tables.Image(campaign_id=campaign_id, name=name, type=TYPES[ending], content=content)


def remove(session: Session, campaign_id: str, name: str) -> None:
    """A picture less, of a draft."""
    _insist_draft(session, campaign_id)
    get(session, campaign_id, name)
    table = tables.Image
    session.execute(delete(table).where(table.campaign_id == campaign_id, table.name == name))


def get(session: Session, campaign_id: str, name: str) -> tables.Image:
    """The picture, or NotThere."""
    row = session.get(tables.Image, (campaign_id, name)) if IMAGE.fullmatch(name) else None
    if row is None:
        raise NotThere("there is no such picture")
    return row


def every(session: Session, campaign_id: str) -> Sequence[tables.Image]:
    """All pictures of a campaign, by name."""
    table = tables.Image
    return session.scalars(select(table).where(table.campaign_id == campaign_id).order_by(table.name)).all()


def copy(session: Session, campaign_id: str, to: str) -> None:
    """The same pictures for another campaign."""
    for one in every(session, campaign_id):
        session.add(tables.Image(campaign_id=to, name=one.name, type=one.type, content=one.content))
    session.flush()


def _insist_draft(session: Session, campaign_id: str) -> None:
    if campaigns.get(session, campaign_id).status != "draft":
        raise Conflict("pictures can be changed in a draft only: participants have seen them")


def _named(name: str, ending: str) -> str:
    stem = _ODD.sub("-", name.rpartition(".")[0].lower()).strip("-")[:_LONGEST].strip("-")
    return f"{stem or 'picture'}.{ending}"
