"""Thousands of random and hostile requests, written to the socket byte by byte: refused, never our fault.

Those who send them are strangers, a participant, an analyst, and an owner whose browser was led astray (it has the
cookie, but not the secret that changes need). Nobody sees what belongs to others, and nothing of it changes.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from plainly.studio.store.tables import Campaign, Participant, Response, User

from .conftest import OF_OTHERS, SECRETS, Login, Prey

SECONDS = 60
ODD = [
    "\0",
    "%00",
    "../" * 8 + "etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/app.py",
    "..\\..\\studio.sqlite",
    "....//....//",
    "' OR 1=1 --",
    '"; DROP TABLE users; --',
    "<script>alert(1)</script>",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "%",
    "%zz",
    "%ff%fe",
    "%ed%a0%80",
    "\u202e\U0001f984",
    "-1",
    "0",
    "1e309",
    "NaN",
    "9" * 400,
    "A" * 5000,
    " ",
    "+",
    "null",
    "texts.csv%0d%0aX-Evil:%201",
    ";",
    "//",
    "*",
]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
UNKNOWN_METHODS = ["BREW", "TRACE", "CONNECT", "PROPFIND", "get", "G\0T", "M" * 3000, "POST/1.1"]
PAGES = [
    "/",
    "/login",
    "/setup",
    "/users",
    "/account",
    "/campaigns/new",
    "/campaigns/{campaign_id}",
    "/runs",
    "/j/{slug}",
]
FILES = ["/static/studio.css", "/static/kinds/ranking/page.js", "/static/participant.js", "/favicon.ico"]
TYPES = [
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "b" * 500,
    "application/json; charset=utf-16",
    "image/svg+xml",
    "/",
    "",
]
FOR_ANYBODY = re.compile(r"/(login|setup)\b.*|/static/.*|/j/.*|/api/(health|openapi\.json)(\?.*)?|/favicon\.ico")


@dataclass(frozen=True)
class Attack:
    """One request, and what is known of who sends it."""

    who: str
    method: str
    path: str
    content: bytes
    cut: bool
    """The connection ends before all of the body is there that was told of."""

    @property
    def changes(self) -> bool:
        return self.method not in ("GET", "HEAD", "OPTIONS")


class Attacker:
    """Makes requests; the same ones for the same seed."""

    def __init__(self, prey: Prey, paths: list[str], seed: int) -> None:
        self._prey, self._draw = prey, random.Random(seed)
        self._paths = [*paths, *PAGES, *FILES]

    def attack(self) -> Attack:
        draw = self._draw
        who = draw.choice(["stranger", "participant", "analyst", "led astray"])
        method = draw.choice(UNKNOWN_METHODS) if draw.random() < 0.1 else draw.choice(METHODS)
        path = self._path(who)
        body, kind = self._body(path) if method in ("POST", "PUT", "PATCH", "DELETE") else (b"", "text/plain")
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *self._headers(who)]
        told = len(body)
        if draw.random() < 0.03:
            told = draw.choice([told + 1000, max(0, told - 3), 10**30])
        head += [f"Content-Type: {kind}", f"Content-Length: {told}"]
        chunked = draw.random() < 0.02  # which it is not
        if chunked:
            head.append("Transfer-Encoding: chunked")
        written = "\r\n".join(head).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body
        return Attack(who, method, path, written, chunked or told > len(body))

    def _path(self, who: str) -> str:
        draw = self._draw
        path = draw.choice(self._paths)
        if who == "participant" and draw.random() < 0.6:
            path = draw.choice([one for one in self._paths if "{token}" in one])
        path = re.sub(r"\{(\w+)\}", lambda found: self._part(found[1], who), path)
        if draw.random() < 0.3:
            path = draw.choice([f"{path}/{draw.choice(ODD)}", f"{path}?{draw.choice(ODD)}={draw.choice(ODD)}"])
        if draw.random() < 0.05:
            path = draw.choice(
                ["*", "http://elsewhere/", "//evil", "/" * 3000, draw.choice(ODD), f"/static/{draw.choice(ODD)}"]
            )
        return path

    def _part(self, name: str, who: str) -> str:
        """What stands in the place of a parameter: something odd, or something that belongs to others."""
        draw, prey = self._draw, self._prey
        there: dict[str, list[Any]] = {
            "campaign_id": [prey.campaign],
            "run_id": [prey.run],
            "token": self._tokens(who),
            "task": [*prey.victims_tasks, *prey.tasks],
            "task_id": [*prey.victims_tasks],
            "number": [0, 1, 2],
            "user_id": [1, 2, 3],
            "slug": [prey.slug],
        }
        if name in there and draw.random() < 0.6:
            return str(draw.choice(there[name]))
        return draw.choice(ODD)

    def _tokens(self, who: str) -> list[str]:
        """Links that nobody has, and one's own; but never the right link of somebody else."""
        victim = self._prey.victim
        wrong = [victim[:-1], victim + "=", victim.swapcase(), victim[::-1], f"{self._draw.getrandbits(128):032x}"]
        return [*wrong, *([self._prey.curious] * 10 if who == "participant" else [])]

    def _headers(self, who: str) -> list[str]:
        draw, prey = self._draw, self._prey
        logins: dict[str, Login] = {"analyst": prey.analyst, "led astray": prey.owner}
        found = []
        if who in logins:
            found.append(f"Cookie: plainly_studio={logins[who].cookie}")
            csrf = prey.analyst.csrf if who == "analyst" else draw.choice(["", "x", prey.analyst.csrf])
            found.append(f"X-CSRF-Token: {csrf}")
        elif draw.random() < 0.1:
            found.append(f"Cookie: plainly_studio={draw.choice([*ODD[7:11], 'A' * 5000, prey.owner.csrf])}")
        if draw.random() < 0.2:
            odd = [
                "Range: bytes=0-0,5-",
                "Accept-Language: " + "de," * 500,
                "Expect: 100-continue",
                "If-None-Match: *",
            ]
            odd += [
                "X-Forwarded-For: ' OR 1",
                "Accept-Language: \x7f;q=NaN",
                "Cookie: studio_language=../../x",
                "A: b" * 3000,
            ]
            odd += ["Content-Encoding: gzip", "Upgrade: websocket", "Sec-Fetch-Site: cross-site", "Range: bytes=-1e9"]
            found.append(draw.choice(odd))
        return found

    def _body(self, path: str) -> tuple[bytes, str]:
        draw = self._draw
        if draw.random() < 0.25:
            return self._multipart(), "multipart/form-data; boundary=x"
        made = draw.choice([self._json, self._json, self._json, self._responses, self._responses, self._garbage])()
        kind = draw.choice(TYPES) if draw.random() < 0.2 else "application/json"
        return made, kind

    def _garbage(self) -> bytes:
        draw = self._draw
        huge = (
            b"[" * 200_000,
            b'{"a":' * 50_000,
            b'"' + b"x" * 1_100_000 + b'"',
            b"9" * 100_000,
            b"[" + b"1," * 90_000,
        )
        return draw.choice([b"", b"\0", b"\xff\xfe{", b"\xef\xbb\xbf{}", b"NaN", b"{", draw.randbytes(300), *huge])

    def _json(self) -> bytes:
        keys = [
            "code",
            "name",
            "password",
            "role",
            "revision",
            "status",
            "welcome",
            "consent",
            "fields",
            "count",
            "notes",
        ]
        return json.dumps({self._draw.choice(keys): self._value() for _ in range(self._draw.randint(0, 5))}).encode()

    def _value(self, depth: int = 0) -> Any:
        draw = self._draw
        plain = [
            None,
            True,
            -1,
            0,
            2**31,
            10**400,
            1e308,
            float("nan"),
            "",
            "open",
            "owner",
            "\ud800",
            "\0",
            "x" * 3000,
        ]
        if depth < 3 and draw.random() < 0.3:
            return draw.choice([[self._value(depth + 1)] * 3, {"kind": self._value(depth + 1), "\ud800": 1}])
        return draw.choice([*plain, *ODD])

    def _responses(self) -> bytes:
        """Of a participant: to tasks of others, with impossible ids, answers and times."""
        draw, prey = self._draw, self._prey
        one = {
            "client_id": draw.choice(["a", "x" * 65, "\0", "", "ä", "ok.1", 5, None]),
            "task": draw.choice([*prey.victims_tasks, 0, -1, 2**31, 2**63, 10**30, "1", None, prey.tasks[-1]]),
            "action": draw.choice(["answer", "undo", "drop", None]),
            "answer": draw.choice([{"choice": self._value()}, self._value(), {}, {"choice": "first", "more": 1}]),
            "seconds": draw.choice([1, -1, float("inf"), float("nan"), "1", None, 10**400]),
        }
        return json.dumps({"responses": draw.choice([[one], [one] * 51, one, [], None, [[one]]])}).encode()

    def _multipart(self) -> bytes:
        draw = self._draw
        parts = b""
        for _ in range(draw.randint(0, 30)):
            name = draw.choice(["kind", "options", "name", "texts", "SLOT", "welcome", *ODD]).replace("\n", "")
            file = draw.choice(["", f'; filename="{draw.choice(ODD)}.csv"', '; filename="a/../../b.jsonl"'])
            content = draw.choice(["ranking", "{}", "[" * 5000, "id,text\n1,\0\n", *ODD])
            parts += f'--x\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n{content}\r\n'.encode()
        return parts + draw.choice([b"--x--\r\n", b"--x", b""])


