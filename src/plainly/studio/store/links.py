"""Who comes by a personal link, and what they may do now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from plainly.studio.errors import Conflict, NotAllowed, NotThere, Refusal
from plainly.studio.kinds.base import Say
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store import tables
from plainly.studio.store.loaded import Loaded, LoadedCampaigns
from plainly.studio.store.people import PREVIEW, code_of
from plainly.studio.store.tables import table_of
from plainly.studio.texts import FALLBACK, say

# Statements of every request are made once: SQLAlchemy takes longer to make one than the database to run it.
_PARTICIPANTS, _CAMPAIGNS = table_of(tables.Participant), table_of(tables.Campaign)
_FIND = (
    select(
        *_PARTICIPANTS.c["id", "number", "status", "fields", "started", "finished", "campaign_id"],
        _CAMPAIGNS.c.revision,
    )
    .join(_CAMPAIGNS, _CAMPAIGNS.c.id == _PARTICIPANTS.c.campaign_id)
    .where(_PARTICIPANTS.c.token == bindparam("token"))
)
_FIND_TO_CHANGE = _FIND.with_for_update(of=_PARTICIPANTS)


@dataclass(frozen=True)
class Visitor:
    """A participant whose link is good."""

    id: int
    token: str
    """SHA-256 of the secret in the link: another link may lead to the same participant later."""
    number: int
    fields: Mapping[str, str]
    started: bool
    finished: bool
    loaded: Loaded

    @property
    def code(self) -> str:
        return code_of(self.number)

    @property
    def preview(self) -> bool:
        return self.number == PREVIEW

    @property
    def may_go_on(self) -> bool:
        """Whether there are new tasks; owners see theirs at any time."""
        return self.preview or self.loaded.status == "open"

    @property
    def say(self) -> Say:
        return say(self.loaded.interface)


def visitor(session: Session, secret: str, *, lang: str = FALLBACK, changes: bool = False) -> Visitor:
    """The participant of a link; refused, in words for participants, where it opens nothing.

    `changes`: nobody else changes this participant until the end of the transaction.
    """
    token = fingerprint(secret)
    row = session.execute(_FIND_TO_CHANGE if changes else _FIND, {"token": token}).first()
    if row is None:
        raise _refused(NotThere, "unknown", lang)
    cache: LoadedCampaigns = session.info["loaded"]
    found = cache.get(session, row.campaign_id, row.revision)
    who = Visitor(row.id, token, row.number, row.fields, row.started is not None, row.finished is not None, found)
    if row.status == "revoked":
        raise _refused(NotAllowed, "revoked", found.interface)
    if not who.preview and found.status not in ("open", "paused"):
        raise _refused(Conflict, "draft" if found.status == "draft" else "closed", found.interface)
    return who


def _refused(refusal: type[Refusal], why: str, lang: str) -> Refusal:
    words = say(lang)
    made = refusal(words(f"link.{why}"))
    made.title, made.lang = words(f"link.{why}.title"), lang
    return made
