"""A studio with something to steal: an owner, an analyst, a participant with secrets, and one who is curious."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from plainly.studio.kinds import get_kind
from plainly.studio.store import campaigns, people, rights, runs, sessions, tasks, tokens, users
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record
from plainly.studio.store.tables import Participant, Run

SECRETS = ("CANARYNAME", "CANARYTEXT", "CANARYNOTE", "CANARYFORM")
HIDDEN = "CANARYHIDDEN"
"""Of a campaign that a limited analyst must not see."""
LIMITED = "Cleo"
OF_OTHERS = ("CANARYNOTE", "CANARYFORM", "CANARYPERSON", "CANARYCODE", "argon2")
"""What participants must never see; that of the campaign itself they may."""
WELCOME = {
    "instructions": "Read.",
    "consent": "I agree.",
    "form": [{"id": "about", "label": "About you", "kind": "text", "required": False}],
}

ARRIVAL = {"on": True, "preset": "prolific", "code": "own", "back": "https://example.org/?c={code}", "quota": 1}


@dataclass(frozen=True)
class Login:
    """A cookie, and the secret that changes need."""

    cookie: str
    csrf: str


@dataclass(frozen=True)
class Prey:
    """What is there."""

    owner: Login
    analyst: Login
    tokens: dict[str, str]
    """By who has them: an owner, to read and to write; an analyst who sees `campaign` and not `hidden`."""
    hidden: str
    campaign: str
    run: str
    victim: str
    """The secret of a link."""
    victims_tasks: list[int]
    curious: str
    tasks: list[int]
    slug: str
    """Of the open link."""


@pytest.fixture
def prey(app: Any, tmp_path: Path) -> Callable[[], Prey]:
    """Makes it, again and again if wanted."""
    database = app.state.database
    path = tmp_path / "texts.csv"
    path.write_text("id,text\n" + "".join(f"t{n},CANARYTEXT number {n}\n" for n in range(6)), "utf-8")
    kind = get_kind("ranking")
    material = kind.read({"texts": path}, {option.name: option.default for option in kind.options})

    def login(session: Any, name: str, role: str) -> Login:
        found = users.named(session, name) or users.add(session, name, "argon2 of CANARYNAME", role)
        cookie = sessions.begin(session, found.id)
        visitor_found = sessions.find(session, cookie)
        assert visitor_found is not None
        return Login(cookie, visitor_found.csrf)

    def made() -> Prey:
        with database.writing() as session:
            owner, analyst = login(session, "Ada", "owner"), login(session, "Bob", "analyst")
            row = campaigns.create(
                session,
                kind="ranking",
                name="CANARYNAME",
                lang="en",
                interface="en",
                welcome=WELCOME,
                material=material,
            )
            row = campaigns.change(session, row.id, row.revision, status="open", arrival=ARRIVAL)
            victim, curious = people.invite(session, row.id, 2, ["CANARYNOTE", ""])
            session.execute(delete(Run))  # only so many may wait
            run = runs.add(session, "CANARYNAME", {"lang": "en"}, b"")
            found = []
            for invited, about in ((victim, "CANARYFORM"), (curious, "")):
                who = tasks.begin(session, visitor(session, invited.secret, changes=True), True, {"about": about})
                found.append([one["id"] for one in tasks.ahead(session, who)])
            who = visitor(session, victim.secret, changes=True)
            record(session, who, [Sent("a", found[0][0], "answer", {"choice": "first"}, 1.0)])
            person = session.scalar(select(Participant).where(Participant.id == who.id))
            assert person is not None
            person.platform_id, person.completion, person.place = "CANARYPERSON", "CANARYCODE", True
            person.parameters = {"PROLIFIC_PID": "CANARYPERSON"}
            hidden = campaigns.create(
                session, kind="ranking", name=HIDDEN, lang="en", interface="en", welcome=WELCOME, material=material
            )
            (unseen,) = people.invite(session, hidden.id, 1, [HIDDEN])
            tasks.begin(session, _opened(session, hidden, unseen.secret), True, {"about": HIDDEN})
            limited = users.named(session, LIMITED) or users.add(session, LIMITED, "argon2", "analyst")
            rights.limit(session, limited.id, [row.id])
            ada = users.named(session, "Ada")
            assert ada is not None
            for user in (ada, limited):
                tokens.withdraw_all(session, user.id)
            secrets = {
                name: tokens.make(session, user.id, name, name != "reader")[1]
                for name, user in (("reader", ada), ("writer", ada), ("limited", limited))
            }
            return Prey(
                *(owner, analyst, secrets, hidden.id),
                *(row.id, run, victim.secret, found[0], curious.secret, found[1]),
                slug=str(row.slug),
            )

    return made


def _opened(session: Any, row: Any, secret: str) -> Any:
    campaigns.change(session, row.id, row.revision, status="open")
    return visitor(session, secret, changes=True)
