"""What travels compressed and what does not; files that browsers keep for ever."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.studio import files
from plainly.studio.compression import takes_gzip
from plainly.studio.files import static

from .conftest import good

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
LONG_TEXTS = "id,text\n" + "".join(f"t{number},{'It rained all day. ' * 20}\n" for number in range(4))


def encoding(client: httpx.Client, path: str, method: str = "GET", **more: Any) -> str:
    """How the answer came, which is long enough to be compressed."""
    reply = client.request(method, path, **more)
    assert reply.status_code in (200, 201), reply.text[:300]
    assert len(reply.content) >= 1000, path
    return reply.headers.get("Content-Encoding", "")


def test_what_participants_get_is_compressed(
    owner: httpx.Client, make: Callable[..., Any], client: httpx.Client
) -> None:
    made = make(texts=LONG_TEXTS)
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))
    link = good(owner.post(f"/api/campaigns/{made['id']}/participants", json={}), 201)["links"][0]["link"]
    token = link.rsplit("/", 1)[1]
    assert encoding(client, f"/p/{token}") == "gzip"
    assert encoding(client, f"/api/p/{token}") == "gzip"
    assert encoding(client, f"/api/p/{token}/welcome", "POST", json={"consent": True, "fields": {}}) == "gzip"
    with client.stream("GET", f"/api/p/{token}") as reply:
        raw = b"".join(reply.iter_raw())
        assert int(reply.headers["Content-Length"]) == len(raw)
        assert gzip.decompress(raw) == client.get(f"/api/p/{token}", headers={"Accept-Encoding": "identity"}).content


def test_a_secret_never_travels_compressed(owner: httpx.Client, make: Callable[..., Any]) -> None:
    campaign = f"/api/campaigns/{make()['id']}"
    pages = ["/", "/users", "/account", campaign.removeprefix("/api"), "/campaigns/new"]
    for path in pages:  # they hold the secret of the login
        assert "csrf" in owner.get(path).text
        assert encoding(owner, path) == "", path
    assert encoding(owner, f"{campaign}/participants", "POST", json={"count": 20}) == ""  # links
    assert "Content-Encoding" not in owner.get("/api/me").headers


def test_codes_of_the_open_link_never_travel_compressed(owner: httpx.Client, make: Callable[..., Any]) -> None:
    """Strangers who come by it choose what stands beside them."""
    path = f"/api/campaigns/{make()['id']}"
    good(owner.put(f"{path}/arrival", json={"revision": 1, "arrival": {"on": True}}))
    good(owner.patch(path, json={"revision": 2, "status": "open"}))
    address = good(owner.get(f"{path}/arrival"))["link"]["address"].rpartition("/")[2]
    for number in range(6):
        good(owner.post(f"/api/j/{address}", json={"secret": f"{number:022d}", "parameters": {}}))
    for name in ("arrival", "arrival/people", "arrival/people.csv"):
        assert "Content-Encoding" not in owner.get(f"{path}/{name}").headers, name
    assert len(owner.get(f"{path}/arrival/people").content) > 1000


def test_what_owners_read_is_compressed(owner: httpx.Client, make: Callable[..., Any]) -> None:
    path = f"/api/campaigns/{make()['id']}"
    good(owner.post(f"{path}/participants", json={"count": 20}), 201)
    assert encoding(owner, f"{path}/participants") == "gzip"
    assert encoding(owner, f"{path}/participants", headers={"Accept-Encoding": "br, gzip;q=0"}) == ""


def test_files_are_kept_for_ever_under_names_that_change(client: httpx.Client, app: Any) -> None:
    address = static("participant.js")
    assert re.fullmatch(r"/static/[0-9a-f]{16}/participant\.js", address)
    reply = client.get(address)
    assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert reply.headers["Content-Encoding"] == "gzip"
    assert reply.content == (files.HOME / "static" / "participant.js").read_bytes()
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.content == reply.content
    assert {one.headers["Vary"] for one in (plain, reply)} == {"Accept-Encoding"}


def test_an_old_name_gets_the_new_file_and_is_not_kept(client: httpx.Client) -> None:
    for path in ("/static/participant.js", "/static/0123456789abcdef/participant.js"):
        reply = client.get(path)
        assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "no-cache")
        again = client.get(path, headers={"If-None-Match": reply.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_mark_follows_every_byte(monkeypatch: pytest.MonkeyPatch, client: httpx.Client) -> None:
    before = static("studio.css")
    changed = {**files._files(), "studio.css": files._File(b"body {}", b"", "text/css")}
    monkeypatch.setattr(files, "_files", lambda: changed)
    files._mark.cache_clear()
    assert static("studio.css") != before
    monkeypatch.undo()
    files._mark.cache_clear()
    assert static("studio.css") == before


def test_all_files_of_a_page_have_one_mark(owner: httpx.Client) -> None:
    named = re.findall(r'(?:href|src)="([^"]*static[^"]*)"', owner.get("/campaigns/new").text)
    assert len(named) >= 4
    for address in named:
        assert address.startswith(static("")), address
        assert owner.get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("offer", "taken"),
    [("gzip, deflate, br", True), ("GZIP", True), ("br;q=1, gzip;q=0.8", True), ("gzip;q=0", False), ("", False)],
)  # fmt: skip
def test_who_can_read_gzip(offer: str, taken: bool, database_url: str) -> None:
    from starlette.datastructures import Headers

    assert takes_gzip(Headers({"accept-encoding": offer})) is taken
