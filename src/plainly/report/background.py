"""What a report shows beside the metrics that were asked for, as far as it can run on the data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics import Metric, configure
from plainly.scoring import runnable
from plainly.scoring.evaluator import with_defaults_of

# EASSE's quality estimation, and readability by parts.
BACKGROUND = (
    "compression-ratio",
    "sentence-splits",
    "levenshtein-similarity",
    "exact-copies",
    "additions-proportion",
    "deletions-proportion",
    "lexical-complexity",
    "sentence-length",
    "syllables-per-word",
    "off-language",
)


def background_metrics(known: Collection[str], corpus: Corpus, settings: Mapping[str, Any]) -> list[Metric]:
    """The background metrics that are not known yet; one that needs what is not there is left out."""
    available = {"source"} if any(text is not None for text in corpus.sources) else set()
    added = []
    for name in BACKGROUND:
        try:
            runnable([name], available, corpus.lang)
        except PlainlyError:  # nobody asked for it
            continue
        if name not in known:
            added.append(configure(name, with_defaults_of(corpus.lang, settings)))
    return added
