"""How soon does the dashboard of a large study say something: `python -m benchmarks.studio_dashboard`.

A ranking of 5,000 texts by 200 people, with 10,000 answers, is written into a database. A studio is started on it, as
a process of its own, and one owner opens the dashboard. Meanwhile files of the same study are exported, and files of
another one checked: none may wait for the results. --texts, --people and --answers make other sizes.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from sqlalchemy import insert, select, update

from benchmarks.studio_crowd import WELCOME
from benchmarks.studio_process import Process
from benchmarks.tables import Cell, render
from plainly.studio.api.dependencies import COOKIE, CSRF
from plainly.studio.ids_and_times import now
from plainly.studio.kinds import get_kind
from plainly.studio.security.passwords import hashed
from plainly.studio.settings import sqlite_url
from plainly.studio.store import campaigns, people, sessions, users
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Participant, Response, Task

TEXTS, PEOPLE, ANSWERS = 5000, 200, 10_000
LOOK = 0.25
"""Seconds between two looks."""
LONGEST = 900.0


@dataclass(frozen=True)
class Study:
    """A campaign with many answers, and the secrets of an owner's login."""

    campaign: str
    cookie: str
    csrf: str

    def client(self, url: str) -> httpx.Client:
        """The owner's browser."""
        return httpx.Client(base_url=url, cookies={COOKIE: self.cookie}, headers={CSRF: self.csrf}, timeout=LONGEST)


