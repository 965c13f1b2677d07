"""Judgements of our own, and those of ARTS where they are at hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.ranking import Judgement, Judgements, read_judgements

from ..real import NOT_HERE, SHARED


def simulation(texts: int = 12, matches: int = 200, raters: int = 3, seed: int = 1, side: float = 0.0) -> Judgements:
    """Raters judge random pairs of texts whose true hardness is their number over three, in logits."""
    draw = np.random.default_rng(seed)
    items = []
    for number in range(matches):
        a, b = draw.choice(texts, 2, replace=False).tolist()
        for rater in range(raters):
            wins = draw.random() < 1 / (1 + np.exp(-((a - b) / 3 + side)))
            items.append(
                Judgement(
                    f"t{a}", f"t{b}", f"t{a if wins else b}", f"r{rater}", seconds=5.0 + rater, match=str(number)
                )
            )
    return Judgements.of(items, "harder", [f"t{i}" for i in range(texts)])


@pytest.fixture(scope="session")
def simulated() -> Callable[..., Judgements]:
    """Makes judgements of texts whose true order is that of their numbers."""
    return simulation


@pytest.fixture(scope="session")
def judgements() -> Judgements:
    return simulation()


@pytest.fixture(scope="session")
def arts() -> Path:
    if not (SHARED / "data" / "arts").is_dir():
        pytest.skip(NOT_HERE)
    return SHARED / "data" / "arts"


@pytest.fixture(scope="session")
def arts_oracle() -> Any:
    path = SHARED / "oracle" / "arts.json"
    if not path.is_file():
        pytest.skip(NOT_HERE)
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def arts_people(arts: Path) -> Judgements:
    """The sixteen people of ARTS94."""
    return read_judgements(sorted((arts / "histories" / "human").glob("arts94_rater*.csv")))
