"""A whole campaign as one file, from which another studio makes the same campaign, participants and answers included.

Links go on working there: the fingerprints of their secrets travel along. Notes on participants stay behind, and so
does the preview.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from plainly.errors import PlainlyError
from plainly.studio.errors import Conflict
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Item, Kind, Material
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import campaigns, tables
from plainly.studio.store.loaded import loaded
from plainly.studio.store.people import PREVIEW
from plainly.version import __version__

FORM = 1
"""Of these files; a later one may look different."""
NAME = "campaign.json"
_CAMPAIGN = ("kind", "name", "lang", "interface", "status", "seed", "settings", "welcome", "invited", "created")
_PARTICIPANT = ("number", "token", "status", "fields", "created", "started", "finished")
_RESPONSE = ("client_id", "action", "answer", "seconds", "received")


def archived(session: Session, campaign_id: str) -> dict[str, Any]:
    """The campaign as JSON; responses in the order in which they were stored."""
    row = campaigns.get(session, campaign_id)
    participant, task, response = tables.Participant, tables.Task, tables.Response
    ours = (participant.campaign_id == campaign_id) & (participant.number != PREVIEW)
    people = session.scalars(select(participant).where(ours).order_by(participant.number)).all()
    tasks = session.execute(
        select(participant.number, task.id, task.place, task.content)
        .join(task, task.participant_id == participant.id)
        .where(ours)
        .order_by(participant.number, task.place)
    ).all()
    places = {one.id: (one.number, one.place) for one in tasks}
    responses = session.scalars(
        select(response)
        .join(participant, participant.id == response.participant_id)
        .where(ours)
        .order_by(response.id)
    )
    return {
        "plainly": __version__,
        "form": FORM,
        "campaign": {key: getattr(row, key) for key in _CAMPAIGN},
        "items": [
            {"name": item.name, "content": item.content} for item in loaded(session, campaign_id).campaign.items
        ],
        "participants": [{key: getattr(one, key) for key in _PARTICIPANT} for one in people],
        "tasks": [{"participant": one.number, "place": one.place, "content": one.content} for one in tasks],
        "responses": [
            {
                "participant": places[one.task_id][0],
                "task": places[one.task_id][1],
                **{key: getattr(one, key) for key in _RESPONSE},
            }
            for one in responses
        ],
    }


def written(content: dict[str, Any]) -> str:
    """As it stands in the file."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def read(text: str, where: str) -> dict[str, Any]:
    """What the file holds; refused if it is no archive, or one of a newer plainly."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise PlainlyError(f"{where}: this is no archive of a campaign: no JSON") from None
    if not isinstance(content, dict) or "form" not in content or "campaign" not in content:
        raise PlainlyError(f"{where}: this is no archive of a campaign; plainly studio export writes {NAME}")
    if content["form"] != FORM:
        raise PlainlyError(f"{where}: this archive was written by a newer plainly ({content.get('plainly')})")
    return content


def restore(session: Session, content: Mapping[str, Any], where: str, *, new_links: bool = False) -> tables.Campaign:
    """Make the campaign of an archive. With `new_links`, the old links open nothing, and owners renew them."""
    try:
        return _restore(session, content, new_links)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise PlainlyError(f"{where}: this archive is damaged: {type(error).__name__} {error}") from error


def _restore(session: Session, content: Mapping[str, Any], new_links: bool) -> tables.Campaign:
    about = content["campaign"]
    kind = get_kind(about["kind"])
    items = tuple(Item(item["name"], dict(item["content"])) for item in content["items"])
    row = campaigns.create(
        session,
        kind=about["kind"],
        name=about["name"],
        lang=about["lang"],
        interface=about["interface"],
        welcome=about["welcome"],
        material=Material(items, dict(about["settings"]), (), ()),
        seed=about["seed"],
    )
    if about["status"] not in campaigns.STATUSES:
        raise KeyError(about["status"])
    row.status, row.invited, row.created = about["status"], int(about["invited"]), str(about["created"])
    ids = {}
    for one in content["participants"]:
        person = tables.Participant(campaign_id=row.id, note="", **{key: one[key] for key in _PARTICIPANT})
        if new_links:
            person.token = fingerprint(new_secret())
        elif session.scalar(select(tables.Participant.id).where(tables.Participant.token == person.token)):
            raise Conflict("links of this campaign are in use here already; import it with --new-links")
        session.add(person)
        session.flush()
        ids[person.number] = person.id
    _restore_tasks(session, kind, content, ids)
    return row


def _restore_tasks(session: Session, kind: Kind, content: Mapping[str, Any], ids: Mapping[int, int]) -> None:
    task, response = tables.Task, tables.Response
    rows = [
        {"participant_id": ids[one["participant"]], "place": one["place"], "content": one["content"], "done": False}
        for one in content["tasks"]
    ]
    if rows:
        session.execute(insert(task), rows)
    found = session.execute(
        select(task.id, task.participant_id, task.place).where(task.participant_id.in_(ids.values()))
    )
    places = {(row.participant_id, row.place): row.id for row in found}
    stands: dict[int, tuple[int | None, bool]] = {}
    for one in content["responses"]:
        person = ids[one["participant"]]
        at = places[person, one["task"]]
        values = {key: one[key] for key in _RESPONSE}
        number = session.scalar(
            insert(response).values(participant_id=person, task_id=at, **values).returning(response.id)
        )
        answered = one["action"] == "answer"
        stands[at] = (number, kind.done(one["answer"])) if answered else (None, False)
    for at, (number, done) in stands.items():
        session.execute(
            update(task).where(task.id == at).values(response_id=number, done=done),
            execution_options={"synchronize_session": False},
        )
