"""Meaning: how near the output is to its source, by the cosine of their sentence vectors.

    cos(u, v) = u . v / (|u| |v|), u and v the means of the vectors of all tokens (Reimers and Gurevych 2019)

The score is the mean over segments. A text without tokens says nothing, so its cosine is set to 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainly.corpus import Corpus
from plainly.metrics._encoder import EncoderMetric
from plainly.metrics.base import SCORED, Array, Facts, Score, ratio, scored, with_scored
from plainly.models.encoders import EMBEDDED, Sentence, encode_sentences

MULTILINGUAL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
BLOCK = 1024  # texts whose tokens are in memory at the same time


@dataclass(frozen=True, kw_only=True)
class Meaning(EncoderMetric):
    name = "meaning"
    facts = Facts(
        title="Meaning",
        about="cosine of the sentence vectors of source and output; an unchanged copy has 1",
        direction="higher",
        range=(-1.0, 1.0),
        needs=frozenset({"source"}),
        paper="Reimers and Gurevych 2019, Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks, EMNLP",
        decimals=4,
    )

    @classmethod
    def usual_models(cls, lang: str) -> tuple[str, ...]:
        return (EMBEDDED,) if lang == "en" else (MULTILINGUAL,)

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "cosine", "truncated")

    def measure(self, corpus: Corpus, system: str) -> Array:
        present = scored(corpus, system, self.facts.needs)
        statistics = np.zeros((len(corpus), 2))
        if present.any():
            known = corpus.prepared(("meaning", self), lambda: self._encode(corpus))
            for i in np.flatnonzero(present).tolist():
                source, output = known[corpus.sources[i] or ""], known[corpus.output(system)[i] or ""]
                cosine = 0.0 if source.empty or output.empty else float(source.vector @ output.vector)
                statistics[i] = cosine, source.cut or output.cut
        return with_scored(present, statistics)

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]), {"truncated": totals[..., 2]})

    def _encode(self, corpus: Corpus) -> dict[str, Sentence]:
        """All sources and outputs, each text once."""
        columns = [corpus.sources, *corpus.outputs.values()]
        texts = list(dict.fromkeys(text for column in columns for text in column if text is not None))
        known: dict[str, Sentence] = {}
        for start in range(0, len(texts), BLOCK):
            block = texts[start : start + BLOCK]
            known |= zip(block, encode_sentences(self.encoder, block), strict=True)
        return known
