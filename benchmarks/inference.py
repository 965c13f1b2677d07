"""Resampling: statistics in memory to intervals, ranks and tests of all pairs; BLEU's interval against sacrebleu."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _bootstrap_resample, estimate_ci

from benchmarks.data import Data
from benchmarks.rows import Row, timed
from plainly import evaluate
from plainly.inference import Resampling, compare, confidence_interval, confidence_intervals

RESAMPLES = 1000
SYSTEMS = 20
REPEAT = 5


def run(data: Data) -> list[Row]:
    many = {f"{name}-{i}": texts for i in range(10) for name, texts in data.systems.items()}
    many = dict(list(many.items())[:SYSTEMS])
    scores = evaluate(data.sources, many, data.grouped, metrics=["sari", "bleu", "fkgl"])
    statistics, metrics = scores.statistics, scores.metrics
    assert statistics is not None
    calls: dict[str, Callable[[], object]] = {
        f"intervals of SARI, BLEU and FKGL, {len(many)} systems": lambda: confidence_intervals(statistics, metrics),
        "intervals, ranks and tests of all pairs": lambda: compare(statistics, metrics),
        "the same with BCa intervals": lambda: compare(statistics, metrics, resampling=Resampling(method="bca")),
        "the same by randomisation": lambda: compare(statistics, metrics, method="randomisation"),
        "the same with 10,000 resamples": lambda: compare(
            statistics, metrics, resampling=Resampling(resamples=10_000)
        ),
    }
    rows = [Row(name, timed(call, REPEAT)) for name, call in calls.items()]

    # Both from statistics that are there already: what is compared is the resampling alone.
    system = next(iter(many))
    peer_metric = BLEU(lowercase=True, force=True)
    peer_statistics = peer_metric._extract_corpus_statistics(many[system], data.references)

    def peer() -> object:
        _, resampled = _bootstrap_resample(peer_statistics, peer_metric, RESAMPLES)
        return estimate_ci(np.array([score.score for score in resampled]))

    ours = timed(lambda: confidence_interval(metrics["bleu"], statistics[system]["bleu"]), REPEAT)
    return [*rows, Row("interval of BLEU", ours, "sacrebleu", timed(peer, REPEAT))]
