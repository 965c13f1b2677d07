"""What owners do with a campaign that is there: make it anew while it is a draft, copy it, add items to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.arrival import checked_arrival
from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict
from plainly.studio.forms import with_forms
from plainly.studio.kinds.base import Item, Json, Material
from plainly.studio.store import campaigns, images, materials, tables
from plainly.studio.store.people import PREVIEW
from plainly.studio.welcome import checked_welcome

NO_DRAFT = "the texts and options of a draft can be changed, of no other campaign; duplicate it instead"


def replace(
    session: Session,
    campaign_id: str,
    revision: int,
    *,
    name: str,
    lang: str,
    interface: str,
    welcome: Any,
    material: Material,
    seed: int | None = None,
) -> tables.Campaign:
    """The draft with other items and settings. Nobody has a task yet, apart from the preview, which goes."""
    row = campaigns.get(session, campaign_id)
    if row.status != "draft":
        raise Conflict(NO_DRAFT)
    campaigns.insist_items(material)
    said = checked_welcome(with_forms(welcome, campaigns.checked_interface(interface)))
    checked_arrival(row.arrival, said)  # it may ask for fields of the form
    values = {
        "name": one_line(name, "the name", campaigns.LONGEST_NAME),
        "lang": one_line(lang, "the language", 20, empty=True),
        "interface": campaigns.checked_interface(interface),
        "settings": dict(material.settings),
        "welcome": said,
        "material": row.material + 1,
        "seed": row.seed if seed is None else campaigns.checked_seed(seed),
    }
    campaigns.revise(session, row, revision, values)
    session.execute(delete(tables.Item).where(tables.Item.campaign_id == campaign_id))
    campaigns.put_items(session, campaign_id, material.items)
    person = tables.Participant
    session.execute(delete(person).where(person.campaign_id == campaign_id, person.number == PREVIEW))
    return row


def duplicate(session: Session, campaign_id: str, name: str) -> tables.Campaign:
    """A draft with the same items, settings, words and pictures: without people, and with a seed of its own."""
    row = campaigns.get(session, campaign_id)
    items = _items(session, campaign_id)
    made = campaigns.create(
        session,
        kind=row.kind,
        name=name,
        lang=row.lang,
        interface=row.interface,
        welcome=row.welcome,
        material=Material(items, row.settings, (), ()),
    )
    if row.arrival:
        made.arrival = {**row.arrival, "on": False}
    if (files := materials.kept(session, campaign_id)) is not None:
        materials.keep(session, made.id, files)
    images.copy(session, campaign_id, made.id)
    return made


def extend(
    session: Session, campaign_id: str, revision: int, items: Sequence[Item], settings: Json
) -> tables.Campaign:
    """More items behind those that are there. Who has begun keeps the tasks that they have."""
    row = campaigns.get(session, campaign_id)
    insist_running(row)
    if not items:
        raise PlainlyError("there is nothing to add: the files hold no items")
    campaigns.revise(session, row, revision, {"settings": dict(settings), "material": row.material + 1})
    table = tables.Item
    first = session.scalar(select(func.count()).select_from(table).where(table.campaign_id == campaign_id)) or 0
    campaigns.put_items(session, campaign_id, items, first)
    materials.drop(session, campaign_id)
    return row


def insist_running(row: tables.Campaign) -> None:
    """Refuses a campaign to which nothing can be added."""
    if row.status == "draft":
        raise Conflict("this campaign is a draft: change its files")
    if row.status not in ("open", "paused"):
        raise Conflict(f"this campaign is {row.status}: open it before you add to it")


def _items(session: Session, campaign_id: str) -> tuple[Item, ...]:
    return campaigns.loaded(session, campaign_id).campaign.items
