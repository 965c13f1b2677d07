"""Resampling: statistics in memory to intervals, ranks and tests of all pairs; BLEU's interval against sacrebleu."""

from __future__ import annotations

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _bootstrap_resample, estimate_ci

from benchmarks.data import Data
from benchmarks.speed import Rows, best
from plainly import evaluate
from plainly.inference import Resampling, compare, confidence_interval, confidence_intervals

RESAMPLES = 1000


def run(data: Data, repeat: int) -> Rows:
    many = {f"{name}-{i}": texts for i in range(10) for name, texts in data.systems.items()}
    many = dict(list(many.items())[:20])
    scores = evaluate(data.sources, many, data.grouped, metrics=["sari", "bleu", "fkgl"])
    statistics, metrics = scores.statistics, scores.metrics
    assert statistics is not None
    what = f"sari, bleu, fkgl of {len(many)} systems"
    times = {
        f"intervals: {what}": best(lambda: confidence_intervals(statistics, metrics), repeat),
        f"intervals, ranks and all pairs: {what}": best(lambda: compare(statistics, metrics), repeat),
        "the same with BCa intervals": best(
            lambda: compare(statistics, metrics, resampling=Resampling(method="bca")), repeat
        ),
        "the same by randomisation": best(lambda: compare(statistics, metrics, method="randomisation"), repeat),
        "the same, 10,000 resamples": best(
            lambda: compare(statistics, metrics, resampling=Resampling(resamples=10_000)), min(repeat, 2)
        ),
    }
    rows: Rows = [[name, None, seconds, None] for name, seconds in times.items()]

    # Both from statistics that are there already: what is compared is the resampling alone.
    system = next(iter(many))
    peer_metric = BLEU(lowercase=True, force=True)
    peer_statistics = peer_metric._extract_corpus_statistics(many[system], data.references)

    def peer() -> object:
        _, resampled = _bootstrap_resample(peer_statistics, peer_metric, RESAMPLES)
        return estimate_ci(np.array([score.score for score in resampled]))

    theirs = best(peer, repeat)
    ours = best(lambda: confidence_interval(metrics["bleu"], statistics[system]["bleu"]), repeat)
    rows.append(["interval of BLEU: sacrebleu", theirs, ours, theirs / ours])
    return rows
