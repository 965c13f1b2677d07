"""What came out so far: the dashboard's numbers, pictures, reports and files."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import date
from functools import partial
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool

from plainly.base.plain_data import plain_data
from plainly.studio.api.dependencies import (
    CampaignId,
    Member,
    TheDatabase,
    TheDesk,
    TheDrawingDesk,
    TheReportDesk,
    language_of,
)
from plainly.studio.errors import NotThere
from plainly.studio.kinds.base import Kind
from plainly.studio.kinds.dashboards import Picture
from plainly.studio.live import LiveResults
from plainly.studio.pictures import draw, spots, style
from plainly.studio.results import all_files, encoded, zipped
from plainly.studio.store import afterwards, overview
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.database import Database
from plainly.studio.studies import Asked, Snapshot

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["results"])

_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script", re.DOTALL)
FileName = Annotated[str, PathPart(max_length=200)]
Everybody = Annotated[bool, Query(description="whether those who were left out count, too")]
Known = Annotated[str, Query(max_length=100)]
LOOK_AGAIN = 0.05
"""Seconds between two looks whether results are there."""
Width = Annotated[int, Query(ge=200, le=2000)]


@router.get("/summary", summary="Progress and results so far", response_class=Response)
async def summary(
    campaign_id: CampaignId,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    known: Known = "",
    results: Known = "",
    everybody: Everybody = False,
    wait: Annotated[float, Query(ge=0, le=60)] = 30.0,
) -> Response:
    """Progress is that of this moment. Results are computed apart: the reply waits for newer ones, if they are due,
    for so many seconds at most, and then has what there is. While `computing`, ask again.

    `known` is the `version` of an earlier reply: if nothing is new, the reply is this version and nothing else.
    `results` is the version of the results there: if these are not new, they are left out. `everybody`: results with
    those who were left out, too.
    """
    live, asked = live_of(request), Asked(campaign_id, language_of(request), everybody)
    now = await run_in_threadpool(mark_of, database, campaign_id)
    await newer(live, asked, now, wait)
    content = await run_in_threadpool(_summary, database, live, asked, known, results, visitor.owner)
    return Response(content, media_type="application/json")


@router.get("/pictures/{name}.svg", summary="A chart of the summary")
async def picture(
    campaign_id: CampaignId,
    name: FileName,
    visitor: Member,
    request: Request,
    desk: TheDrawingDesk,
    width: Width = 640,
    everybody: Everybody = False,
    version: Known = "",
) -> Response:
    """Of the results that the summary showed last; `version` only makes addresses differ, so that browsers load a
    changed picture again."""
    pictures = _pictures(request, campaign_id, everybody)
    return await desk.do(visitor.id, drawn, pictures, name, width, live_of(request).drawn)


@router.get("/pictures/{name}.json", summary="Where the points of a chart are, and what they tell")
async def picture_spots(
    campaign_id: CampaignId,
    name: FileName,
    visitor: Member,
    request: Request,
    desk: TheDesk,
    width: Width = 640,
    everybody: Everybody = False,
) -> dict[str, Any]:
    for one in _pictures(request, campaign_id, everybody):
        if one.name == name:
            return {"spots": await desk.do(visitor.id, spots, plain_data(one.spec), width)}
    raise NotThere("there is no such picture")


def _pictures(request: Request, campaign_id: str, everybody: bool) -> Sequence[Picture]:
    """The charts of the results that are known so far."""
    kept = live_of(request).kept(Asked(campaign_id, language_of(request), everybody))
    return kept.snapshot.pictures if kept is not None and kept.snapshot is not None else ()


@router.get("/comments", summary="What participants say of tasks, and at the end")
def comments(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> dict[str, Any]:
    with database.reading() as session:
        loaded(session, campaign_id)
        return {"comments": [asdict(one) for one in afterwards.comments(session, campaign_id)]}


@router.get("/report", summary="The full report as a page", response_class=Response)
async def report(
    campaign_id: CampaignId, visitor: Member, request: Request, desk: TheReportDesk, everybody: Everybody = False
) -> Response:
    page = await desk.do(visitor.id, report_page, request, campaign_id, everybody)
    if page is None:
        raise NotThere("there is no report of this campaign yet")
    return page


@router.get("/exports", summary="The files of an export")
async def exports(campaign_id: CampaignId, visitor: Member, database: TheDatabase, desk: TheDesk) -> dict[str, Any]:
    return {"exports": await desk.do(visitor.id, export_list, database, campaign_id, visitor.owner)}


@router.get("/exports/{name}", summary="One file of an export", response_class=Response)
async def export(
    campaign_id: CampaignId, name: FileName, visitor: Member, database: TheDatabase, desk: TheDesk
) -> Response:
    for file in await desk.do(visitor.id, partial(all_files, named=visitor.owner), database, campaign_id):
        if file.name == name:
            return _download(encoded(file), file.name, file.media_type)
    raise NotThere("there is no such file in the export")


@router.get("/export.zip", summary="All files of an export", response_class=Response)
async def export_zip(campaign_id: CampaignId, visitor: Member, database: TheDatabase, desk: TheDesk) -> Response:
    return await desk.do(visitor.id, _export_zip, database, campaign_id, visitor.owner)


def report_page(request: Request, campaign_id: str, everybody: bool) -> Response | None:
    """The full report of the kind, if it has one."""
    page = live_of(request).report(campaign_id, everybody)
    if page is None:
        return None
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": report_policy(page)})


def export_list(database: Database, campaign_id: str, named: bool) -> list[dict[str, Any]]:
    """The files with their sizes."""
    return [
        {
            "name": file.name,
            "media_type": file.media_type,
            "bytes": len(encoded(file)),
            "lines": file.content.count("\n"),
        }
        for file in all_files(database, campaign_id, named=named)
    ]


def _draw(picture: Picture, width: int) -> str:
    return draw(plain_data(picture.spec), width)


def drawn(
    pictures: Iterable[Picture], name: str, width: int, drawing: Callable[[Picture, int], str] = _draw
) -> Response:
    """The chart of that name as an image of its own."""
    for one in pictures:
        if one.name == name:
            headers = {"Content-Security-Policy": picture_policy(style())}
            return Response(drawing(one, width), media_type="image/svg+xml", headers=headers)
    raise NotThere("there is no such picture")


async def newer(live: LiveResults, asked: Asked, now: str, wait: float) -> None:
    """Comes back when there are newer results, or after so many seconds."""
    live.want(asked, now)
    until = monotonic() + wait
    while live.running(asked) and monotonic() < until:
        await asyncio.sleep(LOOK_AGAIN)


def mark_of(database: Database, campaign_id: str) -> str:
    """What changes whenever anything changes in a campaign."""
    with database.reading() as session:
        loaded(session, campaign_id)
        return overview.mark(session, campaign_id)


def _summary(database: Database, live: LiveResults, asked: Asked, known: str, known_results: str, named: bool) -> str:
    now = mark_of(database, asked.campaign)
    kept, computing = live.kept(asked), live.running(asked)
    snapshot = kept.snapshot if kept is not None else None
    ended = kept.ended if kept is not None and not computing else ""
    of_results = f"{asked.lang}-{asked.everybody:d}-{snapshot.mark}-{snapshot.part}" if snapshot is not None else ""
    version = f"{now}-{of_results}-{computing:d}{ended}"
    if version == known:
        return json.dumps({"version": version})
    with database.reading() as session:
        found = loaded(session, asked.campaign)
    participants = _people(database, asked.campaign, snapshot, named)
    content = {
        "version": version,
        "status": found.status,
        "participants": participants,
        "left_out": sum(bool(one["left_out"]) for one in participants),
        "answers": snapshot.answers if snapshot is not None else None,
        "pace": snapshot.pace if snapshot is not None else None,
        "computing": computing,
        "ended": ended,
        "report": type(found.kind).report is not Kind.report and snapshot is not None and snapshot.answers > 0,
    }
    return f'{json.dumps(content)[:-1]}, "results": {_results(snapshot, of_results, now, known_results)}}}'


def _results(snapshot: Snapshot | None, version: str, now: str, known: str) -> str:
    """What the study says, as JSON; only which results these are, where they are known; null where there are none."""
    if snapshot is None or not snapshot.shown:
        return "null"
    about = {"version": version, "older": snapshot.mark != now, "at": snapshot.at, "answers": snapshot.answers}
    return json.dumps(about) if version == known else f"{json.dumps(about)[:-1]}, {snapshot.shown[1:]}"


def _people(database: Database, campaign_id: str, snapshot: Snapshot | None, named: bool) -> list[dict[str, Any]]:
    """How far everybody is, from counts; pace and remarks are those of the newest results."""
    paces, remarks = (snapshot.paces, snapshot.remarks) if snapshot is not None else ({}, {})
    return [
        {**one, "pace": paces.get(one["code"]), "remarks": list(remarks.get(one["code"], ()))}
        for one in overview.participants(database, campaign_id, named=named)
    ]


def _export_zip(database: Database, campaign_id: str, named: bool) -> Response:
    with database.reading() as session:
        kind = loaded(session, campaign_id).campaign.kind
    name = f"{kind}-{campaign_id}-{date.today().isoformat()}.zip"
    return _download(zipped(all_files(database, campaign_id, named=named)), name, "application/zip")


def live_of(request: Request) -> LiveResults:
    """The newest results of all campaigns."""
    found: LiveResults = request.app.state.live
    return found


def _download(content: bytes, name: str, media_type: str) -> Response:
    quoted = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{quoted}"'}
    return Response(content, media_type=media_type, headers=headers)


def report_policy(page: str) -> str:
    """The policy of a report: a page with scripts of its own, shut in where it reaches neither login nor network.

    Its scripts are known by their hashes. Vega makes functions of its charts, which needs 'unsafe-eval'.
    """
    hashes = " ".join(f"'sha256-{_hash(found[1])}'" for found in _SCRIPT.finditer(page))
    return (
        "sandbox allow-scripts allow-downloads; default-src 'none'; "
        f"script-src 'unsafe-eval' {hashes}; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
    )


def picture_policy(style: str) -> str:
    """The policy of an SVG picture with one style sheet of its own."""
    return f"default-src 'none'; style-src 'sha256-{_hash(style)}'; frame-ancestors 'none'; sandbox"


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()).decode()
