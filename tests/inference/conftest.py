"""Small metrics whose statistics can be written by hand, and made-up texts whose systems differ a little."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from plainly.corpus import Corpus
from plainly.metrics import SCORED, Array, Facts, Metric, Score, ratio


@dataclass(frozen=True, kw_only=True)
class Mean(Metric):
    """The mean of one value a segment: rows are (scored, value)."""

    name = "mean"
    facts = Facts("Mean", "mean of values", "higher", (-np.inf, np.inf), frozenset(), "none")

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "value")

    def measure(self, corpus: Corpus, system: str) -> Array:
        raise NotImplementedError

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]), {"sum": totals[..., 1]})


@dataclass(frozen=True, kw_only=True)
class Lower(Mean):
    """The same, and less is better."""

    name = "lower"
    facts = Facts("Lower", "mean of values", "lower", (-np.inf, np.inf), frozenset(), "none")


@dataclass(frozen=True, kw_only=True)
class Neutral(Mean):
    """The same, and neither end is better."""

    name = "neutral"
    facts = Facts("Neutral", "mean of values", "none", (-np.inf, np.inf), frozenset(), "none")


@dataclass(frozen=True, kw_only=True)
class Quotient(Mean):
    """Sum over sum, as FKGL's words per sentence: rows are (scored, numerator, denominator)."""

    name = "quotient"

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "numerator", "denominator")

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 2]))


@pytest.fixture(scope="session")
def mean() -> Metric:
    return Mean()


@pytest.fixture(scope="session")
def lower() -> Metric:
    return Lower()


@pytest.fixture(scope="session")
def neutral() -> Metric:
    return Neutral()


@pytest.fixture(scope="session")
def quotient() -> Metric:
    return Quotient()


@pytest.fixture(scope="session")
def texts() -> SimpleNamespace:
    """150 made-up sentences: sources, two references each, and systems that get more and more words wrong."""
    draw = np.random.default_rng(7)
    words = np.array([f"w{i}" for i in range(300)])

    def noisy(sentences: list[list[str]], share: float) -> list[str]:
        changed = [[draw.choice(words) if draw.random() < share else word for word in words_] for words_ in sentences]
        return [" ".join(sentence) for sentence in changed]

    plain = [list(draw.choice(words, size=draw.integers(5, 25))) for _ in range(150)]
    return SimpleNamespace(
        sources=noisy(plain, 0.3),
        references=[noisy(plain, 0.1), noisy(plain, 0.15)],  # one list a reference, as sacrebleu takes them
        systems={name: noisy(plain, share) for name, share in [("a", 0.2), ("b", 0.21), ("c", 0.24), ("d", 0.3)]},
    )


def values_as_rows(values: Array) -> Array:
    """The statistics of a mean over values, NaN where a segment was not scored."""
    there = ~np.isnan(values)
    return np.column_stack([there.astype(float), np.where(there, values, 0.0)])


@pytest.fixture(scope="session")
def as_rows() -> object:
    return values_as_rows
