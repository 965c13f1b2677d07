"""What strangers, other sites and analysts cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from plainly.studio.api import session as session_api
from plainly.studio.errors import TooMany
from plainly.studio.security import limits
from plainly.studio.security.limits import Limit
from plainly.studio.settings import Settings, sqlite_url

HOSTILE = "<script>window.hacked = 1</script> \" ' & {{ 7 * 7 }} <img src=x onerror=alert(1)>"


def changing(openapi: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All requests of owners that change something."""
    for path, methods in openapi["paths"].items():
        if path.startswith("/api/p/") or path in ("/api/login", "/api/setup"):
            continue
        filled = path.replace("{user_id}", "1").replace("{number}", "1")
        filled = re.sub(r"\{\w+\}", "abc", filled)
        yield from ((method.upper(), filled) for method in methods if method not in ("get", "head"))


def reading(openapi: dict[str, Any]) -> Iterator[str]:
    """All addresses that only logged-in users may read."""
    for path, methods in openapi["paths"].items():
        if "get" in methods and not path.startswith("/api/p/") and path != "/api/health":
            yield re.sub(r"\{\w+\}", "abc", path)


def test_without_a_login_nothing_is_seen_or_changed(owner: httpx.Client) -> None:
    openapi = owner.get("/api/openapi.json").json()
    with httpx.Client(base_url=owner.base_url) as stranger:
        for path in reading(openapi):
            assert stranger.get(path).status_code in (401, 422), path  # 422: no such id can be
        for method, path in changing(openapi):
            assert stranger.request(method, path, json={}).status_code == 401, path
        cookie = {"Cookie": "plainly_studio=guessed-guessed-guessed"}
        assert stranger.get("/api/campaigns", headers=cookie).status_code == 401


def test_every_change_needs_the_secret_of_the_login(owner: httpx.Client, analyst: httpx.Client) -> None:
    openapi = owner.get("/api/openapi.json").json()
    others = analyst.headers["X-CSRF-Token"]
    found = list(changing(openapi))
    assert len(found) >= 12
    for wrong in ("", "wrong", others, "ü"):
        for method, path in found:
            reply = owner.request(method, path, json={}, headers={b"X-CSRF-Token": wrong.encode("latin-1")})
            assert reply.status_code == 403, (path, reply.text)
            assert "X-CSRF-Token" in reply.json()["error"]


def test_analysts_read_and_change_nothing(analyst: httpx.Client, running: dict[str, Any]) -> None:
    openapi = analyst.get("/api/openapi.json").json()
    campaign = f"/api/campaigns/{running['id']}"
    for path in (
        "/api/campaigns",
        campaign,
        f"{campaign}/summary",
        f"{campaign}/participants",
        f"{campaign}/export.zip",
    ):
        assert analyst.get(path).status_code == 200, path
    own = ("/api/logout", "/api/me/password")
    for method, path in changing(openapi):
        if path not in own:
            reply = analyst.request(method, path.replace("/abc", f"/{running['id']}"), json={})
            assert reply.status_code == 403, (method, path, reply.status_code)
    assert analyst.get("/api/users").status_code == 403
    assert analyst.get("/users").status_code == 403
    assert analyst.get("/campaigns/new").status_code == 403
    page = analyst.get(f"/campaigns/{running['id']}").text
    assert "data-status" not in page
    assert 'id="preview"' not in page


def test_a_login_from_another_site_is_refused(owner: httpx.Client) -> None:
    with httpx.Client(base_url=owner.base_url) as browser:
        given = {"name": "Ada", "password": "correct horse battery"}
        for site in ("cross-site", "same-site"):
            assert browser.post("/api/login", json=given, headers={"Sec-Fetch-Site": site}).status_code == 403
        assert browser.post("/api/login", json=given, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_every_answer_carries_the_headers(client: httpx.Client) -> None:
    paths = (
        "/",
        "/login",
        "/setup",
        "/users",
        "/api/me",
        "/api/health",
        "/nowhere",
        "/static/studio.css",
        "/static/../app.py",
    )
    for path in paths:
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] in ("no-store", "no-cache")
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy


def test_the_next_page_is_one_of_ours(owner: httpx.Client) -> None:
    with httpx.Client(base_url=owner.base_url) as browser:
        for path, shown in {
            "/users": "/users",
            "//evil.example": "/",
            "https://evil.example": "/",
            "/\\evil": "/",
        }.items():
            page = browser.get("/login", params={"next": path}).text
            assert f'data-next="{shown}"' in page
        assert browser.get("/users").headers["Location"] == "/login?next=/users"


