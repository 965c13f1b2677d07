"""The disk is full while people answer: they are told, nothing is half stored, and it goes on when there is room."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from benchmarks.studio_crowd import Crowd

from plainly.studio.settings import sqlite_url

from ...waiting import until
from ..cluster import Cluster
from .conftest import Scene

pytestmark = pytest.mark.slow
FULL = "503: the disk of the database is full; nothing was stored"


@pytest.fixture
def small_disk() -> Iterator[Callable[[int], Path]]:
    """small_disk(megabytes): the folder of a file system of its own."""
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    mounted: list[Path] = []

    def made(megabytes: int) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="plainly-disk-"))
        call = [mount, "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
        if subprocess.run(call, capture_output=True, check=False).returncode:
            folder.rmdir()
            pytest.skip("no small file system can be mounted here")
        mounted.append(folder)
        return folder

    yield made
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def fill(path: Path) -> None:
    """To the last byte."""
    with path.open("ab", buffering=0) as file:
        for size in (1 << 16, 1 << 10, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def test_a_full_disk_on_sqlite(scene: Callable[..., Scene], small_disk: Callable[[int], Path]) -> None:
    folder = small_disk(24)
    made = scene(sqlite_url(folder / "studio.sqlite"))
    filler = folder / "filler"

    def told(crowd: Crowd, more: int) -> None:
        before = crowd.failures[FULL]

        def enough() -> bool:
            if more > 10:
                fill(filler)  # what the database gives back is taken, too
            return crowd.failures[FULL] >= before + more

        until(enough, "a full disk")

    def act(crowd: Crowd) -> None:
        made.answers(50)
        told(crowd, 40)
        reply = httpx.get(f"{made.studio.url}/api/health", timeout=30)
        assert reply.status_code == 200, "reading goes on"
        filler.unlink()
        made.answers()  # without a restart
        told(crowd, 40)
        made.studio.kill()
        made.studio.start()  # on a disk that is still full
        told(crowd, 5)
        filler.unlink()

    made.act(act)
    said = made.studio.said
    found = made.count()
    assert found.right, found
    assert found.acknowledged >= 85
    assert not made.crowd.faults
    assert "the database failed: " in said
    assert "full" in said
    assert "Traceback" not in said


def test_a_full_disk_on_postgresql(scene: Callable[..., Scene], small_disk: Callable[[int], Path]) -> None:
    """PostgreSQL refuses, or stops altogether; when there is room again it is started, as its keeper would do it."""
    folder = small_disk(160)
    cluster = Cluster(durable=True, place=folder)
    filler = folder / "filler"
    try:
        made = scene(f"{cluster.url}/postgres")

        def act(crowd: Crowd) -> None:
            made.answers(50)

            def enough() -> bool:
                fill(filler)
                return sum(crowd.failures.values()) >= 20

            until(enough, "a full disk")
            filler.unlink()
            if not cluster.running:
                cluster.start()
            made.answers()

        made.act(act)
        said = made.studio.said
        found = made.count()
    finally:
        cluster.remove()
    assert found.right, found
    assert not made.crowd.faults
    assert all(failure.startswith("503: the d") for failure in made.crowd.failures), made.crowd.failures
    assert "the database failed: " in said
    assert "Traceback" not in said
