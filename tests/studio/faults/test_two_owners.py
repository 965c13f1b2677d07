"""Two owners change the same campaign at the same moment, while people answer: one is heard, the other is told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx
import pytest
from benchmarks.studio_crowd import Crowd

from .conftest import Scene

pytestmark = pytest.mark.slow
ROUNDS = 30
PASSWORD = "correct horse battery"


def logged_in(made: Scene, name: str) -> httpx.Client:
    client = httpx.Client(base_url=made.studio.url, timeout=60)
    me = client.post("/api/login", json={"name": name, "password": PASSWORD}).raise_for_status().json()
    client.headers["X-CSRF-Token"] = me["csrf"]
    return client


def test_two_owners_at_once(scene: Callable[..., Scene], database_url: str) -> None:
    for name in ("Ada", "Eve"):
        add = [sys.executable, "-m", "plainly", "studio", "--database", database_url, "user", "add", name]
        subprocess.run(add, input=PASSWORD, text=True, check=True, capture_output=True)
    made = scene(database_url)
    path = f"/api/campaigns/{made.invited.campaign}"
    owners = {name: logged_in(made, name) for name in ("Ada", "Eve")}
    together = Barrier(len(owners))
    won = dict.fromkeys(owners, 0)

    def change(name: str, number: int, revision: int) -> httpx.Response:
        together.wait(60)
        return owners[name].patch(path, json={"revision": revision, "name": f"{name} {number}"})

    def act(_: Crowd) -> None:
        made.answers()
        with ThreadPoolExecutor(len(owners)) as pool:
            for number in range(ROUNDS):
                seen = owners["Ada"].get(path).json()["revision"]
                both = {name: pool.submit(change, name, number, seen) for name in owners}
                replies = {name: one.result() for name, one in both.items()}
                assert sorted(reply.status_code for reply in replies.values()) == [200, 409]
                winner, loser = sorted(replies, key=lambda name: replies[name].status_code)
                assert replies[loser].json()["error"]
                won[winner] += 1
                now = owners["Eve"].get(path).json()
                assert (now["name"], now["revision"]) == (f"{winner} {number}", seen + 1)

    made.act(act)
    for client in owners.values():
        client.close()
    found = made.count()
    assert found.right, found
    assert sum(won.values()) == ROUNDS
    assert not made.crowd.faults
