"""The page of a participant. It holds no data: its scripts ask for them and send answers (`plainly.studio.api`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, Template

from plainly.studio.api.dependencies import TheDatabase
from plainly.studio.api.participation import TheLink
from plainly.studio.errors import Refusal
from plainly.studio.files import static
from plainly.studio.pages.rendering import PageRoute
from plainly.studio.store.people import Visitor
from plainly.studio.texts import Speaker, chosen, say

KINDS = Path(__file__).parent.parent / "kinds"
router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/p/{token}")
def participant_page(request: Request, database: TheDatabase, link: TheLink) -> HTMLResponse:
    try:
        with database.reading() as session:
            who = link.visitor(session)
    except Refusal as refusal:
        speaker = say(refusal.lang or chosen(None, request.headers.get("accept-language")))
        return _page(speaker, refusal.title or speaker("common.error"), words=str(refusal), status=refusal.status)
    return _page(say(who.loaded.interface), who.loaded.campaign.name, who)


def _page(
    speaker: Speaker, title: str, who: Visitor | None = None, words: str = "", status: int = 200
) -> HTMLResponse:
    kind = who.loaded.campaign.kind if who else ""
    content = _template().render(
        say=speaker,
        static=static,
        title=title,
        words=words,
        preview=who is not None and who.preview,
        kind=kind,
        kind_style=bool(kind) and (KINDS / kind / "page.css").is_file(),
        texts=json.dumps({"participant": dict(speaker.section("participant"))}),
    )
    return HTMLResponse(content, status)


@cache
def _template() -> Template:
    """Everything that is filled in is escaped."""
    loader = PackageLoader("plainly.studio")
    return Environment(loader=loader, autoescape=True, trim_blocks=True).get_template("participant.html")
