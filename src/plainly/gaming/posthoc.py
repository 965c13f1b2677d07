"""What to report in the place of FKGL: its parts, and how often a system splits.

Tanprasert and Kauchak (2021) recommend the average sentence length, the average number of syllables of a word, and
the share of outputs that are split. Each tells what a system does, and none hides behind another.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.gaming.study import available
from plainly.inference import Resampling
from plainly.metrics import Metric
from plainly.scoring import Evaluation, evaluate, runnable
from plainly.scoring.evaluator import INTERVALS

POST_HOC = ("sentence-length", "syllables-per-word", "split-share")
"""Counts that tell what FKGL is made of, and that say more when they stand alone."""


def post_hoc(
    corpus: Corpus, intervals: Resampling | None = INTERVALS, counts: Sequence[str | Metric] = POST_HOC
) -> Evaluation | None:
    """The sources, each column of references and all systems by these counts; None where none can be had."""
    texts: dict[str, Sequence[str | None]] = {}
    has_sources = "source" in available(corpus)
    if has_sources:
        texts["source"] = corpus.sources
    columns = int(corpus.reference_counts.max(initial=0))
    for i in range(columns):
        name = "reference" if columns == 1 else f"reference {i + 1}"
        texts[name] = [group[i] if i < len(group) else None for group in corpus.references]
    texts |= corpus.outputs  # a system that is called so keeps its name
    metrics = [name for name in counts if _possible(name, has_sources, corpus.lang)]
    if not metrics:
        return None
    return evaluate(corpus.sources, texts, lang=corpus.lang, metrics=metrics, intervals=intervals)


def _possible(metric: str | Metric, has_sources: bool, lang: str) -> bool:
    try:
        runnable([metric.label if isinstance(metric, Metric) else metric], {"source"} if has_sources else set(), lang)
    except PlainlyError:  # nobody asked for it by name
        return False
    return True
