"""Do 95 % intervals hold the truth in 95 % of experiments? Simulated ones of the size of the paper's, truth known."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.records import gathered
from plainly.comprehension.scores import question_size
from plainly.comprehension.simulation import Effects, Simulated, made_up_experiment, simulated
from plainly.inference import Resampling
from plainly.inference.estimates import Estimate

EXPERIMENTS = 400
PAPER = made_up_experiment()


def _true_scores(made: Simulated) -> dict[tuple[str, str], tuple[float, float]]:
    """c-score-simple and c-score-complete of each text, from the true shares and mean times of its questions."""
    scores = {}
    for passage in PAPER.passages:
        for version in passage.versions:
            asked = [item for item in made.truth if (item.passage, item.version) == (passage.id, version.id)]
            percentage = 100 * np.mean([item.correct for item in asked])
            sizes = [question_size(question, "en") for question in passage.questions]
            speeds = [size / item.seconds for size, item in zip(sizes, asked, strict=True)]
            simple = percentage / np.mean([item.seconds for item in asked])
            scores[passage.id, version.id] = float(simple), float(percentage * np.mean(speeds))
    return scores


def _holds(figure: Estimate, truth: float) -> bool:
    return figure.low <= truth <= figure.high


def _inside(found: Analysis, made: Simulated, effects: Effects) -> dict[str, list[bool]]:
    true = _true_scores(made)
    inside = defaultdict(list)
    for row in found.texts:
        for name, truth in zip(("c-score-simple", "c-score-complete"), true[row.passage, row.version], strict=True):
            inside[name].append(_holds(row.scores[name], truth))
    for pair in found.pairs:
        better, worse = true[pair.passage, pair.version][0], true[pair.passage, pair.baseline][0]
        inside["difference"].append(_holds(pair.differences["c-score-simple"], better - worse))
        inside["faster"].append(_holds(pair.tests[1].difference, 1 - effects.faster))
    shares = {
        version: np.mean([item.correct for item in made.truth if item.version == version])
        for version in PAPER.version_ids
    }
    more, faster = found.hypotheses
    inside["more, all"].append(_holds(more.difference, 100 * (shares["simplified"] - shares["complex"])))
    inside["faster, all"].append(_holds(faster.difference, 1 - effects.faster))
    return inside


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """103 readers, 8 texts, 4 or 5 questions. Percentile intervals of scores held 93.1 and 92.6 %."""
    effects = Effects()
    shares: dict[str, list[float]] = defaultdict(list)
    for seed in range(EXPERIMENTS):
        made = simulated(PAPER, 103, effects, seed=seed)
        found = analyse(gathered(made.answers, PAPER), PAPER, resampling=Resampling(seed=seed))
        for name, inside in _inside(found, made, effects).items():
            shares[name].append(float(np.mean(inside)))
    for name, values in shares.items():
        # Intervals of one experiment are not independent, so the error is that of the mean over experiments.
        error = float(np.std(values, ddof=1)) / np.sqrt(EXPERIMENTS)
        print(f"{name}: {np.mean(values):.4f}, standard error {error:.4f}")
        assert abs(np.mean(values) - 0.95) < 3 * error, (name, np.mean(values), error)
