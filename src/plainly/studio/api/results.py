"""What came out so far: the dashboard's numbers, pictures, reports and files."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool

from plainly.base.plain_data import plain_data
from plainly.studio.api.dependencies import CampaignId, Desk, Member, TheDatabase, TheDesk, language_of
from plainly.studio.errors import NotThere, Unavailable
from plainly.studio.kinds.base import Kind
from plainly.studio.kinds.dashboards import Picture, Summary
from plainly.studio.pictures import draw, style
from plainly.studio.results import Asked, LiveResults, Snapshot, all_files, encoded, zipped
from plainly.studio.store import overview
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.database import Database
from plainly.studio.store.sessions import Visitor

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["results"])

_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script", re.DOTALL)
FileName = Annotated[str, PathPart(max_length=200)]
Width = Annotated[int, Query(ge=200, le=2000)]
Everybody = Annotated[bool, Query(description="whether those who were left out count, too")]


@router.get("/summary", summary="Progress and results so far")
async def summary(
    campaign_id: CampaignId,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    desk: TheDesk,
    known: Annotated[str, Query(max_length=100)] = "",
    everybody: Everybody = False,
) -> dict[str, Any]:
    """`known` is the `version` of an earlier reply: if nothing is new, the reply is this version and nothing else.

    `everybody`: results with those who were left out, too.
    """
    lang = language_of(request)
    now = await run_in_threadpool(_mark, database, campaign_id)
    snapshot = await _snapshot(_live(request), desk, visitor, Asked(campaign_id, lang, everybody), now)
    version = f"{lang}-{now}-{snapshot.mark}-{int(everybody)}"
    if version == known:
        return {"version": version}
    return await run_in_threadpool(_summary, database, campaign_id, snapshot, now, version, visitor.owner)


@router.get("/pictures/{name}.svg", summary="A chart of the summary")
async def picture(
    campaign_id: CampaignId,
    name: FileName,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    desk: TheDesk,
    width: Width = 640,
    everybody: Everybody = False,
    version: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """`version` only makes addresses differ, so that browsers load a changed picture again."""
    now = await run_in_threadpool(_mark, database, campaign_id)
    asked = Asked(campaign_id, language_of(request), everybody)
    snapshot = await _snapshot(_live(request), desk, visitor, asked, now)
    return await desk.do(visitor.id, drawn, snapshot.summary.pictures, name, width)


@router.get("/report", summary="The full report as a page", response_class=Response)
async def report(
    campaign_id: CampaignId, visitor: Member, request: Request, desk: TheDesk, everybody: Everybody = False
) -> Response:
    page = await desk.do(visitor.id, report_page, request, campaign_id, everybody)
    if page is None:
        raise NotThere("there is no report of this campaign yet")
    return page


@router.get("/exports", summary="The files of an export")
async def exports(campaign_id: CampaignId, visitor: Member, database: TheDatabase, desk: TheDesk) -> dict[str, Any]:
    return {"exports": await desk.do(visitor.id, export_list, database, campaign_id)}


@router.get("/exports/{name}", summary="One file of an export", response_class=Response)
async def export(
    campaign_id: CampaignId, name: FileName, visitor: Member, database: TheDatabase, desk: TheDesk
) -> Response:
    for file in await desk.do(visitor.id, all_files, database, campaign_id):
        if file.name == name:
            return _download(encoded(file), file.name, file.media_type)
    raise NotThere("there is no such file in the export")


@router.get("/export.zip", summary="All files of an export", response_class=Response)
async def export_zip(campaign_id: CampaignId, visitor: Member, database: TheDatabase, desk: TheDesk) -> Response:
    return await desk.do(visitor.id, _export_zip, database, campaign_id)


def report_page(request: Request, campaign_id: str, everybody: bool) -> Response | None:
    """The full report of the kind, if it has one."""
    page = _live(request).report(campaign_id, everybody)
    if page is None:
        return None
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": report_policy(page)})


def export_list(database: Database, campaign_id: str) -> list[dict[str, Any]]:
    """The files with their sizes."""
    return [
        {
            "name": file.name,
            "media_type": file.media_type,
            "bytes": len(encoded(file)),
            "lines": file.content.count("\n"),
        }
        for file in all_files(database, campaign_id)
    ]


def drawn(pictures: Iterable[Picture], name: str, width: int) -> Response:
    """The chart of that name as an image of its own."""
    for one in pictures:
        if one.name == name:
            headers = {"Content-Security-Policy": picture_policy(style())}
            return Response(draw(plain_data(one.spec), width), media_type="image/svg+xml", headers=headers)
    raise NotThere("there is no such picture")


def _mark(database: Database, campaign_id: str) -> str:
    with database.reading() as session:
        loaded(session, campaign_id)
        return overview.mark(session, campaign_id)


async def _snapshot(live: LiveResults, desk: Desk, visitor: Visitor, asked: Asked, now: str) -> Snapshot:
    """The results; older ones, while there is no time for newer ones."""
    if (fresh := live.fresh(asked, now)) is not None:
        return fresh
    try:
        return await desk.do(visitor.id, live.get, asked, now)
    except Unavailable:
        if (older := live.kept(asked)) is not None:
            return older
        raise


def _summary(
    database: Database, campaign_id: str, snapshot: Snapshot, now: str, version: str, named: bool
) -> dict[str, Any]:
    with database.reading() as session:
        found = loaded(session, campaign_id)
    remarks = snapshot.summary.suspicious
    participants = [
        {**one, "pace": snapshot.paces.get(one["code"]), "remarks": list(remarks.get(one["code"], ()))}
        for one in overview.participants(database, campaign_id, named=named)
    ]
    return {
        "version": version,
        "status": found.status,
        "participants": participants,
        "left_out": sum(bool(one["left_out"]) for one in participants),
        "answers": snapshot.answers,
        "pace": snapshot.pace,
        "results": _results(snapshot, now),
        "report": type(found.kind).report is not Kind.report and snapshot.answers > 0,
    }


def _export_zip(database: Database, campaign_id: str) -> Response:
    with database.reading() as session:
        kind = loaded(session, campaign_id).campaign.kind
    name = f"{kind}-{campaign_id}-{date.today().isoformat()}.zip"
    return _download(zipped(all_files(database, campaign_id)), name, "application/zip")


def _results(snapshot: Snapshot, now: str) -> dict[str, Any]:
    found: Summary = snapshot.summary
    shown = {
        "figures": found.headlines,
        "tables": [table for table in found.tables if table.rows],
        "pictures": [{"name": one.name, "title": one.title, "words": one.words} for one in found.pictures],
        **{name: getattr(found, name) for name in ("message", "notes", "study_notes", "signatures")},
    }
    return {**plain_data(shown), "answers": snapshot.answers, "version": snapshot.mark, "older": snapshot.mark != now}


def _live(request: Request) -> LiveResults:
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
