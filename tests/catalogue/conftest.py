"""A data folder of its own for each test, a server, and a small catalogue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainly.corpus.catalogue import transfer
from plainly.corpus.catalogue.entries import Licence

sys.path.insert(0, str(Path(__file__).parent))

from catalogue_helpers import FIRST, OUTPUTS, SECOND, SOURCES, Catalogue, Site, use


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder; it does not exist yet."""
    folder = tmp_path / "data"
    monkeypatch.setenv("PLAINLY_DATA", str(folder))
    monkeypatch.delenv("PLAINLY_DATA_MIRROR", raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(transfer, "TIMEOUT", 5.0)
    return folder


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    try:
        yield site
    finally:
        site.close()


@pytest.fixture
def catalogue(site: Site, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    made = Catalogue(site)
    made.add(
        "tiny",
        made.file("source", "tiny/tiny.orig", SOURCES, change="final newline"),
        made.file("reference", "tiny/tiny.simp.0", FIRST),
        made.file("reference", "tiny/tiny.simp.1", SECOND),
        made.file("system", "outputs/A+B.txt", OUTPUTS, system="A+B"),
    )
    made.add(
        "closed",
        made.file("source", "closed/closed.orig", SOURCES),
        made.file("reference", "closed/closed.simp", FIRST),
        licence=Licence("CC BY-NC 4.0", "No commercial use.", True, "https://example.org/nc"),
    )
    use(monkeypatch, made.sets)
    return made
