"""Those who come by the open link: made when they arrive, each once, and never more than the quota has places.

Whoever comes takes a place. It goes to somebody else only if it is wanted, and only after its holder gave no sign of
life for a while. Places are given under the lock of the campaign, so that two never get the last one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import and_, exists, func, or_, select, update
from sqlalchemy.orm import Session

from plainly.studio.arrival import Arrival, believed
from plainly.studio.errors import Conflict, NotAllowed, NotThere
from plainly.studio.ids_and_times import later, seconds_between
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store import tables
from plainly.studio.store.campaigns import Loaded, by_slug
from plainly.studio.store.people import MOST, PREVIEW, Invitation, Visitor, locked_campaign, new_participant, refusal
from plainly.studio.texts import say

AWAKE = 60.0
"""Seconds for which one sign of life is enough: not every look at the page is stored."""
COUNTED = ("invited", "active", "finished")
"""Statuses of those who may hold a place."""

_people = tables.Participant


class Again(Exception):
    """Somebody with the same name was quicker by a moment: the same once more finds them."""


@dataclass(frozen=True)
class Places:
    """What became of the quota."""

    held: Mapping[str | None, int]
    """By group: places of those who are not done."""
    done: Mapping[str | None, int]

    @property
    def taken(self) -> int:
        return sum(self.held.values()) + sum(self.done.values())

    def of(self, cell: str | None) -> int:
        return self.held.get(cell, 0) + self.done.get(cell, 0)


def places(session: Session, campaign_id: str) -> Places:
    """Who counts for the quota: whoever has a place, and was neither revoked, screened out nor left out."""
    done = _people.completed.is_not(None)
    query = (
        select(_people.cell, done, func.count())
        .where(
            _people.campaign_id == campaign_id,
            _people.number != PREVIEW,
            _people.place.is_(True),
            _people.status.in_(COUNTED),
            _people.left_out == "",
        )
        .group_by(_people.cell, done)
    )
    found: dict[bool, Counter[str | None]] = {True: Counter(), False: Counter()}
    for cell, is_done, count in session.execute(query):
        found[bool(is_done)][cell] += count
    return Places(found[False], found[True])


def arrive(
    session: Session,
    slug: str,
    secret: str,
    given: Mapping[str, Any],
    time: str,
    *,
    lang: str,
    count: Callable[[str], None] = lambda campaign_id: None,
) -> bool:
    """Makes a participant whose link has this secret, or leads one who came before to that link; whether it is new.

    `secret` was made by the browser, which knows it before it asks: after a lost reply it asks again with the same
    one. `count` is called before somebody is made, and may raise TooMany.
    """
    found = by_slug(session, slug)
    if found is None:
        raise refusal(NotThere, "no_study", lang)
    speaker = say(found.interface)
    kept, platform_id = believed(found.arrival, given.items(), speaker)
    row = _known(session, found.id, fingerprint(secret), platform_id, lock=True)
    if row is not None:
        _come_back(row, found, secret, kept, platform_id)
        session.flush()
        return False
    _insist_open(found)
    _insist_new(session, found, fingerprint(secret))
    count(found.id)
    campaign = locked_campaign(session, found.id)
    if _known(session, found.id, fingerprint(secret), platform_id, lock=False) is not None:
        raise Again
    number = campaign.invited + 1
    if number > MOST or not _room(session, found, None, time):
        raise refusal(Conflict, "no_place", found.interface)
    made = new_participant(found.id, Invitation(number, "", secret))
    made.place, made.seen, made.platform_id, made.parameters = True, time, platform_id, kept
    session.add(made)
    campaign.invited = number
    session.flush()
    return True


def _known(
    session: Session, campaign_id: str, token: str, platform_id: str | None, *, lock: bool
) -> tables.Participant | None:
    """Whoever comes again: with the same name on the platform or, where nobody has a name, in the same browser."""
    who = _people.token == token if platform_id is None else _people.platform_id == platform_id
    query = select(_people).where(_people.campaign_id == campaign_id, _people.number != PREVIEW, who)
    return session.scalar(query.with_for_update() if lock else query)


def _insist_new(session: Session, found: Loaded, token: str) -> None:
    """One who withdrew has no name here any more, but perhaps the same browser."""
    status = session.scalar(select(_people.status).where(_people.token == token))
    if status is not None:
        raise refusal(Conflict, "withdrawn" if status == "withdrawn" else "done", found.interface)


def _come_back(
    row: tables.Participant, found: Loaded, secret: str, kept: dict[str, Any], platform_id: str | None
) -> None:
    """To the page of the link, which says everything to the browser that knows its secret.

    Another browser only has the name, which others may know: it never gets at the code of one who is done.
    """
    token = fingerprint(secret)
    if row.token == token:
        return
    if row.status == "revoked":
        raise refusal(NotAllowed, "revoked", found.interface)
    if row.status == "screened":
        raise refusal(Conflict, "screened", found.interface)
    if (row.completed and not _owes_the_end(row, found)) or row.status not in COUNTED:
        raise refusal(Conflict, "done", found.interface)
    row.token = token
    row.parameters = {**row.parameters, **kept}


def _owes_the_end(row: tables.Participant, found: Loaded) -> bool:
    """Whether the page after the last task has not come yet: the code is shown after that, or when all is over."""
    asked = found.welcome.get("after") or found.welcome.get("comments")
    return bool(asked) and row.after is None and found.status in ("open", "paused")


def _insist_open(found: Loaded) -> None:
    if found.status != "open" or not found.arrival.on:
        why = {"draft": "draft", "paused": "paused"}.get(found.status, "closed")
        raise refusal(Conflict, why, found.interface)


def sleeping(who: Visitor) -> bool:
    """Whether a sign of life of this participant is worth storing."""
    if who.place is None or who.completed or who.screened or who.preview:
        return False
    since = seconds_between(who.seen or who.time, who.time)
    awake = min(AWAKE, who.loaded.arrival.hold * 60 / 4)
    return not who.place or who.seen is None or not 0 <= since < awake


def keep(session: Session, who: Visitor) -> Visitor:
    """The same, with a place for a while again; refused in words where all places are taken.

    `who` may be changed by nobody else until the end of the transaction.
    """
    if not sleeping(who):
        return who
    if not who.place:
        locked_campaign(session, who.loaded.id)
        if not _room(session, who.loaded, who.cell, who.time):
            raise refusal(Conflict, "no_place", who.loaded.interface)
    _set(session, who, place=True, seen=who.time)
    return replace(who, place=True, seen=who.time)


def admit(session: Session, who: Visitor, answers: Mapping[str, str]) -> Visitor:
    """What the form makes of one who begins: screened out, or with a place of its group, or without one.

    The campaign is locked. Nothing is raised: what the form said is kept, so that another answer opens no other door.
    """
    arrival = who.loaded.arrival
    if field := arrival.screens(answers):
        return screen_out(session, who, field)
    cell = arrival.cell(answers)
    if who.place is None or not arrival.group or (who.place and who.cell is not None and who.cell == cell):
        return who
    if (who.cell is None or who.cell == cell) and _room(session, who.loaded, cell, who.time, inside=True):
        _set(session, who, cell=cell)
        return replace(who, cell=cell)
    _set(session, who, cell=who.cell or cell, place=False)
    return replace(who, cell=who.cell or cell, place=False)


def screen_out(session: Session, who: Visitor, reason: str) -> Visitor:
    """This participant can go on no more: they are told, with the code for it, and their place is free again.

    The reason is for owners. What was answered stays.
    """
    free = None if who.place is None else False
    _set(session, who, status="screened", screened=reason, place=free)
    return replace(who, screened=True, place=free)


def _room(session: Session, found: Loaded, cell: str | None, time: str, *, inside: bool = False) -> bool:
    """Whether there is one more place; who gave no sign of life for too long makes room where there is none.

    `inside`: they have one of the campaign's places already, and want one of their group.
    """
    if _free(found, places(session, found.id), cell, inside=inside):
        return True
    return _give_back(session, found, time) > 0 and _free(found, places(session, found.id), cell, inside=inside)


def _free(found: Loaded, now_: Places, cell: str | None, *, inside: bool) -> bool:
    arrival = found.arrival
    if not inside and arrival.quota is not None and now_.taken >= arrival.quota:
        return False
    if cell is not None:
        return cell not in arrival.groups or now_.of(cell) < arrival.groups[cell]
    return inside or not _all_groups_full(arrival, found.welcome, now_)


def _all_groups_full(arrival: Arrival, welcome: Mapping[str, Any], now_: Places) -> bool:
    """Whether any answer to the form would find its group full."""
    asked = [entry for entry in welcome.get("form", ()) if entry["id"] == arrival.group]
    options = [name for entry in asked for name in (entry["options"] or ("yes", "no"))]
    return bool(options) and all(
        name in arrival.groups and now_.done.get(name, 0) >= arrival.groups[name] for name in options
    )


def _give_back(session: Session, found: Loaded, time: str) -> int:
    """How many places are free again: of those who gave no sign of life, but not of those who have done all tasks."""
    task = tables.Task
    last = later(time, timedelta(minutes=-found.arrival.hold))
    own = task.participant_id == _people.id
    rows = session.scalars(
        select(_people.id)
        .where(
            _people.campaign_id == found.id,
            _people.place.is_(True),
            _people.completed.is_(None),
            _people.seen < last,
            or_(_people.started.is_(None), exists().where(and_(own, ~task.done))),
        )
        .with_for_update(skip_locked=True)  # who is doing something at this very moment is there
    ).all()
    if rows:
        session.execute(
            update(_people).where(_people.id.in_(rows)).values(place=False),
            execution_options={"synchronize_session": False},
        )
    return len(rows)


def _set(session: Session, who: Visitor, **values: Any) -> None:
    session.execute(
        update(_people).where(_people.id == who.id).values(**values),
        execution_options={"synchronize_session": False},
    )
