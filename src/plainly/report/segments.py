"""All segments for the browser part of the page: each text once, scores as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from plainly.corpus import Corpus
from plainly.report.alignments import aligned_sentences
from plainly.report.groups import fields
from plainly.report.texts import outputs_of
from plainly.scoring import Evaluation

# What readers sort and filter by beside the metrics of the table.
SORTED_BY = (
    "compression-ratio",
    "levenshtein-similarity",
    "sentence-splits",
    "lexical-complexity",
    "exact-copies",
)
DECIMALS = 2


def segment_data(evaluation: Evaluation, corpus: Corpus, headline: Sequence[str]) -> dict[str, Any]:
    """The data of the segment browser. Texts are numbers in `texts`; -1 means that there is none."""
    texts: dict[str, int] = {}

    def number(text: str | None) -> int:
        return -1 if text is None else texts.setdefault(text, len(texts))

    outputs = outputs_of(corpus, evaluation.systems)
    labels = [*headline, *(label for label in SORTED_BY if label in evaluation.metrics and label not in headline)]
    data = {
        "sources": [number(text) for text in corpus.sources],
        "references": [[number(text) for text in group] for group in corpus.references],
        "outputs": [[number(text) for text in outputs[system]] for system in evaluation.systems],
        "systems": list(evaluation.systems),
        "baselines": [system not in corpus.outputs for system in evaluation.systems],
        "metrics": [_metric(evaluation, label) for label in labels],
        "scores": [
            [_rounded(evaluation.segment_scores(system, label)) for label in labels] for system in evaluation.systems
        ],
        "ids": None if corpus.ids is None else list(corpus.ids),
        "fields": _coded(fields(corpus)),
        "aligned": aligned_sentences(corpus, outputs, number),
    }
    return {**data, "texts": list(texts)}


def _metric(evaluation: Evaluation, label: str) -> dict[str, Any]:
    metric = evaluation.metrics[label]
    return {"label": label, "title": metric.title, "better": metric.facts.direction}


def _rounded(values: Iterable[float]) -> list[float | int | None]:
    rounded = np.round(np.asarray(values, dtype=np.float64), DECIMALS).tolist()
    return [None if value != value else int(value) if value == int(value) else value for value in rounded]


def _coded(columns: dict[str, list[str | None]]) -> list[dict[str, Any]]:
    """Columns of few different values: each value once, and its number for every segment."""
    coded = []
    for name, values in columns.items():
        known: dict[str, int] = {}
        numbers = [-1 if value is None else known.setdefault(value, len(known)) for value in values]
        coded.append({"name": name, "values": list(known), "of": numbers})
    return coded
