"""A single transfer from a server that means no good."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from catalogue_helpers import Handler, Site

from plainly.base.errors import PlainlyError
from plainly.corpus.catalogue import transfer

CONTENT = b"Twelve bytes"


@pytest.fixture
def get(site: Site, tmp_path: Path) -> Callable[..., bytes]:
    """What comes from the server for a name, if 20 bytes are the limit."""

    def run(name: str, limit: int = 20) -> bytes:
        transfer.transfer(f"{site.address}/{name}", tmp_path / "x", limit, lambda size: None)
        return (tmp_path / "x").read_bytes()

    return run


def fault(get: Callable[..., bytes], name: str, **options: int) -> str:
    with pytest.raises(transfer.TransferFault) as caught:
        get(name, **options)
    return str(caught.value)


def test_the_request_is_modest(get: Callable[..., bytes], site: Site) -> None:
    seen: dict[str, str] = {}

    def rule(handler: Handler) -> None:
        seen.update(handler.headers)
        handler.send_file(CONTENT)

    site.rules["x"] = rule
    assert get("x") == CONTENT
    assert seen["User-Agent"].startswith("plainly/")
    assert seen["Accept-Encoding"] == "identity"
    assert "Range" not in seen


# Too much


def endless(handler: Handler) -> None:
    """Sends until the other side hangs up."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.site.closing.is_set():
        handler.wfile.write(b"x" * 4096)


def endless_chunks(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while not handler.server.site.closing.is_set():
        handler.wfile.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")


def honest_but_large(handler: Handler) -> None:
    handler.send_file(b"x" * 21)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (endless, "sends more than the 20 bytes that the catalogue says; dropped"),
        (endless_chunks, "sends more than the 20 bytes that the catalogue says; dropped"),
        (honest_but_large, "21 bytes there, but the catalogue says 20; not fetched"),
    ],
)
def test_no_more_bytes_than_announced(
    get: Callable[..., bytes], site: Site, tmp_path: Path, rule: Callable[[Handler], None], words: str
) -> None:
    site.rules["x"] = rule
    assert fault(get, "x") == f"{site.address}/x: {words}"
    assert not (tmp_path / "x").exists()


def test_a_length_that_lies_low(get: Callable[..., bytes], site: Site) -> None:
    """Only as many bytes are read as the header says, whatever follows."""

    def rule(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "6")
        handler.end_headers()
        handler.wfile.write(CONTENT)

    site.rules["x"] = rule
    assert get("x") == b"Twelve"


