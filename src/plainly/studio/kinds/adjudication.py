"""Adjudication: what several people said of one item, side by side, and what somebody decides is right.

Pure, as kinds are. A kind whose answers can be put together into a better one brings an `Adjudication`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainly.studio.kinds.base import Campaign, ExportFile, Given, Json


@dataclass(frozen=True)
class Gold:
    """What an adjudicator decided about an item. Earlier ones stay; the newest of an item stands."""

    item: str
    content: Json
    by: str
    """The name of the user."""
    time: str


@dataclass(frozen=True)
class Dispute:
    """An item that two people or more have done."""

    item: str
    people: tuple[str, ...]
    """Their codes."""
    share: float
    """How much of it they see differently, from 0 to 1."""
    differences: int
    """What there is to decide; 0: all say the same."""


class Adjudication(ABC):
    """How answers of a kind are compared, and put together."""

    @abstractmethod
    def disputes(self, campaign: Campaign, given: Sequence[Given]) -> list[Dispute]:
        """All items that two people or more have done, those with most disagreement first."""

    @abstractmethod
    def side_by_side(self, campaign: Campaign, item: str, given: Sequence[Given]) -> Json:
        """What the page shows of one item: the task, who said what, and where they differ."""

    @abstractmethod
    def public(self, campaign: Campaign, lang: str) -> Json:
        """What the page needs of the campaign, once: labels, and the guide in a language of the interface."""

    @abstractmethod
    def decided(self, campaign: Campaign, item: str, given: Sequence[Given], content: Any) -> Json:
        """A decision as it is kept, with whom each part was taken from; raises PlainlyError. `content` is hostile."""

    @abstractmethod
    def agreed(self, campaign: Campaign, given: Sequence[Given]) -> Mapping[str, Json]:
        """Decisions that need nobody: by item, where all say the same."""

    @abstractmethod
    def kept(self, campaign: Campaign, item: str, content: Any) -> Json:
        """A decision of an archive, if it can be one; raises PlainlyError."""

    @abstractmethod
    def exports(self, campaign: Campaign, golds: Sequence[Gold]) -> list[ExportFile]:
        """What stands, as the command line reads it, and the history of all decisions; none: no files."""
