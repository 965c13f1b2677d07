"""Analysts who are limited to campaigns: of all others they learn nothing, whatever they ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from plainly.studio.api.dependencies import campaign_of
from plainly.studio.app import PARTS

from .conftest import good

VALUES = {"number": "1", "name": "participants.csv", "place": "0", "task": "1"}
"""What else stands in addresses of campaigns."""


@pytest.fixture
def pair(make_toy: Callable[..., Any], running: dict[str, Any]) -> tuple[str, str]:
    """Two campaigns with answers in the first; the other one is called CANARY."""
    return running["id"], make_toy("CANARY")["id"]


def limited_to(owner: httpx.Client, *campaigns: str) -> int:
    """Bob sees these campaigns only."""
    (bob,) = (one for one in good(owner.get("/api/users"))["users"] if one["name"] == "Bob")
    assert good(owner.patch(f"/api/users/{bob['id']}", json={"campaigns": campaigns}))["campaigns"] == sorted(
        campaigns
    )
    return int(bob["id"])


def of_campaigns(app: Any) -> Iterator[tuple[str, str, APIRoute]]:
    """Every address of a campaign, of pages and of the API, with every method."""
    for route in (*app.routes, *(route for part in PARTS for route in part.router.routes)):
        if isinstance(route, APIRoute) and "{campaign" in route.path:
            yield from ((method, route.path, route) for method in sorted(route.methods))


def filled(path: str, campaign: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: VALUES.get(found[1], "1"), path.replace("{campaign_id}", campaign))


def test_every_address_of_a_campaign_asks_whether_it_may_be_seen(app: Any) -> None:
    def asks(dependant: Any) -> bool:
        return dependant.call is campaign_of or any(map(asks, dependant.dependencies))

    found = list(of_campaigns(app))
    assert len(found) >= 20
    for method, path, route in found:
        assert asks(route.dependant), (method, path)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_of_another_campaign_nothing_is_seen_or_changed(
    app: Any, owner: httpx.Client, analyst: httpx.Client, pair: tuple[str, str]
) -> None:
    own, other = pair
    limited_to(owner, own)
    before = owner.get(f"/api/campaigns/{other}").text
    for method, path, _ in of_campaigns(app):
        asked = {"json": {}} if method not in ("GET", "HEAD") else {}
        hidden = analyst.request(method, filled(path, other), **asked)
        absent = analyst.request(method, filled(path, "nothere"), **asked)
        assert hidden.status_code == absent.status_code == 404, (method, path, hidden.status_code)
        assert hidden.text.replace(other, "nothere") == absent.text, path  # nor does it show that there is one
    assert owner.get(f"/api/campaigns/{other}").text == before
    assert [one["id"] for one in good(analyst.get("/api/campaigns"))["campaigns"]] == [own]
    assert "CANARY" not in analyst.get("/").text
    assert "CANARY" in owner.get("/").text
    for path in (f"/api/campaigns/{own}/summary", f"/campaigns/{own}", f"/api/campaigns/{own}/export.zip"):
        assert analyst.get(path).status_code == 200


def test_scoring_runs_are_for_those_who_see_everything(
    owner: httpx.Client, analyst: httpx.Client, pair: tuple[str, str]
) -> None:
    paths = ("/runs", "/api/runs", "/api/runs/choices?lang=en", "/runs/compare?ids=a,b", "/api/runs/a", "/runs/a")
    assert [analyst.get(path).status_code for path in paths[:2]] == [200, 200]
    assert 'href="/runs"' in analyst.get("/").text
    limited_to(owner, pair[0])
    assert {analyst.get(path).status_code for path in paths} == {403}
    assert 'href="/runs"' not in analyst.get("/").text


def test_rights_come_and_go(owner: httpx.Client, analyst: httpx.Client, pair: tuple[str, str]) -> None:
    bob = limited_to(owner)
    assert good(analyst.get("/api/campaigns"))["campaigns"] == []
    user = f"/api/users/{bob}"
    assert owner.patch(user, json={"campaigns": ["nothere"]}).status_code == 404
    assert good(owner.patch(user, json={"campaigns": [pair[1], pair[1]]}))["campaigns"] == [pair[1]]
    assert len(good(analyst.get("/api/campaigns"))["campaigns"]) == 1
    assert good(owner.patch(user, json={"role": "owner"}))["campaigns"] == "all"
    assert len(good(analyst.get("/api/campaigns"))["campaigns"]) == 2  # owners see all
    good(owner.patch(user, json={"role": "analyst"}))
    assert len(good(analyst.get("/api/campaigns"))["campaigns"]) == 1
    good(owner.delete(f"/api/campaigns/{pair[1]}"), 204)
    assert good(analyst.get("/api/campaigns"))["campaigns"] == []
    assert good(owner.patch(user, json={"campaigns": "all"}))["campaigns"] == "all"
    assert len(good(analyst.get("/api/campaigns"))["campaigns"]) == 1


def test_a_new_analyst_may_be_limited_at_once(owner: httpx.Client, pair: tuple[str, str]) -> None:
    given = {"name": "Cleo", "password": "a long password", "campaigns": [pair[0]]}
    assert good(owner.post("/api/users", json=given), 201)["campaigns"] == [pair[0]]
    assert (
        good(owner.post("/api/users", json={**given, "name": "Dan", "campaigns": "all"}), 201)["campaigns"] == "all"
    )
    usual = {"name": "Eve", "password": "a long password"}
    assert good(owner.post("/api/users", json=usual), 201)["campaigns"] == "all"


def test_an_owner_names_campaigns_on_the_page_of_users(
    owner: httpx.Client, analyst: httpx.Client, pair: tuple[str, str], browse: Callable[..., Any]
) -> None:
    page = browse("/users")
    page.click("[data-user] .sees")
    page.locator("dialog label", has_text="all campaigns").click()
    page.locator("dialog label", has_text="CANARY").click()
    with page.expect_navigation():
        page.click("dialog .primary")
    page.get_by_text("1 selected").wait_for()
    assert [one["id"] for one in good(analyst.get("/api/campaigns"))["campaigns"]] == [pair[1]]
    page.click("[data-user] .sees")
    page.keyboard.press("Escape")  # changes nothing
    page.locator("dialog").wait_for(state="detached")
    assert len(good(analyst.get("/api/campaigns"))["campaigns"]) == 1
