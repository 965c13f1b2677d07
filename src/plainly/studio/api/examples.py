"""Example campaigns at one click."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from plainly.studio.api.campaigns import described
from plainly.studio.api.dependencies import Body, Owner, TheDatabase, TheDesk, language_of
from plainly.studio.examples import Example, example
from plainly.studio.store import campaigns, materials
from plainly.studio.store.database import Database

router = APIRouter(prefix="/api/examples", tags=["campaigns"])


class Wanted(Body):
    """Which example."""

    kind: Annotated[str, Field(max_length=20)]


@router.post("", status_code=201, summary="Make an example campaign, a draft in the language of the interface")
async def make(
    given: Wanted, visitor: Owner, request: Request, database: TheDatabase, desk: TheDesk
) -> dict[str, Any]:
    lang = language_of(request)
    found = await desk.do(visitor.id, example, given.kind, lang)
    return await run_in_threadpool(_made, database, found, lang)


def _made(database: Database, found: Example, lang: str) -> dict[str, Any]:
    with database.writing() as session:
        row = campaigns.create(
            session,
            kind=found.kind,
            name=found.name,
            lang=found.lang,
            interface=lang,
            welcome=found.welcome,
            material=found.material,
        )
        materials.keep(session, row.id, found.files)
        return described(row, len(found.material.items))
