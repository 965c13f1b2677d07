"""F1 token: how many tokens an output shares with the reference that is nearest to it.

For an output O and a reference R, as multisets of tokens:

    F1(O, R) = 2 |O & R| / (|O| + |R|), 0 if both are empty
    segment = the largest F1 over its references, score = mean over segments, times 100
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainly._kernels import overlaps
from plainly.corpus import Corpus
from plainly.metrics.base import Array, Facts
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.settings import lowercase_setting, tokenizer_setting


@dataclass(frozen=True, kw_only=True)
class F1Token(MeanOfSegments):
    name = "f1-token"
    column = "f1"
    facts = Facts(
        title="F1 token",
        about="tokens shared with the nearest reference, in any order; rewards copying, as BLEU does",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"references"}),
        paper="Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation, EMNLP",
    )

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()

    def values(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        output, references = encoded.output(system), encoded.references
        shared = overlaps(*output, *references, corpus.reference_groups)
        owner = np.repeat(np.arange(len(corpus)), corpus.reference_counts)
        f1 = 200 * shared / np.maximum(output.lengths[owner] + references.lengths, 1)
        best = np.zeros(len(corpus))
        np.maximum.at(best, owner, f1)
        return best
