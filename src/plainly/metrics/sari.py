"""SARI (Xu et al. 2016): what a simplification added, kept and deleted, judged against source and references.

For n = 1..4, with S and O the n-grams of source and output, T those of all r references together:

    add      (types)   correct |(O - S) & T|           made |O - S|          wanted |T - S|
    keep     (counts)  correct min(r S, r O, T)        made min(r S, r O)    wanted min(r S, T)
    delete   (counts)  correct min of made and wanted  made max(0, rS - rO)  wanted max(0, rS - T)

    precision = correct / made, recall = correct / wanted, F1 their harmonic mean
    operation = mean of F1 over n, SARI = mean of the three operations, times 100

The variants differ in what is averaged when, and in what 0/0 is; see `VARIANTS` and the docs page on SARI.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import lowercase_setting, setting, tokenizer_setting, variant_setting

OPERATIONS = ("add", "keep", "delete")
COUNTS = ("correct", "made", "wanted")
RATES = ("precision", "recall", "f1")
ORDERS = (1, 2, 3, 4)
CORRECT, MADE, WANTED = range(len(COUNTS))
PRECISION, RECALL, F1 = range(len(RATES))
ADD, KEEP, DELETE = range(len(OPERATIONS))
SHAPE = (len(OPERATIONS), len(COUNTS), len(ORDERS))  # of the counts of a segment, and of its rates

COUNT_COLUMNS = tuple(f"{o}_{count}_{n}" for o in OPERATIONS for count in COUNTS for n in ORDERS)
RATE_COLUMNS = tuple(f"{o}_{rate}_{n}" for o in OPERATIONS for rate in RATES for n in ORDERS)
AVERAGED = (*RATE_COLUMNS, *OPERATIONS, "sari")  # what a mean over segments is taken of
PRESENT = tuple(f"{name}_segments" for name in AVERAGED)  # and of how many segments: some skip it

# Keep and delete counts are divided by the number of references. Times this number, which 1..12 divide, the
# quotients are whole numbers, so that sums are exact and do not depend on the order of the segments.
WHOLE = 27720

EMPTY_RULES = {
    "zero": "nothing to do and nothing done scores 0 (published numbers)",
    "one": "nothing to do and nothing done scores 1",
    "skip": "nothing to do and nothing done is left out of the mean",
}
WEIGHTINGS = {
    "segments": "every segment weighs the same, whatever its number of references",
    "counts": "a segment weighs as much as it has references",
}
STAR_SENTENCE = "star, mean over segments"  # a step between two variants; not one itself


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of the published formulas; a new one is a row of `VARIANTS`."""

    about: str
    mean_of: Literal["counts", "segments"] = "counts"  # the score of added-up counts, or the mean of segments' scores
    averages_types: bool = False  # ratios are averaged over n-gram types, not those of added-up counts
    keep_recall_of: Literal["ratios", "sums"] = "ratios"  # with n-gram types: as the others, or of sums
    f1_of: Literal["each n", "means"] = "each n"  # a mean of F1, or F1 of mean precision and recall
    delete_by: Literal["f1", "precision"] = "f1"
    empty: str | None = None  # its own rule for empty operations, where it has one
    source: Literal["tokenised", "as it is"] = "tokenised"
    cased: bool = False  # nothing is lower-cased, whatever is asked for
    beside: str = ""  # the variant that differs from it in one thing
    change: str = ""  # which


