"""Logging in: the first owner, wrong passwords, cookies, the end of a login."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.security import passwords
from plainly.studio.store import sessions, tables, users

from .conftest import OWNER, good


def test_the_first_owner_needs_the_code(client: httpx.Client, app: Any) -> None:
    person = {"name": "Eve", "password": "a long password"}
    assert client.post("/api/setup", json={**person, "code": "guess"}).status_code == 403
    code = app.state.setup_code
    assert client.post("/api/setup", json={**person, "code": code, "password": "short"}).status_code == 422
    me = good(client.post("/api/setup", json={**person, "code": code}))
    assert me["role"] == "owner"
    assert app.state.setup_code is None
    assert (
        client.post("/api/setup", json={"name": "Mallory", "password": "a long password", "code": code}).status_code
        == 409
    )


def test_log_in_and_out(owner: httpx.Client) -> None:
    cookie = owner.cookies["plainly_studio"]
    assert good(owner.get("/api/me"))["name"] == "Ada"
    good(owner.post("/api/logout"), 204)
    assert owner.get("/api/me", headers={"Cookie": f"plainly_studio={cookie}"}).status_code == 401
    name, password = OWNER
    assert owner.post("/api/login", json={"name": name, "password": "wrong password"}).status_code == 401
    assert owner.post("/api/login", json={"name": "Nobody", "password": password}).status_code == 401
    assert owner.post("/api/login", json={"name": "nul\0byte", "password": password}).status_code == 401
    half = b'{"name": "half \\ud800", "password": "wrong password"}'
    assert owner.post("/api/login", content=half, headers={"Content-Type": "application/json"}).status_code in (
        401,
        422,
    )
    good(owner.post("/api/login", json={"name": f" {name} ", "password": password}))
    assert good(owner.get("/api/me"))["role"] == "owner"


def test_the_cookie_is_for_the_browser_alone(owner: httpx.Client) -> None:
    name, password = OWNER
    written = owner.post("/api/login", json={"name": name, "password": password}).headers["Set-Cookie"].lower()
    assert "httponly" in written
    assert "samesite=strict" in written
    assert "path=/" in written
    assert "secure" not in written  # this server speaks plain HTTP; see the next test


def test_behind_tls_the_cookie_is_secure(owner: httpx.Client, app: Any) -> None:
    object.__setattr__(app.state.settings, "secure", True)
    name, password = OWNER
    assert (
        "; secure"
        in owner.post("/api/login", json={"name": name, "password": password}).headers["Set-Cookie"].lower()
    )


def test_the_database_knows_neither_password_nor_cookie(owner: httpx.Client, app: Any) -> None:
    with app.state.database.reading() as session:
        user = session.query(tables.User).one()
        login = session.query(tables.Login).one()
    assert user.password.startswith("$argon2id$")
    assert OWNER[1] not in user.password
    assert login.token != owner.cookies["plainly_studio"]


def test_a_login_ends(owner: httpx.Client, app: Any) -> None:
    with app.state.database.writing() as session:
        session.query(tables.Login).update({"expires": "2000-01-01T00:00:00.000Z"})
    assert owner.get("/api/me").status_code == 401
    with app.state.database.writing() as session:
        sessions.begin(session, session.query(tables.User.id).scalar())
        assert session.query(tables.Login).count() == 1  # the old one is gone


def test_a_new_password_ends_all_other_logins(owner: httpx.Client) -> None:
    name, password = OWNER
    with httpx.Client(base_url=owner.base_url) as elsewhere:
        good(elsewhere.post("/api/login", json={"name": name, "password": password}))
        change = {"current": "wrong password", "password": "a quite new password"}
        assert owner.post("/api/me/password", json=change).status_code == 403
        good(owner.post("/api/me/password", json={**change, "current": password}), 204)
        assert elsewhere.get("/api/me").status_code == 401
        assert owner.get("/api/me").status_code == 200
        assert elsewhere.post("/api/login", json={"name": name, "password": password}).status_code == 401


@pytest.mark.parametrize("path", ["/api/login", "/api/me/password"])
def test_the_old_password_opens_nothing_while_it_is_changed(
    owner: httpx.Client, app: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    name, password = OWNER
    right = passwords.matches

    def slow(kept: str | None, given: str) -> bool:
        found = right(kept, given)
        with app.state.database.writing() as session:  # meanwhile somebody sets another one
            users.set_password(session, 1, passwords.hashed("a quite new password"))
        return found

    monkeypatch.setattr(passwords, "matches", slow)
    body = (
        {"name": name, "password": password}
        if path == "/api/login"
        else {"current": password, "password": "mine!" * 3}
    )
    reply = owner.post(path, json=body)
    assert reply.status_code == 401
    assert "Set-Cookie" not in reply.headers
    monkeypatch.undo()
    with app.state.database.reading() as session:
        assert session.query(tables.Login).count() == 0
        assert passwords.matches(session.query(tables.User).one().password, "a quite new password")


@pytest.mark.parametrize("bad", ["", "123456789", "aaaaaaaaaaaaaaaa", "x" * 501])
def test_passwords_that_are_none(bad: str) -> None:
    with pytest.raises(PlainlyError, match="password"):
        passwords.hashed(bad)


def test_a_password_matches_itself_alone() -> None:
    kept = passwords.hashed("pässword \ud83d broken")
    assert passwords.matches(kept, "pässword \ud83d broken")
    assert not passwords.matches(kept, "passwörd")
    assert not passwords.matches("no hash", "pässword")
    assert not passwords.matches(None, "nobody has this password")
