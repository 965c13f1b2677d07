"""Participants as owners see them: links once, revoked, renewed, deleted with all answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from plainly.studio.store import tables

from .conftest import answer, good

Make = Callable[..., Any]


def test_links_are_shown_once(owner: httpx.Client, app: Any, make_toy: Make) -> None:
    base = f"/api/campaigns/{make_toy()['id']}/participants"
    links = good(owner.post(base, json={"count": 3, "notes": ["Maria", ""]}), 201)["links"]
    assert [one["code"] for one in links] == ["P001", "P002", "P003"]
    assert links[0]["link"].startswith(f"{str(owner.base_url).rstrip('/')}/p/")
    secrets = {one["link"].rsplit("/", 1)[1] for one in links}
    assert len(secrets) == 3
    assert all(len(secret) >= 22 for secret in secrets)  # 128 bits in base64
    listed = good(owner.get(base))
    assert [one["note"] for one in listed["participants"]] == ["Maria", "", ""]
    with app.state.database.reading() as session:
        kept = {row.token for row in session.query(tables.Participant)}
    assert not any(secret in str(listed) or secret in kept for secret in secrets)


def test_how_far_everybody_is(owner: httpx.Client, running: dict[str, Any]) -> None:
    first, second = good(owner.get(f"/api/campaigns/{running['id']}/participants"))["participants"]
    assert (first["done"], first["total"], first["status"], first["pace"]) == (2, 2, "finished", 0.5)
    assert (second["done"], second["total"], second["status"], second["pace"]) == (1, 2, "active", 1.25)
    assert first["last_seen"] <= second["last_seen"]


def test_a_revoked_link_opens_nothing_and_a_new_one_goes_on(owner: httpx.Client, running: dict[str, Any]) -> None:
    base = f"/api/campaigns/{running['id']}/participants"
    old = running["links"][1]["link"].rsplit("/", 1)[1]
    good(owner.post(f"{base}/2/revoke"), 204)
    assert owner.get(f"/api/p/{old}").status_code == 403
    assert good(owner.get(base))["participants"][1]["done"] == 1
    new = good(owner.post(f"{base}/2/renew"))["link"].rsplit("/", 1)[1]
    assert good(owner.get(f"/api/p/{new}"))["progress"]["done"] == 1
    assert owner.get(f"/api/p/{old}").status_code == 404
    assert owner.post(f"{base}/99/revoke").status_code == 404
    assert owner.post(f"{base}/0/revoke").status_code == 422


def test_deleted_with_all_answers(owner: httpx.Client, app: Any, running: dict[str, Any]) -> None:
    good(owner.delete(f"/api/campaigns/{running['id']}/participants/1"), 204)
    with app.state.database.reading() as session:
        assert session.query(tables.Response).count() == 1
        assert session.query(tables.Participant).count() == 1
    assert "P001" not in owner.get(f"/api/campaigns/{running['id']}/exports/answers.csv").text
    again = good(owner.post(f"/api/campaigns/{running['id']}/participants", json={"count": 1}), 201)["links"]
    assert again[0]["code"] == "P003"  # no pseudonym is used twice


def test_a_preview_counts_nowhere(owner: httpx.Client, make_toy: Make) -> None:
    made = make_toy()
    link = good(owner.post(f"/api/campaigns/{made['id']}/preview"))["link"]
    state = answer(owner.base_url, link, [{"yes": True}])
    assert state["progress"]["done"] == 1
    summary = good(owner.get(f"/api/campaigns/{made['id']}/summary"))
    assert (summary["answers"], summary["participants"]) == (0, [])
    row = good(owner.get("/api/campaigns"))["campaigns"][0]
    assert (row["participants"], row["done"]) == (0, 0)
    newer = good(owner.post(f"/api/campaigns/{made['id']}/preview"))["link"]
    assert owner.get(f"/api/p/{link.rsplit('/', 1)[1]}").status_code == 404
    assert good(owner.get(f"/api/p/{newer.rsplit('/', 1)[1]}"))["progress"]["done"] == 0


def test_invitations_that_are_refused(owner: httpx.Client, make_toy: Make) -> None:
    base = f"/api/campaigns/{make_toy()['id']}/participants"
    for given in ({"count": 0}, {"count": 1001}, {"count": 1, "notes": ["a", "b"]}, {"count": 1, "notes": ["a\nb"]}):
        assert owner.post(base, json=given).status_code == 422
    assert owner.post("/api/campaigns/nothere/participants", json={"count": 1}).status_code == 404
