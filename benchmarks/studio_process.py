"""A studio as `plainly studio` runs it: a process of its own, that can be killed and started again."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 300
"""For a machine that has other things to do."""


class Process:
    """Always at the same port, with the same database. What it says is added to a file."""

    def __init__(self, url: str, folder: Path, program: str = "from plainly.cli import command; command()") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._log = folder / "studio.log"
        self._call = [sys.executable, "-c", program, "studio", "--database", url, "--port", str(self.port)]
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        return self._log.read_text("utf-8")

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    @property
    def alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def start(self) -> None:
        """Until it answers."""
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                [*self._call, "--no-browser"], stdout=log, stderr=log, env={**os.environ, "OMP_NUM_THREADS": "1"}
            )
        until = time.monotonic() + SECONDS
        while not self._answers():
            assert self.alive, self.said
            assert time.monotonic() < until, f"no answer within {SECONDS} s: {self.said}"
            time.sleep(0.02)

    def kill(self) -> None:
        """With SIGKILL: it has no time for anything."""
        assert self._running is not None
        self._running.send_signal(signal.SIGKILL)
        self._running.wait(SECONDS)

    def stop(self) -> None:
        """As Ctrl-C does it; nothing if it does not run."""
        if self._running is not None and self.alive:
            self._running.send_signal(signal.SIGINT)
            try:
                self._running.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request("GET", "/api/health")
            return connection.getresponse().status in (200, 503)
        except OSError:
            return False
        finally:
            connection.close()
