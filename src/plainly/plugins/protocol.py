"""What plainly and a plug-in say to each other: one JSON object a line, as docs/plugins.md explains it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.plugins.entries import Entry
from plainly.plugins.process import MANNERS

PROTOCOL = 1


class Nonsense(PlainlyError):
    """A plug-in answered what the protocol does not allow."""


@dataclass(frozen=True)
class Identity:
    """Which program and which model score; both stand in the signature."""

    version: str
    model: str
    revision: str


@dataclass(frozen=True)
class Scores:
    """The answer to a batch: one score a record, None where there is none, and why."""

    values: list[float | None]
    errors: list[str]


def hello(entry: Entry) -> bytes:
    """The first line to a plug-in."""
    return _line({"plainly": PROTOCOL, "name": entry.name, "model": entry.model, "revision": entry.revision})


def read_hello(line: bytes, entry: Entry) -> Identity:
    """What the plug-in says that it is; it must not contradict its entry."""
    answer = _object(line)
    if answer.get("plainly") != PROTOCOL:
        raise Nonsense(f"it speaks version {answer.get('plainly')!r} of the protocol, not {PROTOCOL}")
    declared = {
        "name": entry.name,
        "direction": entry.direction,
        "range": list(entry.range),
        "needs": sorted(entry.needs),
        "languages": sorted(entry.languages),
    }
    for fact, value in declared.items():
        said = answer.get(fact, value)
        if fact in ("needs", "languages") and isinstance(said, list):
            said = sorted(map(str, said))
        if said != value:
            raise Nonsense(f"it says that its {fact} is {_shown(said)}, but its entry says {_shown(value)}")
    if "name" not in answer:
        raise Nonsense("it does not say its name")
    values = {"model": entry.model, "revision": entry.revision, **answer}
    return Identity(**{fact: _fact(values, fact) for fact in ("version", "model", "revision")})


def batch(records: Sequence[Mapping[str, Any]]) -> bytes:
    """A line with records to score; their ids are their places in the batch."""
    return _line({"records": [{"id": i, **record} for i, record in enumerate(records)]})


def read_scores(line: bytes, count: int) -> Scores:
    """The scores of a batch of `count` records, in order."""
    answers = _object(line).get("scores")
    if not isinstance(answers, list):
        raise Nonsense(f"it answered a batch without a list of scores: {_shown(line)}")
    values: dict[int, float | None] = {}
    errors: dict[int, str] = {}
    for answer in answers:
        identifier = answer.get("id") if isinstance(answer, dict) else None
        if type(identifier) is not int or not 0 <= identifier < count:
            raise Nonsense(f"it answered for the id {_shown(identifier)}, which is not in the batch")
        if identifier in values:
            raise Nonsense(f"it answered twice for the id {identifier}")
        values[identifier] = _score(answer, identifier)
        if answer.get("error") is not None:
            errors[identifier] = _shown(answer["error"])
    if len(values) < count:
        missing = next(i for i in range(count) if i not in values)
        raise Nonsense(f"it answered for {len(values)} of {count} records; id {missing} is missing")
    return Scores([values[i] for i in range(count)], [errors[i] for i in sorted(errors)])


def _score(answer: Mapping[str, Any], identifier: int) -> float | None:
    if "score" not in answer and answer.get("error") is None:
        raise Nonsense(f"it gave neither a score nor an error for the id {identifier}")
    score = answer.get("score")
    if score is None or answer.get("error") is not None:
        return None
    if type(score) not in (int, float):
        raise Nonsense(f"the score of id {identifier} is {_shown(score)}, not a number")
    if not math.isfinite(score):
        raise Nonsense(f"the score of id {identifier} is {score}; where there is no score it must be null")
    return float(score)


def _fact(values: Mapping[str, Any], fact: str) -> str:
    value = values.get(fact)
    if not isinstance(value, str) or (fact == "version" and not value):
        raise Nonsense(f"it does not say its {fact}")
    if set(value) & set("|\n\r"):
        raise Nonsense(f"its {fact} {_shown(value)} cannot stand in a signature")
    return value


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content).encode("ascii") + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Nonsense(f"it printed {_shown(line)}, which is no answer; {MANNERS}")
    return content


def _shown(value: Any) -> str:
    """A value, short enough for a message."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = value if isinstance(value, str) else json.dumps(value)
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else text[:60] + "...") if isinstance(value, str) else text[:60]