def test_hostile_names_stay_text(owner: httpx.Client, make_toy: Callable[..., Any]) -> None:
    made = make_toy(HOSTILE)
    owner.post(f"/api/campaigns/{made['id']}/participants", json={"count": 1, "notes": [HOSTILE]})
    owner.post("/api/users", json={"name": HOSTILE, "password": "a long password"})
    pages = [
        "/",
        "/users",
        *(f"/campaigns/{made['id']}{tab}" for tab in ("", "/participants", "/settings", "/exports")),
    ]
    for path in pages:
        text = owner.get(path).text
        assert "<script>window" not in text, path
        assert "<img" not in text, path
        assert "{{ 7" in text or "49" not in text
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt;" in owner.get("/").text


def test_no_page_has_scripts_or_styles_of_its_own(owner: httpx.Client, running: dict[str, Any]) -> None:
    tabs = ("", "/participants", "/settings", "/exports")
    for path in ("/", "/users", "/account", "/campaigns/new", *(f"/campaigns/{running['id']}{tab}" for tab in tabs)):
        text = owner.get(path).text
        assert re.search(r"<script(?![^>]*\bsrc=)", text) is None, path
        assert re.search(r"<style|\sstyle=|\son\w+=", text) is None, path


def test_too_large_is_refused_at_once(app: Any, owner: httpx.Client) -> None:
    settings: Settings = app.state.settings
    reply = owner.post("/api/login", content=b"x" * (settings.largest_request + 1))
    assert reply.status_code == 413
    assert "MiB" in reply.json()["error"]
    assert reply.headers["X-Content-Type-Options"] == "nosniff"

    def stream() -> Iterator[bytes]:  # no length is told
        for _ in range(settings.largest_request // 65536 + 2):
            yield b"x" * 65536

    assert owner.post("/api/users", content=stream()).status_code == 413


def test_the_size_of_uploads_is_a_setting(tmp_path: Any) -> None:
    from fastapi.testclient import TestClient

    from plainly.studio.app import create_app

    app = create_app(
        Settings(database=sqlite_url(tmp_path / "s.sqlite"), largest_upload=100_000, largest_request=5000)
    )
    with TestClient(app) as client:
        person = {"code": app.state.setup_code, "name": "Ada", "password": "correct horse battery"}
        csrf = {"X-CSRF-Token": client.post("/api/setup", json=person).json()["csrf"]}
        for size, status in ((50_000, 422), (100_001, 413)):
            files = {"texts": ("texts.csv", b"x" * size)}
            reply = client.post("/api/campaigns/check", data={"kind": "ranking"}, files=files, headers=csrf)
            assert reply.status_code == status
        assert client.post("/api/users", content=b"x" * 5001, headers=csrf).status_code == 413


def test_a_limit_fills_up_again() -> None:
    moment = [0.0]
    limit = Limit(3, 30, clock=lambda: moment[0])
    for _ in range(3):
        limit.take("a")
    with pytest.raises(TooMany, match="try again in 10 s"):
        limit.take("a")
    limit.take("b")
    moment[0] = 10
    limit.take("a")
    with pytest.raises(TooMany):
        limit.check("a")
    limit.forgive("a")
    limit.check("a")


def test_a_limit_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEYS", 10)
    limit = Limit(1, 60, clock=lambda: 0.0)
    for key in range(11):
        limit.take(key)
    limit.take(0)
    with pytest.raises(TooMany):
        limit.take(10)


@pytest.fixture
def guessing(app: Any, owner: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> Callable[..., httpx.Response]:
    """Tries to log in where requests are counted."""
    object.__setattr__(app.state.settings, "limited", True)
    monkeypatch.setattr(session_api, "_by_name", Limit(4, 900))
    monkeypatch.setattr(session_api, "_by_address", Limit(8, 900))

    def guess(name: str, password: str = "wrong password") -> httpx.Response:
        return owner.post("/api/login", json={"name": name, "password": password})

    return guess


def test_guessing_the_password_of_one_user(guessing: Callable[..., httpx.Response]) -> None:
    assert [guessing("Ada").status_code for _ in range(5)] == [401] * 4 + [429]
    last = guessing("ADA", "correct horse battery")
    assert last.status_code == 429  # the right one comes too late, whatever the case of the name
    assert int(last.headers["Retry-After"]) > 100


def test_guessing_many_users_from_one_address(guessing: Callable[..., httpx.Response]) -> None:
    assert [guessing(f"user {number}").status_code for number in range(9)] == [401] * 8 + [429]


def test_the_right_password_costs_nothing(guessing: Callable[..., httpx.Response]) -> None:
    for _ in range(6):
        assert guessing("Ada", "correct horse battery").status_code == 200
        guessing("Nobody")
    assert guessing("Ada", "correct horse battery").status_code == 200
