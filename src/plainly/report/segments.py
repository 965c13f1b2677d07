"""All segments for the browser part of the page: each text once, scores as columns, sentences aligned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from plainly.corpus import Corpus
from plainly.report.texts import first_runs, outputs_of
from plainly.scoring import Evaluation
from plainly.scoring.slices import fields
from plainly.text.alignment import align_sentences
from plainly.text.languages import get_language

# What readers sort and filter by beside the metrics of the table.
SORTED_BY = (
    "compression-ratio",
    "levenshtein-similarity",
    "sentence-splits",
    "lexical-complexity",
    "exact-copies",
)
DECIMALS = 2
MOST = 20_000  # sentences of sources, once for each system: beyond that, aligning would take longer than all the rest

Numbers = list[int]
Links = list[tuple[Numbers, Numbers]]  # sentences of the source and of the output, as numbers of texts


def segment_data(
    evaluation: Evaluation, corpus: Corpus, headline: Sequence[str], order: Sequence[str], baselines: Collection[str]
) -> dict[str, Any]:
    """The data of the segment browser, which opens on the two best of `order`.

    Texts are numbers in `texts`; -1 means that there is none. A system of several runs has the texts of the first.
    """
    texts: dict[str, int] = {}

    def number(text: str | None) -> int:
        return -1 if text is None else texts.setdefault(text, len(texts))

    outputs, runs = outputs_of(corpus, evaluation), first_runs(evaluation)
    labels = [*headline, *(label for label in SORTED_BY if label in evaluation.metrics and label not in headline)]
    data = {
        "sources": [number(text) for text in corpus.sources],
        "references": [[number(text) for text in group] for group in corpus.references],
        "outputs": [[number(text) for text in outputs[system]] for system in evaluation.systems],
        "systems": list(evaluation.systems),
        "baselines": [system in baselines for system in evaluation.systems],
        "opened": [list(evaluation.systems).index(system) for system in order[:2]],
        "metrics": [_metric(evaluation, label) for label in labels],
        "scores": [[_rounded(evaluation.segment_scores(run, label)) for label in labels] for run in runs.values()],
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


def aligned_sentences(
    corpus: Corpus, outputs: Mapping[str, Sequence[str | None]], number: Callable[[str], int]
) -> list[list[Links | None]] | None:
    """The links of every system and segment; None for a segment whose source is not several sentences.

    None at all where no source is, where the language has no sentence splitter, or where there are too many.
    """
    language = get_language(corpus.lang)
    if not language.sentence_source:
        return None
    split = language.split_sentences
    sources = [split(text or "") for text in corpus.sources]
    several = [len(sentences) if len(sentences) > 1 else 0 for sentences in sources]
    if not 0 < sum(several) * len(outputs) <= MOST:
        return None

    def links(source: list[str], text: str | None) -> Links | None:
        if len(source) < 2 or text is None:
            return None
        output = split(text)
        return [
            ([number(source[i]) for i in link.source], [number(output[j]) for j in link.output])
            for link in align_sentences(source, output, corpus.lang)
        ]

    return [[links(source, text) for source, text in zip(sources, texts, strict=True)] for texts in outputs.values()]
