"""Quality estimation with EASSE's arguments; the features stand in `plainly.metrics.features`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plainly.compat.easse._inputs import SYSTEM, Sentences, as_corpus
from plainly.compat.easse._splitter import sentence_variant
from plainly.compat.easse.utils.preprocessing import normalize
from plainly.corpus import Corpus
from plainly.metrics import Array, get

__all__ = [
    "corpus_quality_estimation",
    "count_sentence_splits",
    "get_additions_proportion",
    "get_average",
    "get_compression_ratio",
    "get_deletions_proportion",
    "get_levenshtein_similarity",
    "get_wordrank_score",
    "is_exact_match",
    "normalize",
    "wrap_single_sentence_vectorizer",
]

FEATURES = {
    "Compression ratio": "compression-ratio",
    "Sentence splits": "sentence-splits",
    "Levenshtein similarity": "levenshtein-similarity",
    "Exact copies": "exact-copies",
    "Additions proportion": "additions-proportion",
    "Deletions proportion": "deletions-proportion",
    "Lexical complexity score": "lexical-complexity",
}

Vectorizer = Callable[[str, str], float]


def corpus_quality_estimation(
    orig_sentences: Sentences, sys_sentences: Sentences, lowercase: bool = False, tokenizer: str = "13a"
) -> dict[str, float]:
    """The means over sentences of seven features that need no reference.

    A pair for which a feature is not defined (both texts empty) is left out of that mean.
    """
    return corpus_values(as_corpus(orig_sentences, sys_sentences), lowercase, tokenizer)


def corpus_values(corpus: Corpus, lowercase: bool, tokenizer: str) -> dict[str, float]:
    """The same of a corpus that is built already."""
    return {key: _mean(_measure(name, corpus, lowercase, tokenizer), name) for key, name in FEATURES.items()}


def get_average(vectorizer: Vectorizer, orig_sentences: Iterable[str], sys_sentences: Iterable[str]) -> float:
    """The mean of `vectorizer(orig, sys)` over the pairs of sentences."""
    values = [vectorizer(orig, simple) for orig, simple in zip(orig_sentences, sys_sentences, strict=False)]
    return sum(values) / len(values)


def wrap_single_sentence_vectorizer(vectorizer: Callable[[str], float]) -> Vectorizer:
    """A function of a pair that looks at its second sentence only."""

    def of_second(complex_sentence: str, simple_sentence: str) -> float:
        return vectorizer(simple_sentence)

    return of_second


def get_compression_ratio(complex_sentence: str, simple_sentence: str) -> float:
    """Characters of the simple sentence / characters of the complex one; 0 if that is empty."""
    return _of_pair("compression-ratio", complex_sentence, simple_sentence)


def count_sentence_splits(complex_sentence: str, simple_sentence: str) -> float:
    """Sentences in the simple text / sentences in the complex one; 0 if that has none."""
    return _of_pair("sentence-splits", complex_sentence, simple_sentence)


def get_levenshtein_similarity(complex_sentence: str, simple_sentence: str) -> float:
    """The share of characters, 0-1, that need no insertion or deletion."""
    return _of_pair("levenshtein-similarity", complex_sentence, simple_sentence)


def is_exact_match(complex_sentence: str, simple_sentence: str) -> bool:
    """Whether both are the same."""
    return complex_sentence == simple_sentence


def get_additions_proportion(complex_sentence: str, simple_sentence: str) -> float:
    """Words that the simple sentence adds / words of the longer one."""
    return _of_pair("additions-proportion", complex_sentence, simple_sentence)


def get_deletions_proportion(complex_sentence: str, simple_sentence: str) -> float:
    """Words of the complex sentence that are gone / words of the longer one."""
    return _of_pair("deletions-proportion", complex_sentence, simple_sentence)


def get_wordrank_score(sentence: str) -> float:
    """The upper quartile of the log rank of a sentence's content words."""
    return _of_pair("lexical-complexity", sentence, sentence)


def _of_pair(name: str, complex_sentence: str, simple_sentence: str) -> float:
    rows = _measure(name, as_corpus([complex_sentence], [simple_sentence]), lowercase=False, tokenizer="none")
    return _mean(rows, name)


def _measure(name: str, corpus: Corpus, lowercase: bool, tokenizer: str) -> Array:
    settings = {"variant": sentence_variant()} if name == "sentence-splits" else {}
    return get(name, lowercase=lowercase, tokenizer=tokenizer, **settings).measure(corpus, SYSTEM)


def _mean(rows: Array, name: str) -> float:
    if name in ("compression-ratio", "sentence-splits"):
        rows[:, 0] = 1  # EASSE counts a pair with an empty source as 0
    return float(get(name).score(rows.sum(axis=0)).value)
