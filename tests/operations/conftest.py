"""Small annotated pairs of our own, and the published annotation where it is at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.operations import AnnotatedPair, Group, read_yawat
from plainly.operations.formats import Rules

from ..real import NOT_HERE, SHARED

ASSETANN = SHARED / "data" / "assetann"
PairOf = Callable[..., AnnotatedPair]


@pytest.fixture(scope="session")
def pair_of() -> PairOf:
    """Makes a pair from two texts and groups: positions in the source, positions in the target, label."""

    def make(
        source: str, target: str, *groups: tuple[tuple[int, ...], tuple[int, ...], str], id: str = "0"
    ) -> AnnotatedPair:
        found = tuple(Group(*group) for group in groups)
        return AnnotatedPair(id, tuple(source.split()), tuple(target.split()), found)

    return make


@pytest.fixture(scope="session")
def assetann_folder() -> Path:
    if not ASSETANN.exists():
        pytest.skip(NOT_HERE)
    return ASSETANN


@pytest.fixture(scope="session")
def released_rules() -> Rules:
    """The rules by which `released` was read, with their notes."""
    return Rules()


@pytest.fixture(scope="session")
def released(assetann_folder: Path, released_rules: Rules) -> list[AnnotatedPair]:
    """All 3,590 pairs of ASSETann."""
    return [
        pair
        for number in range(10)
        for pair in read_yawat(
            assetann_folder / "aln" / f"asset.simp.{number}.aln",
            assetann_folder / "tok" / "asset.test.tok.orig",
            assetann_folder / "tok" / f"asset.test.tok.simp.{number}",
            origin=str(number),
            rules=released_rules,
        )
    ]


@pytest.fixture(scope="session")
def gold(assetann_folder: Path) -> list[AnnotatedPair]:
    """The 50 pairs that were annotated by agreement; their one `literal` is a synonym."""
    rules = Rules(aliases={"literal": "synonym"})
    return read_yawat(assetann_folder / "gold" / "gold.aln", crp=assetann_folder / "gold" / "gold.crp", rules=rules)
