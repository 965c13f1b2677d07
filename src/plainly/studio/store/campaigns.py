"""Campaigns: made from what files hold, opened, paused, closed, changed by one owner at a time; kept in memory."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError, UnknownName
from plainly.studio.arrival import Arrival, checked_arrival
from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.formatting import pictures_in
from plainly.studio.forms import with_forms
from plainly.studio.ids_and_times import new_id, now
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Item, Json, Kind, Material
from plainly.studio.store import tables
from plainly.studio.texts import languages
from plainly.studio.welcome import checked_welcome

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
MOST_LOADED = 32
"""Campaigns in memory."""
LONGEST_NAME = 200
SEEDS = 2**31
CHANGED = "somebody else has changed this campaign in the meantime; load it again"
STATUSES = {
    "draft": ("open", "archived"),
    "open": ("paused", "closed"),
    "paused": ("open", "closed"),
    "closed": ("open", "archived"),
    "archived": ("closed",),
}
"""Where a campaign may go from each status."""


def create(
    session: Session,
    *,
    kind: str,
    name: str,
    lang: str,
    interface: str,
    welcome: Any,
    material: Material,
    seed: int | None = None,
) -> tables.Campaign:
    """A new campaign, a draft. The seed of its random choices is drawn here, unless it is given."""
    insist_items(material)
    time = now()
    row = tables.Campaign(
        id=new_id(),
        kind=kind,
        name=one_line(name, "the name", LONGEST_NAME),
        lang=one_line(lang, "the language", 20, empty=True),
        interface=checked_interface(interface),
        status="draft",
        seed=secrets.randbelow(SEEDS) if seed is None else checked_seed(seed),
        settings=dict(material.settings),
        welcome=checked_welcome(with_forms(welcome, checked_interface(interface))),
        revision=1,
        invited=0,
        created=time,
        updated=time,
    )
    session.add(row)
    session.flush()
    put_items(session, row.id, material.items)
    return row


def insist_items(material: Material) -> None:
    if not material.items:
        raise PlainlyError("there is nothing to judge: the files hold no items")


def checked_seed(seed: int) -> int:
    """The seed, if random choices can be made with it."""
    if not 0 <= seed < SEEDS:
        raise PlainlyError(f"the seed must be a whole number from 0 to {SEEDS - 1}")
    return seed


def put_items(session: Session, campaign_id: str, items: Sequence[Item], first: int = 0) -> None:
    """Items of a campaign, from that place on."""
    session.execute(
        insert(tables.Item),
        [
            {"campaign_id": campaign_id, "place": place, "name": item.name, "content": dict(item.content)}
            for place, item in enumerate(items, first)
        ],
    )


def every(session: Session) -> Sequence[tables.Campaign]:
    """All campaigns, the newest first."""
    table = tables.Campaign
    return session.scalars(select(table).order_by(table.created.desc(), table.id)).all()


def get(session: Session, campaign_id: str) -> tables.Campaign:
    """The campaign, or NotThere."""
    row = session.get(tables.Campaign, campaign_id) if _storable(campaign_id) else None
    if row is None:
        raise NotThere("there is no such campaign")
    return row


def change(
    session: Session,
    campaign_id: str,
    revision: int,
    *,
    name: str | None = None,
    interface: str | None = None,
    welcome: Any = None,
    status: str | None = None,
    arrival: Any = None,
) -> tables.Campaign:
    """Change what is given. Conflict if somebody changed the campaign after the one who asks saw it."""
    row = get(session, campaign_id)
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = one_line(name, "the name", LONGEST_NAME)
    if interface is not None:
        values["interface"] = checked_interface(interface)
    if welcome is not None:
        if row.status != "draft":
            raise Conflict("the welcome can be changed in a draft only: participants have seen it")
        values["welcome"] = checked_welcome(with_forms(welcome, values.get("interface", row.interface)))
        checked_arrival(row.arrival, values["welcome"])  # it may ask for fields of the form
    if arrival is not None:
        made = checked_arrival(arrival, row.welcome)
        values["arrival"] = made.to_dict()
        if made.on and row.slug is None:
            values["slug"] = new_id()
    if status is not None and status != row.status:
        values["status"] = _next_status(row.status, status)
        if row.status == "draft" and status == "open":
            _insist_pictures(session, row)
    revise(session, row, revision, values)
    return row


def revise(session: Session, row: tables.Campaign, revision: int, values: Json) -> None:
    """Write these values. Conflict if somebody changed the campaign after the one who asks saw it."""
    table = tables.Campaign
    new = {**values, "updated": now(), "revision": revision + 1}
    done = session.execute(
        update(table).where(table.id == row.id, table.revision == revision).values(**new).returning(table.id),
        execution_options={"synchronize_session": False},
    )
    if done.first() is None:
        raise Conflict(CHANGED)
    session.refresh(row)


def renew_slug(session: Session, campaign_id: str) -> tables.Campaign:
    """Another address for the open link; the old one leads nowhere."""
    row = get(session, campaign_id)
    if row.slug is None:
        raise Conflict("this campaign has no open link")
    row.slug = new_id()
    session.flush()
    return row


def by_slug(session: Session, slug: str) -> Loaded | None:
    """The campaign of an open link."""
    table = tables.Campaign
    row = session.execute(select(table.id, table.revision).where(table.slug == slug)).first()
    return None if row is None else loaded_at(session, row.id, row.revision)


def remove(session: Session, campaign_id: str) -> None:
    """Delete a campaign with all its participants and answers."""
    get(session, campaign_id)
    session.execute(delete(tables.Campaign).where(tables.Campaign.id == campaign_id))


def _insist_pictures(session: Session, row: tables.Campaign) -> None:
    """Once it is open, neither the texts can be changed nor the pictures."""
    table = tables.Image
    known = set(session.scalars(select(table.name).where(table.campaign_id == row.id)))
    for part in ("instructions", "consent"):
        for name in sorted(pictures_in(row.welcome.get(part, "")) - known):
            raise PlainlyError(f"the {part}: there is no picture {name}; add it under Settings, or take it out")


def _next_status(now_: str, wanted: str) -> str:
    if wanted not in STATUSES:
        raise UnknownName("status", wanted, STATUSES)
    if wanted not in STATUSES[now_]:
        raise Conflict(f"this campaign is {now_}: it cannot be made {wanted}, only {' or '.join(STATUSES[now_])}")
    return wanted


def checked_interface(lang: str) -> str:
    """The language, if there are interface texts in it."""
    if lang not in languages():
        raise UnknownName("interface language", lang, languages())
    return lang


def _storable(text: str) -> bool:
    """Whether a database takes it as a text at all; ids come from addresses that anybody may write."""
    return text.isascii() and text.isalnum()


@dataclass(frozen=True, eq=False)
class Loaded:
    """A campaign with all that its pages need. One object a revision."""

    campaign: Campaign
    status: str
    interface: str
    welcome: Json
    arrival: Arrival
    revision: int
    material: int

    @property
    def id(self) -> str:
        return self.campaign.id

    @cached_property
    def kind(self) -> Kind:
        return get_kind(self.campaign.kind)


class Newest(Generic[K, T]):
    """What was made last under each name, for all threads; what was not asked for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, T] = OrderedDict()
        self._lock = threading.Lock()

    def last(self, name: K) -> T | None:
        """What was made last, however old it is."""
        with self._lock:
            if name in self._kept:
                self._kept.move_to_end(name)
            return self._kept.get(name)

    def keep(self, name: K, made: T) -> T:
        """What was made now."""
        with self._lock:
            self._kept[name] = made
            self._kept.move_to_end(name)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