@pytest.mark.parametrize("length", ["-5", "many", "9" * 400, "1e3"])
def test_a_length_that_is_none(get: Callable[..., bytes], site: Site, length: str) -> None:
    def rule(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", length)
        handler.end_headers()
        handler.wfile.write(CONTENT)

    site.rules["x"] = rule
    assert get("x") == CONTENT


# Too slow


def silent(handler: Handler) -> None:
    handler.server.site.closing.wait(20)


def silent_in_the_middle(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "12")
    handler.end_headers()
    handler.wfile.write(b"Twelve")
    handler.server.site.closing.wait(20)


def drop_by_drop(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.site.closing.wait(0.05):
        handler.wfile.write(b"x")


def test_no_answer(get: Callable[..., bytes], site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "TIMEOUT", 0.2)
    site.rules["x"] = silent
    host = site.address.removeprefix("http://")
    assert fault(get, "x") == f"{host} does not answer within 0.2 s"


def test_silence_in_the_middle(
    get: Callable[..., bytes], site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "TIMEOUT", 0.2)
    site.rules["x"] = silent_in_the_middle
    assert "nothing came for 0.2 s after 6 bytes; run the same command again" in fault(get, "x")
    assert (tmp_path / "x").read_bytes() == b"Twelve"


def test_a_trickle_ends(get: Callable[..., bytes], site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each drop comes in time, so only the clock for the whole file helps."""
    monkeypatch.setattr(transfer, "DEADLINE", 0.3)
    site.rules["x"] = drop_by_drop
    assert "not done after 0.3 s; run the same command again" in fault(get, "x", limit=1_000_000)


# Elsewhere


def redirecting(target: str, status: int = 302) -> Callable[[Handler], None]:
    def rule(handler: Handler) -> None:
        handler.send_response(status)
        handler.send_header("Location", target)
        handler.end_headers()

    return rule


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(get: Callable[..., bytes], site: Site, status: int) -> None:
    site.rules["x"] = redirecting("/y", status)
    site.rules["y"] = redirecting(f"{site.address}/z", status)
    site.files["z"] = CONTENT
    assert get("x") == CONTENT


def test_a_redirect_keeps_the_range(get: Callable[..., bytes], site: Site, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(CONTENT[:5])
    site.rules["x"] = redirecting("/z")
    site.files["z"] = CONTENT
    assert get("x") == CONTENT
    assert site.asked == [("x", "bytes=5-"), ("z", "bytes=5-")]


def test_redirects_end(get: Callable[..., bytes], site: Site) -> None:
    site.rules["x"] = redirecting("/x")
    assert fault(get, "x") == f"{site.address}/x: more than 5 redirects"
    assert len(site.asked) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "gopher://x"])
def test_redirects_lead_to_http_only(get: Callable[..., bytes], site: Site, target: str) -> None:
    site.rules["x"] = redirecting(target)
    assert fault(get, "x") == f"{site.address}/x: redirects to an address that is not allowed"


@pytest.mark.parametrize("target", ["http://[x/", "http://127.0.0.1:port/", "/a b"])
def test_a_redirect_to_a_broken_address(get: Callable[..., bytes], site: Site, target: str) -> None:
    site.rules["x"] = redirecting(target)
    assert "gives no proper answer" in fault(get, "x")


def test_a_secure_address_does_not_become_an_open_one() -> None:
    with pytest.raises(PlainlyError, match="not allowed"):
        transfer._redirected("https://example.org/x", "http://example.org/x")


def test_a_redirect_without_a_target(get: Callable[..., bytes], site: Site) -> None:
    def rule(handler: Handler) -> None:
        handler.send_response(302)
        handler.end_headers()

    site.rules["x"] = rule
    assert fault(get, "x") == f"{site.address}/x: more than 5 redirects"


def test_the_body_of_a_redirect_is_not_read(get: Callable[..., bytes], site: Site) -> None:
    def rule(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", "/z")
        handler.end_headers()
        while not handler.server.site.closing.is_set():
            handler.wfile.write(b"x" * 4096)

    site.rules["x"] = rule
    site.files["z"] = CONTENT
    assert get("x") == CONTENT


# Other answers


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "no such file there (HTTP 404)"),
        (410, "no such file there (HTTP 410)"),
        (403, "the server refuses (HTTP 403)"),
        (416, "the server refuses (HTTP 416)"),
        (500, "the server refuses (HTTP 500)"),
        (304, "the server refuses (HTTP 304)"),
    ],
)
def test_the_status_is_named(get: Callable[..., bytes], site: Site, tmp_path: Path, status: int, words: str) -> None:
    site.rules["x"] = lambda handler: handler.send_error(status)
    assert fault(get, "x") == f"{site.address}/x: {words}"
    assert not (tmp_path / "x").exists()


def test_rubbish_for_an_answer(get: Callable[..., bytes], site: Site) -> None:
    site.rules["x"] = lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n") and None
    assert fault(get, "x").endswith("gives no proper answer (BadStatusLine)")


def test_the_line_is_dropped(get: Callable[..., bytes], site: Site) -> None:
    site.rules["x"] = lambda handler: None
    assert fault(get, "x").endswith("gives no proper answer (RemoteDisconnected)")


@pytest.mark.parametrize("address", ["ftp://host/x", "data:,x", "x", "", "javascript:x"])
def test_other_kinds_of_addresses(tmp_path: Path, address: str) -> None:
    with pytest.raises(PlainlyError, match="only http, https, file addresses are allowed"):
        transfer.transfer(address, tmp_path / "x", 20, lambda size: None)


def test_a_full_disk(site: Site) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    site.files["x"] = b"x" * 100_000
    with pytest.raises(PlainlyError, match="cannot write /dev/full: No space left on device"):
        transfer.transfer(f"{site.address}/x", Path("/dev/full"), 100_000, lambda size: None)