def answered(port: int, attack: Attack) -> tuple[int, bytes]:
    """Status (0: the connection was closed without a word) and all that came back."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        found = b""
        try:
            connection.sendall(attack.content)
            if attack.cut:
                with contextlib.suppress(OSError):  # refused before all was sent
                    connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                found += part
        except ConnectionError:  # refused before all was sent
            pass
    status = re.match(rb"HTTP/1\.1 (\d{3}) ", found)
    return int(status[1]) if status else 0, found


def judge(attack: Attack, status: int, found: bytes, prey: Prey) -> None:
    """Fails where the answer is one that must not be."""
    told = (attack.who, attack.content[:500], found[:500])
    assert status < 500, told
    assert status or attack.cut or len(attack.content) > 1_000_000, told
    assert b"Traceback" not in found, told
    own = attack.who == "participant" and prey.curious in attack.path
    if attack.changes and not own:
        assert not 200 <= status < 300, told
    if attack.who == "stranger" and 200 <= status < 300:
        assert FOR_ANYBODY.fullmatch(attack.path), told
    if attack.who in ("stranger", "participant"):
        never = OF_OTHERS if own or f"/j/{prey.slug}" in attack.path else SECRETS
        assert not [secret for secret in never if secret.encode() in found], told


def everything(app: Any) -> list[Any]:
    """What must not change: users, campaigns, participants and the answers of the victim."""
    with app.state.database.reading() as session:
        columns = (
            (User.id, User.name, User.password, User.role),
            (Campaign.id, Campaign.name, Campaign.status, Campaign.revision, Campaign.invited),
            (Participant.id, Participant.number, Participant.note, Participant.token, Participant.fields),
        )
        found: list[Any] = [session.execute(select(*some)).all() for some in columns]
        victims = select(Response).join(Participant, Participant.id == Response.participant_id)
        return [*found, [row.answer for row in session.scalars(victims.where(Participant.number == 1))]]


def send_all(app: Any, server: str, prey: Prey, number: int) -> Counter[int]:
    paths = app.openapi()["paths"].keys() - {"/api/logout"}  # all may do so, and the analyst is to stay
    attacker = Attacker(prey, sorted(paths), seed=9)
    port = int(server.rsplit(":", 1)[1])
    before = everything(app)
    statuses: Counter[int] = Counter()
    for _ in range(number):
        attack = attacker.attack()
        status, found = answered(port, attack)
        judge(attack, status, found, prey)
        statuses[status] += 1
    assert everything(app) == before
    state = httpx.get(f"{server}/api/p/{prey.curious}").json()
    one = {"client_id": "last", "task": state["tasks"][0]["id"], "answer": {"choice": "first"}}
    reply = httpx.post(f"{server}/api/p/{prey.curious}/responses", json={"responses": [one]}).json()
    assert reply["stored"] == ["last"], "those who mean well are served"
    return statuses


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_some_hostile_requests(app: Any, server: str, prey: Callable[[], Prey]) -> None:
    statuses = send_all(app, server, prey(), 300)
    assert {401, 403, 404, 405, 422} <= set(statuses)


@pytest.mark.slow
def test_ten_thousand_hostile_requests(app: Any, server: str, prey: Callable[[], Prey]) -> None:
    statuses = send_all(app, server, prey(), 10_000)
    assert {400, 401, 403, 404, 405, 409, 413, 422} <= set(statuses)
    refused = sum(times for status, times in statuses.items() if 400 <= status < 500)
    assert refused > 8000, statuses
