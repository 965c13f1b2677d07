"""The studio as an application: addresses, what each refusal becomes, and what goes with every answer."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.studio import files
from plainly.studio.api import (
    adjudication,
    arrivals,
    browsing,
    campaigns,
    editing,
    examples,
    images,
    metrics,
    participants,
    participation,
    results,
    runs,
    session,
    tokens,
    users,
)
from plainly.studio.api.dependencies import Desk, Member, language_of
from plainly.studio.api.guesses import Guesses
from plainly.studio.compression import Compression
from plainly.studio.errors import Refusal, TooMany, Unavailable
from plainly.studio.faults import worded
from plainly.studio.ids_and_times import now
from plainly.studio.live import LiveResults
from plainly.studio.metrics import Counted, Metrics
from plainly.studio.middleware import BodyLimit, Doors, Headers
from plainly.studio.pages import arrival as arrival_pages
from plainly.studio.pages import browsing as browsing_pages
from plainly.studio.pages import owner as owner_pages
from plainly.studio.pages import participant as participant_pages
from plainly.studio.pages import runs as run_pages
from plainly.studio.pages.rendering import refusal_page
from plainly.studio.scoring.worker import Worker
from plainly.studio.security.limits import Turns
from plainly.studio.settings import Settings
from plainly.studio.store.database import Database, in_words
from plainly.studio.store.users import any_user
from plainly.studio.texts import say

log = logging.getLogger("plainly.studio")
TRY_AGAIN = 2
"""Seconds, where the database does not answer."""
LOGINS = 20
"""Passwords that wait to be looked at."""
THREADS = 10
"""Requests that are answered at once. More would only take turns at Python's lock, and hold the database's longer."""
PARTS = (
    *(session, tokens, users, campaigns, editing, examples, images, participants, browsing, arrivals, adjudication),
    *(results, runs, participation, metrics, files),
    *(owner_pages, browsing_pages, participant_pages, arrival_pages, run_pages),
)


def create_app(settings: Settings) -> FastAPI:
    """A studio with its database open, an older one brought up to date.

    `app.state` has `settings`, `database`, `scoring` (the Worker) and, as long as there is no user, `setup_code`: who
    knows it may make one.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        app.state.scoring.start()
        keeping = asyncio.create_task(app.state.guesses.keep_on(app.state.database))
        yield
        keeping.cancel()
        await app.state.guesses.kept(app.state.database)
        app.state.scoring.stop()
        app.state.live.stop()
        app.state.database.close()

    app = FastAPI(
        title="plainly studio",
        description="Collect human judgements of texts in the browser.",
        version=__version__,
        openapi_url=None,  # for members alone, see below
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.database = Database(settings.database)
    app.state.metrics = Metrics()
    app.state.metrics.watch(app.state.database.engine)
    app.state.setup_code = None if _has_users(app.state.database) else secrets.token_urlsafe(16)
    app.state.guesses = Guesses()
    app.state.guesses.load(app.state.database)
    app.state.link_limits = participation.Limits()
    app.state.clock = now
    app.state.password_turns = Turns(LOGINS)
    app.state.live = LiveResults(app.state.database, settings.database, apart=settings.apart)
    app.state.desk, app.state.drawing_desk, app.state.report_desk = Desk(), Desk(), Desk()
    app.state.scoring = Worker(app.state.database)
    app.add_middleware(Doors, refused=_refusal)
    app.add_middleware(BodyLimit, upload=settings.largest_upload, small=settings.largest_request)
    app.add_middleware(Compression)
    app.add_middleware(Headers, https=settings.https)
    app.add_middleware(Counted, metrics=app.state.metrics)
    _add_refusals(app)
    for part in PARTS:
        app.include_router(part.router)
    app.add_api_route("/api/openapi.json", _openapi, include_in_schema=False)
    return app


def _has_users(database: Database) -> bool:
    with database.reading() as session:
        return any_user(session)


def _openapi(request: Request, visitor: Member) -> JSONResponse:
    return JSONResponse(request.app.openapi())


def _add_refusals(app: FastAPI) -> None:
    """Everything that is refused says so on one line, with the status that fits."""

    @app.exception_handler(PlainlyError)
    async def refused(request: Request, error: PlainlyError) -> Response:
        return await _refusal(request, error)

    @app.exception_handler(SQLAlchemyError)
    async def database_failed(request: Request, error: SQLAlchemyError) -> Response:
        return await _refusal(request, in_words(error))

    @app.exception_handler(OSError)
    async def machine_failed(request: Request, error: OSError) -> Response:
        log.error("the machine failed: %s", error)
        return await _refusal(
            request, Unavailable(f"the server cannot do this now: {error.strerror or 'no resources'}")
        )

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return await _said(request, 422, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: HTTPException) -> Response:
        page = error.status_code == 404 and not _is_for_programs(request)
        detail = "there is no such page" if page else str(error.detail)
        return await _said(request, error.status_code, detail, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        return await _said(request, 500, "a fault in plainly itself; the log of the server says where")


async def _refusal(request: Request, error: PlainlyError) -> Response:
    headers = {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, Unavailable):
        headers["Retry-After"] = str(TRY_AGAIN)
    return await _said(
        request,
        error.status if isinstance(error, Refusal) else 422,
        worded(error, say(language_of(request))),
        headers,
        error.title if isinstance(error, Refusal) else "",
    )


async def _said(
    request: Request, status: int, message: str, headers: dict[str, str] | None = None, title: str = ""
) -> Response:
    """One line of words: for programs as JSON, for people on a page."""
    words = " ".join(message.split())
    if _is_for_programs(request):
        told = {"error": words} | ({"title": title} if title else {})
        return Response(json.dumps(told), status, headers, media_type="application/json")
    page = await run_in_threadpool(refusal_page, request, status, words)
    page.headers.update(headers or {})
    return page


def _is_for_programs(request: Request) -> bool:
    path = request.url.path
    return path == "/api" or path.startswith(("/api/", "/static/"))
