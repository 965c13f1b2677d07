"""BLEU (Papineni et al. 2002), equal to sacrebleu's: clipped n-gram matches and a brevity penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, scored, with_scored
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.settings import lowercase_setting, tokenizer_setting

ORDERS = 4
FLOOR = 0.1  # what the "floor" smoothing counts for an order without a match, as in sacrebleu

SMOOTH = Signed("smoothing in BLEU")
PAPER = "Papineni et al. 2002, BLEU, ACL; as computed by Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT"
COLUMNS = (
    "output_length",
    "reference_length",
    *(f"matches_{n}" for n in range(1, ORDERS + 1)),
    *(f"ngrams_{n}" for n in range(1, ORDERS + 1)),
)


@dataclass(frozen=True, kw_only=True)
class Bleu(Metric):
    name = "bleu"
    facts = Facts(
        title="BLEU",
        about="n-gram overlap with the references; rewards copying, so read it beside SARI",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"references"}),
        paper=PAPER,
    )
    also_signed: ClassVar = {"smooth": SMOOTH}

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "smooth": "exp"}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *COLUMNS)

    def measure(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        counts = encoded.index.bleu(*encoded.output(system))
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def score(self, totals: Array) -> Score:
        value, precisions, penalty = bleu_from_counts(totals[..., 1:], smoothing="exp", effective_order=False)
        empty = totals[..., 0] == 0
        components = {f"precision_{n + 1}": precisions[..., n] for n in range(ORDERS)}
        components["brevity_penalty"] = penalty
        components["output_length"] = totals[..., 1]
        components["reference_length"] = totals[..., 2]
        components = {name: np.where(empty, np.nan, part) for name, part in components.items()}
        return Score(np.where(empty, np.nan, value), components)


@dataclass(frozen=True, kw_only=True)
class BleuSentence(MeanOfSegments):
    name = "bleu-sentence"
    column = "bleu"
    facts = Facts(
        title="Sentence BLEU",
        about="mean over segments of sentence BLEU",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"references"}),
        paper=PAPER,
    )
    also_signed: ClassVar = {
        "smooth": SMOOTH,
        "order": Signed("`effective`: sentence BLEU leaves out orders that a segment cannot have"),
    }

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "smooth": f"floor[{FLOOR}]", "order": "effective"}

    def values(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        counts = encoded.index.bleu(*encoded.output(system)).astype(np.float64)
        return bleu_from_counts(counts, smoothing="floor", effective_order=True)[0]


def bleu_from_counts(counts: Array, smoothing: str, effective_order: bool) -> tuple[Array, Array, Array]:
    """BLEU, n-gram precisions and brevity penalty of counts in the order of `COLUMNS`: (..., 10) -> (...).

    An order without n-grams ends the sum (`effective_order`: and the mean); an order without a match is
    smoothed: `exp` halves a pseudo-count each time, `floor` counts 0.1. No match at all scores 0.
    """
    output, reference = counts[..., 0], counts[..., 1]
    matches, ngrams = counts[..., 2 : 2 + ORDERS], counts[..., 2 + ORDERS :]
    short = (output < reference) & (output > 0)
    penalty = np.where(short, np.exp(1 - reference / np.where(short, output, 1.0)), 1.0)
    penalty = np.where((output == 0) & (reference > 0), 0.0, penalty)

    precisions = np.zeros(matches.shape)
    halving = np.ones(output.shape)
    for n in range(ORDERS):
        there, matched = ngrams[..., n] > 0, matches[..., n] > 0
        whole = np.where(there, ngrams[..., n], 1.0)
        halving = np.where(there & ~matched, 2 * halving, halving)
        smoothed = 1 / halving if smoothing == "exp" else FLOOR
        precisions[..., n] = np.where(there, 100 * np.where(matched, matches[..., n], smoothed) / whole, 0.0)
    any_match = np.asarray((matches > 0).any(axis=-1))
    precisions = np.where(any_match[..., None], precisions, 0.0)

    orders = (ngrams > 0).sum(axis=-1)
    possible = orders > 0 if effective_order else orders == ORDERS
    logs = np.log(np.where(precisions > 0, precisions, 1.0)).sum(axis=-1)
    mean = logs / (np.maximum(orders, 1) if effective_order else ORDERS)
    return np.where(any_match & possible, penalty * np.exp(mean), 0.0), precisions, penalty
