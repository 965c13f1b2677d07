"""A whole campaign as one file, from which another studio makes the same campaign, participants and answers included.

Links go on working there: the fingerprints of their secrets travel along. Notes on participants stay behind, and so
do the preview, and who people are on the platform that they came from.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.studio.arrival import checked_arrival
from plainly.studio.errors import Conflict
from plainly.studio.ids_and_times import new_id
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Kind, Material
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import admission, campaigns, golds, images, tables
from plainly.studio.store.admission import OF_LEAVING_OUT
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.people import MOST, PREVIEW

FORM = 1
"""Of these files; a later one may look different."""
NAME = "campaign.json"
_CAMPAIGN = (
    *("kind", "name", "lang", "interface", "status", "seed", "settings", "welcome", "arrival", "invited"),
    "created",
)
_PARTICIPANT = (
    *("number", "token", "status", "fields", "created", "started", "finished", "completed", "screened", "place"),
    *("cell", "seen", "platform", "after", "comment", *OF_LEAVING_OUT),
)
"""Who somebody is on a platform stays behind, and so do the codes by which they are paid."""
_RESPONSE = ("client_id", "action", "answer", "seconds", *admission.CLOCK, "impossible", "comment", "received")
_GOLD = ("place", "content", "by", "time")


def archived(session: Session, campaign_id: str, *, named: bool = True) -> dict[str, Any]:
    """The campaign as JSON; responses in the order in which they were stored.

    `named`: with the open link, which has codes that are worth money, and what a platform says of people.
    """
    row = campaigns.get(session, campaign_id)
    participant, task, response = tables.Participant, tables.Task, tables.Response
    ours = (participant.campaign_id == campaign_id) & (participant.number != PREVIEW)
    people = session.scalars(select(participant).where(ours).order_by(participant.number)).all()
    tasks = session.execute(
        select(participant.number, task.id, task.place, task.role, task.content)
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
        "campaign": {key: getattr(row, key) for key in _CAMPAIGN}
        | {"arrival": {**row.arrival, "on": False} if row.arrival and named else {}},  # on in one studio only
        "images": [
            {"name": one.name, "content": base64.b64encode(one.content).decode()}
            for one in images.every(session, campaign_id)
        ],
        "items": [
            {"name": item.name, "content": item.content} for item in loaded(session, campaign_id).campaign.items
        ],
        "participants": [
            {key: getattr(one, key) for key in _PARTICIPANT} | ({} if named else {"platform": {}}) for one in people
        ],
        "tasks": [
            {"participant": one.number, "place": one.place, "role": one.role, "content": one.content} for one in tasks
        ],
        "responses": [
            {
                "participant": places[one.task_id][0],
                "task": places[one.task_id][1],
                **{key: getattr(one, key) for key in _RESPONSE},
            }
            for one in responses
        ],
        "golds": [{key: getattr(one, key) for key in _GOLD} for one in golds.rows(session, campaign_id)],
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
        admission.insist_storable(content)
        return _restore(session, content, new_links)
    except (KeyError, TypeError, AttributeError) as error:
        raise PlainlyError(f"{where}: this archive is damaged: {type(error).__name__} {error}") from error
    except admission.Damaged as error:
        raise PlainlyError(f"{where}: this archive is damaged: {error}") from error


def _restore(session: Session, content: Mapping[str, Any], new_links: bool) -> tables.Campaign:
    about = content["campaign"]
    kind = get_kind(about["kind"])
    items = admission.items_of(content["items"])
    row = campaigns.create(
        session,
        **{name: about[name] for name in ("kind", "name", "lang", "interface", "welcome")},
        material=Material(items, {**about["settings"]}, (), ()),
        seed=admission.whole(about["seed"], 0, campaigns.SEEDS - 1, "the seed"),
    )
    campaign = Campaign(row.id, row.kind, row.name, row.lang, row.seed, row.settings, items)
    admission.insist_of_kind(kind, campaign, row.interface)
    for name, picture in admission.images_of(content.get("images", [])).items():
        with admission.looking_at("a picture"):
            session.add(images.checked(row.id, name, picture))
    people = admission.participants_of(content["participants"], row.welcome)
    if about["status"] not in campaigns.STATUSES:
        raise admission.Damaged(f"there is no status {about['status']!r}")
    row.status = about["status"]
    if about.get("arrival"):
        row.arrival = checked_arrival({**about["arrival"], "on": False}, row.welcome).to_dict()
    row.created = admission.time(about["created"], "created")
    invited = admission.whole(about["invited"], 0, MOST, "invited")
    row.invited = max(invited, *(one["number"] for one in people), 0)  # numbers are never used again
    ids = _restore_people(session, row.id, people, new_links)
    begun = [one["number"] for one in people if one["started"]]
    tasks = admission.tasks_of(content["tasks"], kind, campaign, begun)
    responses = admission.responses_of(content["responses"], kind, campaign, tasks)
    _restore_tasks(session, kind, ids, tasks, responses)
    for one in admission.golds_of(content.get("golds", []), kind, campaign):
        golds.add(session, row.id, **one)
    return row


def _restore_people(
    session: Session, campaign_id: str, people: Sequence[Mapping[str, Any]], new_links: bool
) -> dict[int, int]:
    """The ids of participants, by their numbers."""
    ids = {}
    for one in people:
        going_on = not one["completed"] and one["status"] != "withdrawn"
        code = new_id().upper() if going_on else ""  # others have seen theirs, which is not known here
        person = tables.Participant(campaign_id=campaign_id, note="", completion=code, **one)
        if new_links:
            person.token = fingerprint(new_secret())
        elif session.scalar(select(tables.Participant.id).where(tables.Participant.token == person.token)):
            raise Conflict("links of this campaign are in use here already; import it with --new-links")
        session.add(person)
        session.flush()
        ids[person.number] = person.id
    return ids


def _restore_tasks(
    session: Session,
    kind: Kind,
    ids: Mapping[int, int],
    tasks: admission.Tasks,
    responses: Sequence[Mapping[str, Any]],
) -> None:
    task, response = tables.Task, tables.Response
    rows = [
        {"participant_id": ids[number], "place": place, "role": role, "content": content, "done": False}
        for (number, place), (role, content) in tasks.items()
    ]
    if rows:
        session.execute(insert(task), rows)
    found = session.execute(
        select(task.id, task.participant_id, task.place).where(task.participant_id.in_(ids.values()))
    )
    places = {(row.participant_id, row.place): row.id for row in found}
    stands: dict[int, tuple[int | None, bool]] = {}
    for one in responses:
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
