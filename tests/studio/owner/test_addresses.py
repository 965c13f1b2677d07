"""Under which names a studio answers, and how its links begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
import uvicorn

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.studio.addresses import insist_host, link_base, named_by_requests, public_url
from plainly.studio.errors import Misdirected
from plainly.studio.settings import Settings, sqlite_url

from .conftest import good

PUBLIC = "https://study.example.org"
HERE = Settings("sqlite:///nowhere")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://study.example.org", PUBLIC),
        (" https://Study.example.org:443/ ", PUBLIC),
        ("https://study.example.org:8443", "https://study.example.org:8443"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_the_address_is_read(written: str, read: str) -> None:
    assert public_url(written) == read


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("study.example.org", "write it as https://study.example.org"),
        ("ftp://study.example.org", "write it as https://"),
        ("https://stu dy.example.org", "write it as https://"),
        ("https://me:secret@study.example.org", "only the name of the server"),
        ("https://study.example.org/?a=1", "only the name of the server"),
        ("https://study.example.org/plainly", "it cannot live below a path such as /plainly"),
        ("https://study.example.org:many", "this is no address"),
    ],
)
def test_an_address_that_cannot_be_is_refused(written: str, said: str) -> None:
    with pytest.raises(PlainlyError, match=said):
        public_url(written)


@pytest.mark.parametrize(
    ("settings", "answered", "refused"),
    [
        (
            HERE,
            ["127.0.0.1:8808", "localhost", "LOCALHOST.", "[::1]:8808"],
            ["evil.example", "127.0.0.1.example", ""],
        ),
        (
            replace(HERE, url=PUBLIC),
            ["study.example.org", "STUDY.example.org:443", "127.0.0.1:8808"],
            ["evil.example", "a@evil.example"],
        ),
        (replace(HERE, host="0.0.0.0", url=PUBLIC), ["study.example.org"], ["10.0.0.7", "["]),
        (replace(HERE, secure=True), ["lab.example.org", "localhost"], []),
        (replace(HERE, host="0.0.0.0"), ["lab.example.org", "10.0.0.7:8808"], []),
    ],
)
def test_only_its_own_names_are_answered(settings: Settings, answered: list[str], refused: list[str]) -> None:
    for host in answered:
        insist_host(settings, host)
    for host in refused:
        with pytest.raises(Misdirected):
            insist_host(settings, host)
    assert named_by_requests(settings) == (not refused)


def test_links_begin_as_the_owner_said() -> None:
    assert link_base(replace(HERE, url=PUBLIC), "http", "127.0.0.1:8808") == PUBLIC
    assert link_base(replace(HERE, secure=True), "http", "lab.example.org") == "https://lab.example.org"
    assert link_base(HERE, "http", "localhost:8808") == "http://localhost:8808"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_invitations_carry_the_public_address(app: Any, owner: httpx.Client, make: Callable[..., Any]) -> None:
    path = f"/api/campaigns/{make()['id']}"
    object.__setattr__(app.state.settings, "url", PUBLIC)
    made = good(owner.post(f"{path}/participants", json={}), 201)["links"][0]
    assert made["link"].startswith(f"{PUBLIC}/p/")
    assert good(owner.post(f"{path}/participants/1/renew"))["link"].startswith(f"{PUBLIC}/p/")
    assert good(owner.post(f"{path}/preview"))["link"].startswith(f"{PUBLIC}/p/")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_another_name_is_told_so(client: httpx.Client) -> None:
    for path, shape in (("/api/health", "application/json"), ("/login", "text/html; charset=utf-8")):
        reply = client.get(path, headers={"Host": "evil.example"})
        assert (reply.status_code, reply.headers["Content-Type"]) == (421, shape)
        assert "this studio answers as localhost only" in reply.text
        assert client.get(path).status_code in (200, 303)


def started(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[Any, str]:
    """The settings of a studio that the command started, and what it said."""
    seen: list[Any] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, **_: seen.append(self.config.app))
    assert main(["studio", "--no-browser", *options]) == 0
    seen[0].state.database.close()
    return seen[0].state.settings, capsys.readouterr().out


def test_the_terminal_says_the_public_address(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLAINLY_STUDIO_DATABASE", sqlite_url(tmp_path / "s.sqlite"))
    settings, said = started(monkeypatch, capsys, "--port", "0", "--url", PUBLIC)
    assert settings.https
    assert f"the studio is at {PUBLIC}/, and for the server in front of it at http://127.0.0.1:" in said
    assert f"make the first account at {PUBLIC}/setup?code=" in said
    assert "note" not in said
    settings, said = started(monkeypatch, capsys, "--port", "0", "--host", "0.0.0.0")
    assert not settings.https
    assert "--url says which name is right" in said


def test_the_environment_says_what_options_do_not(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {"DATABASE": sqlite_url(tmp_path / "s.sqlite"), "URL": f"{PUBLIC}/", "HOST": "0.0.0.0", "PORT": "0"}
    for name, value in {**told, "SECURE": "yes", "PROXY": "10.0.0.2 10.1.0.0/24"}.items():
        monkeypatch.setenv(f"PLAINLY_STUDIO_{name}", value)
    settings, _ = started(monkeypatch, capsys)
    assert settings == Settings(
        told["DATABASE"], "0.0.0.0", 0, secure=True, url=PUBLIC, proxy=("10.0.0.2", "10.1.0.0/24")
    )
    settings, _ = started(
        monkeypatch, capsys, "--host", "127.0.0.1", "--proxy", "10.0.0.3", "--url", "http://a.example"
    )
    assert (settings.host, settings.proxy, settings.url) == ("127.0.0.1", ("10.0.0.3",), "http://a.example")
    for name, wrong in (("SECURE", "maybe"), ("PORT", "all"), ("PROXY", "here"), ("URL", "here")):
        monkeypatch.setenv(f"PLAINLY_STUDIO_{name}", wrong)
        assert main(["studio", "--no-browser"]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert f"PLAINLY_STUDIO_{name}: " in error
        monkeypatch.setenv(f"PLAINLY_STUDIO_{name}", told.get(name, "yes" if name == "SECURE" else ""))
