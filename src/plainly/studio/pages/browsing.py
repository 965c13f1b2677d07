"""Pages of items, of one item, and of one participant. Their scripts ask for more by the addresses of the API."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from plainly.studio.api import browsing
from plainly.studio.api.browsing import Offset, Order, Place, Words
from plainly.studio.api.dependencies import CampaignId, TheDatabase
from plainly.studio.api.participants import Number
from plainly.studio.pages.owner import Reader, campaign_page
from plainly.studio.pages.rendering import PageRoute

router = APIRouter(
    prefix="/campaigns/{campaign_id}",
    include_in_schema=False,
    default_response_class=HTMLResponse,
    route_class=PageRoute,
)


@router.get("/items")
def items(
    campaign_id: CampaignId,
    request: Request,
    visitor: Reader,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
    order: Order = "place",
) -> Response:
    found = browsing.items(campaign_id, visitor, database, q, offset, order)
    return campaign_page(request, visitor, database, campaign_id, "items", asked=q, order=order, found=_json(found))


@router.get("/items/{place}")
def item(
    campaign_id: CampaignId,
    place: Place,
    request: Request,
    visitor: Reader,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
) -> Response:
    found = browsing.item(campaign_id, place, visitor, request, database, q, offset)
    more = {"item": found, "asked": q, "found": _json(found)}
    return campaign_page(request, visitor, database, campaign_id, "items", "item.html", **more)


@router.get("/participants/{number}")
def person(
    campaign_id: CampaignId,
    number: Number,
    request: Request,
    visitor: Reader,
    database: TheDatabase,
    q: Words = "",
    offset: Offset = 0,
) -> Response:
    found = browsing.person(campaign_id, number, visitor, request, database, q, offset)
    more = {"person": found, "asked": q, "found": _json(found)}
    return campaign_page(request, visitor, database, campaign_id, "participants", "person.html", **more)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
