"""What came out so far: the dashboard's numbers, pictures, reports and files."""

from __future__ import annotations

import csv
import io
import math
import zipfile
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathPart

from plainly.studio.api.access import Member
from plainly.studio.api.campaigns import CampaignId, language_of
from plainly.studio.api.dependencies import TheDatabase
from plainly.studio.api.participants import listed
from plainly.studio.cells import safe
from plainly.studio.errors import NotThere
from plainly.studio.kinds.base import ExportFile, Kind, Summary
from plainly.studio.live import Gathered, LiveResults, Snapshot, gather
from plainly.studio.pictures import draw, style
from plainly.studio.security.headers import picture_policy, report_policy
from plainly.studio.store.database import Database
from plainly.studio.store.loaded import loaded
from plainly.studio.store.overview import mark

router = APIRouter(prefix="/api/campaigns/{campaign_id}", tags=["results"])

PEOPLE = "participants.csv"
FileName = Annotated[str, PathPart(max_length=200)]
Width = Annotated[int, Query(ge=200, le=2000)]


@router.get("/summary", summary="Progress and results so far")
def summary(
    campaign_id: CampaignId,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    known: Annotated[str, Query(max_length=100)] = "",
) -> dict[str, Any]:
    """`known` is the `version` of an earlier reply: if nothing is new, the reply is this version and nothing else."""
    with database.reading() as session:
        found = loaded(session, campaign_id)
        now = mark(session, campaign_id)
    lang = language_of(request)
    snapshot = _live(request).get(campaign_id, lang, now)
    version = f"{lang}-{now}-{snapshot.mark}"
    if version == known:
        return {"version": version}
    remarks = snapshot.summary.suspicious
    participants = [{**one, "remarks": list(remarks.get(one["code"], ()))} for one in listed(database, campaign_id)]
    return {
        "version": version,
        "status": found.status,
        "participants": participants,
        "answers": sum(one["done"] for one in participants),
        "pace": snapshot.pace,
        "results": _results(snapshot, now),
        "report": type(found.kind).report is not Kind.report and snapshot.answers > 0,
    }


@router.get("/pictures/{name}.svg", summary="A chart of the summary")
def picture(
    campaign_id: CampaignId,
    name: FileName,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    width: Width = 640,
    version: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """`version` only makes addresses differ, so that browsers load a changed picture again."""
    with database.reading() as session:
        loaded(session, campaign_id)
        now = mark(session, campaign_id)
    snapshot = _live(request).get(campaign_id, language_of(request), now)
    for one in snapshot.summary.pictures:
        if one.name == name:
            headers = {"Content-Security-Policy": picture_policy(style())}
            return Response(draw(plain(one.spec), width), media_type="image/svg+xml", headers=headers)
    raise NotThere("there is no such picture")


@router.get("/report", summary="The full report as a page", response_class=Response)
def report(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> Response:
    page = report_page(database, campaign_id)
    if page is None:
        raise NotThere("there is no report of this campaign yet")
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": report_policy(page)})


@router.get("/exports", summary="The files of an export")
def exports(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> dict[str, Any]:
    return {"exports": export_list(database, campaign_id)}


@router.get("/exports/{name}", summary="One file of an export", response_class=Response)
def export(campaign_id: CampaignId, name: FileName, visitor: Member, database: TheDatabase) -> Response:
    for file in export_files(gather(database, campaign_id), listed(database, campaign_id)):
        if file.name == name:
            return _download(file.content.encode("utf-8", "backslashreplace"), file.name, file.media_type)
    raise NotThere("there is no such file in the export")


@router.get("/export.zip", summary="All files of an export", response_class=Response)
def export_zip(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> Response:
    gathered = gather(database, campaign_id)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in export_files(gathered, listed(database, campaign_id)):
            archive.writestr(file.name, file.content.encode("utf-8", "backslashreplace"))
    name = f"{gathered.loaded.campaign.kind}-{campaign_id}-{date.today().isoformat()}.zip"
    return _download(buffer.getvalue(), name, "application/zip")


def report_page(database: Database, campaign_id: str) -> str | None:
    """The full report of the kind, if it has one."""
    found = gather(database, campaign_id)
    campaign = found.loaded.campaign
    return found.loaded.kind.report(campaign, found.people, found.given, date.today().isoformat())


def export_list(database: Database, campaign_id: str) -> list[dict[str, Any]]:
    """The files with their sizes."""
    return [
        {
            "name": file.name,
            "media_type": file.media_type,
            "bytes": len(file.content.encode("utf-8", "backslashreplace")),
            "lines": file.content.count("\n"),
        }
        for file in export_files(gather(database, campaign_id), listed(database, campaign_id))
    ]


def export_files(found: Gathered, progress: list[dict[str, Any]]) -> list[ExportFile]:
    """The files of the kind, and one with the participants."""
    files = found.loaded.kind.exports(found.loaded.campaign, found.people, found.given)
    if any(file.name == PEOPLE for file in files):
        return files
    return [*files, ExportFile(PEOPLE, _people(found, progress))]


def plain(value: Any) -> Any:
    """As JSON holds it: numbers of Python, and None for those that are none."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "item"):  # of numpy
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _people(found: Gathered, progress: list[dict[str, Any]]) -> str:
    asked = [field["id"] for field in found.loaded.welcome.get("form", ())]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    keys = ("status", "started", "finished", "done", "total")
    writer.writerow(["participant", *keys, "median_seconds", *(f"form.{name}" for name in asked)])
    fields = {person.code: person.fields for person in found.people}
    for one in progress:
        given = [safe(str(fields.get(one["code"], {}).get(name, ""))) for name in asked]
        writer.writerow([one["code"], *(one[key] for key in keys), one["pace"], *given])
    return buffer.getvalue()


def _results(snapshot: Snapshot, now: str) -> dict[str, Any]:
    found: Summary = snapshot.summary
    shown: dict[str, Any] = plain(
        {
            "figures": [asdict(figure) for figure in found.figures],
            "tables": [asdict(table) for table in found.tables],
            "pictures": [{"name": one.name, "title": one.title, "words": one.words} for one in found.pictures],
            "notes": found.notes,
            "signatures": found.signatures,
        }
    )
    return {**shown, "answers": snapshot.answers, "version": snapshot.mark, "older": snapshot.mark != now}


def _live(request: Request) -> LiveResults:
    """The summaries of this studio; made when somebody first looks."""
    state = request.app.state
    if not hasattr(state, "live"):
        state.live = LiveResults(state.database)
    found: LiveResults = state.live
    return found


def _download(content: bytes, name: str, media_type: str) -> Response:
    quoted = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{quoted}"'}
    return Response(content, media_type=media_type, headers=headers)
