"""Single items, people and answers, to be looked at: searched, counted and handed out page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, or_, select
from sqlalchemy.orm import Session

from plainly.studio.errors import NotThere
from plainly.studio.kinds.base import Item, texts_in
from plainly.studio.kinds.dashboards import Say
from plainly.studio.kinds.dealt import STUDY
from plainly.studio.store import overview, tables
from plainly.studio.store.campaigns import Loaded, loaded
from plainly.studio.store.people import PREVIEW, code_of

PAGE = 50
LONGEST = 300
"""Characters of a wording that stand in a list."""


@dataclass(frozen=True)
class Wanted:
    """Which of many are wanted: those that hold all these words, from `offset` on."""

    words: str = ""
    offset: int = 0

    def fits(self, *texts: str) -> bool:
        """Whether all the words are somewhere in the texts, in any case."""
        whole = " ".join(texts).casefold()
        return all(word in whole for word in self.words.casefold().split())

    def page(self, found: Sequence[Any]) -> dict[str, Any]:
        """Of those that fit: how many they are, and some of them."""
        rows = found[self.offset : self.offset + PAGE]
        return {"total": len(found), "offset": self.offset, "size": PAGE, "rows": rows}


def items(session: Session, campaign_id: str, wanted: Wanted, order: str) -> dict[str, Any]:
    """The items of a campaign with the numbers of tasks and answers about them: of the study alone.

    In the order `place`, or those first that have the `fewest` answers, or the `most`.
    """
    found = loaded(session, campaign_id)
    counted = _counts(session, found)
    fitting = [one for one in found.campaign.items if wanted.fits(one.name, *texts_in(one.content))]
    if order != "place":
        fitting.sort(key=lambda one: counted(one.name)[1] * (1 if order == "fewest" else -1))
    page = wanted.page(fitting)
    rows = []
    for one in page["rows"]:
        made, answered = counted(one.name)
        rows.append({**_shown(found, one), "tasks": made, "answers": answered})
    return {**page, "rows": rows}


def item(session: Session, campaign_id: str, place: int, wanted: Wanted, say: Say) -> dict[str, Any]:
    """One item, and all answers about it."""
    found = loaded(session, campaign_id)
    if not 0 <= place < len(found.campaign.items):
        raise NotThere("there is no such item")
    one = found.campaign.items[place]
    about = or_(*(name == one.name for name in _names(found)))
    rows = [_told(found, row, say) for row in session.execute(_answers(found).where(about))]
    fitting = [row for row in rows if wanted.fits(row["code"], row["answer"], row["comment"])]
    return {
        **{"place": place, "name": one.name, "wording": found.kind.wording(one)},
        **wanted.page(fitting),
    }


def person(
    session: Session, campaign_id: str, number: int, wanted: Wanted, say: Say, *, named: bool
) -> dict[str, Any]:
    """One participant, and all their tasks in order, with the answers. `named`: with what tells who it is."""
    found = loaded(session, campaign_id)
    table = tables.Participant
    row = session.scalar(select(table).where(table.campaign_id == campaign_id, table.number == number))
    if row is None or number == PREVIEW:
        raise NotThere("there is no such participant")
    tasks = session.execute(_answers(found, answered=False).where(table.number == number))
    told = [_told(found, one, say) for one in tasks]
    keys = (*overview.OF_PARTICIPANTS, *(overview.FOR_OWNERS if named else ()))
    return {
        **{"code": code_of(number), **{key: getattr(row, key) for key in keys}},
        **{"fields": row.fields, "after": row.after or {}, "comment": row.comment},
        **wanted.page([one for one in told if wanted.fits(one["answer"], one["comment"], *_wordings(found, one))]),
    }


def _wordings(found: Loaded, told: dict[str, Any]) -> list[str]:
    names = [one["name"] for one in told["items"]]
    return [*names, *(found.kind.wording(found.campaign.by_name[name]) for name in names)]


def _names(found: Loaded) -> list[ColumnElement[str]]:
    """The names of items in a task, as the database reads them."""
    return [tables.Task.content[key].as_string() for key in found.kind.asks_about]


def _counts(session: Session, found: Loaded) -> Callable[[str], tuple[int, int]]:
    """How many tasks of the study ask about an item, and how many of them have an answer."""
    task, participant = tables.Task, tables.Participant
    counted: dict[str, tuple[int, int]] = {}
    for named in _names(found):
        name = named.label("name")
        query = (
            select(name, func.count().label("made"), func.count(task.response_id).label("answered"))
            .join(participant, participant.id == task.participant_id)
            .where(participant.campaign_id == found.id, participant.number != PREVIEW, task.role == STUDY)
            .group_by(name)
        )
        for row in session.execute(query):
            made, answered = counted.get(row.name, (0, 0))
            counted[row.name] = (made + row.made, answered + row.answered)
    return lambda name: counted.get(name, (0, 0))


def _answers(found: Loaded, *, answered: bool = True) -> Select[Any]:
    """Tasks, with the answers that stand; by person and place. Previews are nobody's."""
    task, response, participant = tables.Task, tables.Response, tables.Participant
    return (
        select(
            *(participant.number, participant.left_out, task.place, task.role, task.content),
            *(response.answer, func.coalesce(response.believed_seconds, response.seconds).label("seconds")),
            *(response.server_seconds, response.impossible, response.comment, response.received),
        )
        .join(task, task.participant_id == participant.id)
        .join(response, response.id == task.response_id, isouter=not answered)
        .where(participant.campaign_id == found.id, participant.number != PREVIEW)
        .order_by(participant.number, task.place)
    )


def _told(found: Loaded, row: Row[Any], say: Say) -> dict[str, Any]:
    kind, campaign = found.kind, found.campaign
    names = [row.content.get(key) for key in kind.asks_about]
    about = [campaign.by_name[name] for name in names if isinstance(name, str) and name in campaign.by_name]
    return {
        "number": row.number,
        "code": code_of(row.number),
        "left_out": row.left_out,
        "place": row.place,
        "role": row.role,
        "items": [_shown(found, one) for one in about],
        "answered": row.answer is not None,
        "answer": "" if row.answer is None else kind.told(campaign, row.content, row.answer, say),
        "right": _right(found, row),
        "seconds": row.seconds,
        "server_seconds": row.server_seconds,
        "impossible": bool(row.impossible),
        "comment": row.comment or "",
        "time": row.received,
    }


def _right(found: Loaded, row: Row[Any]) -> float | None:
    """How right an answer to practice or a check is, from 0 to 1; None where nothing is known to be right."""
    if row.answer is None or "expected" not in row.content or not found.kind.done(row.answer):
        return None
    return found.kind.right(found.campaign, row.content, row.answer)


def _shown(found: Loaded, item: Item) -> dict[str, Any]:
    wording = found.kind.wording(item)
    short = wording if len(wording) <= LONGEST else f"{wording[: LONGEST - 1]}…"
    return {"place": found.campaign.places[item.name], "name": item.name, "wording": short}
