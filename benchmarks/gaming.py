"""A gaming study against scoring every edited corpus anew, with the same metrics; the latter is extrapolated."""

from __future__ import annotations

import numpy as np

from benchmarks.data import Data
from benchmarks.speed import Rows, best
from plainly.corpus import Corpus
from plainly.gaming import Segment, get, study
from plainly.metrics import get as get_metric
from plainly.scoring import evaluate

EDITS = ["random-period", "random-the", "replace-longest", "replace-rand-period", "replace-rand-the"]
STRENGTHS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
TRIALS = 100
METRICS = ["sari", "bleu", "fkgl"]


def run(data: Data) -> Rows:
    name, texts = next(iter(data.systems.items()))
    corpus = Corpus(data.sources, data.grouped, {name: texts})
    metrics = [get_metric(metric) for metric in METRICS]
    ours = best(lambda: study(corpus, metrics=metrics, edits=EDITS, strengths=STRENGTHS, trials=TRIALS), 1)
    rng = np.random.default_rng(0)
    edited = [get("random-period").apply(Segment(text), rng) for text in texts]
    once = best(lambda: evaluate(data.sources, edited, data.grouped, metrics=METRICS, keep_statistics=False), 3)
    count = len(EDITS) * len(STRENGTHS) * TRIALS
    anew = once * count
    return [[f"{count:,} edited corpora by {len(METRICS)} metrics: each scored anew", anew, ours, anew / ours]]
