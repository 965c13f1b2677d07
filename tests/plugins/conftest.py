"""A plug-in folder of its own for each test, and ways to make plug-ins."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly import plugins
from plainly.metrics import registry
from plainly.plugins import Entry

sys.path.insert(0, str(Path(__file__).parent))

from plugin_helpers import WELL_BEHAVED, Make, note_as_installed


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The plug-in folder; it does not exist yet."""
    place = tmp_path / "plugins"
    monkeypatch.setenv("PLAINLY_PLUGINS", str(place))
    registry.metric_class.cache_clear()
    yield place
    registry.metric_class.cache_clear()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a program and its entry, and reads the entry."""

    def write(program: str = WELL_BEHAVED, name: str = "tally", **facts: Any) -> Entry:
        home = tmp_path / f"source-of-{name}"
        home.mkdir(exist_ok=True)
        (home / "program.py").write_text(program, "utf-8")
        known = {
            "name": name,
            "title": "Words",
            "about": "words of the output",
            "paper": "nobody 2026",
            "licence": "Apache-2.0",
            "direction": "lower",
            "range": [0, 1000],
            "needs": ["source", "references"],
            "command": ["{python}", "{folder}/program.py"],
            "start_seconds": 20,
            "batch_seconds": 20,
            **facts,
        }
        # JSON's texts, numbers and lists are TOML's, too.
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in known.items())
        (home / f"{name}.toml").write_text(text, "utf-8")
        return plugins.read_entry(home / f"{name}.toml")

    return write


@pytest.fixture
def installed(make: Make) -> Make:
    """As `make`, and noted as installed, which misbehaving programs would never be."""

    def install(program: str = WELL_BEHAVED, name: str = "tally", **facts: Any) -> Entry:
        entry = make(program, name, **facts)
        note_as_installed(entry)
        return entry

    return install
