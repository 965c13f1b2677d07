"""The metric `plainly-quality`: what people would say of the outputs, by a model learned from judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError
from plainly.corpus import Corpus
from plainly.metaeval.quality.features import COMBINED, Inputs
from plainly.metaeval.quality.model import Model, read_model
from plainly.metrics.base import NO_SETTINGS, SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import MODEL, setting

NO_MODEL = "no model ships; train one on judgements (plainly metaeval train), and name its file as quality_model"


@dataclass(frozen=True, kw_only=True)
class Quality(Metric):
    """The mean prediction over the outputs: 0 is the mean of the judgements learned from, 1 a spread above it.

    `filled` counts outputs for which some input had no value and stood at its mean.
    """

    name = COMBINED
    facts = Facts(
        title="Plainly quality",
        about="what people would say of the outputs, by other metrics, weighted as judgements of your own say",
        direction="higher",
        range=(-float("inf"), float("inf")),
        needs=frozenset(),
        paper="plainly; see docs/quality.md",
        caution="plainly-quality knows the judgements it learned from: their readers, texts, references and kinds of "
        "systems; on others it may be worse than a single metric",
        decimals=3,
    )

    also_signed: ClassVar = {"model": MODEL}

    quality_model: str = setting(
        "",
        help="a model of plainly metaeval train",
        signed=False,
        option="quality-model",
        metavar="FILE",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.quality_model:
            return
        if self.unit != "segment":
            raise PlainlyError(f"{self.quality_model} learned from segments; it cannot score documents")
        if self.model.lang != self.lang:
            raise PlainlyError(f"{self.quality_model} is a model of {self.model.lang!r}, not of {self.lang!r}")
        for label, here in self.inputs.settings().items():
            if (learned := self.model.settings.get(label)) != here:
                raise PlainlyError(f"{self.quality_model} learned with {label} as {learned}, but here it is {here}")
        needed = replace(self.facts, needs=self.inputs.needs)  # that of the class cannot know
        object.__setattr__(self, "facts", needed)

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        return None if settings.get("quality_model") else NO_MODEL

    @cached_property
    def model(self) -> Model:
        """What predicts."""
        if not self.quality_model:
            raise MissingResource(f"{self.name} cannot be computed: {NO_MODEL}")
        return read_model(self.quality_model)

    @cached_property
    def inputs(self) -> Inputs:
        """What it predicts from."""
        try:
            return Inputs.named(self.model.inputs, self.lang)
        except PlainlyError as error:
            raise PlainlyError(f"{self.quality_model}: {error}") from None

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "model": self.model.identity if self.quality_model else "none"}

    def versions(self) -> dict[str, str]:
        """The inputs, too: what they are decides the score as much as any library."""
        if not self.quality_model:
            return {}
        found = {name: version for metric in self.inputs.metrics for name, version in metric.versions().items()}
        return {"inputs": "+".join(self.inputs.names), **found}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "prediction", "filled")

    def measure(self, corpus: Corpus, system: str) -> Array:
        model = self.model  # without one, say so first
        present = scored(corpus, system, self.facts.needs)
        values = self.inputs.measured(corpus, system)
        filled = ~np.isfinite(values).all(axis=1)
        return with_scored(present, np.column_stack([model.predicted(values), filled]))

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]), {"filled": totals[..., 2]})

    @property
    def failure(self) -> str | None:
        if not self.quality_model:
            return None
        return next((f"its input {one.label}: {one.failure}" for one in self.inputs.metrics if one.failure), None)

    @property
    def remarks(self) -> list[str]:
        if not self.quality_model:
            return []
        return [f"{self.name}: {remark}" for metric in self.inputs.metrics for remark in metric.remarks]

    def close(self) -> None:
        if self.quality_model:
            for metric in self.inputs.metrics:
                metric.close()
