"""The studio behind nginx and Caddy as deploy/ has them: real servers on loopback that speak TLS."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the process is that of the benchmark

from benchmarks.studio_process import Process

from plainly.studio.settings import sqlite_url

from ...waiting import LONG, until

pytestmark = pytest.mark.service
DEPLOY = Path(__file__).parents[3] / "deploy"
NAME = "study.example.org"
OWNER = {"name": "Ada", "password": "correct horse battery"}
TEXTS = "id,text\nt1,It rained.\nt2,There was precipitation.\n"


def needs(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """For the name, signed by itself: (certificate, key)."""
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "fullchain.pem", folder / "privkey.pem"
    call = [needs("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    told = ["-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},DNS:elsewhere.example"]
    subprocess.run([*call, *told, "-out", made, "-keyout", key], check=True, capture_output=True)
    return made, key


class Front:
    """A server in front of a studio: where it listens, and where it writes."""

    def __init__(self, folder: Path, studio: int, certificate: tuple[Path, Path]) -> None:
        self.folder, self.studio, self.certificate = folder, studio, certificate
        self.https, self.http = free_port(), free_port()

    def nginx(self) -> list[str]:
        """nginx.conf as it is, but with other ports and places."""
        site = (DEPLOY / "nginx.conf").read_text("utf-8")
        changes = {
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.https} ssl http2;",
            "server 127.0.0.1:8808;": f"server 127.0.0.1:{self.studio};",
            f"/etc/letsencrypt/live/{NAME}/": f"{self.certificate[0].parent}/",
            "/var/log/nginx/": f"{self.folder}/",
        }
        for old, new in changes.items():
            assert old in site, old
            site = site.replace(old, new)
        places = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.getuid() == 0 else ""
        whole = f"{user} daemon off; worker_processes 1; pid {self.folder}/pid; events {{}}\n"
        (self.folder / "all.conf").write_text(f"{whole}http {{ {places} {site} }}\n", "utf-8")
        return [needs("nginx"), "-e", str(self.folder / "start.log"), "-c", str(self.folder / "all.conf")]

    def caddy(self) -> list[str]:
        """Caddyfile as it is, but with other ports and the certificate of the test."""
        site = (DEPLOY / "Caddyfile").read_text("utf-8")
        name = "{$STUDIO_NAME:study.example.org} {"
        assert name in site
        # nginx takes its only server for every name; Caddy does so where it is told.
        here = f"https://{NAME}:{self.https}, https://elsewhere.example:{self.https} {{"
        site = site.replace(name, f"{here}\n\tbind 127.0.0.1\n\ttls {' '.join(map(str, self.certificate))}")
        site = site.replace("{\n", f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {self.http}\n", 1)
        (self.folder / "Caddyfile").write_text(site, "utf-8")
        return [needs("caddy"), "run", "--config", str(self.folder / "Caddyfile"), "--adapter", "caddyfile"]

    @contextmanager
    def running(self, program: str) -> Iterator[None]:
        call = getattr(self, program)()
        environment = {
            **os.environ,
            "STUDIO_AT": f"127.0.0.1:{self.studio}",
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        with (self.folder / "out.log").open("wb") as log:
            process = subprocess.Popen(call, stdout=log, stderr=log, env=environment)
            try:
                until(lambda: process.poll() is not None or self.listens(), f"the start of {program}")
                assert process.poll() is None, (self.folder / "out.log").read_text("utf-8")
                yield
            finally:
                process.terminate()
                process.wait(LONG)

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.https)) == 0

    def client(self, name: str = NAME) -> httpx.Client:
        """A browser that finds the name on this machine, and looks at the certificate."""
        context = ssl.create_default_context(cafile=str(self.certificate[0]))
        client = httpx.Client(verify=context, base_url=f"https://127.0.0.1:{self.https}", timeout=LONG)
        client.headers["Host"] = name
        client.event_hooks["request"].append(lambda request: request.extensions.update(sni_hostname=name))
        return client

    def written(self) -> str:
        """All that the server in front has put down."""
        return "".join(path.read_text("utf-8", "replace") for path in self.folder.rglob("*.log"))


@pytest.fixture(params=["nginx", "caddy"])
def front(
    request: pytest.FixtureRequest, tmp_path: Path, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Front, Process]]:
    """A studio with `--url` that runs behind the server."""
    needs(request.param)
    monkeypatch.setenv("PLAINLY_STUDIO_URL", f"https://{NAME}")
    studio = Process(sqlite_url(tmp_path / "studio.sqlite"), tmp_path)
    (tmp_path / "front").mkdir()
    made = Front(tmp_path / "front", studio.port, certificate)
    studio.start()
    try:
        with made.running(request.param):
            yield made, studio
    finally:
        studio.stop()


def good(reply: httpx.Response, status: int = 200) -> Any:
    assert reply.status_code == status, (reply.status_code, reply.text[:300])
    return reply.json() if reply.content else None


def test_a_study_through_tls(front: tuple[Front, Process]) -> None:
    server, studio = front
    with server.client() as browser:
        assert good(browser.get("/api/health"))["status"] == "ok"
        assert f"make the first account at https://{NAME}/setup?code=" in studio.said
        code = studio.said.split("/setup?code=")[1].split()[0]
        entered = browser.post("/api/setup", json={"code": code, **OWNER})
        cookie = entered.headers["Set-Cookie"]
        assert "secure" in cookie.lower()
        assert "max-age" in entered.headers["Strict-Transport-Security"]
        browser.headers["X-CSRF-Token"] = good(entered)["csrf"]
        browser.headers["Cookie"] = cookie.partition(";")[0]  # httpx keeps it for the address, not for the name
        data = {"kind": "ranking", "lang": "en", "name": "Rain"}
        many = TEXTS + "".join(f"x{number},{'It rained. ' * 300}\n" for number in range(500))  # 1.6 MB
        made = good(browser.post("/api/campaigns", data=data, files={"texts": ("texts.csv", many)}), 201)
        path = f"/api/campaigns/{made['id']}"
        good(browser.patch(path, json={"revision": made["revision"], "status": "open"}))
        [link] = good(browser.post(f"{path}/participants", json={}), 201)["links"]
        assert link["link"].startswith(f"https://{NAME}/p/")
    token = link["link"].rsplit("/", 1)[1]
    with server.client() as phone:
        page = phone.get(f"/p/{token}")
        assert page.status_code == 200
        assert page.headers["Content-Encoding"] == "gzip"
        tasks = good(phone.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": {}}))["tasks"]
        assert tasks
        given = {"client_id": "c1", "task": tasks[0]["id"], "answer": {"choice": "first"}, "seconds": 2.0}
        reply = good(phone.post(f"/api/p/{token}/responses", json={"responses": [given]}))
        assert reply["stored"] == ["c1"]
        assert phone.get("/metrics").status_code == 404
    assert token not in server.written()


def test_a_stranger_is_known_by_his_own_address(front: tuple[Front, Process]) -> None:
    """And not by what he says it is: else nobody could be kept from guessing."""
    server, _ = front
    with server.client() as stranger:

        def refused(number: int) -> bool:
            stranger.headers["X-Forwarded-For"] = f"203.0.{number // 250}.{number % 250}"
            return stranger.get(f"/api/p/{'x' * 20}{number}").status_code == 429

        assert any(map(refused, range(1000)))  # 100 are free, and 100 more each minute


def test_another_name_gets_nothing(front: tuple[Front, Process]) -> None:
    server, _ = front
    with server.client("elsewhere.example") as browser:
        reply = browser.get("/api/health")
    assert reply.status_code == 421
    assert reply.json() == {"error": f"this studio answers as {NAME} only; --url says under which name it is reached"}


def test_plain_http_is_led_to_https(front: tuple[Front, Process], request: pytest.FixtureRequest) -> None:
    server, _ = front
    if request.node.callspec.params["front"] == "caddy":
        pytest.skip("Caddy does so by itself; the test has it switched off, because it would listen on port 80")
    reply = httpx.get(f"http://127.0.0.1:{server.http}/login", headers={"Host": NAME})
    assert (reply.status_code, reply.headers["Location"]) == (301, f"https://{NAME}/login")


def test_nginx_takes_the_sample(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    call = Front(tmp_path, free_port(), certificate).nginx()
    checked = subprocess.run([*call, "-t"], capture_output=True, text=True, timeout=LONG)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = needs("systemd-analyze")
    unit = (DEPLOY / "plainly-studio.service").read_text("utf-8")
    assert "/opt/plainly/bin/plainly" in unit
    (tmp_path / "plainly-studio.service").write_text(unit.replace("/opt/plainly/bin/plainly", "/bin/true"), "utf-8")
    checked = subprocess.run(
        [program, "verify", tmp_path / "plainly-studio.service"], capture_output=True, text=True, timeout=LONG
    )
    assert (checked.returncode, checked.stderr) == (0, "")
