"""The contract of every metric: measure -> additive statistics -> score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.errors import PlainlyError, UnknownName
from plainly.text.tokenizers import get_tokenizer
from plainly.version import __version__

Array = NDArray[np.float64]
SCORED = "segments"  # the first column of all statistics: 1 for a segment that was scored, else 0


@dataclass(frozen=True)
class Facts:
    """What a face needs to know of a metric before it runs."""

    title: str
    about: str
    direction: Literal["higher", "lower", "none"]
    range: tuple[float, float]
    needs: frozenset[str]  # of "source", "references", "language"
    paper: str
    caution: str = ""  # one line, shown wherever the score is
    decimals: int = 2


@dataclass(frozen=True)
class Score:
    """Scores and their components, one value for each leading index of the totals.

    Where nothing was scored the value is NaN, never 0.
    """

    value: Array
    components: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A metric with its settings. The fields of a subclass are its settings and make up its signature."""

    name: ClassVar[str]
    facts: ClassVar[Facts]
    variants: ClassVar[Mapping[str, str]] = {}  # name -> what it is; the first is the default
    languages: ClassVar[frozenset[str] | None] = None  # None: any
    unsaid: ClassVar[Mapping[str, str]] = {}  # settings that a short signature leaves out at this value

    lang: str = "en"

    def __post_init__(self) -> None:
        if self.languages is not None and self.lang not in self.languages:
            known = ", ".join(sorted(self.languages))
            raise PlainlyError(f"{self.name} is not defined for language {self.lang!r} (only for: {known})")
        variant = getattr(self, "variant", None)
        if variant is not None and variant not in self.variants:
            raise UnknownName(f"variant of {self.name}", variant, self.variants)
        if not isinstance(getattr(self, "lowercase", True), bool):
            raise PlainlyError(f"lowercase must be True or False, not {getattr(self, 'lowercase', None)!r}")
        tokenizer = getattr(self, "tokenizer", None)
        if tokenizer is not None:
            get_tokenizer(tokenizer)

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics; the first is `SCORED`."""

    @abstractmethod
    def measure(self, corpus: Corpus, system: str) -> Array:
        """The statistics of each segment: (segments, columns). Rows may be added up over any set of segments."""

    @abstractmethod
    def score(self, totals: Array) -> Score:
        """The score of added-up statistics: (..., columns) -> (...). Pure."""

    @property
    def label(self) -> str:
        """How results name the metric: its name, and its variant where that is not the default."""
        variant = getattr(self, "variant", None)
        return self.name if variant in (None, next(iter(self.variants), None)) else f"{self.name}:{variant}"

    def settings(self) -> dict[str, str]:
        """The settings that move the score, as they stand in the signature."""
        values = {spec.name: getattr(self, spec.name) for spec in fields(self)}
        if "lowercase" in values:
            values["lowercase"] = "lower" if values["lowercase"] else "mixed"
        return {name: str(value) for name, value in values.items()}

    def versions(self) -> dict[str, str]:
        """The versions of the libraries that compute the score, where it is not plainly alone."""
        return {}

    def signature(self, references: str = "0", long: bool = False) -> str:
        """Same signature, same data: same number.

        `references` says how many references the segments have: "10", or "1-10" where they differ.
        """
        settings = self.settings()
        if "references" in self.facts.needs:
            settings["references"] = references
            if "-" not in references:
                settings.pop("reference_weighting", None)  # all segments weigh the same either way
        parts = {name: settings.pop(name) for name in SHORT_NAMES if name in settings}
        parts |= settings
        if long:
            parts |= self.versions()
        else:
            said = {name: value for name, value in parts.items() if self.unsaid.get(name) != value}
            parts = {SHORT_NAMES.get(name, name): value for name, value in said.items()}
        parts["plainly"] = __version__
        return "|".join([self.name, *(f"{name}:{value}" for name, value in parts.items())])


# The order of settings in a signature, and their short names.
SHORT_NAMES = {
    "lang": "lang",
    "tokenizer": "tok",
    "lowercase": "case",
    "references": "refs",
    "reference_weighting": "weight",
    "variant": "variant",
    "empty_operation": "empty",
}


def ratio(numerator: Array, denominator: Array) -> Array:
    """numerator / denominator, NaN where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, np.nan, numerator / np.where(denominator == 0, 1, denominator))


def scored(corpus: Corpus, system: str, needs: frozenset[str]) -> NDArray[np.bool_]:
    """Which segments have all that the metric needs."""
    present = _present(corpus.output(system))
    if "source" in needs:
        present &= _present(corpus.sources)
    if "references" in needs:
        present &= corpus.reference_counts > 0
    return present


def _present(texts: Sequence[str | None]) -> NDArray[np.bool_]:
    if None not in texts:
        return np.ones(len(texts), dtype=bool)
    return np.array([text is not None for text in texts], dtype=bool)


def with_scored(present: NDArray[np.bool_], statistics: NDArray[Any]) -> Array:
    """Statistics with the `SCORED` column in front, and zeros where a segment is not scored."""
    rows = np.empty((len(present), 1 + statistics.shape[1]), dtype=np.float64)
    rows[:, 0] = present
    rows[:, 1:] = statistics
    rows[~present, 1:] = 0
    return rows
