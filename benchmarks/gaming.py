"""A gaming study at the scale of Tanprasert and Kauchak (2021) against scoring every edited corpus anew.

The paper has 1,077 segments with one reference, five systems, six edits, ten strengths and 100 runs: 30,000 corpora.
Scoring anew is timed on one corpus, with the same metrics; plainly's own `evaluate` does it.
"""

from __future__ import annotations

from itertools import cycle, islice

import numpy as np

from benchmarks.data import Data
from benchmarks.rows import Row, timed
from plainly.corpus import Corpus
from plainly.gaming import Segment, get, study
from plainly.metrics import get as get_metric
from plainly.scoring import evaluate

SEGMENTS = 1077
SYSTEMS = 5
EDITS = ["random-period", "random-the", "replace-longest", "replace-rand-period", "replace-rand-the"]
EDITS += ["random-period+replace-longest"]
STRENGTHS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
TRIALS = 100
METRICS = ["sari", "bleu", "fkgl"]


def run(data: Data) -> list[Row]:
    sources = _repeated(data.sources)
    references = [(text,) for text in _repeated([text for lines in data.references for text in lines])]
    systems = dict(list(data.systems.items())[:SYSTEMS])
    corpus = Corpus(sources, references, {name: _numbered(texts) for name, texts in systems.items()})
    metrics = [get_metric(metric) for metric in METRICS]
    ours = timed(lambda: study(corpus, metrics=metrics, edits=EDITS, strengths=STRENGTHS, trials=TRIALS))
    rng = np.random.default_rng(0)
    first = corpus.output(next(iter(systems)))
    edited = [get("random-period").apply(Segment(text or ""), rng) for text in first]
    once = timed(lambda: evaluate(sources, edited, references, metrics=METRICS, keep_statistics=False), 3)
    count = len(systems) * len(EDITS) * len(STRENGTHS) * TRIALS
    return [Row(f"gaming study, {count:,} edited corpora", ours, "each scored anew", once * count)]


def _repeated(texts: list[str]) -> list[str]:
    return list(islice(cycle(texts), SEGMENTS))


def _numbered(texts: list[str]) -> list[str]:
    """As many as are needed; a running number makes them differ, so that no cache is flattered."""
    return [f"{text} {i // len(texts)}" for i, text in enumerate(_repeated(texts))]
