"""TER (Snover et al. 2006), equal to sacrebleu's: the edits that turn the output into the nearest reference.

    TER = 100 * edits / reference length, over all segments

Edits are insertions, deletions, substitutions and shifts of words. A segment counts those to the reference
that needs fewest, and the mean length of its references. Without any reference word, TER is 100 if there are
edits, else 0. sacrebleu counts the edits; as there, case is ignored unless `lowercase=False`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import ClassVar

import numpy as np

from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio
from plainly.metrics.chrf import measure_with
from plainly.metrics.settings import lowercase_setting


@dataclass(frozen=True, kw_only=True)
class Ter(Metric):
    name = "ter"
    facts = Facts(
        title="TER",
        about="word edits and shifts to the nearest reference, per 100 reference words",
        direction="lower",
        range=(0.0, np.inf),
        needs=frozenset({"references"}),
        paper="Snover et al. 2006, A Study of Translation Edit Rate with Targeted Human Annotation, AMTA",
    )

    also_signed: ClassVar = {
        "tokenizer": Signed("the [tokeniser](bleu.md#tokenisers)", short="tok"),
        "norm": Signed("a setting of TER, fixed"),
        "punct": Signed("a setting of TER, fixed"),
        "asian": Signed("a setting of TER, fixed"),
    }

    lowercase: bool = lowercase_setting()

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "tokenizer": "tercom", "norm": "no", "punct": "yes", "asian": "no"}

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "edits", "reference_length")

    def measure(self, corpus: Corpus, system: str) -> Array:
        from sacrebleu.metrics.ter import TER

        return measure_with(TER(case_sensitive=not self.lowercase), (self.name, self.lowercase), corpus, system, self)

    def score(self, totals: Array) -> Score:
        edits, length = totals[..., 1], totals[..., 2]
        value = np.where(length > 0, ratio(edits, length), np.where(edits > 0, 1.0, 0.0))
        empty = totals[..., 0] == 0
        components = {
            "edits": np.where(empty, np.nan, edits),
            "reference_length": np.where(empty, np.nan, length),
        }
        return Score(np.where(empty, np.nan, 100 * value), components)
