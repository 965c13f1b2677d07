"""What an estimator says of texts: ratings, ranks, scores from 0 to 1, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plainly.base.messages import Message
from plainly.base.signature import signed
from plainly.inference.estimates import Estimate, finite
from plainly.ranking.judgements import Direction


@dataclass(frozen=True)
class Rated:
    """One text. Rank 1 has the lowest rating: it wins least. Equal ratings share their mean rank."""

    text: str
    rating: Estimate
    rank: Estimate
    score: float
    matches: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return {
            "text": self.text,
            "rating": self.rating.to_dict(),
            "rank": self.rank.to_dict(),
            "score": finite(self.score),
            "matches": self.matches,
        }


@dataclass(frozen=True)
class Ranking:
    """The result of any estimator, one row a text, in the order of the judgements' texts."""

    method: str
    direction: Direction
    rows: tuple[Rated, ...]
    settings: Mapping[str, Any] = field(hash=False)
    notes: tuple[Message, ...] = ()
    position: Estimate | None = None
    """How much it helps a text to be shown first, in logits: the log odds of winning against an equal."""

    @property
    def signature(self) -> str:
        """Method and settings in one line: same signature, same judgements, same numbers."""
        return signed(self.method, {"winner": self.direction, **self.settings})

    def __getitem__(self, text: str) -> Rated:
        return next(row for row in self.rows if row.text == text)

    def by_rank(self) -> list[Rated]:
        """Rows from the lowest rating to the highest."""
        return sorted(self.rows, key=lambda row: row.rank.value)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return {
            "method": self.method,
            "winner": self.direction,
            "signature": self.signature,
            "settings": dict(self.settings),
            "notes": [note.text() for note in self.notes],
            "position": None if self.position is None else self.position.to_dict(),
            "texts": [row.to_dict() for row in self.by_rank()],
        }
