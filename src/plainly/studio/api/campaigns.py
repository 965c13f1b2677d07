"""Campaigns: made from files, changed by one owner at a time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.datastructures import FormData

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import Body, CampaignId, Member, Owner, TheDatabase, TheDesk, language_of
from plainly.studio.api.uploads import Form, Seen, Understood, json_of, multipart, seen, text_of, understood
from plainly.studio.errors import Refusal, Unavailable
from plainly.studio.faults import worded
from plainly.studio.forms import FORMS, ready_form
from plainly.studio.kinds import KINDS, get_kind
from plainly.studio.kinds.base import FileSlot, Option
from plainly.studio.kinds.dashboards import Say
from plainly.studio.store import campaigns, materials, overview, tables
from plainly.studio.store.database import Database
from plainly.studio.store.materials import Files
from plainly.studio.texts import direction, say
from plainly.text.languages import LANGUAGES

router = APIRouter(prefix="/api", tags=["campaigns"])

_TEXT = {"type": "string"}
FORM = {
    "kind": {**_TEXT, "description": "the name of a kind"},
    "lang": {**_TEXT, "description": "of the texts; empty: as the files say"},
    "options": {**_TEXT, "description": "JSON: the options of the kind by name"},
    "columns": {**_TEXT, "description": 'JSON: what columns are called, by slot, as {"texts": {"id": "nr"}}'},
    "SLOT": {**_TEXT, "format": "binary", "description": "a file, under the name of its slot: see /api/kinds"},
}
MORE = {
    "name": _TEXT,
    "interface": {**_TEXT, "description": "the language of the participants' pages"},
    "welcome": {
        **_TEXT,
        "description": "JSON: instructions, consent, form (fields, or the name of one)",
    },
}


class Change(Body):
    """What changes, and the revision that the one who asks has seen."""

    revision: Annotated[int, Field(ge=1, le=2**31 - 2)]
    name: Annotated[str, Field(max_length=1000)] | None = None
    interface: Annotated[str, Field(max_length=20)] | None = None
    welcome: dict[str, Any] | None = None
    status: Literal["draft", "open", "paused", "closed", "archived"] | None = None


@router.get("/kinds", summary="The kinds of campaigns, with their files and options")
def kinds(visitor: Member, request: Request) -> dict[str, Any]:
    return {"kinds": all_kinds(say(language_of(request)))}


@router.get("/forms", summary="Forms that are ready to use, in a language of the interface")
def forms(visitor: Member, request: Request, interface: Annotated[str, Query(max_length=20)] = "") -> dict[str, Any]:
    words = say(interface or language_of(request))
    return {"forms": {name: ready_form(name, words) for name in FORMS}}


@router.get("/campaigns", summary="All campaigns")
def every(visitor: Member, database: TheDatabase) -> dict[str, Any]:
    return {"campaigns": overview.campaigns(database, visitor.campaigns)}


@router.post(
    "/campaigns/check",
    summary="What files hold, and what is wrong in which line",
    openapi_extra=multipart(FORM, ["kind"]),
)
async def check(visitor: Owner, form: Form, request: Request, database: TheDatabase, desk: TheDesk) -> Any:
    """A refusal also says what the columns are, and which language the texts seem to have.

    With `campaign`, the id of a draft, files that are not given are those that it was made of.
    """
    old = await run_in_threadpool(_kept, database, text_of(form, "campaign", ""))
    try:
        found = await desk.do(visitor.id, understood, form, old)
    except Unavailable:
        raise
    except PlainlyError as error:
        status = error.status if isinstance(error, Refusal) else 422
        said = " ".join(worded(error, say(language_of(request))).split())
        return JSONResponse({"error": said, **_seen(await desk.do(visitor.id, seen, form, old))}, status)
    material = found.material
    return {
        **{name: getattr(material, name) for name in ("columns", "rows", "notes")},
        "items": len(material.items),
        "lang": found.lang,
        "welcome": material.settings.get("welcome"),
        "name": material.settings.get("name", ""),
        **_seen(await desk.do(visitor.id, seen, form, old)),
    }


def _kept(database: Database, campaign_id: str) -> Files | None:
    if not campaign_id:
        return None
    with database.reading() as session:
        campaigns.get(session, campaign_id)
        return materials.kept(session, campaign_id)


def _seen(found: Seen) -> dict[str, Any]:
    return {"tables": {name: asdict(one) for name, one in found.tables.items()}, "guess": found.lang}


@router.post(
    "/campaigns",
    status_code=201,
    summary="Make a campaign, a draft",
    openapi_extra=multipart({**FORM, **MORE}, ["kind", "name"]),
)
async def create(
    visitor: Owner, form: Form, request: Request, database: TheDatabase, desk: TheDesk
) -> dict[str, Any]:
    found = await desk.do(visitor.id, understood, form)
    return await run_in_threadpool(_created, found, form, language_of(request), database)


def _created(found: Understood, form: FormData, lang: str, database: Database) -> dict[str, Any]:
    insist_language(found)
    welcome = json_of(form, "welcome")
    if isinstance(welcome, dict) and not any(welcome.get(part) for part in ("instructions", "consent", "form")):
        welcome = {**welcome, **(found.material.settings.get("welcome") or {})}
    with database.writing() as session:
        made = campaigns.create(
            session,
            kind=found.kind.name,
            name=text_of(form, "name"),
            lang=found.lang,
            interface=text_of(form, "interface", "") or lang,
            welcome=welcome,
            material=found.material,
        )
        materials.keep(session, made.id, found.files)
        return described(made, len(found.material.items))


def insist_language(found: Understood) -> None:
    """Refuses texts of which nobody says the language."""
    if not found.lang:
        raise PlainlyError("the files do not say which language the texts have: choose it")


@router.get("/campaigns/{campaign_id}", summary="One campaign")
def one(campaign_id: CampaignId, visitor: Member, database: TheDatabase) -> dict[str, Any]:
    return shown(database, campaign_id)


@router.patch("/campaigns/{campaign_id}", summary="Change a campaign; 409 if somebody else did so meanwhile")
def change(campaign_id: CampaignId, given: Change, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    with database.writing() as session:
        row = campaigns.change(session, campaign_id, **given.model_dump())
        return described(row, overview.item_count(session, campaign_id))


@router.delete("/campaigns/{campaign_id}", status_code=204, summary="Delete a campaign with all answers")
def remove(campaign_id: CampaignId, visitor: Owner, database: TheDatabase) -> None:
    with database.writing() as session:
        campaigns.remove(session, campaign_id)


def shown(database: Database, campaign_id: str) -> dict[str, Any]:
    """One campaign as owners see it."""
    with database.reading() as session:
        return described(campaigns.get(session, campaign_id), overview.item_count(session, campaign_id))


def all_kinds(words: Say) -> list[dict[str, Any]]:
    """The kinds with their files and options, labelled."""
    return [
        {
            "name": name,
            "files": [_slot(name, slot, words) for slot in get_kind(name).files],
            "options": [_option(name, option, words) for option in get_kind(name).options],
        }
        for name in KINDS
    ]


def described(row: tables.Campaign, items: int) -> dict[str, Any]:
    """A campaign as owners see it."""
    keys = ("id", "kind", "name", "lang", "interface", "status", "seed", "welcome", "revision", "created", "updated")
    options = [option.name for option in get_kind(row.kind).options]
    return {
        **{key: getattr(row, key) for key in keys},
        "language": LANGUAGES[row.lang].name if row.lang in LANGUAGES else row.lang,
        "dir": direction(row.lang),
        "items": items,
        "options": {name: row.settings[name] for name in options if name in row.settings},
        "actions": campaigns.STATUSES[row.status],
        "grows": get_kind(row.kind).grows and row.status in ("open", "paused"),
    }


def _slot(kind: str, slot: FileSlot, words: Say) -> dict[str, Any]:
    key = f"file.{slot.name}"
    return {**asdict(slot), "label": words_of(kind, key, words), "help": words_of(kind, f"{key}.help", words)}


def _option(kind: str, option: Option, words: Say) -> dict[str, Any]:
    key = f"option.{option.name}"
    return {
        **asdict(option),
        "label": words_of(kind, key, words),
        "help": words_of(kind, f"{key}.help", words),
        "choices": [
            {"value": choice, "label": words_of(kind, f"{key}.{choice}", words)} for choice in option.choices
        ],
    }


def words_of(kind: str, key: str, words: Say) -> str:
    """A text of the kind, or of what all kinds have; empty where there is none."""
    for section in (kind, "gold"):
        if (found := words(f"{section}.{key}")) != f"{section}.{key}":
            return found
    return ""
