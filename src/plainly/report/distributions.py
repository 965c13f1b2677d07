"""Histograms of what outputs are like: their length, and the features that an evaluation holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.report.texts import corpora_of, first_runs
from plainly.report.words import in_sentence, number
from plainly.scoring import Evaluation

Values = NDArray[np.float64]
BINS = 24
OUTLIERS = 0.995  # what lies beyond this quantile joins the last bin

# metric -> the question that its distribution answers, and what to know
QUESTIONS = {
    "compression-ratio": ("How much do systems shorten the text?", "1 means as long as the source."),
    "sentence-splits": ("How often are sentences split?", "2 means two sentences where the source has one."),
    "levenshtein-similarity": ("How close do outputs stay to the source?", "1 means an exact copy."),
    "lexical-complexity": ("How rare are the words of the outputs?", "Higher values mean rarer words."),
}


@dataclass(frozen=True)
class Distribution:
    """One histogram a system. Rows: system, from, to, segments, share, mean."""

    name: str
    question: str
    title: str
    answer: str
    note: str
    rows: list[list[str | float | int | None]]


def distributions(
    evaluation: Evaluation, corpus: Corpus, systems: Sequence[str], labels: Collection[str]
) -> Iterator[Distribution]:
    """The lengths of outputs, and of these features those that have a question; of each system the first run."""
    first = first_runs(evaluation)
    runs = {system: first[system] for system in systems}
    homes = corpora_of(corpus, runs.values())
    lengths: dict[str, Values] = {}
    for system, run in runs.items():
        counts = homes[run].encoded("none", True).output(run).lengths.astype(np.float64)
        missing = [text is None for text in homes[run].output(run)]
        counts[missing] = np.nan
        lengths[system] = counts
    if any(np.isfinite(counts).any() for counts in lengths.values()):
        yield _binned("length", "How long are the outputs?", "words of an output", "", lengths, 1)
    for label, (question, note) in QUESTIONS.items():
        if label in labels:
            values = {system: evaluation.segment_scores(run, label) for system, run in runs.items()}
            title = in_sentence(evaluation.metrics[label].title)
            yield _binned(label, question, title, note, values, 2)


def _binned(
    name: str, question: str, title: str, note: str, values: dict[str, Values], decimals: int
) -> Distribution:
    known = {system: column[np.isfinite(column)] for system, column in values.items()}
    pool = np.concatenate(list(known.values()))
    edges = _edges(pool)
    if len(pool) and pool.max() > edges[-1]:
        note = f"{note} The last bar holds all that is larger.".strip()
    rows: list[list[str | float | int | None]] = []
    for system, column in known.items():
        counts, _ = np.histogram(np.minimum(column, edges[-1]), edges)
        mean = float(column.mean()) if len(column) else None
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
            share = float(count) / max(len(column), 1)
            rows.append([system, float(low), float(high), int(count), share, mean])
    means = "; ".join(f"{system} {number(float(c.mean()), decimals)}" for system, c in known.items() if len(c))
    return Distribution(name, question, title, f"On average: {means}." if means else "", note, rows)


def _edges(pool: Values) -> Values:
    if not len(pool):
        return np.linspace(0.0, 1.0, BINS + 1)
    low, high = float(pool.min()), float(np.quantile(pool, OUTLIERS))
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, BINS + 1)
