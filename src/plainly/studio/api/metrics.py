"""Whether the studio is well, for programs that look after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from sqlalchemy import func, select

from plainly.base.version import __version__
from plainly.studio.addresses import is_loopback
from plainly.studio.api.dependencies import TheDatabase, TheSettings
from plainly.studio.errors import NotAllowed, NotThere, Unavailable
from plainly.studio.metrics import gauge
from plainly.studio.security.secrets import same
from plainly.studio.store import overview, tables
from plainly.studio.store.database import Database

router = APIRouter(include_in_schema=False)
FORMAT = "text/plain; version=0.0.4; charset=utf-8"
ON_BEHALF = ("x-forwarded-for", "forwarded", "via", "x-real-ip")


@router.get("/api/health", summary="Whether the studio and its database work", include_in_schema=True)
def health(database: TheDatabase) -> dict[str, str]:
    with database.reading() as session:
        session.execute(select(1))
    return {"status": "ok", "version": __version__}


@router.get("/metrics")
def metrics(request: Request, database: TheDatabase, settings: TheSettings) -> PlainTextResponse:
    """Counts, for Prometheus. Campaigns are named to those who have the token."""
    named = _insist(request, settings.metrics_token)
    state = request.app.state
    lines = [*_about(state), *state.metrics.lines()]
    try:
        lines += _stored(database, named)
        up = 1
    except Unavailable:  # whoever looks after it must be told so
        up = 0
    lines += gauge("plainly_database_up", "Whether the database answers.", [((), up)])
    return PlainTextResponse("\n".join(lines) + "\n", media_type=FORMAT)


def _insist(request: Request, token: str) -> bool:
    """Whether the token was said; raises a refusal for strangers without it."""
    said = request.headers.get("authorization", "")
    if said:
        if not token or not same(said, f"Bearer {token}"):
            raise NotAllowed("this is not the token of the metrics")
        return True
    # What came through another server is somebody else's, though that server may be on this machine.
    through = any(name in request.headers for name in ON_BEHALF)
    if through or not is_loopback(request.client.host if request.client else ""):
        raise NotThere("there is no such page")
    return False


def _about(state: Any) -> Iterator[str]:
    yield from gauge("plainly_info", "The version.", [((("version", __version__),), 1)])
    desks = {"files": state.desk.here, "charts": state.drawing_desk.here, "reports": state.report_desk.here}
    waiting = [((("what", what),), here) for what, here in {**desks, "results": state.live.computing}.items()]
    yield from gauge("plainly_computations", "What is being computed for owners, or waits for it.", waiting)


def _stored(database: Database, named: bool) -> Iterator[str]:
    run = tables.Run
    with database.reading() as session:
        query = select(func.count()).select_from(run).where(run.status.in_(("waiting", "running")))
        runs = session.scalar(query) or 0
    yield from gauge("plainly_scoring_runs", "Runs of scoring that wait or are under way.", [((), runs)])
    if not named:
        return
    campaigns = overview.campaigns(database)
    for name, said in (("participants", "Participants of a campaign."), ("done", "Tasks that are done.")):
        rows = [((("campaign", one["id"]), ("name", one["name"])), one[name]) for one in campaigns]
        yield from gauge(f"plainly_campaign_{name}", said, rows)