VARIANTS = {
    "easse": Variant(about="corpus counts, F1 for all three operations (EASSE's default)"),
    "easse-legacy": Variant(
        about="the same with an untokenised source and nothing lower-cased, for tokenised files",
        source="as it is",
        cased=True,
        beside="easse",
        change="source not tokenised, nothing lower-cased",
    ),
    "easse-sentence": Variant(
        about="mean over segments of the `easse` formula",
        mean_of="segments",
        beside="easse",
        change="mean over segments instead of corpus counts",
    ),
    "paper": Variant(
        about="corpus counts; precision and recall averaged over n before one F1 per operation",
        f1_of="means",
        beside="easse",
        change="one F1 of averaged precision and recall instead of a mean of F1",
    ),
    "star": Variant(
        about="corpus counts, precision instead of F1 for delete (the original Java release)",
        delete_by="precision",
        beside="easse",
        change="delete scored by precision instead of F1",
    ),
    "sentence": Variant(
        about="mean over segments; ratios averaged over n-gram types (the original Python release)",
        mean_of="segments",
        averages_types=True,
        delete_by="precision",
        empty="zero",
        beside=STAR_SENTENCE,
        change="ratios averaged over n-gram types, stricter rule for deletions",
    ),
    "huggingface": Variant(
        about="mean over segments as in Hugging Face evaluate: 0/0 = 1, delete by precision",
        mean_of="segments",
        averages_types=True,
        keep_recall_of="sums",  # the one repair it makes (cocoxu issue 6)
        delete_by="precision",
        empty="one",
        beside="sentence",
        change="0/0 counts as 1, keep recall from sums",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Sari(Metric):
    name = "sari"
    parts = OPERATIONS
    facts = Facts(
        title="SARI",
        about="agreement with references on what to add, keep and delete",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source", "references"}),
        paper="Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL",
    )
    variants: ClassVar = {name: variant.about for name, variant in VARIANTS.items()}

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()
    reference_weighting: str = setting(
        "segments",
        choices=WEIGHTINGS,
        called="reference weighting",
        short="weight",
        help="with unequal references",
        about="[how SARI weighs segments](sari.md#segments-with-different-numbers-of-references); "
        "only where they differ",
        differs="segments with more references weigh more, or not",
        option="reference-weighting",
        metavar="RULE",
    )
    variant: str = variant_setting(variants)
    empty_operation: str = setting(
        "",
        choices=EMPTY_RULES,
        called="empty-operation rule",
        short="empty",
        unsaid="zero",
        help="where nothing is to be done",
        about="[SARI's rule for empty operations](sari.md#edge-cases)",
        differs="another rule for nothing-to-do: matters for short or unchanged texts",
        decided="zero, or the variant's own",
        option="empty-operation",
        metavar="RULE",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        own_rule = self.formula.empty
        if not self.empty_operation:
            object.__setattr__(self, "empty_operation", own_rule or "zero")
        if own_rule and self.empty_operation != own_rule:
            raise PlainlyError(f"sari:{self.variant} has its own rule for empty operations: {own_rule}")
        if self.formula.cased:
            object.__setattr__(self, "lowercase", False)

    @property
    def formula(self) -> Variant:
        """The formula that the variant names."""
        return VARIANTS[self.variant]

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self._averages_segments:
            del settings["reference_weighting"]  # a mean over segments weighs them all the same
        return settings

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *AVERAGED, *PRESENT) if self._averages_segments else (SCORED, *COUNT_COLUMNS)

    def measure(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        output = encoded.output(system)
        index = encoded.index if self.formula.source == "tokenised" else encoded.untokenised_source_index
        counts = index.sari(*output)
        present = scored(corpus, system, self.facts.needs)
        if not self._averages_segments:
            return with_scored(present, _flat(self._weighted(counts, corpus.reference_counts)))
        if self.formula.averages_types:
            rates = self._type_rates(counts, index.sari_ratios(*output))
        else:
            rates = self._rates(np.moveaxis(counts.astype(np.float64), 0, -1))
        values = self._averaged(rates)
        there = ~np.isnan(values)
        present &= there[:, AVERAGED.index("sari")]  # where every operation is skipped, there is no score
        return with_scored(present, np.concatenate([np.where(there, values, 0.0), there], axis=1))

    def score(self, totals: Array) -> Score:
        if self._averages_segments:
            means = 100 * ratio(self._part(totals, AVERAGED), self._part(totals, PRESENT))
            named = {name: means[..., i] for i, name in enumerate(AVERAGED)}
            return Score(named.pop("sari"), named)
        counts = np.ascontiguousarray(np.moveaxis(self._part(totals, COUNT_COLUMNS), -1, 0))
        rates = self._rates(counts.reshape(*SHAPE, *totals.shape[:-1]))
        operations = self._operations(rates)
        empty = totals[..., self.columns.index(SCORED)] == 0
        flat = rates.reshape(len(RATE_COLUMNS), *totals.shape[:-1])
        values = 100 * np.concatenate([_mean(operations)[None], operations, flat])
        values[:, empty] = np.nan
        return Score(values[0], dict(zip((*OPERATIONS, *RATE_COLUMNS), values[1:], strict=True)))

    @property
    def _averages_segments(self) -> bool:
        return self.formula.mean_of == "segments"

    def _part(self, totals: Array, names: tuple[str, ...]) -> Array:
        """The columns of these names, which stand side by side."""
        start = self.columns.index(names[0])
        return totals[..., start : start + len(names)]

    def _weighted(self, counts: NDArray[np.int64], references: NDArray[np.int64]) -> Array:
        weighted = counts.astype(np.float64)
        if self.reference_weighting == "segments":
            weighted[:, KEEP:] *= WHOLE
            weighted[:, KEEP:] /= np.maximum(references, 1)[:, None, None, None]
        return weighted

    # Counts and rates of many segments or totals have these as their last axis: what is computed then lies together.

    def _rates(self, counts: Array) -> Array:
        """(operation, count, n, ...) -> (operation, rate, n, ...); NaN where an empty operation is skipped."""
        correct, made, wanted = (counts[:, i] for i in (CORRECT, MADE, WANTED))
        rates = _with_f1(_or_zero(correct, made), _or_zero(correct, wanted))
        if self.empty_operation != "zero":
            nothing = ((made == 0) & (wanted == 0))[:, None]
            rates = np.where(nothing, 1.0 if self.empty_operation == "one" else np.nan, rates)
        return rates

    def _type_rates(self, counts: NDArray[np.int64], sums: Array) -> Array:
        """Rates averaged over n-gram types, segment by segment: (operation, rate, n, segments)."""
        empty = 1.0 if self.empty_operation == "one" else 0.0
        by_name = np.moveaxis(sums, (-1, 0), (0, -1))
        keep_p, kept, keep_r, keep, correct, wanted, delete_p, deleted, delete_r, delete = by_name
        add_correct, add_made, add_wanted = np.moveaxis(counts[:, ADD].astype(np.float64), 0, -1)
        of_sums = self.formula.keep_recall_of == "sums"
        keep_recall = _or(correct, wanted, empty) if of_sums else _or(keep_r, keep, empty)
        return _with_f1(
            np.stack([_or(add_correct, add_made, empty), _or(keep_p, kept, empty), _or(delete_p, deleted, empty)]),
            np.stack([_or(add_correct, add_wanted, empty), keep_recall, _or(delete_r, delete, empty)]),
        )

    def _operations(self, rates: Array) -> Array:
        """(operation, rate, n, ...) -> (operation, ...)."""
        if self.formula.f1_of == "means":
            return _harmonic(_mean(rates[:, PRECISION], 1), _mean(rates[:, RECALL], 1))
        operations = _mean(rates[:, F1], 1)
        if self.formula.delete_by == "precision":
            operations[DELETE] = _mean(rates[DELETE, PRECISION])
        return operations

    def _averaged(self, rates: Array) -> Array:
        """The values of each segment in the order of `AVERAGED`; NaN where it skips one."""
        operations = self._operations(rates)
        flat = rates.reshape(len(RATE_COLUMNS), rates.shape[-1])
        values: Array = np.concatenate([flat, operations, _mean(operations)[None]]).T
        return values


def _flat(values: Array) -> Array:
    """(segments, operation, rate or count, n) -> one row a segment, also for no segments."""
    return values.reshape(len(values), len(COUNT_COLUMNS))


def _with_f1(precision: Array, recall: Array) -> Array:
    """(operation, n, ...) of both -> (operation, rate, n, ...)."""
    return np.stack([precision, recall, _harmonic(precision, recall)], axis=1)


def _harmonic(precision: Array, recall: Array) -> Array:
    """F1 of precision and recall; 0 unless both are positive."""
    return _or_zero(2 * precision * recall, precision + recall)


def _or(numerator: Array, denominator: Array, empty: float) -> Array:
    nothing = denominator == 0
    if not nothing.any():
        quotient: Array = numerator / denominator
        return quotient
    return np.where(nothing, empty, numerator / np.where(nothing, 1.0, denominator))


def _or_zero(numerator: Array, denominator: Array) -> Array:
    return _or(numerator, denominator, 0.0)


def _mean(values: Array, axis: int = 0) -> Array:
    """Mean over an axis of what is there; NaN where nothing is."""
    there = ~np.isnan(values)
    if there.all():
        mean: Array = values.mean(axis=axis)
        return mean
    return ratio(np.where(there, values, 0.0).sum(axis=axis), there.sum(axis=axis).astype(np.float64))
