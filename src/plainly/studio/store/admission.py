"""Whether an archive holds what a studio could have written. On anything else, pages would fail much later."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.left_out import is_left_out
from plainly.studio.entered_texts import any_text, one_line
from plainly.studio.ids_and_times import is_time
from plainly.studio.kinds.base import Campaign, Item, Json, Kind
from plainly.studio.kinds.dealt import BESIDE, PRACTICE, STUDY
from plainly.studio.kinds.gold import TRIES, checks_of, practice_of
from plainly.studio.store.people import LONGEST_REASON, MOST
from plainly.studio.texts import FALLBACK, say
from plainly.studio.welcome import LONGEST_COMMENT, filled_in

LONGEST_NAME = 10_000
"""Characters in the name of an item."""
LONGEST_USER = 100
"""Characters in the name of a user."""
OF_LEAVING_OUT = ("left_out", "left_out_by", "left_out_at")
LONGEST_TIME = 1e9
"""Seconds with one task."""
CLOCK = ("server_seconds", "believed_seconds", "spare_seconds")
_CLIENT_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_TOKEN = re.compile(r"[0-9a-f]{64}")
_STATUS = {(False, False): "invited", (True, False): "active", (True, True): "finished"}
"""Of participants, by whether they have begun and whether they have finished; unless they are revoked."""


class Damaged(ValueError):
    """What is wrong with an archive, in words."""


@contextmanager
def looking_at(what: str) -> Iterator[None]:
    """Kinds expect data of their own making: whatever they raise means that this is none."""
    try:
        yield
    except (Damaged, PlainlyError) as error:
        raise Damaged(f"{what}: {error}") from error
    except Exception as error:
        raise Damaged(f"{what}: {type(error).__name__} {error}") from error


def insist_storable(content: Mapping[str, Any]) -> None:
    """Numbers that are numbers, and texts without half a character: browsers and databases take nothing else."""
    with looking_at("a text or a number in it"):
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8")


def items_of(entries: Any) -> tuple[Item, ...]:
    """What is judged."""
    found = []
    for number, entry in enumerate(_list(entries, "items"), 1):
        with looking_at(f"item {number}"):
            name = any_text(entry["name"], "the name", LONGEST_NAME)
            found.append(Item(name, _table(entry["content"])))
    if len({item.name for item in found}) != len(found):
        raise Damaged("two items have the same name")
    return tuple(found)


def images_of(entries: Any) -> dict[str, bytes]:
    """Pictures in the instructions, by name."""
    found: dict[str, bytes] = {}
    for number, one in enumerate(_list(entries, "images"), 1):
        with looking_at(f"picture {number}"):
            if one["name"] in found:
                raise Damaged("its name is there twice")
            found[any_text(one["name"], "the name", LONGEST_NAME)] = base64.b64decode(one["content"], validate=True)
    return found


def insist_of_kind(kind: Kind, campaign: Campaign, interface: str) -> None:
    """The kind can work with its settings and items: for the preview, the first participant and the dashboard."""
    with looking_at("its settings or items"):
        kind.public(campaign)
        for number in (0, 1):
            tasks = kind.tasks(campaign, number, ())
            kind.total(campaign, len(tasks))
            for task in (*tasks, *practice_of(campaign), *checks_of(campaign)):
                kind.shown(campaign, task)
        kind.summary(campaign, (), (), say(interface))
        kind.exports(campaign, (), ())


def participants_of(entries: Any, welcome: Json) -> list[dict[str, Any]]:
    """Who takes part, with what they filled in."""
    found: dict[int, dict[str, Any]] = {}
    for place, one in enumerate(_list(entries, "participants"), 1):
        with looking_at(f"participant {place} of the list"):
            number = whole(one["number"], 1, MOST, "the number")
            if number in found:
                raise Damaged(f"there are two participants with the number {number}")
            found[number] = _participant(number, one, welcome)
    return list(found.values())


def _participant(number: int, one: Mapping[str, Any], welcome: Json) -> dict[str, Any]:
    started, finished = (None if one[key] is None else time(one[key], key) for key in ("started", "finished"))
    completed, seen = (None if one.get(key) is None else time(one[key], key) for key in ("completed", "seen"))
    screened = any_text(one.get("screened", ""), "why one was screened out", LONGEST_NAME)
    status = _STATUS.get((started is not None, finished is not None))
    if status is not None and screened:
        status = "screened"
    if status is None or one["status"] not in (status, "revoked", "withdrawn"):
        raise Damaged(f"the status cannot be {one['status']!r}")
    if not isinstance(one["token"], str) or not _TOKEN.fullmatch(one["token"]):
        raise Damaged("the token is no SHA-256")
    fields = _table(one["fields"])
    if fields != (filled_in(welcome, True, fields, say(FALLBACK)) if started else {}):
        raise Damaged("the form was filled in otherwise")
    return {
        "number": number,
        "token": one["token"],
        "status": one["status"],
        "fields": fields,
        "created": time(one["created"], "created"),
        "started": started,
        "finished": finished,
        "completed": completed or finished,
        "screened": screened,
        "seen": seen,
        "place": _place(one.get("place")),
        "cell": None if one.get("cell") is None else any_text(one["cell"], "the group", LONGEST_NAME),
        "platform": _texts(one.get("platform", {})),
        **_left_out(one),
        "after": _after(one.get("after"), welcome),
        "comment": any_text(one.get("comment", ""), "the comment", LONGEST_COMMENT),
    }


def _after(value: Any, welcome: Json) -> dict[str, Any] | None:
    """What the questionnaire after the tasks was answered with."""
    if value is None:
        return None
    fields = _table(value)
    if fields != filled_in(welcome, True, fields, say(FALLBACK), "after"):
        raise Damaged("the questionnaire was filled in otherwise")
    return fields


def _place(value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise Damaged("the place is neither true nor false")
    return value


def _texts(value: Any) -> dict[str, str]:
    return {any_text(name, "a name", 200): any_text(text, name, LONGEST_NAME) for name, text in _table(value).items()}


def _left_out(one: Mapping[str, Any]) -> dict[str, Any]:
    """Why somebody is left out, who said so, and when; older archives know of nothing like that."""
    reason, by, at = (one.get(key) for key in OF_LEAVING_OUT)
    kept = one_line(reason or "", "the reason to leave somebody out", LONGEST_REASON, empty=True)
    who = one_line(by or "", "who left somebody out", LONGEST_USER, empty=True)
    if kept and not is_left_out(kept):
        raise Damaged(f"{kept!r} is no reason to leave somebody out")
    return dict(zip(OF_LEAVING_OUT, (kept, who, None if at is None else time(at, "left_out_at")), strict=True))


Tasks = dict[tuple[int, int], tuple[str, dict[str, Any]]]
"""Their roles and contents, by the number of the participant and the place."""


def tasks_of(entries: Any, kind: Kind, campaign: Campaign, begun: Sequence[int]) -> Tasks:
    """What participants have to do: those with these numbers have begun."""
    made = dict.fromkeys(begun, 0)
    practised = dict.fromkeys(begun, -TRIES * len(practice_of(campaign)))
    found: Tasks = {}
    for place, one in enumerate(_list(entries, "tasks"), 1):
        with looking_at(f"task {place} of the list"):
            who, role = one["participant"], one.get("role", STUDY)
            if role not in (STUDY, *BESIDE):
                raise Damaged("it has no known role")
            next_ = practised if role == PRACTICE else made
            if who not in next_ or whole(one["place"], -MOST, MOST, "the place") != next_[who]:
                raise Damaged("nobody could have it there")
            if role == PRACTICE and next_[who] >= 0:
                raise Damaged("there is more practice than two tries")
            content = _table(one["content"])
            kind.shown(campaign, content)
            found[who, next_[who]] = role, content
            next_[who] += 1
    return found


def responses_of(entries: Any, kind: Kind, campaign: Campaign, tasks: Tasks) -> list[dict[str, Any]]:
    """What participants answered, as their kind keeps it."""
    found = []
    known = set()
    for place, one in enumerate(_list(entries, "responses"), 1):
        with looking_at(f"response {place} of the list"):
            who, task, client_id = one["participant"], one["task"], one["client_id"]
            if (who, task) not in tasks:
                raise Damaged("there is no such task")
            if not isinstance(client_id, str) or not _CLIENT_ID.fullmatch(client_id) or (who, client_id) in known:
                raise Damaged("the client_id is none, or is there twice")
            known.add((who, client_id))
            found.append(
                {
                    "participant": who,
                    "task": task,
                    "client_id": client_id,
                    "action": one["action"],
                    "answer": _answer(one, kind, campaign, tasks[who, task][1]),
                    "seconds": _seconds(one["seconds"]),
                    **{key: _seconds(one.get(key), lent=key == "spare_seconds") for key in CLOCK},
                    "impossible": _yes_or_no(one.get("impossible", False), "impossible"),
                    "comment": any_text(one.get("comment", ""), "the comment", LONGEST_COMMENT),
                    "received": time(one["received"], "received"),
                }
            )
    return found


def golds_of(entries: Any, kind: Kind, campaign: Campaign) -> list[dict[str, Any]]:
    """What adjudicators decided, in that order."""
    found = []
    for number, one in enumerate(_list(entries, "golds"), 1):
        with looking_at(f"gold {number} of the list"):
            if kind.adjudication is None:
                raise Damaged("this kind has none")
            place = whole(one["place"], 0, len(campaign.items) - 1, "the item")
            found.append(
                {
                    "place": place,
                    "content": kind.adjudication.kept(campaign, campaign.items[place].name, _table(one["content"])),
                    "by": one_line(one["by"], "who decided", LONGEST_USER),
                    "time": time(one["time"], "the time"),
                }
            )
    return found


def _answer(one: Mapping[str, Any], kind: Kind, campaign: Campaign, task: Json) -> dict[str, Any]:
    if one["action"] == "answer":
        return dict(kind.checked(campaign, task, _table(one["answer"])))
    if one["action"] != "undo" or not kind.undoable or one["answer"] != {}:
        raise Damaged(f"{one['action']!r} is nothing that can be done with it")
    return {}


def _yes_or_no(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise Damaged(f"{what} must be true or false")
    return value


def _seconds(value: Any, lent: bool = False) -> float | None:
    """A time; below 0 only where it may be lent (see clock.py)."""
    if value is None:
        return None
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not (-LONGEST_TIME if lent else 0) <= value <= LONGEST_TIME:
        raise Damaged("the seconds are no time")
    return float(value)


def time(value: Any, what: str) -> str:
    if not isinstance(value, str) or not is_time(value):
        raise Damaged(f"{what} is no time")
    return value


def whole(value: Any, least: int, most: int, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Damaged(f"{what} must be a whole number from {least} to {most}")
    return value


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Damaged("something is no table")
    return dict(value)


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise Damaged(f"{what} are no list")
    return value
