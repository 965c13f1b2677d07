"""The pages of owners and analysts. They only show; everything that changes something goes through the API."""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from plainly.studio.api import campaigns, editing, images, results, tokens
from plainly.studio.api.dependencies import CampaignId, TheDatabase, TheDesk, TheReportDesk, language_of, visitor_of
from plainly.studio.api.results import Everybody
from plainly.studio.api.users import listed as all_users
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.kinds import get_kind
from plainly.studio.pages.rendering import PageRoute, owner, reader, redirect, render
from plainly.studio.security.passwords import SHORTEST
from plainly.studio.store import overview, users
from plainly.studio.store.editing import NO_DRAFT
from plainly.studio.store.sessions import Visitor
from plainly.studio.texts import say
from plainly.text.languages import LANGUAGES

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse, route_class=PageRoute)

Reader = Annotated[Visitor, Depends(reader)]
OwnerReader = Annotated[Visitor, Depends(owner)]
TABS = {
    "dashboard": "",
    "participants": "/participants",
    "items": "/items",
    "adjudication": "/adjudication",
    "settings": "/settings",
    "exports": "/exports",
}
_LOCAL = re.compile(r"/(?![/\\])[\w/.-]*")
"""A path of this studio; nothing that leads elsewhere."""
_BODY = re.compile(r"<body[^>]*>")
_BESIDE_REPORT = "box-sizing:border-box;max-width:76rem;margin:1rem auto 0;padding:0 clamp(0.9rem,3vw,2rem)"
"""A report brings its own look: what stands above it keeps to its edges."""


@router.get("/login")
def login(request: Request, database: TheDatabase, next: Annotated[str, Query(max_length=300)] = "/") -> Response:
    if visitor_of(request) is not None:
        return redirect("/")
    if _new(database):
        return redirect("/setup")
    return render(request, "login.html", None, next=next if _LOCAL.fullmatch(next) else "/")


@router.get("/setup")
def setup(request: Request, database: TheDatabase, code: Annotated[str, Query(max_length=100)] = "") -> Response:
    if not _new(database):
        return redirect("/")
    return render(request, "setup.html", None, code=code, shortest=SHORTEST)


@router.get("/")
def all_campaigns(request: Request, visitor: Reader, database: TheDatabase) -> Response:
    found = overview.campaigns(database, visitor.campaigns)
    return render(request, "campaigns.html", visitor, place="campaigns", campaigns=found)


@router.get("/campaigns/new")
def wizard(request: Request, visitor: OwnerReader) -> Response:
    return _wizard(request, visitor, campaigns.all_kinds(say(language_of(request))), None)


def _wizard(
    request: Request, visitor: Visitor, kinds: list[dict[str, Any]], draft: dict[str, Any] | None
) -> Response:
    """The form of a new campaign, or of a draft as it is."""
    words = say(language_of(request))
    named = sorted((language.name, code) for code, language in LANGUAGES.items())
    return render(
        request,
        "wizard.html",
        visitor,
        place="campaigns",
        kinds=kinds,
        draft=draft,
        text_languages={"": words("owner.lang.file"), **{code: name for name, code in named}},
    )


@router.get("/campaigns/{campaign_id}/edit")
def edit(campaign_id: CampaignId, request: Request, visitor: OwnerReader, database: TheDatabase) -> Response:
    found = campaigns.shown(database, campaign_id)
    if found["status"] != "draft":
        raise Conflict(NO_DRAFT)
    made = editing.made_of(database, campaign_id)
    kinds = [kind for kind in campaigns.all_kinds(say(language_of(request))) if kind["name"] == found["kind"]]
    kept = {**found["options"], **made["options"]}
    for option in kinds[0]["options"]:
        option["default"] = _as_entered(kept.get(option["name"], option["default"]))
    return _wizard(request, visitor, kinds, {**found, **made})


def _as_entered(value: Any) -> Any:
    """An option as its field has it: scales are kept as tables, and entered as lines."""
    if not isinstance(value, list):
        return value
    return [" | ".join(line.values()).rstrip(" |") if isinstance(line, dict) else line for line in value]


@router.get("/campaigns/{campaign_id}")
def dashboard(campaign_id: CampaignId, request: Request, visitor: Reader, database: TheDatabase) -> Response:
    return campaign_page(request, visitor, database, campaign_id, "dashboard")


@router.get("/campaigns/{campaign_id}/participants")
def people(campaign_id: CampaignId, request: Request, visitor: Reader, database: TheDatabase) -> Response:
    found = overview.participants(database, campaign_id, named=visitor.owner)
    return campaign_page(request, visitor, database, campaign_id, "participants", people=found)


