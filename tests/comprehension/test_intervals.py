"""Intervals over participants, against SciPy's BCa bootstrap."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plainly.comprehension.analysis import analyse
from plainly.comprehension.intervals import bounded
from plainly.comprehension.records import gathered
from plainly.comprehension.simulation import made_up_experiment, simulated
from plainly.inference import Resampling
from plainly.inference.small_sample import widened


def test_against_scipy() -> None:
    """The BCa interval of a score, at the widened level; two bootstraps of 10000 differ by little."""
    stats = pytest.importorskip("scipy.stats", reason="SciPy is the yardstick")
    experiment = made_up_experiment()
    answers = [a for a in simulated(experiment, 60, seed=4).answers if (a.passage, a.version) == ("2", "complex")]
    (row,) = analyse(gathered(answers, experiment), experiment, resampling=Resampling(resamples=10_000)).texts
    readers = sorted({answer.participant for answer in answers})
    right, seconds = (
        np.array([sum(value(a) for a in answers if a.participant == name) for name in readers])
        for value in (lambda a: float(bool(a.correct)), lambda a: a.seconds)
    )
    level = widened(0.95, len(readers))
    found = stats.bootstrap(
        (right, seconds),
        lambda credit, time, axis: 100 * credit.sum(axis) / time.sum(axis),  # Pr / t: both have the same answers
        paired=True,
        n_resamples=10_000,
        confidence_level=level,
        method="BCa",
        random_state=np.random.default_rng(1),
    ).confidence_interval
    width = found.high - found.low
    score = row.scores["c-score-simple"]
    assert score.low == pytest.approx(found.low, abs=0.05 * width)
    assert score.high == pytest.approx(found.high, abs=0.05 * width)


def test_one_participant_has_no_interval() -> None:
    drawn, left_out = np.full((5, 1), 2.0), np.full((1, 1), np.nan)
    (figure,) = bounded(np.array([2.0]), drawn, left_out, 1, Resampling())
    assert figure.value == 2
    assert math.isnan(figure.low)
    assert math.isnan(figure.high)
