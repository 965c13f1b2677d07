"""The metric `simplicity`: how simple the outputs are by a model, and how much simpler than their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import NO_SETTINGS, SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import MODEL, setting, variant_setting
from plainly.simplicity.model import SHIPPED, Model, load_model
from plainly.text.frequency import ranks_version

ENGLISH = "en"  # the language of the models that ship


@dataclass(frozen=True, kw_only=True)
class Simplicity(Metric):
    """The mean score of the outputs. Components: `source`, the mean of their sources, and `gain`, the difference.

    An output without letters and digits is not scored, and is counted.
    """

    name = "simplicity"
    facts = Facts(
        title="Simplicity",
        about="how simple the outputs are, 0 to 1, by a model learned from rankings; with sources, the gain",
        direction="higher",
        range=(0.0, 1.0),
        needs=frozenset({"language"}),
        paper="plainly; learned from Engelmann, Kreutz, Haak and Schaer 2024, ARTS: Assessing Readability & Text "
        "Simplicity, Findings of EMNLP",
        caution="simplicity does not see whether the meaning is kept, and shorter texts tend to score higher; the "
        "models that ship learned from GPT-4's rankings of English texts of up to 400 characters",
        decimals=4,
    )
    also_signed: ClassVar = {"model": MODEL}
    variants: ClassVar[Mapping[str, str]] = {
        "full": "139 features, n-grams and small trees",
        "lite": "a formula of six features",
    }

    variant: str = variant_setting(variants)
    simplicity_model: str = setting(
        "",
        help="a model of plainly simplicity train",
        signed=False,
        decided="those that ship",
        option="simplicity-model",
        metavar="FILE",
    )

    def __post_init__(self) -> None:
        if self.simplicity_model in SHIPPED:  # the same model has one name
            object.__setattr__(self, "variant", self.simplicity_model)
            object.__setattr__(self, "simplicity_model", "")
        super().__post_init__()
        if why := self.missing(self.lang, {"simplicity_model": self.simplicity_model}):
            raise PlainlyError(f"{self.name} cannot be computed: {why}")
        if self.simplicity_model and self.model.lang != self.lang:
            raise PlainlyError(f"{self.simplicity_model} is a model of {self.model.lang!r}, not of {self.lang!r}")

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        if lang == ENGLISH or settings.get("simplicity_model"):
            return None
        return f"no model of {lang!r} ships; train one (plainly simplicity train)"

    @cached_property
    def model(self) -> Model:
        """What scores the texts."""
        return load_model(self.simplicity_model or self.variant)

    def settings(self) -> dict[str, str]:
        said = super().settings()
        if self.simplicity_model:
            said["variant"] = self.model.kind
            said["model"] = sha256(self.model.save()).hexdigest()[:12]
        return said

    def versions(self) -> dict[str, str]:
        return {"wordfreq": ranks_version()}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "output", "pairs", "output_of_pairs", "source_of_pairs")

    def measure(self, corpus: Corpus, system: str) -> Array:
        outputs = self.model.scores([text or "" for text in corpus.output(system)])
        sources = corpus.prepared(("simplicity", self), lambda: self._scores(corpus.sources))
        present = scored(corpus, system, self.facts.needs) & ~np.isnan(outputs)
        both = present & ~np.isnan(sources)
        statistics = [outputs, both, np.where(both, outputs, 0), np.where(both, sources, 0)]
        return with_scored(present, np.column_stack(statistics))

    def _scores(self, texts: Sequence[str | None]) -> Array:
        return self.model.scores([text or "" for text in texts])

    def score(self, totals: Array) -> Score:
        source = ratio(totals[..., 4], totals[..., 2])
        gain = ratio(totals[..., 3] - totals[..., 4], totals[..., 2])
        return Score(ratio(totals[..., 1], totals[..., 0]), {"source": source, "gain": gain})
