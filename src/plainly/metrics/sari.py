"""SARI (Xu et al. 2016): what a simplification added, kept and deleted, judged against source and references.

For n = 1..4, with S and O the n-grams of source and output, T those of all r references together:

    add      (types)   correct |(O - S) & T|           made |O - S|          wanted |T - S|
    keep     (counts)  correct min(r S, r O, T)        made min(r S, r O)    wanted min(r S, T)
    delete   (counts)  correct min of made and wanted  made max(0, rS - rO)  wanted max(0, rS - T)

    precision = correct / made, recall = correct / wanted, F1 their harmonic mean
    operation = mean of F1 over n, SARI = mean of the three operations, times 100

The variants differ in what is averaged when, and in what 0/0 is; see `Sari.variants` and the docs page on SARI.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored

OPERATIONS = ("add", "keep", "delete")
COUNTS = ("correct", "made", "wanted")
RATES = ("precision", "recall", "f1")
ORDERS = (1, 2, 3, 4)

# Keep and delete counts are divided by the number of references. Times this number, which 1..12 divide, the
# quotients are whole numbers, so that sums are exact and do not depend on the order of the segments.
WHOLE = 27720

SENTENCE_VARIANTS = {"easse-sentence", "sentence", "huggingface"}
RATIO_VARIANTS = {"sentence", "huggingface"}
FIXED_EMPTY_RULE = {"sentence": "zero", "huggingface": "one"}


@dataclass(frozen=True, kw_only=True)
class Sari(Metric):
    name = "sari"
    facts = Facts(
        title="SARI",
        about="agreement with references on what to add, keep and delete",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source", "references"}),
        paper="Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL",
    )
    variants: ClassVar = {
        "easse": "corpus counts, F1 for all three operations (EASSE's default)",
        "easse-legacy": "the same with an untokenised source and nothing lower-cased, for tokenised files",
        "easse-sentence": "mean over segments of the `easse` formula",
        "paper": "corpus counts; precision and recall averaged over n before one F1 per operation",
        "star": "corpus counts, precision instead of F1 for delete (the original Java release)",
        "sentence": "mean over segments; ratios averaged over n-gram types (the original Python release)",
        "huggingface": "mean over segments as in Hugging Face evaluate: 0/0 = 1, delete by precision",
    }
    empty_rules: ClassVar = {
        "zero": "nothing to do and nothing done scores 0 (published numbers)",
        "one": "nothing to do and nothing done scores 1",
        "skip": "nothing to do and nothing done is left out of the mean",
    }
    unsaid: ClassVar = {"empty_operation": "zero"}
    weightings: ClassVar = {
        "segments": "every segment weighs the same, whatever its number of references",
        "counts": "a segment weighs as much as it has references",
    }

    tokenizer: str = "13a"
    lowercase: bool = True
    variant: str = "easse"
    empty_operation: str = ""  # zero, unless the variant has its own rule
    reference_weighting: str = "segments"

    def __post_init__(self) -> None:
        super().__post_init__()
        own_rule = FIXED_EMPTY_RULE.get(self.variant)
        if not self.empty_operation:
            object.__setattr__(self, "empty_operation", own_rule or "zero")
        if self.empty_operation not in self.empty_rules:
            raise UnknownName("empty-operation rule", self.empty_operation, self.empty_rules)
        if own_rule and self.empty_operation != own_rule:
            raise PlainlyError(f"sari:{self.variant} has its own rule for empty operations: {own_rule}")
        if self.reference_weighting not in self.weightings:
            raise UnknownName("reference weighting", self.reference_weighting, self.weightings)
        if self.variant == "easse-legacy":
            object.__setattr__(self, "lowercase", False)

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self.variant in SENTENCE_VARIANTS:
            del settings["reference_weighting"]  # a mean over segments weighs them all the same
        return settings

    @property
    def columns(self) -> tuple[str, ...]:
        if self.variant in SENTENCE_VARIANTS:
            rates = [f"{o}_{rate}_{n}" for o in OPERATIONS for rate in RATES for n in ORDERS]
            averaged = (*rates, *OPERATIONS, "sari")
            return (SCORED, *averaged, *(f"{name}_segments" for name in averaged))
        return (SCORED, *(f"{o}_{count}_{n}" for o in OPERATIONS for count in COUNTS for n in ORDERS))

    def measure(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        output = encoded.output(system)
        legacy = self.variant == "easse-legacy"
        index = encoded.untokenised_source_index if legacy else encoded.index
        counts = index.sari(*output)
        if self.variant in RATIO_VARIANTS:
            sums = index.sari_ratios(*output)
            rates = _type_rates(counts, sums, self.variant == "huggingface")
            rows = self._sentence_rows(rates)
        elif self.variant in SENTENCE_VARIANTS:
            rows = self._sentence_rows(self._rates(counts.astype(np.float64)))
        else:
            rows = _flat(self._weighted(counts, corpus.reference_counts))
        present = scored(corpus, system, self.facts.needs)
        if self.variant in SENTENCE_VARIANTS:
            present &= rows[:, -1] > 0  # a segment in which every operation is skipped has no score
        return with_scored(present, rows)

    def score(self, totals: Array) -> Score:
        if self.variant in SENTENCE_VARIANTS:
            means = 100 * ratio(totals[..., 1:41], totals[..., 41:])
            names = self.columns[1:40]
            return Score(means[..., -1], {name: means[..., i] for i, name in enumerate(names)})
        rates = self._rates(totals[..., 1:].reshape(*totals.shape[:-1], 3, 3, 4))
        operations = self._operations(rates)
        empty = totals[..., 0] == 0
        components = {o: operations[..., i] for i, o in enumerate(OPERATIONS)}
        components |= {
            f"{o}_{rate}_{n}": rates[..., i, j, k]
            for i, o in enumerate(OPERATIONS)
            for j, rate in enumerate(RATES)
            for k, n in enumerate(ORDERS)
        }
        components = {name: np.where(empty, np.nan, 100 * value) for name, value in components.items()}
        return Score(np.where(empty, np.nan, 100 * _mean(operations)), components)

    def _weighted(self, counts: NDArray[np.int64], references: NDArray[np.int64]) -> Array:
        weighted = counts.astype(np.float64)
        if self.reference_weighting == "segments":
            weighted[:, 1:] *= WHOLE
            weighted[:, 1:] /= np.maximum(references, 1)[:, None, None, None]
        return weighted

    def _rates(self, counts: Array) -> Array:
        """(..., operation, count, n) -> (..., operation, rate, n); NaN where an empty operation is skipped."""
        correct, made, wanted = counts[..., 0, :], counts[..., 1, :], counts[..., 2, :]
        rates = np.stack([_or_zero(correct, made), _or_zero(correct, wanted)], axis=-2)
        rates = np.concatenate([rates, _harmonic(rates)[..., None, :]], axis=-2)
        if self.empty_operation != "zero":
            nothing = ((made == 0) & (wanted == 0))[..., None, :]
            rates = np.where(nothing, 1.0 if self.empty_operation == "one" else np.nan, rates)
        return rates

    def _operations(self, rates: Array) -> Array:
        """(..., operation, rate, n) -> (..., operation)."""
        if self.variant == "paper":
            return _harmonic(_mean(rates[..., :2, :])[..., None])[..., 0]
        operations = _mean(rates[..., 2, :])
        if self.variant in {"star", "sentence", "huggingface"}:
            operations[..., 2] = _mean(rates[..., 2, 0, :])
        return operations

    def _sentence_rows(self, rates: Array) -> Array:
        """What is averaged over segments, and for each value whether the segment has it: it may skip some."""
        operations = self._operations(rates)
        values = np.concatenate([_flat(rates), operations, _mean(operations)[:, None]], axis=1)
        there = ~np.isnan(values)
        return np.concatenate([np.where(there, values, 0.0), there], axis=1)


def _type_rates(counts: NDArray[np.int64], sums: Array, huggingface: bool) -> Array:
    """Rates averaged over n-gram types, segment by segment: (segments, operation, rate, n)."""
    empty = 1.0 if huggingface else 0.0
    keep_p, kept, keep_r, keep, correct, wanted, delete_p, deleted, delete_r, delete = np.moveaxis(sums, -1, 0)
    add = counts[:, 0].astype(np.float64)
    # Hugging Face divides sums where the original averages ratios: the one repair it makes (cocoxu issue 6).
    keep_recall = _or(correct, wanted, empty) if huggingface else _or(keep_r, keep, empty)
    rates = np.stack(
        [
            np.stack([_or(add[:, 0], add[:, 1], empty), _or(add[:, 0], add[:, 2], empty)], axis=1),
            np.stack([_or(keep_p, kept, empty), keep_recall], axis=1),
            np.stack([_or(delete_p, deleted, empty), _or(delete_r, delete, empty)], axis=1),
        ],
        axis=1,
    )
    return np.concatenate([rates, _harmonic(rates)[..., None, :]], axis=-2)


def _flat(values: Array) -> Array:
    """(segments, operation, rate or count, n) -> (segments, 36), also for no segments."""
    return values.reshape(len(values), 36)


def _harmonic(rates: Array) -> Array:
    """F1 of precision and recall: (..., 2, n) -> (..., n); 0 unless both are positive."""
    precision, recall = rates[..., 0, :], rates[..., 1, :]
    total = precision + recall
    return np.where(total == 0, 0.0, 2 * precision * recall / np.where(total == 0, 1.0, total))


def _or(numerator: Array, denominator: Array, empty: float) -> Array:
    return np.where(denominator == 0, empty, numerator / np.where(denominator == 0, 1.0, denominator))


def _or_zero(numerator: Array, denominator: Array) -> Array:
    return _or(numerator, denominator, 0.0)


def _mean(values: Array) -> Array:
    """Mean over the last axis of what is there; NaN where nothing is."""
    there = ~np.isnan(values)
    return ratio(np.where(there, values, 0.0).sum(axis=-1), there.sum(axis=-1).astype(np.float64))
