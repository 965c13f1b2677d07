"""chrF (Popović 2015) and chrF++ (2017), equal to sacrebleu's: F-score of character and word n-grams.

For each order, over all segments, each against the reference that gives it the best score:

    precision = matches / n-grams of the outputs, recall = matches / n-grams of the references
    chrF = 100 (1 + beta²) P R / (beta² P + R), P and R the means over the orders that both sides have

sacrebleu counts the n-grams; `word_order=2` gives chrF++. White space is not part of character n-grams.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import lowercase_setting, setting

COUNTS = ("output", "reference", "matches")  # the order in which sacrebleu gives them


@dataclass(frozen=True, kw_only=True)
class Chrf(Metric):
    name = "chrf"
    facts = Facts(
        title="chrF",
        about="character n-gram overlap with the nearest reference; rewards copying, as BLEU does",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"references"}),
        paper="Popović 2015, chrF: character n-gram F-score for automatic MT evaluation, WMT",
    )

    lowercase: bool = lowercase_setting(False)
    char_order: int = setting(6, help="the longest n-grams of characters")
    word_order: int = setting(0, help="the longest n-grams of words; 2 gives chrF++")
    beta: int = setting(2, help="how much more recall weighs than precision")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order < 1 or self.word_order < 0 or self.beta < 1:
            raise PlainlyError("chrf needs char_order of at least 1, word_order of at least 0, beta of at least 1")

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *(f"{count}_{order}" for order in self._orders for count in COUNTS))

    def measure(self, corpus: Corpus, system: str) -> Array:
        from sacrebleu.metrics.chrf import CHRF

        peer = CHRF(self.char_order, self.word_order, self.beta, self.lowercase)
        key = (self.name, self.char_order, self.word_order, self.beta, self.lowercase)
        return measure_with(peer, key, corpus, system, self)

    def score(self, totals: Array) -> Score:
        counts = totals[..., 1:].reshape(*totals.shape[:-1], len(self._orders), 3)
        output, reference, matches = counts[..., 0], counts[..., 1], counts[..., 2]
        both = (output > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        precisions, recalls = (np.nan_to_num(ratio(matches, side)) for side in (output, reference))
        precision, recall = (np.where(both, rate, 0.0).sum(axis=-1) / orders for rate in (precisions, recalls))
        weight = self.beta**2
        value = (1 + weight) * np.nan_to_num(ratio(precision * recall, weight * precision + recall))
        parts = {"precision": precision, "recall": recall}
        for i, order in enumerate(self._orders):
            parts |= {f"precision_{order}": precisions[..., i], f"recall_{order}": recalls[..., i]}
        empty = totals[..., 0] == 0
        components = {name: np.where(empty, np.nan, 100 * part) for name, part in parts.items()}
        return Score(np.where(empty, np.nan, 100 * value), components)

    @property
    def _orders(self) -> list[str]:
        characters = [f"char_{n}" for n in range(1, self.char_order + 1)]
        return characters + [f"word_{n}" for n in range(1, self.word_order + 1)]


def measure_with(peer: Any, key: tuple[Any, ...], corpus: Corpus, system: str, metric: Metric) -> Array:
    """The statistics of a metric of sacrebleu; `key` holds the settings of `peer` that move them.

    All systems are measured in one pass, so that each reference is read once and none is kept: the n-grams of ten
    references take a third of a megabyte.
    """
    width = len(metric.columns) - 1
    rows = corpus.prepared(("sacrebleu", *key), lambda: _rows(peer, corpus, width))
    return with_scored(scored(corpus, system, metric.facts.needs), rows[system])


def _rows(peer: Any, corpus: Corpus, width: int) -> dict[str, Array]:
    """Segment by segment, so that references may differ in number; zeros where there is nothing to score."""
    rows = {system: np.zeros((len(corpus), width)) for system in corpus.outputs}
    for i, group in enumerate(corpus.references):
        if not group:
            continue
        (references,) = peer._cache_references([[text] for text in group])
        for system, texts in corpus.outputs.items():
            text = texts[i]
            if text is not None:
                output = peer._preprocess_segment(text)
                rows[system][i] = peer._compute_segment_statistics(output, references)
    return rows
