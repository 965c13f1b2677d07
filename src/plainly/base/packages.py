"""What is installed, told without importing it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def package_folder(name: str) -> Path | None:
    """Where a package lies; None if it is not installed, or cannot be imported here."""
    spec = find_spec(name)
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) if folders else None
