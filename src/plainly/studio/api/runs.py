"""Scoring runs: started by owners, kept, and compared over time."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi import Path as PathPart
from sqlalchemy import Row
from starlette.datastructures import FormData

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import (
    Member,
    Owner,
    TheDatabase,
    TheDesk,
    TheSettings,
    kept,
    language_of,
    sees_everything,
)
from plainly.studio.api.results import Width, drawn, report_policy
from plainly.studio.api.uploads import form_of
from plainly.studio.errors import Conflict
from plainly.studio.kinds.dashboards import Picture
from plainly.studio.scoring import charts
from plainly.studio.scoring.comparing import RunScores, SameSet, compared, shown
from plainly.studio.scoring.files import packed
from plainly.studio.scoring.form import MOST_FILES, understood
from plainly.studio.scoring.sets import known_sets, metrics_for
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.scoring.worker import Worker
from plainly.studio.settings import Settings
from plainly.studio.store import runs
from plainly.studio.store.database import Database
from plainly.studio.texts import FALLBACK, say
from plainly.text.languages import LANGUAGES, get_language

router = APIRouter(prefix="/api/runs", tags=["runs"], dependencies=[Depends(sees_everything)])

MOST_COMPARED = 20
RunId = Annotated[str, PathPart(pattern="^[0-9a-z]{1,20}$")]
Ids = Annotated[str, Query(max_length=500, pattern="^[0-9a-z]{1,20}(,[0-9a-z]{1,20})*$")]
_TEXT = {"type": "string"}
_FILE = {**_TEXT, "format": "binary"}
_FILES = {"type": "array", "items": _FILE}
_FORM = {
    "name": {**_TEXT, "description": "of the run"},
    "lang": {**_TEXT, "description": "of the texts; a test set brings its own"},
    "metrics": {**_TEXT, "description": "names with commas between them; empty: the usual ones of the language"},
    "baselines": {
        **_TEXT,
        "description": "identity, truncate, reference, first-reference; or possible: those that the data allow",
    },
    "empty_reference": {"enum": ["error", "missing", "keep"], **_TEXT},
    "test_set": {**_TEXT, "description": "in the place of source and reference: see /api/runs/choices"},
    "published": {"enum": ["", "yes"], **_TEXT, "description": "yes: score the systems published with the test set"},
    "source": {**_FILE, "description": "source texts, one a line"},
    "reference": {**_FILES, "description": "references, one a line; any number of files"},
    "system": {**_FILES, "description": "outputs of a system, one a line; any number of files"},
    "system_names": {
        **_TEXT,
        "description": "JSON: a list with a name for each system file, in the same order; "
        "files of one name are runs of one system",
    },
    "data": {**_FILE, "description": "records in the place of source and reference: JSONL, CSV, TSV or Parquet"},
}
_BODY = {"type": "object", "properties": _FORM, "required": ["name"]}


Form = Annotated[FormData, Depends(form_of(MOST_FILES))]
TheWorker = Annotated[Worker, Depends(kept("scoring"))]


@router.get("", summary="All runs, the newest first")
def every(visitor: Member, database: TheDatabase, worker: TheWorker) -> dict[str, Any]:
    return {"runs": listed(database, worker)}


@router.post(
    "",
    status_code=201,
    summary="Score files; the run waits for its turn",
    openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _BODY}}}},
)
async def start(
    visitor: Owner, form: Form, database: TheDatabase, settings: TheSettings, worker: TheWorker, desk: TheDesk
) -> dict[str, Any]:
    return await desk.do(visitor.id, _started, form, database, settings, worker)


def _started(form: FormData, database: Database, settings: Settings, worker: Worker) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="plainly-upload-") as folder:
        found = understood(form, Path(folder), settings.largest_upload)
        content = packed(Path(folder))
    with database.writing() as session:
        made = runs.add(session, found.name, found.request, content)
    worker.wake()
    return one_run(database, worker, made, FALLBACK)


@router.get("/choices", summary="Test sets and metrics that can be used here")
def choices(
    visitor: Member, settings: TheSettings, lang: Annotated[str, Query(max_length=40)] = "en"
) -> dict[str, Any]:
    return {
        "lang": get_language(lang).code,
        "languages": {code: language.name for code, language in LANGUAGES.items()},
        "test_sets": known_sets(),
        "metrics": metrics_for(get_language(lang).code),
        "largest": settings.largest_upload,
    }


@router.get("/compare", summary="Runs side by side, by test set and signature")
async def compare(
    ids: Ids, visitor: Member, request: Request, database: TheDatabase, desk: TheDesk
) -> dict[str, Any]:
    """`ids` are those of runs that are done, with commas between them."""
    return await desk.do(visitor.id, comparison, database, ids, language_of(request))


@router.get("/compare/{name}.svg", summary="A metric over time", response_class=Response)
async def picture(
    name: Annotated[str, PathPart(pattern="^[0-9]{1,3}-[0-9]{1,4}$")],
    ids: Ids,
    visitor: Member,
    request: Request,
    database: TheDatabase,
    desk: TheDesk,
    width: Width = 640,
) -> Response:
    return await desk.do(visitor.id, _picture, database, ids, language_of(request), name, width)


def _picture(database: Database, ids: str, lang: str, name: str, width: int) -> Response:
    words = say(lang)
    sets = enumerate(_compared(database, ids))
    return drawn([one for number, same in sets for one in charts.pictures(same, number, words)], name, width)


@router.get("/{run_id}", summary="One run: how far it is, or its scores")
def one(run_id: RunId, visitor: Member, request: Request, database: TheDatabase, worker: TheWorker) -> dict[str, Any]:
    return one_run(database, worker, run_id, language_of(request))


@router.get("/{run_id}/pictures/{name}.svg", summary="A chart of a run", response_class=Response)
async def run_picture(
    run_id: RunId,
    name: Annotated[str, PathPart(pattern="^scores-[0-9]{1,2}$")],
    visitor: Member,
    request: Request,
    database: TheDatabase,
    desk: TheDesk,
    width: Width = 640,
) -> Response:
    return await desk.do(visitor.id, _run_picture, database, run_id, language_of(request), name, width)


def _run_picture(database: Database, run_id: str, lang: str, name: str, width: int) -> Response:
    return drawn(run_pictures(database, run_id, lang), name, width)


@router.delete("/{run_id}", status_code=204, summary="Delete a run with all that is kept of it")
def remove(run_id: RunId, visitor: Owner, database: TheDatabase, worker: TheWorker) -> None:
    with database.writing() as session:
        runs.remove(session, run_id)
    worker.drop(run_id)


@router.get("/{run_id}/page", summary="The report of a run as a page", response_class=Response)
def page(run_id: RunId, visitor: Member, database: TheDatabase) -> Response:
    return report(database, run_id)


def listed(database: Database, worker: Worker) -> list[dict[str, Any]]:
    """All runs without their scores."""
    with database.reading() as session:
        return [_shown(row, worker) for row in runs.every(session)]


def one_run(database: Database, worker: Worker, run_id: str, lang: str) -> dict[str, Any]:
    """A run with its scores and what they say, and the other runs with the same test set."""
    with database.reading() as session:
        row = runs.get(session, run_id)
        done = [other for other in runs.every(session) if other.status == "done"]
    same = [other.id for other in done if other.request.get("fingerprint") == row.request.get("fingerprint")]
    scores = dict(row.evaluation)
    comparison, said = scores.pop("comparison", {}), scores.pop("said", {}).get(lang, {})
    results = scores.get("systems", {})
    head = _shown(row, worker)
    return {
        **head,
        "systems": head["systems"] or [system for system in results if system not in head["baselines"]],
        "evaluation": scores,
        "comparison": comparison,
        "said": said and {**said, "notes": [*said["notes"], *row.message.splitlines()]},
        "files": row.request.get("files", {}),
        "command": Wanted.from_json(row.request).command(),
        "report": row.has_page,
        "same": [other for other in same if other != run_id][: MOST_COMPARED - 1],
    }


def run_pictures(database: Database, run_id: str, lang: str) -> list[Picture]:
    """The charts of a run; none before it is done."""
    with database.reading() as session:
        row = runs.get(session, run_id)
    baselines = row.evaluation.get("comparison", {}).get("baselines", row.request.get("baselines", []))
    return charts.of_run(row.evaluation, baselines, say(lang))


def comparison(database: Database, ids: str, lang: str) -> dict[str, Any]:
    """Runs by test set, with tables and the names of charts."""
    words = say(lang)
    found = []
    for number, same in enumerate(_compared(database, ids)):
        drawn = charts.pictures(same, number, words)
        pictures = [{"name": one.name, "title": one.title, "words": one.words} for one in drawn]
        found.append({**shown(same), "pictures": pictures})
    return {"ids": ids.split(","), "sets": found}


def report(database: Database, run_id: str) -> Response:
    """The report, shut in: its scripts reach neither login nor network."""
    with database.reading() as session:
        kept = runs.page(session, run_id)
    content = gzip.decompress(kept)
    policy = report_policy(content.decode("utf-8", "surrogatepass"))
    return Response(content, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": policy})


def _compared(database: Database, ids: str) -> list[SameSet]:
    wanted = list(dict.fromkeys(ids.split(",")))
    if len(wanted) < 2:
        raise PlainlyError("choose two runs at least")
    if len(wanted) > MOST_COMPARED:
        raise PlainlyError(f"at most {MOST_COMPARED} runs can be compared at once")
    with database.reading() as session:
        rows = [runs.get(session, run_id) for run_id in wanted]
    for row in rows:
        if row.status != "done":
            raise Conflict(f"{row.name} has no scores: only runs that are done can be compared")
    return compared(RunScores(row.id, row.name, row.created, row.request, row.evaluation) for row in rows)


def _shown(row: Row[Any], worker: Worker) -> dict[str, Any]:
    request = row.request
    return {
        **{name: getattr(row, name) for name in ("id", "name", "status", "created")},
        "error": row.message if row.status == "failed" else "",
        "progress": worker.progress(row.id) if row.status == "running" else None,
        **{name: request.get(name, "") for name in ("lang", "test_set", "fingerprint")},
        **{name: request.get(name, []) for name in ("metrics", "baselines")},
        "language": LANGUAGES[request["lang"]].name if request.get("lang") in LANGUAGES else request.get("lang", ""),
        "segments": request.get("segments", 0),
        "systems": request.get("own", []),
        "published": bool(request.get("published")),
    }
