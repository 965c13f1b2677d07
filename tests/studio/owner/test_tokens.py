"""API tokens: what programs may do with them, and what they may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from plainly.studio.api import dependencies
from plainly.studio.ids_and_times import now
from plainly.studio.security.limits import Limit
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store import tables

from ...waiting import LONG
from .conftest import good


def token(client: httpx.Client, writes: bool = False, name: str = "notebook") -> str:
    return str(good(client.post("/api/me/tokens", json={"name": name, "writes": writes}), 201)["token"])


def by(base: httpx.Client, secret: str) -> httpx.Client:
    """A program: no cookie, no secret of a login."""
    return httpx.Client(base_url=base.base_url, timeout=LONG, headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def reads(owner: httpx.Client) -> Iterator[httpx.Client]:
    with by(owner, token(owner)) as made:
        yield made


@pytest.fixture
def writes(owner: httpx.Client) -> Iterator[httpx.Client]:
    with by(owner, token(owner, writes=True)) as made:
        yield made


def test_a_token_is_shown_once(owner: httpx.Client, app: Any) -> None:
    secret = token(owner)
    assert secret.startswith("plainly_")
    assert len(secret) >= 30  # 128 bits in base64, and its beginning
    (listed,) = good(owner.get("/api/me/tokens"))["tokens"]
    assert (listed["name"], listed["writes"], listed["used"]) == ("notebook", False, None)
    assert secret not in owner.get("/account").text + owner.get("/api/me/tokens").text
    with app.state.database.reading() as session:
        assert session.query(tables.Token).one().token == fingerprint(secret)
    with by(owner, secret) as program:
        assert good(program.get("/api/me")) == {"id": 1, "name": "Ada", "role": "owner", "csrf": ""}
    assert good(owner.get("/api/me/tokens"))["tokens"][0]["used"] == now()[:10]


def test_reading_and_writing(reads: httpx.Client, writes: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"
    for program in (reads, writes):
        assert good(program.get(f"{path}/summary"))["answers"] == 3
        assert program.get(f"{path}/export.zip").status_code == 200
    refused = reads.post(f"{path}/participants", json={"count": 1})
    assert (refused.status_code, "may read only" in refused.json()["error"]) == (403, True)
    assert len(good(writes.post(f"{path}/participants", json={"count": 1}), 201)["links"]) == 1


def test_what_no_token_may_do(owner: httpx.Client, writes: httpx.Client) -> None:
    """Nothing that outlasts it: no other token, no password, no user."""
    asked = [
        ("GET", "/api/me/tokens", None),
        ("POST", "/api/me/tokens", {"name": "another"}),
        ("DELETE", "/api/me/tokens/1", None),
        ("POST", "/api/me/password", {"current": "correct horse battery", "password": "a new password"}),
        ("POST", "/api/logout", None),
        ("POST", "/api/users", {"name": "Eve", "password": "a long password", "role": "owner"}),
        ("PATCH", "/api/users/1", {"password": "a new password"}),
        ("DELETE", "/api/users/1", None),
    ]
    for method, path, given in asked:
        reply = writes.request(method, path, json=given)
        assert (reply.status_code, "log in with your password" in reply.text) == (403, True), (method, path)
    assert len(good(owner.get("/api/me/tokens"))["tokens"]) == 1
    assert good(writes.get("/api/users"))["users"][0]["name"] == "Ada"


def test_never_more_than_the_user(owner: httpx.Client, analyst: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"
    with by(analyst, token(analyst, writes=True)) as program:
        assert program.get(f"{path}/summary").status_code == 200
        assert "Maria" not in program.get(f"{path}/participants").text
        assert program.post(f"{path}/participants", json={"count": 1}).status_code == 403
        (bob,) = (one for one in good(owner.get("/api/users"))["users"] if one["name"] == "Bob")
        good(owner.patch(f"/api/users/{bob['id']}", json={"campaigns": []}))
        assert program.get(f"{path}/summary").status_code == 404
        good(owner.patch(f"/api/users/{bob['id']}", json={"password": "given by the owner"}))
        assert program.get("/api/me").status_code == 401  # whoever had the password may have made it


def test_withdrawn_or_of_somebody_who_is_gone(owner: httpx.Client, analyst: httpx.Client) -> None:
    first, second = token(analyst), token(analyst, name="other")
    ids = [one["id"] for one in good(analyst.get("/api/me/tokens"))["tokens"]]
    assert owner.delete(f"/api/me/tokens/{ids[0]}").status_code == 404  # not the owner's own
    good(analyst.delete(f"/api/me/tokens/{ids[0]}"), 204)
    with by(owner, first) as gone, by(owner, second) as stays:
        assert (gone.get("/api/me").status_code, stays.get("/api/me").status_code) == (401, 200)
        (bob,) = (one for one in good(owner.get("/api/users"))["users"] if one["name"] == "Bob")
        good(owner.delete(f"/api/users/{bob['id']}"), 204)
        assert stays.get("/api/me").status_code == 401


def test_tokens_open_the_api_and_no_pages(reads: httpx.Client, running: dict[str, Any]) -> None:
    for path in ("/", "/account", f"/campaigns/{running['id']}"):
        assert reads.get(path).headers["Location"].startswith("/login"), path
    assert "paths" in good(reads.get("/api/openapi.json"))


def test_a_wrong_token_is_not_helped_by_a_cookie(owner: httpx.Client) -> None:
    for wrong in ("plainly_guessed", "x", "ü"):
        headers = {b"Authorization": f"Bearer {wrong}".encode("latin-1")}
        assert owner.get("/api/me", headers=headers).status_code == 401
    assert owner.get("/api/me", headers={"Authorization": "Basic QWRhOng="}).status_code == 200


def test_the_description_of_the_api_is_for_those_who_log_in(owner: httpx.Client) -> None:
    assert "paths" in good(owner.get("/api/openapi.json"))
    with httpx.Client(base_url=owner.base_url) as stranger:
        assert stranger.get("/api/openapi.json").status_code == 401


def test_so_many_and_no_more(owner: httpx.Client) -> None:
    for number in range(20):
        token(owner, name=f"token {number}")
    assert owner.post("/api/me/tokens", json={"name": "one more"}).status_code == 409
    for name in ("", "two\nlines", "x" * 101):
        assert owner.post("/api/me/tokens", json={"name": name}).status_code in (409, 422)


def test_requests_are_counted(owner: httpx.Client, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = token(owner)
    object.__setattr__(app.state.settings, "limited", True)
    monkeypatch.setattr(dependencies, "_each", Limit(3, 900))
    monkeypatch.setattr(dependencies, "_guessed", Limit(2, 900))
    with by(owner, secret) as program, by(owner, "plainly_guessed") as guessing:
        assert [guessing.get("/api/me").status_code for _ in range(4)] == [401, 401, 429, 429]
        assert [program.get("/api/me").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_made_and_withdrawn_on_the_account_page(owner: httpx.Client, browse: Callable[..., Any]) -> None:
    page = browse("/account")
    page.fill("#name", "notebook")
    page.select_option("#writes", "yes")
    page.click("#new-token button")
    secret = page.locator("#token code").inner_text()
    assert page.locator("#tokens tbody tr").inner_text().split("\t")[:2] == ["notebook", "read and write"]
    with by(owner, secret) as program:
        assert program.get("/api/me").status_code == 200
        page.reload()
        assert secret not in page.content()
        page.click("#tokens .danger")
        page.locator("dialog .danger").click()
        page.locator("#tokens tbody").wait_for(state="detached")
        assert program.get("/api/me").status_code == 401
