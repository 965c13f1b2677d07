"""Pictures in instructions: owners send them, participants see those of their own campaign."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import CampaignId, Member, Owner, TheDatabase
from plainly.studio.api.participation import Link, TheLink
from plainly.studio.api.uploads import Form, multipart
from plainly.studio.errors import TooLarge
from plainly.studio.store import campaigns, images, tables
from plainly.studio.store.database import Database

router = APIRouter(tags=["campaigns"])

ImageName = Annotated[str, PathPart(max_length=100)]
_FILE = {"file": {"type": "string", "format": "binary", "description": "PNG, JPEG or WebP"}}
_HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, max-age=300"}


@router.get("/api/campaigns/{campaign_id}/images", summary="Pictures in the instructions")
def every(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> dict[str, Any]:
    return {"images": listed(database, campaign_id)}


@router.post(
    "/api/campaigns/{campaign_id}/images",
    status_code=201,
    summary="Add a picture to a draft",
    openapi_extra=multipart(_FILE, ["file"]),
)
async def add(campaign_id: CampaignId, visitor: Owner, form: Form, database: TheDatabase) -> dict[str, Any]:
    """The reply says under which name it can stand in the instructions: `![what it shows](name.png)`."""
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise PlainlyError("the file is missing")
    content = await file.read(images.LARGEST + 1)
    if len(content) > images.LARGEST:
        raise TooLarge(f"a picture may have {images.LARGEST >> 20} MiB at most")
    return await run_in_threadpool(_added, database, campaign_id, file.filename or "", content)


def _added(database: Database, campaign_id: str, name: str, content: bytes) -> dict[str, Any]:
    with database.writing() as session:
        return _about(images.add(session, campaign_id, name, content))


@router.get("/api/campaigns/{campaign_id}/images/{name}", summary="A picture", response_class=Response)
def one(campaign_id: CampaignId, name: ImageName, visitor: Member, database: TheDatabase) -> Response:
    with database.reading() as session:
        return _shown(images.get(session, campaign_id, name))


@router.delete("/api/campaigns/{campaign_id}/images/{name}", status_code=204, summary="Remove a picture of a draft")
def remove(campaign_id: CampaignId, name: ImageName, visitor: Owner, database: TheDatabase) -> None:
    with database.writing() as session:
        images.remove(session, campaign_id, name)


@router.get("/api/p/{token}/images/{name}", tags=["participants"], response_class=Response)
async def seen(name: ImageName, link: TheLink, database: TheDatabase) -> Response:
    """A picture in the instructions of this participant."""
    return await link.alone(_seen, database, link, name)


def _seen(database: Database, link: Link, name: str) -> Response:
    with database.reading() as session:
        return _shown(images.get(session, link.visitor(session).loaded.id, name))


def listed(database: Database, campaign_id: str) -> list[dict[str, Any]]:
    """All pictures of a campaign."""
    with database.reading() as session:
        campaigns.get(session, campaign_id)
        return [_about(image) for image in images.every(session, campaign_id)]


def _about(image: tables.Image) -> dict[str, Any]:
    return {"name": image.name, "type": image.type, "bytes": len(image.content)}


def _shown(image: tables.Image) -> Response:
    return Response(image.content, media_type=image.type, headers=_HEADERS)