@router.get("/campaigns/{campaign_id}/settings")
def settings(campaign_id: CampaignId, request: Request, visitor: Reader, database: TheDatabase) -> Response:
    found = campaigns.shown(database, campaign_id)
    words = say(language_of(request))
    options = [
        {
            "label": campaigns.words_of(found["kind"], f"option.{name}", words),
            "value": _value(found["kind"], name, value, words),
        }
        for name, value in found["options"].items()
    ]
    slots = next(kind["files"] for kind in campaigns.all_kinds(words) if kind["name"] == found["kind"])
    return campaign_page(
        request,
        visitor,
        database,
        campaign_id,
        "settings",
        options=options,
        slots=slots,
        images=[image["name"] for image in images.listed(database, campaign_id)],
    )


@router.get("/campaigns/{campaign_id}/exports")
async def exports(
    campaign_id: CampaignId, request: Request, visitor: Reader, database: TheDatabase, desk: TheDesk
) -> Response:
    found = await desk.do(visitor.id, results.export_list, database, campaign_id, visitor.owner)
    return await run_in_threadpool(campaign_page, request, visitor, database, campaign_id, "exports", exports=found)


@router.get("/campaigns/{campaign_id}/adjudication")
def adjudication(campaign_id: CampaignId, request: Request, visitor: OwnerReader, database: TheDatabase) -> Response:
    kind = campaigns.shown(database, campaign_id)["kind"]
    if get_kind(kind).adjudication is None:
        raise NotThere("there is no such page")
    more = {f"{kind}.{key}": text for key, text in say(language_of(request)).section(kind).items()}
    return campaign_page(request, visitor, database, campaign_id, "adjudication", more_texts=more)


@router.get("/campaigns/{campaign_id}/report")
async def report(
    campaign_id: CampaignId, request: Request, visitor: Reader, desk: TheReportDesk, everybody: Everybody = False
) -> Response:
    page = await desk.do(visitor.id, results.report_page, request, campaign_id, everybody)
    if page is None:
        raise NotThere(say(language_of(request))("owner.report.none"))
    words = say(language_of(request))("owner.report.back")
    back = f'<p style="{_BESIDE_REPORT}"><a href="/campaigns/{campaign_id}">← {escape(words)}</a></p>'
    return Response(_BODY.sub(lambda body: body[0] + back, bytes(page.body).decode(), 1), headers=_kept(page))


def _kept(page: Response) -> dict[str, str]:
    return {name: value for name, value in page.headers.items() if name != "content-length"}


@router.get("/users")
def users_page(request: Request, visitor: OwnerReader, database: TheDatabase) -> Response:
    return render(
        request,
        "users.html",
        visitor,
        place="users",
        users=all_users(database),
        roles=users.ROLES,
        shortest=SHORTEST,
        campaigns=[{"id": one["id"], "name": one["name"]} for one in overview.campaigns(database)],
    )


@router.get("/account")
def account(request: Request, visitor: Reader, database: TheDatabase) -> Response:
    own = tokens.listed(database, visitor.id)
    return render(request, "account.html", visitor, place="account", shortest=SHORTEST, tokens=own)


def campaign_page(
    request: Request,
    visitor: Visitor,
    database: TheDatabase,
    campaign_id: str,
    here: str,
    template: str = "",
    **values: Any,
) -> Response:
    """A part of a campaign; `here` is its tab, and the name of its template where none is given."""
    found = campaigns.shown(database, campaign_id)
    frame: dict[str, Any] = {
        "campaign": found,
        "here": here,
        "tabs": _tabs(found["kind"], visitor),
        "actions": _actions(found, say(language_of(request))),
    }
    return render(request, template or f"{here}.html", visitor, place="campaigns", **frame, **values)


def _tabs(kind: str, visitor: Visitor) -> dict[str, str]:
    """The parts of a campaign that the reader may open."""
    adjudicates = visitor.owner and get_kind(kind).adjudication is not None
    return {name: path for name, path in TABS.items() if name != "adjudication" or adjudicates}


def _actions(campaign: dict[str, Any], words: Any) -> list[dict[str, str]]:
    """What an owner may make of the campaign. The same step has other words where it leads back: open, or resume."""
    made = []
    for status in campaign["actions"]:
        said = {}
        for part, key in (("label", "owner.do"), ("ask", "owner.ask")):
            back = f"{key}.{status}.{campaign['status']}"
            said[part] = words(f"{key}.{status}") if words(back) == back else words(back)
        made.append({"status": status, **said})
    return made


def _new(database: TheDatabase) -> bool:
    with database.reading() as session:
        return not users.any_user(session)


def _value(kind: str, name: str, value: Any, words: Any) -> str:
    """The value of an option in words."""
    if isinstance(value, bool):
        return str(words("common.yes" if value else "common.no"))
    if isinstance(value, float):
        return f"{value:g}".replace(".", words("common.point"))
    if isinstance(value, list):
        return ", ".join(_entry(one) for one in value) or "–"
    key = f"{kind}.option.{name}.{value}"
    said = words(key)
    return str(value if said == key else said) or "–"


def _entry(value: Any) -> str:
    """One of a list: what belongs together as it was entered, as in "fun | Is it fun?"."""
    return " | ".join(text for text in value.values() if text) if isinstance(value, dict) else str(value)
