"""Which pairs do annotators see most differently? Those are worth a look together, or a rule in the guide."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from plainly.inference.agreement import MISSING
from plainly.operations.ratings import Ratings
from plainly.operations.typology import SIDES


@dataclass(frozen=True)
class Contested:
    """How differently a pair was annotated: tokens of both sides, compared between every two of its annotators."""

    id: str
    origin: str
    annotators: int
    compared: int
    """Tokens, each once for every two annotators."""
    differing: int
    """Of these, how many have two different labels."""

    @property
    def share(self) -> float:
        """Of compared tokens with different labels; 0 where there are no tokens."""
        return self.differing / self.compared if self.compared else 0.0


def contested(ratings: Ratings) -> list[Contested]:
    """All pairs that two annotators or more have done, the most contested first; gold counts as one of them."""
    compared = np.zeros(len(ratings.keys), dtype=np.int64)
    differing = np.zeros(len(ratings.keys), dtype=np.int64)
    for side in SIDES:
        codes, units = ratings.codes[side], ratings.units[side]
        for a, b in combinations(range(codes.shape[1]), 2):
            both = (codes[:, a] != MISSING) & (codes[:, b] != MISSING)
            np.add.at(compared, units[both], 1)
            np.add.at(differing, units[both & (codes[:, a] != codes[:, b])], 1)
    found = [
        Contested(*key, sum(key in table for table in ratings.annotations), int(compared[i]), int(differing[i]))
        for i, key in enumerate(ratings.keys)
    ]
    return sorted(found, key=lambda pair: (-pair.share, -pair.differing))
