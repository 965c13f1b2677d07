"""The pages of scoring: a new run and all kept ones, one run, and runs side by side."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from plainly.studio.api import runs
from plainly.studio.api.dependencies import TheDatabase, TheDesk, language_of, sees_everything
from plainly.studio.api.runs import Ids, RunId, TheWorker
from plainly.studio.pages.owner import Reader
from plainly.studio.pages.rendering import PageRoute, render
from plainly.studio.scoring.sets import known_sets
from plainly.text.languages import LANGUAGES

router = APIRouter(
    prefix="/runs",
    include_in_schema=False,
    default_response_class=HTMLResponse,
    route_class=PageRoute,
    dependencies=[Depends(sees_everything)],
)


@router.get("")
def all_runs(request: Request, visitor: Reader, database: TheDatabase, worker: TheWorker) -> Response:
    return render(
        request,
        "runs.html",
        visitor,
        place="runs",
        runs=_json(runs.listed(database, worker)),
        sets=known_sets(),
        text_languages={code: name for name, code in sorted((one.name, code) for code, one in LANGUAGES.items())},
    )


@router.get("/compare")
async def compare(ids: Ids, request: Request, visitor: Reader, database: TheDatabase, desk: TheDesk) -> Response:
    found = await desk.do(visitor.id, runs.comparison, database, ids, language_of(request))
    return await run_in_threadpool(render, request, "run-comparison.html", visitor, place="runs", found=_json(found))


@router.get("/{run_id}")
def one(run_id: RunId, request: Request, visitor: Reader, database: TheDatabase, worker: TheWorker) -> Response:
    found = runs.one_run(database, worker, run_id, language_of(request))
    charts = runs.run_pictures(database, run_id, language_of(request))
    found["pictures"] = [{"name": one.name, "title": one.title, "words": one.words} for one in charts]
    return render(request, "run.html", visitor, place="runs", run=found, data=_json(found))


@router.get("/{run_id}/report")
def report(run_id: RunId, visitor: Reader, database: TheDatabase) -> Response:
    return runs.report(database, run_id)


def _json(value: Any) -> str:
    """For the scripts of a page; systems and metrics stay in their order."""
    return json.dumps(value, ensure_ascii=False)
