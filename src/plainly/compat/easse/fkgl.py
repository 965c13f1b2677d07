"""FKGL with EASSE's arguments; the formula stands in `plainly.metrics.readability`."""

from __future__ import annotations

import math

import numpy as np

from plainly.compat.easse._inputs import SYSTEM, Sentences, as_corpus
from plainly.compat.easse._splitter import sentence_variant
from plainly.compat.easse.utils.text import count_sentences, count_syllables_in_sentence, count_words
from plainly.corpus import Corpus
from plainly.metrics import Array, get


def corpus_fkgl(sentences: Sentences, tokenizer: str = "13a") -> float:
    """The Flesch-Kincaid grade level of lower-cased text, at least 0; 0 for no text."""
    return corpus_value(as_corpus(None, sentences), tokenizer)


def corpus_value(corpus: Corpus, tokenizer: str) -> float:
    """The same of the outputs in a corpus that is built already."""
    metric = get("fkgl", variant=sentence_variant(), tokenizer=tokenizer)
    return _score(metric.measure(corpus, SYSTEM).sum(axis=0))


class FKGLScorer:
    """Adds up the counts of texts that are normalised already."""

    def __init__(self) -> None:
        self.nb_words = 0
        self.nb_syllables = 0
        self.nb_sentences = 0

    def add(self, text: str) -> None:
        """Count one text, which may hold several sentences."""
        self.nb_words += count_words(text)
        self.nb_syllables += count_syllables_in_sentence(text)
        self.nb_sentences += count_sentences(text)

    def score(self) -> float:
        """FKGL of all that was added."""
        columns = get("fkgl", variant="easse").columns
        counts = {"words": self.nb_words, "sentences": self.nb_sentences, "syllables": self.nb_syllables}
        return _score(np.array([float(counts.get(name, 1)) for name in columns]))


def _score(totals: Array) -> float:
    value = float(get("fkgl", variant="easse").score(totals).value)
    return 0.0 if math.isnan(value) else value
