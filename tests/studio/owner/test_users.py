"""Users and roles."""

from __future__ import annotations

import httpx

from .conftest import ANALYST, good


def test_users_are_added_changed_and_deleted(owner: httpx.Client) -> None:
    made = good(owner.post("/api/users", json={"name": "Bob", "password": "another long password"}), 201)
    assert made["role"] == "analyst"
    assert [user["name"] for user in good(owner.get("/api/users"))["users"]] == ["Ada", "Bob"]
    assert "password" not in made
    assert good(owner.patch(f"/api/users/{made['id']}", json={"role": "owner"}))["role"] == "owner"
    assert owner.patch(f"/api/users/{made['id']}", json={}).status_code == 422
    good(owner.delete(f"/api/users/{made['id']}"), 204)
    assert owner.delete(f"/api/users/{made['id']}").status_code == 404
    assert owner.delete("/api/users/99999999999").status_code == 422


def test_users_that_cannot_be(owner: httpx.Client) -> None:
    password = "another long password"
    cases: list[tuple[dict[str, object], int]] = [
        ({"name": "Ada", "password": password}, 409),
        ({"name": " ", "password": password}, 422),
        ({"name": "two\nlines", "password": password}, 422),
        ({"name": "Eve", "password": "short"}, 422),
        ({"name": "Eve", "password": password, "role": "king"}, 422),
        ({"name": "Eve", "password": password, "admin": True}, 422),
    ]
    for given, status in cases:
        reply = owner.post("/api/users", json=given)
        assert reply.status_code == status, given
        assert reply.json()["error"]
    assert len(good(owner.get("/api/users"))["users"]) == 1


def test_an_owner_is_always_left(owner: httpx.Client) -> None:
    me = good(owner.get("/api/me"))["id"]
    assert owner.delete(f"/api/users/{me}").status_code == 409
    assert owner.patch(f"/api/users/{me}", json={"role": "analyst"}).status_code == 409


def test_a_new_password_by_an_owner_logs_the_user_out(owner: httpx.Client, analyst: httpx.Client) -> None:
    bob = good(analyst.get("/api/me"))["id"]
    good(owner.patch(f"/api/users/{bob}", json={"password": "from now on this one"}))
    assert analyst.get("/api/me").status_code == 401
    assert analyst.post("/api/login", json={"name": ANALYST[0], "password": ANALYST[1]}).status_code == 401
    good(analyst.post("/api/login", json={"name": ANALYST[0], "password": "from now on this one"}))


def test_the_login_of_a_deleted_user_is_over(owner: httpx.Client, analyst: httpx.Client) -> None:
    bob = good(analyst.get("/api/me"))["id"]
    good(owner.delete(f"/api/users/{bob}"), 204)
    assert analyst.get("/api/me").status_code == 401
