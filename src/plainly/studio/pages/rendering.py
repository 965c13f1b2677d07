"""How a page is made: its template, the words of the reader's language, and who reads it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute

from plainly.base.version import __version__
from plainly.studio.api.dependencies import language_of, visitor_of
from plainly.studio.errors import NotAllowed, NotLoggedIn, Refusal
from plainly.studio.files import static
from plainly.studio.store import users
from plainly.studio.store.sessions import Visitor
from plainly.studio.texts import FALLBACK, languages, say

HOME = Path(__file__).parent.parent
SECTIONS = ("common", "owner", "login", "scoring")


class PageRoute(APIRoute):
    """A page: who is not logged in is sent to the login, and odd addresses are those of no page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await answer(request)
            except NotLoggedIn:
                return redirect(await run_in_threadpool(_door, request))
            except RequestValidationError:
                return await run_in_threadpool(refusal_page, request, 404, "there is no such page")

        return handler


def reader(request: Request) -> Visitor:
    """Who reads the page."""
    visitor = visitor_of(request)
    if visitor is None:
        raise NotLoggedIn("please log in")
    return visitor


def _door(request: Request) -> str:
    """Where one who is not logged in goes: to the login, or to the set-up of a new studio."""
    with request.app.state.database.reading() as session:
        new = not users.any_user(session)
    return "/setup" if new else f"/login?next={quote(request.url.path)}"


def owner(request: Request) -> Visitor:
    """An owner who reads the page."""
    visitor = reader(request)
    if not visitor.owner:
        raise NotAllowed("only owners may do this")
    return visitor


def render(
    request: Request,
    template: str,
    visitor: Visitor | None,
    *,
    status: int = 200,
    more_texts: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """The page, with everything that its frame needs; `more_texts` are for scripts of this page alone."""
    words = say(language_of(request))
    texts = {f"{section}.{key}": text for section in SECTIONS for key, text in words.section(section).items()}
    page = (
        _environment()
        .get_template(template)
        .render(
            **{"place": "", **values},
            say=words,
            texts={**texts, **(more_texts or {})},
            visitor=visitor,
            languages=languages(),
            version=__version__,
            static=static,
        )
    )
    return HTMLResponse(page.encode("utf-8", "xmlcharrefreplace"), status)


def refusal_page(request: Request, status: int, message: str) -> Response:
    """What cannot be done, as a page."""
    try:
        visitor = visitor_of(request)
    except Refusal:  # the database is gone
        visitor = None
    said = language_of(request) == FALLBACK
    return render(request, "error.html", visitor, status=status, code=status, error=message, said=said)


def redirect(path: str) -> Response:
    """To another page of this studio."""
    return RedirectResponse(path, 303)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HOME / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["moment"] = _moment
    return environment


def _moment(time: str) -> str:
    """A time for people: day and minute, UTC. Scripts write it in the reader's own zone (static/owner/times.js)."""
    return datetime.fromisoformat(time.replace("Z", "+00:00")).strftime("%Y-%m-%d %H:%M UTC")