def loaded_at(session: Session, campaign_id: str, revision: int) -> Loaded:
    """The campaign at that revision; read only where it is not known yet."""
    cache: Newest[str, Loaded] = session.info["loaded"]
    known = cache.last(campaign_id)
    if known is not None and known.revision == revision:
        return known
    return cache.keep(campaign_id, _read(session, campaign_id, known))


def loaded(session: Session, campaign_id: str) -> Loaded:
    """The campaign as it is now."""
    revision = session.scalar(select(tables.Campaign.revision).where(tables.Campaign.id == campaign_id))
    if revision is None:
        raise NotThere("there is no such campaign")
    return loaded_at(session, campaign_id, revision)


def _read(session: Session, campaign_id: str, known: Loaded | None) -> Loaded:
    table = tables.table_of(tables.Campaign)
    row: Any = session.execute(select(table).where(table.c.id == campaign_id)).first()
    if row is None:
        raise NotThere("there is no such campaign")
    if known is not None and known.material == row.material:
        items = known.campaign.items
    else:
        entry = tables.Item
        query = select(entry.name, entry.content).where(entry.campaign_id == campaign_id).order_by(entry.place)
        items = tuple(Item(name, content) for name, content in session.execute(query))
    campaign = Campaign(row.id, row.kind, row.name, row.lang, row.seed, row.settings, items)
    return Loaded(
        campaign, row.status, row.interface, row.welcome, Arrival.kept(row.arrival), row.revision, row.material
    )
