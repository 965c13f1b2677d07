"""Single items, people and answers, for owners and analysts who want to see what is behind the numbers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathPart

from plainly.studio.api.dependencies import CampaignId, Member, TheDatabase, language_of
from plainly.studio.api.participants import Number
from plainly.studio.store import browsing
from plainly.studio.store.browsing import Wanted
from plainly.studio.texts import say

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["items and answers"])

LAST = 2**31 - 1
Place = Annotated[int, PathPart(ge=0, le=LAST, description="of the item, from 0")]
Words = Annotated[str, Query(max_length=200, description="only what holds all these words")]
Offset = Annotated[int, Query(ge=0, le=LAST)]
Order = Literal["place", "fewest", "most"]


@router.get("/items", summary="The items, with the numbers of their answers")
def items(
    campaign_id: CampaignId,
    visitor: Member,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
    order: Order = "place",
) -> dict[str, Any]:
    with database.reading() as session:
        return browsing.items(session, campaign_id, Wanted(q, offset), order)


@router.get("/items/{place}", summary="One item, and what everybody answered")
def item(
    campaign_id: CampaignId,
    place: Place,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
) -> dict[str, Any]:
    wanted, words = Wanted(q, offset), say(language_of(request))
    with database.reading() as session:
        return browsing.item(session, campaign_id, place, wanted, words)


@router.get("/participants/{number}", summary="One participant: all tasks, answers and times")
def person(
    campaign_id: CampaignId,
    number: Number,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
) -> dict[str, Any]:
    wanted, words = Wanted(q, offset), say(language_of(request))
    with database.reading() as session:
        return browsing.person(session, campaign_id, number, wanted, words, named=visitor.owner)
