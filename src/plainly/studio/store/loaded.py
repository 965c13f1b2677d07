"""Campaigns kept in memory. Their items never change, and every answer needs them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from plainly.studio.errors import NotThere
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Item, Json, Kind
from plainly.studio.store import tables

MOST = 32
"""Campaigns in memory; those not asked for longest go first."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """A campaign with all that its pages need. One object a revision."""

    campaign: Campaign
    status: str
    interface: str
    welcome: Json
    revision: int

    @property
    def id(self) -> str:
        return self.campaign.id

    @cached_property
    def kind(self) -> Kind:
        return get_kind(self.campaign.kind)


class LoadedCampaigns:
    """The campaigns that were asked for last, for all threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, session: Session, campaign_id: str, revision: int) -> Loaded:
        """The campaign at that revision; read only where it is not known yet."""
        with self._lock:
            known = self._kept.get(campaign_id)
            if known is not None:
                self._kept.move_to_end(campaign_id)
        if known is not None and known.revision == revision:
            return known
        found = _read(session, campaign_id, known.campaign.items if known else None)
        with self._lock:
            self._kept[campaign_id] = found
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return found


def loaded(session: Session, campaign_id: str) -> Loaded:
    """The campaign as it is now."""
    revision = session.scalar(select(tables.Campaign.revision).where(tables.Campaign.id == campaign_id))
    if revision is None:
        raise NotThere("there is no such campaign")
    cache: LoadedCampaigns = session.info["loaded"]
    return cache.get(session, campaign_id, revision)


def _read(session: Session, campaign_id: str, items: tuple[Item, ...] | None) -> Loaded:
    table = tables.table_of(tables.Campaign)
    row: Any = session.execute(select(table).where(table.c.id == campaign_id)).first()
    if row is None:
        raise NotThere("there is no such campaign")
    if items is None:
        entry = tables.Item
        query = select(entry.name, entry.content).where(entry.campaign_id == campaign_id).order_by(entry.place)
        items = tuple(Item(name, content) for name, content in session.execute(query))
    campaign = Campaign(row.id, row.kind, row.name, row.lang, row.seed, row.settings, items)
    return Loaded(campaign, row.status, row.interface, row.welcome, row.revision)
