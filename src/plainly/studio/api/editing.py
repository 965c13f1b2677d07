"""Drafts made anew, copies of campaigns, and items that are added to those that run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import Field
from starlette.datastructures import FormData

from plainly.base.errors import PlainlyError
from plainly.studio.api.campaigns import FORM, MORE, described, insist_language
from plainly.studio.api.dependencies import Body, CampaignId, Owner, TheDatabase, TheDesk
from plainly.studio.api.uploads import Form, Understood, added, json_of, multipart, text_of, understood
from plainly.studio.errors import Conflict
from plainly.studio.kinds.base import Campaign
from plainly.studio.store import campaigns, editing, materials, overview
from plainly.studio.store.database import Database
from plainly.studio.store.materials import Files

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["campaigns"])

LARGEST = 2**31 - 2
"""Whole numbers that any database takes; there is no larger revision or seed."""
_WHOLE = {"type": "string", "pattern": "^[0-9]{1,10}$"}
_REVISION = {"revision": {**_WHOLE, "description": "of the campaign, as you have seen it"}}
_DRAFT = {
    **{name: value for name, value in {**FORM, **MORE}.items() if name != "kind"},
    **_REVISION,
    "seed": {**_WHOLE, "description": "of all random choices; missing: as it is"},
    "without": {"type": "string", "description": "JSON: slots whose kept files go, as a list"},
}
_ADDED = {**_REVISION, **{name: FORM[name] for name in ("options", "columns", "SLOT")}}


class Copy(Body):
    """What the copy is called."""

    name: Annotated[str, Field(max_length=1000)]


@router.get("/draft", summary="Of which files a campaign was made, and how they were read")
def source(campaign_id: CampaignId, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    return made_of(database, campaign_id)


@router.put(
    "/draft",
    summary="Make a draft anew; 409 if somebody else changed it",
    openapi_extra=multipart(_DRAFT, ["revision", "name", "interface"]),
)
async def replaced(
    campaign_id: CampaignId, visitor: Owner, form: Form, database: TheDatabase, desk: TheDesk
) -> dict[str, Any]:
    """Files that are not given stay as they are. Everything else must be given."""
    kind, kept = await run_in_threadpool(_draft, database, campaign_id)
    if text_of(form, "kind", kind) != kind:
        raise PlainlyError(f"this is a campaign of {kind}; it cannot become one of another kind")
    found = await desk.do(visitor.id, understood, form, kept, kind)
    return await run_in_threadpool(_replaced, database, campaign_id, form, found)


def _draft(database: Database, campaign_id: str) -> tuple[str, Files | None]:
    with database.reading() as session:
        row = campaigns.get(session, campaign_id)
        if row.status != "draft":
            raise Conflict(editing.NO_DRAFT)
        return row.kind, materials.kept(session, campaign_id)


def _replaced(database: Database, campaign_id: str, form: FormData, found: Understood) -> dict[str, Any]:
    insist_language(found)
    with database.writing() as session:
        row = editing.replace(
            session,
            campaign_id,
            _number(form, "revision"),
            name=text_of(form, "name"),
            lang=found.lang,
            interface=text_of(form, "interface"),
            welcome=json_of(form, "welcome"),
            material=found.material,
            seed=_number(form, "seed") if text_of(form, "seed", "") else None,
        )
        materials.keep(session, campaign_id, found.files)
        return described(row, len(found.material.items))


@router.post("/duplicate", status_code=201, summary="A draft with the same items, settings and words; no people")
def duplicated(campaign_id: CampaignId, given: Copy, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    with database.writing() as session:
        row = editing.duplicate(session, campaign_id, given.name)
        return described(row, overview.item_count(session, row.id))


@router.post(
    "/items",
    summary="Add items to a campaign that is running",
    openapi_extra=multipart(_ADDED, ["revision"]),
)
async def extended(
    campaign_id: CampaignId, visitor: Owner, form: Form, database: TheDatabase, desk: TheDesk
) -> dict[str, Any]:
    """Who has begun keeps the tasks that they have; who begins later gets the new items, too.

    Where pairs follow the answers, those who are still at it may get them as well.
    """
    revision = _number(form, "revision")
    campaign = await run_in_threadpool(_running, database, campaign_id, revision)
    found = await desk.do(visitor.id, added, form, campaign)
    return await run_in_threadpool(_extended, database, campaign_id, revision, found)


def _running(database: Database, campaign_id: str, revision: int) -> Campaign:
    with database.reading() as session:
        editing.insist_running(campaigns.get(session, campaign_id))
        loaded = campaigns.loaded(session, campaign_id)
    if loaded.revision != revision:
        raise Conflict(campaigns.CHANGED)
    return loaded.campaign


def _extended(database: Database, campaign_id: str, revision: int, found: Understood) -> dict[str, Any]:
    with database.writing() as session:
        items = found.material.items
        row = editing.extend(session, campaign_id, revision, items, found.material.settings)
        shown = described(row, overview.item_count(session, campaign_id))
    return {**shown, "added": len(items), "notes": found.material.notes}


def made_of(database: Database, campaign_id: str) -> dict[str, Any]:
    """Names of files by slot, and options and columns as they were said; empty where files are not kept."""
    with database.reading() as session:
        campaigns.get(session, campaign_id)
        found = materials.about(session, campaign_id)
    request, names = found or ({}, {})
    return {"files": names, "options": request.get("options", {}), "columns": request.get("columns", {})}


def _number(form: FormData, name: str) -> int:
    text = text_of(form, name)
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise PlainlyError(f"{name} must be a whole number")
    return min(int(text), LARGEST)
