"""D-SARI (Sun, Jin and Wan 2021): SARI of whole documents, less for outputs that are too short, too long or cut up.

With words I, O, R of source, output and reference, and sentences s(O), s(R) of output and reference:

    LP1 = exp((O - R) / O)               if O < R, else 1       the output is too short
    LP2 = exp((R - O) / max(I - R, 1))   if O > R, else 1       the output is too long
    SLP = exp(-|s(R) - s(O)| / max(s(R), s(O)))                 it has too many or too few sentences

    D-SARI = (keep * LP2 * SLP + delete * LP2 + add * LP1) / 3, times 100; over documents, the mean

keep, delete and add are those of sentence-level SARI, with precision for delete. R and s(R) are means over the
references, rounded down. An empty output has LP1 = 0, the limit; two texts without a sentence have SLP = 1. The
released script stops with an error on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.readability.formula import SPLIT
from plainly.metrics.sari import OPERATIONS, Sari
from plainly.metrics.settings import SENTENCES, lowercase_setting, tokenizer_setting, variant_setting
from plainly.text.languages import get_language
from plainly.text.sentences import punkt_sentences

PENALTIES = ("too_short", "too_long", "sentences")
SARI_VARIANTS = {"builtin": "sentence", "code": "sentence", "counts": "star"}


@dataclass(frozen=True, kw_only=True)
class DSari(Metric):
    name = "d-sari"
    facts = Facts(
        title="D-SARI",
        about="SARI of documents with penalties for length and number of sentences; a segment is a document",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source", "references", "language"}),
        paper="Sun et al. 2021, Document-Level Text Simplification: Dataset, Criteria and Baseline, EMNLP",
    )
    variants: ClassVar = {
        "builtin": "the released script's arithmetic, with plainly's sentence splitter",
        "code": "as the released script: sentences by NLTK's Punkt; English only",
        "counts": "as `builtin`, but SARI from n-gram counts, not from ratios averaged over n-gram types",
    }

    languages = SPLIT
    also_signed: ClassVar = {"sentences": SENTENCES}

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()
    variant: str = variant_setting(variants)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "code" and self.lang != "en":
            raise PlainlyError(f"{self.label} is defined for English only, not for {self.lang!r}")

    def settings(self) -> dict[str, str]:
        splitter = "punkt-nltk" if self.variant == "code" else get_language(self.lang).sentence_source
        return {**super().settings(), "sentences": splitter}

    def versions(self) -> dict[str, str]:
        return {"nltk": version("nltk")} if self.variant == "code" else {}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *OPERATIONS, *PENALTIES)

    def measure(self, corpus: Corpus, system: str) -> Array:
        penalties = self._penalties(corpus, system)
        too_short, too_long, sentences = penalties.T
        operations = self._operations(corpus, system)
        operations *= np.column_stack([too_short, too_long * sentences, too_long])  # of add, keep and delete
        rows = np.concatenate([operations, penalties], axis=1)
        return with_scored(scored(corpus, system, self.facts.needs), rows)

    def score(self, totals: Array) -> Score:
        means = ratio(totals[..., 1:], totals[..., :1])
        components = {name: 100 * means[..., i] for i, name in enumerate(OPERATIONS)}
        components |= {f"penalty_{name}": means[..., 3 + i] for i, name in enumerate(PENALTIES)}
        return Score(100 * means[..., :3].mean(axis=-1), components)

    def _operations(self, corpus: Corpus, system: str) -> Array:
        """Add, keep and delete of each document by SARI: (documents, 3), from 0 to 1."""
        sari = Sari(
            lang=self.lang,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            variant=SARI_VARIANTS[self.variant],
        )
        components = sari.score(sari.measure(corpus, system)).components
        return np.nan_to_num(np.column_stack([components[name] for name in OPERATIONS])) / 100

    def _penalties(self, corpus: Corpus, system: str) -> Array:
        """LP1, LP2 and SLP of each document: (documents, 3)."""
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        source, output = encoded.source.lengths, encoded.output(system).lengths
        reference = _mean_of_references(corpus, encoded.references.lengths)
        too_short = np.exp(np.minimum(output - reference, 0) / np.where(output, output, 1))
        too_short[(output == 0) & (reference > 0)] = 0.0
        too_long = np.exp(np.minimum(reference - output, 0) / np.maximum(source - reference, 1))
        counted = corpus.prepared(
            ("sentence counts of references", self.variant == "code", self.lang),
            partial(self._count, list(chain.from_iterable(corpus.references))),
        )
        wanted, made = _mean_of_references(corpus, counted), self._count(corpus.output(system))
        most = np.maximum(wanted, made)
        sentences = np.exp(-np.abs(wanted - made) / np.where(most, most, 1))
        return np.column_stack([too_short, too_long, sentences])

    def _count(self, texts: Sequence[str | None]) -> NDArray[np.int64]:
        count = _count_by_punkt if self.variant == "code" else get_language(self.lang).count_sentences
        return np.fromiter((count(text or "") for text in texts), dtype=np.int64, count=len(texts))


def _mean_of_references(corpus: Corpus, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The mean over the references of each segment, rounded down; 0 where there are none."""
    sums = np.diff(np.concatenate([[0], np.cumsum(values)])[corpus.reference_groups])
    return sums // np.maximum(corpus.reference_counts, 1)


def _count_by_punkt(text: str) -> int:
    return len(punkt_sentences(text))
