"""Adjudication: what several people said of an item, side by side, and what an owner decides is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as PathPart
from pydantic import Field

from plainly.studio.api.dependencies import Body, CampaignId, Owner, TheDatabase, language_of
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.kinds.adjudication import Adjudication
from plainly.studio.kinds.base import Campaign, Given
from plainly.studio.store import golds, tables
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given
from plainly.studio.texts import direction

router = APIRouter(prefix="/api/campaigns/{campaign_id}/adjudication", tags=["adjudication"])
LARGEST = 2**31 - 2

Place = Annotated[int, PathPart(ge=0, le=LARGEST)]


class Decided(Body):
    """What is right, and the number of the decision that one has seen; 0: none."""

    content: dict[str, Any]
    base: Annotated[int, Field(ge=0, le=LARGEST)]


@dataclass(frozen=True)
class _Case:
    """All that adjudication needs to know of a campaign, read at one moment."""

    campaign: Campaign
    how: Adjudication
    given: list[Given]
    golds: list[tables.Gold]

    def name(self, place: int) -> str:
        if place >= len(self.campaign.items):
            raise NotThere("there is no such item")
        return self.campaign.items[place].name


@router.get("", summary="All items that two people or more have done, and which of them are decided")
def every(campaign_id: CampaignId, visitor: Owner, request: Request, database: TheDatabase) -> dict[str, Any]:
    case = _case(database, campaign_id)
    places = {item.name: place for place, item in enumerate(case.campaign.items)}
    newest = {one.place: one for one in case.golds}
    return {
        "public": case.how.public(case.campaign, language_of(request)),
        "lang": case.campaign.lang,
        "dir": direction(case.campaign.lang),
        "items": [
            {
                "place": place,
                "name": one.item,
                "people": one.people,
                "share": one.share,
                "differences": one.differences,
                "decided": _signed(newest[place]) if place in newest else None,
            }
            for one in case.how.disputes(case.campaign, case.given)
            for place in [places[one.item]]
        ],
    }


@router.get("/{place}", summary="What people said of one item, where they differ, and all decisions about it")
def one(campaign_id: CampaignId, place: Place, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    case = _case(database, campaign_id)
    name = case.name(place)
    return {
        "place": place,
        "name": name,
        **case.how.side_by_side(case.campaign, name, case.given),
        "golds": [{**_signed(each), "content": each.content} for each in case.golds if each.place == place],
    }


@router.post("/agreed", status_code=201, summary="Take over all undecided items on which everybody agrees")
def agree(campaign_id: CampaignId, visitor: Owner, database: TheDatabase) -> dict[str, int]:
    case = _case(database, campaign_id)
    known = {one.place for one in case.golds}
    same = case.how.agreed(case.campaign, case.given)
    with database.writing() as session:
        made = [
            golds.add(session, campaign_id, place=place, content=same[item.name], by=visitor.name, base=0)
            for place, item in enumerate(case.campaign.items)
            if item.name in same and place not in known
        ]
        return {"decided": len(made)}


@router.post("/{place}", status_code=201, summary="Decide what is right; 409 if somebody else did so meanwhile")
def decide(
    campaign_id: CampaignId, place: Place, body: Decided, visitor: Owner, database: TheDatabase
) -> dict[str, Any]:
    case = _case(database, campaign_id)
    content = case.how.decided(case.campaign, case.name(place), case.given, body.content)
    with database.writing() as session:
        return _signed(golds.add(session, campaign_id, place=place, content=content, by=visitor.name, base=body.base))


def _case(database: Database, campaign_id: str) -> _Case:
    with database.reading() as session:
        found = loaded(session, campaign_id)
        if found.kind.adjudication is None:
            raise Conflict("answers of this kind cannot be put together")
        rows = list(golds.rows(session, campaign_id))
        session.expunge_all()
        return _Case(found.campaign, found.kind.adjudication, given(session, campaign_id), rows)


def _signed(gold: tables.Gold) -> dict[str, Any]:
    return {"number": gold.number, "by": gold.by, "time": gold.time}
