"""The page of an open link. Looking at it makes nobody: that takes its button (see `plainly.studio.api.arrivals`)."""

from __future__ import annotations

import json
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, Template

from plainly.base.errors import PlainlyError
from plainly.studio.api.arrivals import Slug
from plainly.studio.api.dependencies import TheDatabase
from plainly.studio.arrival import OnlyLooking, believed
from plainly.studio.files import static
from plainly.studio.pages.rendering import PageRoute
from plainly.studio.store.campaigns import by_slug
from plainly.studio.texts import Speaker, chosen, say

router = APIRouter(include_in_schema=False, route_class=PageRoute)
STATUSES = {"draft": "draft", "paused": "paused", "closed": "closed", "archived": "closed"}


@router.get("/j/{slug}")
def arrival_page(slug: Slug, request: Request, database: TheDatabase) -> HTMLResponse:
    with database.reading() as session:
        found = by_slug(session, slug)
    if found is None:
        speaker = say(chosen(None, request.headers.get("accept-language")))
        return _page(speaker, speaker("link.no_study.title"), words=speaker("link.no_study"), status=404)
    speaker = say(found.interface)
    name = found.campaign.name
    try:
        kept, who = believed(found.arrival, request.query_params.multi_items(), speaker)
    except OnlyLooking as looking:
        return _page(speaker, speaker("arrival.looking_title"), name, words=str(looking))
    except PlainlyError as error:
        return _page(speaker, speaker("arrival.odd_title"), name, words=str(error), status=422)
    if (why := STATUSES.get(found.status)) is not None:
        words = speaker(f"link.{why}")
        return _page(speaker, speaker(f"link.{why}.title"), name, words=words, status=409)
    return _page(speaker, name, given=json.dumps({"slug": slug, "who": who or "", "parameters": kept}))


def _page(
    speaker: Speaker, title: str, study: str = "", *, words: str = "", given: str = "", status: int = 200
) -> HTMLResponse:
    texts = json.dumps(dict(speaker.section("arrival")))
    filled = {"title": title, "study": study, "words": words, "given": given, "texts": texts}
    content = _template().render(say=speaker, static=static, **filled)
    return HTMLResponse(content.encode("utf-8", "xmlcharrefreplace"), status)


@cache
def _template() -> Template:
    """Everything that is filled in is escaped."""
    loader = PackageLoader("plainly.studio")
    return Environment(loader=loader, autoescape=True, trim_blocks=True).get_template("arrival.html")
