"""Weights that other distributions bring, found through their entry points.

A distribution names its package in the group `plainly.tagger_weights`, and the package holds the files:

    [project.entry-points."plainly.tagger_weights"]
    assetann = "plainly_assetann"
"""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

from plainly.base.errors import MissingResource

GROUP = "plainly.tagger_weights"
HOW = "pip install plainly-assetann (CC BY-NC 4.0: not for commercial use)"


def find(name: str) -> Path | None:
    """The file of weights of that name, or None."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    places = (Path(str(files(point.value) / name)) for point in points)
    return next((place for place in places if place.is_file()), None)


def checksum(content: bytes) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of weights: other weights, another checksum."""
    return sha256(content).hexdigest()[:12]


def missing(name: str) -> str | None:
    """How to get weights that are not here; None if they are."""
    return None if find(name) else f"its weights are not installed: {HOW}"


def get(name: str) -> Path:
    """The file of weights of that name."""
    found = find(name)
    if found is None:
        raise MissingResource(f"the weights {name} are not installed: {HOW}")
    return found
