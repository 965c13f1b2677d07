"""The table of linguistic features, and how a function gets into it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log1p
from typing import Literal, TypeVar

from plainly.text.frequency import RANKED

SOURCE = "source"
WORDS = "blanks between words"
SENTENCES = "sentence splitter"
RANKS = "word ranks"
MARKERS = "list of markers"
TOKENS = "parser"  # any, for its tokens

SHARE = (0.0, 1.0)
AMOUNT = (0.0, inf)
RANK = (0.0, log1p(RANKED))

Direction = Literal["higher", "lower", "none"]
Value = TypeVar("Value", bound=Callable[..., float])


@dataclass(frozen=True)
class Feature:
    """`value` takes the output; where the source is among `needs`, source and output."""

    name: str
    title: str
    about: str
    value: Callable[..., float]
    needs: frozenset[str]
    range: tuple[float, float]
    direction: Direction


FEATURES: dict[str, Feature] = {}


def feature(
    name: str,
    title: str,
    about: str,
    *needs: str,
    range: tuple[float, float] = SHARE,
    direction: Direction = "none",
) -> Callable[[Value], Value]:
    """Declares the feature that a function gives the value of."""

    def declared(value: Value) -> Value:
        FEATURES[name] = Feature(name, title, about, value, frozenset(needs), range, direction)
        return value

    return declared
