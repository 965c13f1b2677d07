"""Participants of a campaign, for its owner. Links are shown once: only their fingerprints are kept."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathPart
from pydantic import Field

from plainly.studio.api.dependencies import Body, CampaignId, Member, Owner, TheDatabase, public_base
from plainly.studio.store import overview, people
from plainly.studio.store.people import Invitation

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["participants of a campaign"])

Number = Annotated[int, PathPart(ge=1, le=people.MOST)]


class Invite(Body):
    """How many, and notes for the first ones."""

    count: Annotated[int, Field(ge=1, le=people.MOST_AT_ONCE)] = 1
    notes: Annotated[list[Annotated[str, Field(max_length=1000)]], Field(max_length=people.MOST_AT_ONCE)] = Field([])


class LeavingOut(Body):
    """Why the answers of a participant do not count; empty: they count again."""

    reason: Annotated[str, Field(max_length=1000)]


@router.get("/participants", summary="All participants, and how far they are")
def every(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> dict[str, Any]:
    return {"participants": overview.participants(database, campaign_id, named=visitor.owner)}


@router.post("/participants", status_code=201, summary="Invite participants; their links are shown only now")
def invite(
    campaign_id: CampaignId, given: Invite, visitor: Owner, request: Request, database: TheDatabase
) -> dict[str, Any]:
    with database.writing() as session:
        made = people.invite(session, campaign_id, given.count, given.notes)
    return {"links": [_link(request, one) for one in made]}


@router.post(
    "/participants/{number}/revoke", status_code=204, summary="The link opens nothing any more; answers stay"
)
def revoke(campaign_id: CampaignId, number: Number, visitor: Owner, database: TheDatabase) -> None:
    with database.writing() as session:
        people.revoke(session, campaign_id, number)


@router.post(
    "/participants/{number}/renew", summary="A new link to the same tasks; the old one opens nothing any more"
)
def renew(
    campaign_id: CampaignId, number: Number, visitor: Owner, request: Request, database: TheDatabase
) -> dict[str, Any]:
    with database.writing() as session:
        made = people.renew(session, campaign_id, number)
    return _link(request, made)


@router.put("/participants/{number}/left-out", status_code=204, summary="Leave a participant out, or take it back")
def leave_out(
    campaign_id: CampaignId, number: Number, given: LeavingOut, visitor: Owner, database: TheDatabase
) -> None:
    with database.writing() as session:
        people.leave_out(session, campaign_id, number, given.reason, visitor.name)


@router.delete("/participants/{number}", status_code=204, summary="Delete a participant with all answers")
def remove(campaign_id: CampaignId, number: Number, visitor: Owner, database: TheDatabase) -> None:
    with database.writing() as session:
        people.remove(session, campaign_id, number)


@router.post("/preview", summary="A link to see what participants see; its answers count nowhere")
def preview(campaign_id: CampaignId, visitor: Owner, request: Request, database: TheDatabase) -> dict[str, Any]:
    with database.writing() as session:
        made = people.preview(session, campaign_id)
    return _link(request, made)


def _link(request: Request, made: Invitation) -> dict[str, Any]:
    link = f"{public_base(request)}/p/{made.secret}"
    return {"code": made.code, "number": made.number, "note": made.note, "link": link}
