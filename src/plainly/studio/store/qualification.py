"""Who may go on: practice comes first and has a bar to pass, and checks among the tasks must not be failed too often.

What is for practice stands before the first task, below place 0: the first try, then the second one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from plainly.studio.kinds.base import Campaign, Json
from plainly.studio.kinds.dashboards import Say
from plainly.studio.kinds.dealt import CHECK, PRACTICE, STUDY, Dealt
from plainly.studio.kinds.gold import TRIES, practice_for, practice_of
from plainly.studio.store import arrivals, tables
from plainly.studio.store.people import Visitor
from plainly.studio.store.tables import table_of
from plainly.studio.welcome import bar_of

_tasks, _responses = table_of(tables.Task), table_of(tables.Response)
_own = _tasks.c.participant_id == bindparam("who")
_COUNTS = (
    select(_tasks.c.role, func.count().label("made"), func.sum(case((_tasks.c.done, 1), else_=0)).label("done"))
    .where(_own)
    .group_by(_tasks.c.role)
)
_answered = (
    select(*_tasks.c["id", "place", "role", "content"], _responses.c.answer)
    .join(_responses, _responses.c.id == _tasks.c.response_id)
    .where(_own, _tasks.c.done)
)
_PRACTISED = _answered.where(_tasks.c.role == PRACTICE).order_by(_tasks.c.place)
_LAST_PRACTISED = _answered.where(_tasks.c.role == PRACTICE).order_by(_responses.c.id.desc()).limit(1)
_CHECKED = _answered.where(_tasks.c.role.in_((STUDY, CHECK)))
_THESE = _CHECKED.where(_tasks.c.id.in_(bindparam("ids", expanding=True)))


@dataclass(frozen=True)
class Counts:
    """How many tasks of each role were made for a participant, and how many are done."""

    made: dict[str, int]
    done: dict[str, int]

    @classmethod
    def of(cls, session: Session, who: Visitor) -> Counts:
        rows = session.execute(_COUNTS, {"who": who.id}).all()
        return cls({row.role: row.made for row in rows}, {row.role: row.done for row in rows})

    @property
    def all(self) -> int:
        return sum(self.made.values())

    def practising(self, campaign: Campaign) -> bool:
        """Whether the tasks of the study are still to be earned."""
        return bool(practice_of(campaign)) and not self.made.get(STUDY)

    def attempt(self, campaign: Campaign) -> int:
        """Which try the last practice was, from 1; 0: there was none."""
        return self.made.get(PRACTICE, 0) // max(1, len(practice_of(campaign)))

    def of_study(self) -> tuple[int, int]:
        """Done and made: tasks of the study, and what stands among them."""
        roles = self.made.keys() - {PRACTICE}
        return sum(self.done[role] for role in roles), sum(self.made[role] for role in roles)

    def of_practice(self, campaign: Campaign) -> tuple[int, int]:
        """Done and made, of the last try."""
        size = len(practice_of(campaign))
        return self.done.get(PRACTICE, 0) - size * (self.attempt(campaign) - 1), size


def practice(who: Visitor, attempt: int) -> tuple[list[Dealt], int]:
    """A try, and the place of its first task."""
    campaign = who.loaded.campaign
    made = practice_for(who.loaded.kind, campaign, who.number, attempt)
    return made, _first(campaign, attempt)


def _first(campaign: Campaign, attempt: int) -> int:
    return (attempt - 1 - TRIES) * len(practice_of(campaign))


def share_right(session: Session, who: Visitor, attempt: int) -> float:
    """How much of a try was right; all of it where nothing was asked for."""
    kind, campaign = who.loaded.kind, who.loaded.campaign
    first = _first(campaign, attempt)
    rows = session.execute(_PRACTISED, {"who": who.id}).all()
    rights = [
        kind.right(campaign, row.content, row.answer)
        for row in rows
        if first <= row.place < first + len(practice_of(campaign)) and "expected" in row.content
    ]
    return sum(rights) / len(rights) if rights else 1.0


def shown(campaign: Campaign, place: int, content: Json) -> dict[str, Any]:
    """What the page says of a practice task."""
    size = len(practice_of(campaign))
    attempt = TRIES + 1 + place // size
    return {"number": place % size + 1, "total": size, "attempt": attempt, "told": "expected" in content}


def feedback(session: Session, who: Visitor) -> Json | None:
    """What there is to say of the last answer to a practice task; with the end of the try, if it was its last one."""
    kind, campaign = who.loaded.kind, who.loaded.campaign
    row: Any = session.execute(_LAST_PRACTISED, {"who": who.id}).first() if practice_of(campaign) else None
    if row is None or "expected" not in row.content:
        return None
    found = {
        "task": row.id,
        "right": kind.right(campaign, row.content, row.answer),
        "expected": kind.expected(campaign, row.content, who.say),
        "why": row.content.get("why", ""),
    }
    at = shown(campaign, row.place, row.content)
    if at["number"] < at["total"]:
        return found
    counts = Counts.of(session, who)
    again = counts.attempt(campaign) > at["attempt"]
    outcome = "failed" if who.screened else "again" if again else "" if counts.practising(campaign) else "passed"
    if who.finished:
        outcome = "passed"
    return {**found, "outcome": outcome, "share": share_right(session, who, at["attempt"])}


def passed(session: Session, who: Visitor, attempt: int) -> bool:
    """Whether that try reaches the bar."""
    return share_right(session, who, attempt) >= bar_of(who.loaded.welcome)


def screened_by_practice(session: Session, who: Visitor, attempt: int) -> Visitor:
    """The last try was not good enough."""
    right = round(100 * share_right(session, who, attempt))
    return arrivals.screen_out(session, who, f"practice {right} {round(100 * bar_of(who.loaded.welcome))}")


def after_checks(session: Session, who: Visitor, answered: Collection[int]) -> Visitor:
    """Screened out, if one of these tasks holds a check that was failed, and too many are by now."""
    most = who.loaded.campaign.settings.get("fail_after", 0)
    if not most or who.screened or not _failed(session, who, answered):
        return who
    failed = _failed(session, who)
    return arrivals.screen_out(session, who, f"checks {failed}") if failed >= most else who


def why_screened(reason: str, say: Say) -> str:
    """For owners: the field of the form, or what of practice or checks was too little, in words."""
    match reason.split(" "):
        case ["practice", right, bar]:
            return say("owner.screened.practice", right=right, bar=bar)
        case ["checks", count]:
            return say("owner.screened.checks", count=count)
    return reason


def _failed(session: Session, who: Visitor, ids: Collection[int] | None = None) -> int:
    kind, campaign = who.loaded.kind, who.loaded.campaign
    given = {"who": who.id}
    rows = session.execute(_CHECKED, given) if ids is None else session.execute(_THESE, {**given, "ids": sorted(ids)})
    return sum(kind.checks(campaign, row.content, row.answer)[1] for row in rows)
