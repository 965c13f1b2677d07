"""The studio or its database is killed while people answer: nothing acknowledged is lost, nothing is stored twice."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from benchmarks.studio_crowd import Crowd

from ...waiting import until
from ..cluster import Cluster
from .conftest import Scene

pytestmark = pytest.mark.slow
KILLS = 20


def test_the_studio_is_killed(scene: Callable[..., Scene], database_url: str) -> None:
    made = scene(database_url)
    draw = random.Random(1)

    def act(_: Crowd) -> None:
        for _ in range(KILLS):
            made.answers(draw.randrange(10, 60))  # it works, and is busy
            made.studio.kill()
            made.studio.start()

    made.act(act)
    found = made.count()
    assert found.right, found
    assert found.acknowledged >= 10 * KILLS
    assert not made.crowd.faults
    assert sum(made.crowd.failures.values()) >= KILLS, "replies were lost"
    assert made.crowd.repeats
    assert made.studio.said.count("the studio is at") == 1 + KILLS
    assert "Traceback" not in made.studio.said


def test_the_database_restarts(scene: Callable[..., Scene], cluster: Cluster) -> None:
    """Stopped in order, stopped hard, and killed; the studio says so, stays, and goes on by itself."""
    made = scene(f"{cluster.url}/postgres")

    def act(crowd: Crowd) -> None:
        for end in (cluster.stop, lambda: cluster.stop("immediate"), cluster.kill, cluster.stop):
            made.answers()
            end()
            before = sum(crowd.failures.values())
            until(lambda: sum(crowd.failures.values()) >= before + 5, "a refusal")  # noqa: B023
            cluster.start()

    made.act(act)
    assert made.studio.alive
    said = made.studio.said
    found = made.count()
    assert found.right, found
    assert found.acknowledged >= 65
    assert not made.crowd.faults
    assert set(made.crowd.failures) == {"503: the database does not answer; nothing was stored, try again"}
    assert "the database failed: " in said
    assert said.count("the studio is at") == 1, "it was never started again"
    assert "Traceback" not in said