def make(url: str, texts: int = TEXTS, persons: int = PEOPLE, answers: int = ANSWERS) -> Study:
    """Everybody judges pairs of their own; every text has about as many, and the easier one wins more often."""
    draw = np.random.default_rng(7)
    ease = draw.normal(size=texts)
    rounds = [draw.permutation(texts) for _ in range(-(-2 * answers // texts))]
    pairs = np.concatenate(rounds)[: 2 * answers].reshape(-1, 2)
    pairs[pairs[:, 0] == pairs[:, 1], 1] = (pairs[pairs[:, 0] == pairs[:, 1], 1] + 1) % texts
    wins = draw.random(answers) < 1 / (1 + np.exp(ease[pairs[:, 1]] - ease[pairs[:, 0]]))
    seconds = np.round(draw.gamma(6, 2, answers) + 2, 2)
    database = Database(url)
    try:
        with database.writing() as session:
            row = users.named(session, "Ada") or users.add(session, "Ada", hashed("a long password"), "owner")
            cookie = sessions.begin(session, row.id)
            visitor = sessions.find(session, cookie)
            assert visitor is not None
            campaign = _campaign(session, texts, persons)
            ids = session.scalars(
                select(Participant.id).where(Participant.campaign_id == campaign).order_by(Participant.number)
            ).all()
            places = [(ids[number % persons], number // persons) for number in range(answers)]
            tasks = [
                {
                    "participant_id": who,
                    "place": place,
                    "role": "",
                    "content": {"first": f"t{one}", "second": f"t{other}", "match": str(number)},
                    "response_id": None,
                    "done": True,
                }
                for number, ((who, place), (one, other)) in enumerate(zip(places, pairs.tolist(), strict=True))
            ]
            session.execute(insert(Task), tasks)
            known = {(task.participant_id, task.place): task.id for task in session.scalars(select(Task))}
            time_ = now()
            rows = [
                {
                    "participant_id": key[0],
                    "task_id": known[key],
                    "client_id": f"r{key[1]}",
                    "action": "answer",
                    "answer": {"choice": "first" if won else "second"},
                    **dict.fromkeys(("seconds", "server_seconds", "believed_seconds"), float(took)),
                    "received": time_,
                }
                for key, won, took in zip(places, wins.tolist(), seconds.tolist(), strict=True)
            ]
            session.execute(insert(Response), rows)
            answered = select(Response.id).where(Response.task_id == Task.id).scalar_subquery()
            session.execute(
                update(Task)
                .where(Task.participant_id.in_(ids), Task.response_id.is_(None))
                .values(response_id=answered)
            )
            session.execute(update(Participant).where(Participant.id.in_(ids)).values(status="active", started=time_))
            return Study(campaign, cookie, visitor.csrf)
    finally:
        database.close()


def _campaign(session: Any, texts: int, persons: int) -> str:
    kind = get_kind("ranking")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        words = " ".join(["Some words are plain, others are not."] * 6)
        path.write_text("\n".join(["id,text", *(f't{place},"{words} {place}"' for place in range(texts))]), "utf-8")
        options = {option.name: option.default for option in kind.options} | {"sharing": "shared", "per_person": 50}
        material = kind.read({"texts": path}, options)
    made = campaigns.create(
        session,
        kind="ranking",
        name="Large",
        lang="en",
        interface="en",
        welcome=WELCOME,
        material=material,
        seed=7,
    )
    campaigns.change(session, made.id, made.revision, status="open")
    people.invite(session, made.id, persons)
    return made.id


@dataclass
class Dashboard:
    """An owner who looks at one dashboard, as the page does it."""

    study: Study
    url: str
    everybody: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    """From the first request to what was first shown."""
    slowest: float = 0.0
    """Of all replies."""
    size: int = 0
    """Of the largest reply, in bytes."""

    def look(self) -> None:
        """Until all results are there."""
        known: dict[str, Any] = {"wait": 0, "everybody": self.everybody}
        begun = time.monotonic()
        with self.study.client(self.url) as owner:
            while time.monotonic() < begun + LONGEST:
                asked = time.monotonic()
                reply = owner.get(f"/api/campaigns/{self.study.campaign}/summary", params=known).raise_for_status()
                found, came = reply.json(), time.monotonic()
                self.slowest = max(self.slowest, came - asked)
                self.size = max(self.size, len(reply.content))
                if "participants" in found:
                    self.seconds.setdefault("progress", came - begun)
                    results = found["results"]
                    if results and results.get("tables"):
                        self.seconds.setdefault("first results", came - begun)
                    if results and not found["computing"]:
                        self.seconds[f"all results{found['ended'] and ' until the limit'}"] = came - begun
                        return
                    known = {**known, "known": found["version"], "results": results["version"] if results else ""}
                time.sleep(LOOK)
        raise TimeoutError("no results")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio_dashboard")
    parser.add_argument("--texts", type=int, default=TEXTS)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    parser.add_argument("--database", metavar="URL", help="an empty one (default: SQLite)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plainly-dashboard-") as folder:
        url = options.database or sqlite_url(Path(folder) / "studio.sqlite")
        study = make(url, options.texts, options.people, options.answers)
        process = Process(url, Path(folder))
        process.start()
        try:
            found, beside = _measured(study, process.url)
        finally:
            process.stop()
    seconds = {f"dashboard: {name}": value for name, value in found.seconds.items()}
    seconds |= {"dashboard: slowest reply": found.slowest, **beside}
    rows: list[list[Cell]] = [[name, value] for name, value in seconds.items()]
    print(render(["what", "seconds"], rows, "markdown", [0, 2]))
    print(f"largest reply: {found.size / 1e6:.1f} MB; load of the machine at the end: {os.getloadavg()[0]:.1f}")


def _measured(study: Study, url: str) -> tuple[Dashboard, dict[str, float]]:
    """The dashboard, and what others ask for meanwhile."""
    dashboard = Dashboard(study, url)
    watching = threading.Thread(target=dashboard.look)
    watching.start()
    beside: dict[str, float] = {}
    with study.client(url) as other:

        def export() -> httpx.Response:
            return other.get(f"/api/campaigns/{study.campaign}/export.zip")

        def check() -> httpx.Response:
            files = {"texts": ("t.csv", "id,text\na,One.\nb,Two.\n")}
            return other.post("/api/campaigns/check", data={"kind": "ranking", "lang": "en"}, files=files)

        while watching.is_alive():
            for name, ask in (("export meanwhile", export), ("check of files meanwhile", check)):
                begun = time.monotonic()
                ask().raise_for_status()
                beside[name] = max(beside.get(name, 0.0), time.monotonic() - begun)
            time.sleep(1)
    return dashboard, beside


if __name__ == "__main__":
    main()
