"""The contract of every metric: measure -> additive statistics -> score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Array as Array
from plainly.base.signature import Signature, Signed
from plainly.corpus import Corpus
from plainly.corpus.references import References
from plainly.metrics.settings import (
    check_declarations,
    lang_setting,
    setting,
    settings_of,
    signature_fields,
)
from plainly.text.languages import Scale

SCORED = "segments"
"""The first column of all statistics: 1 for a segment that was scored, else 0."""
UNITS = ("segment", "document")
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Facts:
    """What a face needs to know of a metric before it runs."""

    title: str
    about: str
    direction: Literal["higher", "lower", "none"]
    range: tuple[float, float]
    needs: frozenset[str]  # "source", "references", "language", and what a parser provides: "tags", "lemmas", ...
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
    parts: ClassVar[tuple[str, ...]] = ()  # components whose mean is the score
    counts_calls: ClassVar[bool] = False  # has a budget of calls, which one process must count
    also_signed: ClassVar[Mapping[str, Signed]] = {  # what signatures say beyond the settings
        "references": Signed(
            "how many references segments have: `10`, or `1-10` where they differ",
            "another number of references: BLEU rises steeply with it, SARI moves too",
            short="refs",
        ),
        "empty_references": Signed(
            "`kept`: some references are [empty texts, and scored as such](data.md#missing-is-not-empty)",
            "empty references were scored as texts, or there are none: SARI and BLEU move",
            short="empty-refs",
            unsaid="none",
        ),
        "plainly": Signed("the version of plainly", "another version: see 'Numbers changed' in the release notes"),
    }

    lang: str = lang_setting()
    unit: str = setting(
        "segment",
        choices=UNITS,
        called="unit",
        help="what is scored: the segments as they are given, or whole documents made of them",
        about="`document`: [records were joined to documents](documents.md); not said of segments",
        differs="whole documents or single segments were scored",
        shown=False,
    )

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        check_declarations(cls)

    def __post_init__(self) -> None:
        for described in settings_of(type(self)).values():
            described.check(self.name, described.of(self))
        if self.languages is not None and self.lang not in self.languages:
            known = ", ".join(sorted(self.languages)) if len(self.languages) < 13 else f"{len(self.languages)} others"
            raise PlainlyError(f"{self.name} is not defined for language {self.lang!r} (only for: {known})")

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        """Why the metric cannot be computed for a language here, with these settings; None where it can."""
        if cls.languages is not None and lang not in cls.languages:
            return f"it is not defined for language {lang!r}"
        return None

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics; the first is `SCORED`."""

    @abstractmethod
    def measure(self, corpus: Corpus, system: str) -> Array:
        """The statistics of each segment: (segments, columns). Rows may be added up over any set of segments."""

    @property
    def reads_all_outputs_as_one(self) -> bool:
        """Whether a row depends on those before it, as in a tool that runs all outputs together; else on its own."""
        return False

    def follow(self, rows: Array, before: Array) -> Array:
        """The rows of a piece of a corpus, given the last scored row before it: for metrics that read all as one."""
        return rows

    @property
    def on_device(self) -> bool:
        """Whether a device of its own does the work: it idles with few segments, and with many threads."""
        return False

    @abstractmethod
    def score(self, totals: Array) -> Score:
        """The score of added-up statistics: (..., columns) -> (...). Pure."""

    @property
    def failure(self) -> str | None:
        """Why measuring broke off; then nothing that was measured counts. Metrics of plug-ins fail, others raise."""
        return None

    @property
    def scale(self) -> Scale | None:
        """What scores are called, where that was published."""
        return None

    @property
    def remarks(self) -> list[str]:
        """What whoever reads the scores should know of how measuring went."""
        return []

    @property
    def refusals(self) -> list[str]:
        """Why texts could not be scored, a reason for each; many processes add theirs up, and remark on all."""
        return []

    def remark_on(self, refusals: int, first: str) -> str:
        """What to say of texts that could not be scored."""
        return f"{self.name} could not score {refusals} of its texts; the first: {first}"

    def close(self) -> None:  # noqa: B027 - most metrics hold nothing
        """Let go of what measuring held, such as a process; called when a run is over, or broken off."""

    @property
    def label(self) -> str:
        """How results name the metric: its name, and its variant where that is not the default."""
        described = settings_of(type(self)).get("variant")
        if described is None or described.of(self) == described.default:
            return self.name
        return f"{self.name}:{described.of(self)}"

    @property
    def title(self) -> str:
        """How people read the label: the title, and the variant where that is not the default."""
        return self.label.replace(self.name, self.facts.title, 1)

    def settings(self) -> dict[str, str]:
        """The settings that move the score, as they stand in the signature."""
        signed = [one for one in settings_of(type(self)).values() if one.signature is not None]
        values = {one.name: one.said(one.of(self)) for one in signed}
        if values["unit"] == "segment":
            del values["unit"]  # the rule; only what departs from it is said
        return values

    def versions(self) -> dict[str, str]:
        """The versions of the libraries that compute the score, where it is not plainly alone."""
        return {}

    def signature(self, references: References | str = "0", long: bool = False) -> str:
        """Same signature, same data: same number.

        `references` says how many references the segments have: "10", or "1-10" where they differ.
        """
        settings = self.settings()
        if "references" in self.facts.needs:
            settings["references"] = str(references)
            if isinstance(references, References) and references.empty:
                settings["empty_references"] = "kept"
            if "-" not in settings["references"]:
                settings.pop("reference_weighting", None)  # all segments weigh the same either way
        leading = {name: settings[name] for name in LEADING if name in settings}
        signature = Signature(
            self.name, leading | settings, libraries=self._libraries(), fields=signature_fields(type(self))
        )
        return signature.long if long else signature.short

    def _libraries(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in settings_of(type(self)).values():
            found |= one.libraries(one.of(self))
        return found | self.versions()


LEADING = ("lang", "unit", "tokenizer", "lowercase", "references", "empty_references")
"""What stands first in a signature."""


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
