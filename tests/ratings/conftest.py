"""Ratings of our own: three raters, three items, two systems and a reference, worked out by hand in the tests."""

from __future__ import annotations

import pytest

from plainly.ratings import Range, Rating, Ratings, gathered

FLUENCY = {
    # (item, system): the values of ann, ben and cem; None: could not be judged
    ("i1", "copy"): (5, 4, 5),
    ("i2", "copy"): (4, 4, None),
    ("i3", "copy"): (3, 2, 3),
    ("i1", "cut"): (2, 2, 1),
    ("i2", "cut"): (5, 5, 4),
    ("i3", "cut"): (1, 2, 1),
}


def small() -> list[Rating]:
    rows = []
    for (item, system), values in FLUENCY.items():
        for rater, value in zip(("ann", "ben", "cem"), values, strict=True):
            rows.append(Rating(rater, item, system, "fluency", value, seconds=10, row=len(rows) + 2))
    return rows


def simulated(items: int = 30, raters: int = 6, careless: str = "") -> list[Rating]:
    """System b is one point better than a, the reference one better than b; a rater may answer by a bad habit."""
    import numpy as np

    draw = np.random.default_rng(9)
    rows = []
    for item in range(items):
        hard = draw.normal()
        for place, system in enumerate(("a", "b", "human")):
            for rater in range(raters):
                lazy = careless if rater == 0 else ""
                for scale in ("fluency", "meaning"):
                    value = float(np.clip(np.round(3 + (place - 1) - hard / 2 + draw.normal() / 2), 1, 5))
                    value = {"one value": 3.0, "chance": float(draw.integers(1, 6))}.get(lazy, value)
                    rows.append(
                        Rating(
                            f"r{rater}",
                            f"i{item}",
                            system,
                            scale,
                            value,
                            seconds=2 if lazy == "hasty" else 8 + rater,
                            role="reference" if system == "human" else "output",
                            row=len(rows) + 2,
                        )
                    )
                if item % 10 == 0 and place == 0:
                    right = not (lazy == "checks" and item < 20)
                    rows.append(
                        Rating(
                            f"r{rater}",
                            f"i{item}",
                            "check",
                            "fluency",
                            1.0 if right else 5.0,
                            seconds=4,
                            role="check",
                            expected=Range(1, 2),
                            row=len(rows) + 2,
                        )
                    )
    return rows


@pytest.fixture
def ratings() -> Ratings:
    return gathered(small())
