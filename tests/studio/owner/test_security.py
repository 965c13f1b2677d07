"""What strangers, other sites and analysts cannot do."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import uvicorn

from plainly.studio.api import guesses
from plainly.studio.errors import TooMany
from plainly.studio.security import limits
from plainly.studio.security.limits import Limit
from plainly.studio.server import serve
from plainly.studio.settings import Settings, sqlite_url

HOSTILE = "<script>window.hacked = 1</script> \" ' & {{ 7 * 7 }} <img src=x onerror=alert(1)>"


def changing(openapi: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All requests of owners that change something."""
    for path, methods in openapi["paths"].items():
        if path.startswith(("/api/p/", "/api/j/")) or path in ("/api/login", "/api/setup"):
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
    own = ("/api/logout", "/api/me/")
    for method, path in changing(openapi):
        if not path.startswith(own):
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
    reply = owner.post("/api/users", content=b"x" * (settings.largest_request + 1))
    assert reply.status_code == 413
    assert "at most 1 MiB" in reply.json()["error"]
    assert reply.headers["X-Content-Type-Options"] == "nosniff"

    def stream() -> Iterator[bytes]:  # no length is told
        for _ in range(settings.largest_request // 65536 + 2):
            yield b"x" * 65536

    assert owner.post("/api/users", content=stream()).status_code == 413


def told(server: str, method: str, path: str, length: int, *headers: str) -> tuple[int, str]:
    """The answer to a request whose body never comes."""
    host, port = server.removeprefix("http://").split(":")
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {length}", *headers, "", ""]
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        found = connection.recv(65536).decode()
    return int(found.split()[1]), found


def test_nothing_large_is_read_of_those_who_are_nobody(server: str, owner: httpx.Client) -> None:
    csrf, cookie = owner.headers["X-CSRF-Token"], f"Cookie: plainly_studio={owner.cookies['plainly_studio']}"
    asked = [
        (401, "POST", "/api/users", 100_000),
        (401, "POST", "/api/users", 100_000, "Cookie: plainly_studio=guessed"),
        (403, "POST", "/api/users", 100_000, cookie),
        (401, "PATCH", "/api/campaigns/abc", 900_000),
        (401, "POST", "/api/campaigns", 60_000_000),
        (404, "POST", "/api/p/guessed/responses", 100_000),
        (413, "POST", "/api/p/guessed/welcome", 100_000),
        (413, "POST", "/api/login", 100_000),
        (413, "POST", "/api/setup", 100_000),
        (413, "POST", "/api/me/password", 100_000, cookie, f"X-CSRF-Token: {csrf}"),
    ]
    for status, method, path, length, *headers in asked:
        assert told(server, method, path, length, *headers)[0] == status, (path, headers)
    name = "x" * 100_000
    assert owner.post("/api/users", json={"name": name, "password": "a long password"}).status_code == 422


def test_wrong_links_do_not_lock_out_the_right_ones(
    app: Any, server: str, owner: httpx.Client, running: dict[str, Any]
) -> None:
    """Many participants may share an address: that of their school."""
    object.__setattr__(app.state.settings, "limited", True)
    app.state.link_limits.strangers = Limit(3, 900)
    statuses = [owner.get(f"/api/p/guess{number}").status_code for number in range(5)]
    assert statuses == [404, 404, 404, 429, 429]
    assert told(server, "POST", "/api/p/guess/responses", 10)[0] == 429  # before anything is read
    page = owner.get("/p/guess")
    assert (page.status_code, page.headers["Content-Type"]) == (429, "text/html; charset=utf-8")
    token = running["links"][1]["link"].rsplit("/", 1)[1]
    assert owner.get(f"/api/p/{token}").status_code == 200
    assert owner.get(f"/p/{token}").status_code == 200


def test_unknown_addresses_of_pages_are_pages(owner: httpx.Client) -> None:
    for method, path, status in [
        ("GET", "/nowhere", 404),
        ("GET", "/campaigns/zzzz", 404),
        ("GET", "/campaigns/zzzz/report", 404),
        ("GET", "/campaigns/ODD%00/exports", 404),
        ("GET", "/campaigns/zzzz/nowhere", 404),
        ("GET", "/runs/zzzz", 404),
        ("GET", "/runs/compare?ids=", 404),
        ("GET", "/p/guess/more", 404),
        ("POST", "/login", 405),
    ]:
        reply = owner.request(method, path)
        assert (reply.status_code, reply.headers["Content-Type"]) == (status, "text/html; charset=utf-8"), path
        assert "<h1" in reply.text, path
    for path in ("/api/nowhere", "/api", "/static/nowhere.js"):
        assert list(owner.get(path).json()) == ["error"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_server_in_front_is_believed_if_it_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, **_: seen.append(self.config))
    for proxy, secure in ((("10.0.0.2", "10.1.0.0/24"), False), ((), True), ((), False)):
        serve(replace(settings, port=0, proxy=proxy, secure=secure), lambda _: None)
        seen[-1].load()
        seen[-1].app.state.database.close()
    named, here, nobody = (config.loaded_app for config in seen)
    assert [address in named.trusted_hosts for address in ("10.0.0.2", "10.1.0.9", "10.0.0.3")] == [True, True, False]
    assert [address in here.trusted_hosts for address in ("127.0.0.1", "::1", "10.0.0.2")] == [True, True, False]
    assert not hasattr(nobody, "trusted_hosts")


def test_the_command_names_the_server_in_front(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from plainly.cli import main

    seen: list[Any] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, **_: seen.append(self.config))
    database = ["--database", sqlite_url(tmp_path / "s.sqlite")]
    named = ["--proxy", "10.0.0.2", "--proxy", "10.1.0.0/24"]
    assert main(["studio", *database, *named, "--port", "0", "--no-browser"]) == 0
    assert seen[-1].forwarded_allow_ips == ["10.0.0.2", "10.1.0.0/24"]
    seen[-1].load()
    seen[-1].app.state.database.close()


def test_the_size_of_uploads_is_a_setting(tmp_path: Any) -> None:
    from fastapi.testclient import TestClient

    from plainly.studio.app import create_app

    app = create_app(
        Settings(database=sqlite_url(tmp_path / "s.sqlite"), largest_upload=100_000, largest_request=5000)
    )
    with TestClient(app, base_url="http://localhost") as client:
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
    limit.take("a", 2)
    with pytest.raises(TooMany, match="try again in 10 s"):
        limit.take("a", 2)
    limit.take("c", 99)  # what no bucket holds
    assert limit.spent("c")


def test_a_limit_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEYS", 10)
    limit = Limit(1, 60, clock=lambda: 0.0)
    for key in range(11):
        limit.take(key)
    limit.take(0)
    with pytest.raises(TooMany):
        limit.take(10)


@pytest.fixture
def guessing(app: Any, owner: httpx.Client) -> Callable[..., httpx.Response]:
    """Tries to log in where requests are counted."""
    object.__setattr__(app.state.settings, "limited", True)
    app.state.guesses.by_name = Limit(4, 900)
    app.state.guesses.by_both = Limit(4, 900)
    app.state.guesses.by_address = Limit(8, 900)

    def guess(name: str, password: str = "wrong password") -> httpx.Response:
        return owner.post("/api/login", json={"name": name, "password": password})

    return guess


def test_guessing_the_password_of_one_user(guessing: Callable[..., httpx.Response]) -> None:
    assert [guessing("Ada").status_code for _ in range(5)] == [401] * 4 + [429]
    last = guessing("ADA", "correct horse battery")
    assert last.status_code == 429  # the right one comes too late, whatever the case of the name
    assert int(last.headers["Retry-After"]) > 100


def test_guessing_elsewhere_locks_nobody_out(
    guessing: Callable[..., httpx.Response], owner: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(guesses, "sleep", sleep)
    assert [guessing("Ada").status_code for _ in range(5)] == [401] * 4 + [429]
    home = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(base_url=owner.base_url, transport=home) as ada:
        assert ada.post("/api/login", json={"name": "Ada", "password": "correct horse battery"}).status_code == 200
    assert waits == [guesses.SLOW]  # who guesses from many places gets no further


def test_guessing_many_users_from_one_address(guessing: Callable[..., httpx.Response], owner: httpx.Client) -> None:
    assert [guessing(f"user {number}").status_code for number in range(9)] == [401] * 8 + [429]
    assert told(str(owner.base_url).rstrip("/"), "POST", "/api/login", 500)[0] == 429  # before anything is read


def test_the_right_password_costs_nothing(guessing: Callable[..., httpx.Response]) -> None:
    for _ in range(6):
        assert guessing("Ada", "correct horse battery").status_code == 200
        guessing("Nobody")
    assert guessing("Ada", "correct horse battery").status_code == 200
