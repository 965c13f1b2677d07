"""What programs that look after a studio may know, and who may."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.studio.metrics import Metrics

from .conftest import good

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
TOKEN = "a token of some length"


def samples(text: str) -> dict[str, float]:
    """By name and labels; every line is a comment or a sample."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            matched = re.fullmatch(r"([a-z_]+(?:\{.*\})?) ([0-9.e+-]+)", line)
            assert matched, line
            found[matched[1]] = float(matched[2])
    return found


def test_counts_of_a_running_study(client: httpx.Client, running: dict[str, Any]) -> None:
    reply = client.get("/metrics")
    assert reply.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = samples(reply.text)
    assert found['plainly_responses_total{fate="acknowledged"}'] == 3
    assert found['plainly_responses_total{fate="refused"}'] == 0
    assert found["plainly_participants_active"] == 2
    assert found["plainly_database_up"] == 1
    assert found["plainly_database_statements_total"] > 10
    assert found["plainly_scoring_runs"] == 0
    # two participants: a welcome, a look at the state, and three answers
    assert found['plainly_requests_total{kind="participants",status="2xx"}'] == 7
    assert found['plainly_request_seconds_count{kind="participants"}'] == 7
    assert found['plainly_request_seconds_bucket{kind="participants",le="+Inf"}'] == 7
    assert good(client.get("/api/health"))["status"] == "ok"
    again = samples(client.get("/metrics").text)
    assert again['plainly_requests_total{kind="health",status="2xx"}'] == 2  # the first look, and the one above


def test_nobody_is_in_it(client: httpx.Client, running: dict[str, Any], app: Any) -> None:
    said = client.get("/metrics").text
    token = running["links"][0]["link"].rsplit("/", 1)[1]
    for secret in (running["name"], running["id"], token, "P001", "Maria", "Ada"):
        assert not re.search(rf"\b{re.escape(secret)}\b", said), secret


def test_the_names_of_campaigns_are_for_those_with_the_token(
    client: httpx.Client, running: dict[str, Any], app: Any
) -> None:
    object.__setattr__(app.state.settings, "metrics_token", TOKEN)
    named = samples(client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text)
    labels = f'{{campaign="{running["id"]}",name="{running["name"]}"}}'
    assert named[f"plainly_campaign_participants{labels}"] == 2
    assert named[f"plainly_campaign_done{labels}"] == 3
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 403
    assert "plainly_campaign" not in client.get("/metrics").text


def test_strangers_find_nothing(client: httpx.Client, app: Any) -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer"}).status_code == 403  # no token was set


def test_a_database_that_is_away_is_told(client: httpx.Client, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from plainly.studio.errors import Unavailable

    def away() -> Any:
        raise Unavailable("the database does not answer")

    monkeypatch.setattr(app.state.database, "reading", away)
    assert client.get("/api/health").status_code == 503
    assert samples(client.get("/metrics").text)["plainly_database_up"] == 0


def test_who_was_seen_long_ago_is_not_active(database_url: str) -> None:
    time = [0.0]
    metrics = Metrics(clock=lambda: time[0])
    metrics.seen(1)
    time[0] = 200.0
    metrics.seen(2)
    time[0] = 301.0
    assert samples("\n".join(metrics.lines()))["plainly_participants_active"] == 1


def test_a_name_cannot_break_a_line(
    owner: httpx.Client, make: Callable[..., Any], client: httpx.Client, app: Any
) -> None:
    made = make(name='Ships "and" \\cats')
    object.__setattr__(app.state.settings, "metrics_token", TOKEN)
    named = samples(client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text)
    assert named[f'plainly_campaign_done{{campaign="{made["id"]}",name="Ships \\"and\\" \\\\cats"}}'] == 0


def test_the_list_of_campaigns_follows_answers(owner: httpx.Client, running: dict[str, Any]) -> None:
    """Its last change is that of the newest answer, and its tasks are those of the dashboard."""
    [row] = good(owner.get("/api/campaigns"))["campaigns"]
    people = good(owner.get(f"/api/campaigns/{running['id']}/participants"))["participants"]
    assert row["done"] == sum(one["done"] for one in people) == 3
    assert row["changed"] == max(one["last_seen"] for one in people)
    assert row["changed"] > row["updated"]
    assert f'datetime="{row["changed"]}"' in owner.get("/").text
