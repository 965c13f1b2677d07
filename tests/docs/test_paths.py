"""Paths that guides name are there, so that a newcomer finds the file."""

from __future__ import annotations

import re
from pathlib import Path

from ..cases import each

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "packages").glob("*/*.md")])
HOMES = ("src/", "tests/", "docs/", "benchmarks/", "packages/", ".ci/")
PATH = re.compile(r"`([\w.][\w./*-]*/[\w./*-]*)`")
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]+\b")  # CODE.toml stands for any of its kind


def named(page: Path) -> list[str]:
    """The paths of the tree that a page names; in the guide to the rooms they begin in src/plainly."""
    inside = page.name == "architecture.md"
    found = []
    for path in PATH.findall(page.read_text("utf-8")):
        if path.startswith(HOMES):
            found.append(path)
        elif inside:
            found.append(f"packages/{path}" if path == "packages/" else f"src/plainly/{path}")
    return found


def exists(path: str) -> bool:
    return any(ROOT.glob(PLACEHOLDER.sub("*", path.rstrip("/"))))


@each("page", PAGES)
def test_paths_are_there(page: Path) -> None:
    assert [path for path in named(page) if not exists(path)] == []


def test_a_path_that_is_not_there_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "CONTRIBUTING.md"
    page.write_text("See `src/plainly/nowhere.py`, `src/plainly/base/errors.py` and `tests/docs/CODE.py`.", "utf-8")
    assert [path for path in named(page) if not exists(path)] == ["src/plainly/nowhere.py"]
