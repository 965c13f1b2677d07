"""The open link: those who arrive by it, and what its owner settles.

Arriving is a POST, made by a button: programs that look at links before people do make nobody.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool
from pydantic import Field
from starlette.datastructures import FormData, UploadFile

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import (
    Body,
    CampaignId,
    Owner,
    TheDatabase,
    TheSettings,
    language_of,
    public_base,
    same_site,
)
from plainly.studio.api.participation import Limits
from plainly.studio.api.results import live_of, mark_of, newer
from plainly.studio.api.uploads import Form, json_of, multipart, text_of
from plainly.studio.arrival import PRESETS
from plainly.studio.errors import Unavailable
from plainly.studio.store import arrivals, campaigns, platforms
from plainly.studio.store.arrivals import Again
from plainly.studio.store.campaigns import Loaded
from plainly.studio.store.database import Database
from plainly.studio.studies import Asked
from plainly.studio.texts import chosen, say

router = APIRouter(tags=["open links"])
TRIES = 5
ALL = "9999"
"""Later than any time: all answers are behind the results."""
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


@router.get("/api/campaigns/{campaign_id}/arrival/people", summary="Who came by it: whom to approve, and why")
async def people(
    campaign_id: CampaignId,
    visitor: Owner,
    request: Request,
    database: TheDatabase,
    wait: Annotated[float, Query(ge=0, le=60)] = 10.0,
) -> dict[str, Any]:
    """What is odd is computed apart. The reply waits for it for so many seconds; while `computing`, ask again."""
    return await _settled(request, database, campaign_id, wait)


@router.get("/api/campaigns/{campaign_id}/arrival/people.csv", summary="The same with all ids: personal data")
async def people_file(campaign_id: CampaignId, visitor: Owner, request: Request, database: TheDatabase) -> Response:
    content = platforms.exported((await _settled(request, database, campaign_id, 10.0))["people"])
    headers = {"Content-Disposition": f'attachment; filename="arrivals-{campaign_id}.csv"'}
    return Response(content.encode("utf-8", "backslashreplace"), media_type="text/csv", headers=headers)


_IMPORT = {
    "file": {"type": "string", "format": "binary", "description": "what the platform exports of its participants"},
    "columns": {"type": "string", "description": "JSON: names of columns to keep; without any, nothing is stored"},
    "id_column": {"type": "string", "description": "which column has the ids, if it cannot be told by its name"},
}


@router.post(
    "/api/campaigns/{campaign_id}/arrival/platform",
    summary="Import what the platform says of those who came from it",
    openapi_extra=multipart(_IMPORT, ["file"]),
)
async def import_platform(
    campaign_id: CampaignId, visitor: Owner, form: Form, database: TheDatabase
) -> dict[str, Any]:
    return await run_in_threadpool(_imported, database, campaign_id, form)


def _imported(database: Database, campaign_id: str, form: FormData) -> dict[str, Any]:
    given, columns = form.get("file"), json_of(form, "columns") or []
    if not isinstance(given, UploadFile) or not given.filename:
        raise PlainlyError("the file is missing")
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        raise PlainlyError("columns must be a list of names")
    with tempfile.TemporaryDirectory(prefix="plainly-upload-") as folder:
        path = Path(folder) / f"export.{'tsv' if given.filename.lower().endswith('.tsv') else 'csv'}"
        with path.open("wb") as stream:
            shutil.copyfileobj(given.file, stream)
        try:
            export = platforms.read_export(path, text_of(form, "id_column", ""))
        except PlainlyError as error:
            raise error.reworded(lambda said: said.replace(f"{folder}/", "")) from None
    with database.writing() as session:
        campaigns.get(session, campaign_id)
        found = platforms.import_platform(session, campaign_id, export, columns)
    return asdict(found)


async def _settled(request: Request, database: Database, campaign_id: str, wait: float) -> dict[str, Any]:
    lang = language_of(request)
    live, asked = live_of(request), Asked(campaign_id, lang)
    now = await run_in_threadpool(mark_of, database, campaign_id)
    await newer(live, asked, now, wait)
    kept = live.kept(asked)
    snapshot = kept.snapshot if kept is not None and kept.snapshot and kept.snapshot.complete else None
    until = "" if snapshot is None else ALL if snapshot.mark == now else snapshot.at
    remarks = snapshot.remarks if snapshot is not None else {}
    found = await run_in_threadpool(platforms.settled, database, campaign_id, remarks, until, say(lang))
    return {"people": found, "computing": live.running(asked)}


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
    address = f"{public_base(request)}/j/{slug}"
    wanted = {"prolific": "{{%%%s%%}}", "mturk": "${%s}"}.get(found.arrival.preset, "%s")
    query = "&".join(f"{name}={wanted % name}" for name in found.arrival.parameters)
    return {"address": address, "filled": f"{address}?{query}" if query else address}
