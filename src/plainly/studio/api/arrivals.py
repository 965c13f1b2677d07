"""The open link: those who arrive by it, and what its owner settles.

Arriving is a POST, made by a button: programs that look at links before people do make nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from plainly.studio.api.dependencies import Body, CampaignId, Owner, TheDatabase, TheSettings, same_site
from plainly.studio.api.participation import Limits
from plainly.studio.arrival import PRESETS
from plainly.studio.errors import Unavailable
from plainly.studio.store import arrivals, campaigns
from plainly.studio.store.arrivals import Again
from plainly.studio.store.campaigns import Loaded
from plainly.studio.store.database import Database
from plainly.studio.texts import chosen

router = APIRouter(tags=["open links"])
TRIES = 5
Slug = Annotated[str, PathPart(pattern="^[0-9a-z]{1,20}$")]


class Arriving(Body):
    """Somebody who comes by an open link, with the parameters of the address that brought them."""

    secret: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22,64}$")]
    """Of the personal link to be. The browser makes it, and sends the same one again after a lost reply."""
    parameters: Annotated[dict[str, str], Field(max_length=50)] = Field({})


class Settled(Body):
    """What an owner settles, and the revision of the campaign that they have seen."""

    revision: Annotated[int, Field(ge=1, le=2**31 - 2)]
    arrival: dict[str, Any]


@router.post("/api/j/{slug}", summary="Arrive by an open link: from now on /p/SECRET is the personal link")
async def arrive(
    slug: Slug, body: Arriving, request: Request, database: TheDatabase, settings: TheSettings
) -> dict[str, bool]:
    same_site(request)
    host = request.client.host if request.client else ""
    limits: Limits = request.app.state.link_limits
    if settings.limited:
        limits.arriving.take(host)

    def count(campaign_id: str) -> None:
        if settings.limited:
            limits.newcomers.take(host)
            limits.of_campaign.take(campaign_id)

    lang = chosen(None, request.headers.get("accept-language"))
    time = request.app.state.clock()
    return {"new": await run_in_threadpool(_arrived, database, slug, body, time, lang, count)}


def _arrived(
    database: Database, slug: str, body: Arriving, time: str, lang: str, count: Callable[[str], None]
) -> bool:
    for _ in range(TRIES):
        try:
            with database.writing() as session:
                return arrivals.arrive(session, slug, body.secret, body.parameters, time, lang=lang, count=count)
        except Again:
            continue
    raise Unavailable("somebody with the same name is arriving at this moment; try again")


@router.get("/api/campaigns/{campaign_id}/arrival", summary="The open link, and what is taken of its quota")
def shown(campaign_id: CampaignId, visitor: Owner, request: Request, database: TheDatabase) -> dict[str, Any]:
    return open_link(request, database, campaign_id)


@router.put("/api/campaigns/{campaign_id}/arrival", summary="Settle the open link; 409 if somebody else did so")
def settle(
    campaign_id: CampaignId, given: Settled, visitor: Owner, request: Request, database: TheDatabase
) -> dict[str, Any]:
    with database.writing() as session:
        campaigns.change(session, campaign_id, given.revision, arrival=given.arrival)
    return open_link(request, database, campaign_id)


@router.post("/api/campaigns/{campaign_id}/arrival/renew", summary="Another address; the old one leads nowhere")
def renew(campaign_id: CampaignId, visitor: Owner, request: Request, database: TheDatabase) -> dict[str, Any]:
    with database.writing() as session:
        campaigns.renew_slug(session, campaign_id)
    return open_link(request, database, campaign_id)


def open_link(request: Request, database: Database, campaign_id: str) -> dict[str, Any]:
    """The open link as owners see it."""
    with database.reading() as session:
        row = campaigns.get(session, campaign_id)
        found = campaigns.loaded(session, campaign_id)
        counted = arrivals.places(session, campaign_id)
        revision, slug = row.revision, row.slug
    arrival = found.arrival
    groups = [
        {"name": name, "quota": most, "held": counted.held.get(name, 0), "done": counted.done.get(name, 0)}
        for name, most in arrival.groups.items()
    ]
    return {
        "arrival": arrival.to_dict(),
        "revision": revision,
        "link": _link(request, found, slug),
        "places": {"held": sum(counted.held.values()), "done": sum(counted.done.values()), "groups": groups},
        "presets": {name: {"parameters": list(names), "identifies": who} for name, (names, who) in PRESETS.items()},
    }


def _link(request: Request, found: Loaded, slug: str | None) -> dict[str, str] | None:
    """Its address, and the same with what the platform has to fill in."""
    if slug is None:
        return None
    address = str(request.base_url.replace(path=f"/j/{slug}"))
    wanted = {"prolific": "{{%%%s%%}}", "mturk": "${%s}"}.get(found.arrival.preset, "%s")
    query = "&".join(f"{name}={wanted % name}" for name in found.arrival.parameters)
    return {"address": address, "filled": f"{address}?{query}" if query else address}
