"""The same data, seed and number of resamples give the same interval, whoever asks."""

from __future__ import annotations

import numpy as np
import pytest

from plainly.inference import RESAMPLES, Resampling
from plainly.inference.resampling import bootstrap_weights
from plainly.scoring import Evaluation, evaluate

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "there", "all", "day"]


@pytest.fixture(scope="module", params=[False, True])
def scores(request: pytest.FixtureRequest) -> Evaluation:
    """Seven systems: their tests need more trials than intervals have resamples."""
    draw = np.random.default_rng(1)
    texts = [[" ".join(draw.choice(WORDS, size=8)) for _ in range(40)] for _ in range(9)]
    documents = [str(i // 4) for i in range(40)] if request.param else None
    systems = {f"s{i}": texts[2 + i] for i in range(7)}
    return evaluate(
        texts[0],
        systems,
        references=[[text] for text in texts[1]],
        lang="en",
        metrics=["sari", "bleu", "fkgl"],
        documents=documents,
    )


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_score_and_compare_give_the_same_intervals(scores: Evaluation, interval: str) -> None:
    alone = scores.with_intervals(Resampling(method=interval))
    compared = scores.compare(interval=interval)
    assert compared.settings.trials > compared.settings.resampling.resamples == RESAMPLES
    assert compared.settings.resampling == alone.intervals
    for system, results in alone.systems.items():
        for label, result in results.items():
            assert compared[system][label].estimate == result.estimate


def test_more_trials_move_no_interval(scores: Evaluation) -> None:
    few, many = scores.compare(resamples=RESAMPLES), scores.compare()
    assert many.settings.trials > few.settings.trials
    assert [pair.estimate for pair in few.pairs] == [pair.estimate for pair in many.pairs]
    ranks = [[standing.rank_interval for standing in found["s0"].values()] for found in (few, many)]
    assert ranks[0] == ranks[1]


def test_further_draws_follow_the_first_ones() -> None:
    first = np.concatenate(list(bootstrap_weights(30, 50, 3)))
    both = np.concatenate(list(bootstrap_weights(30, 50, 3, more=70)))
    assert (both[:50] == first).all()
    assert (both == np.concatenate(list(bootstrap_weights(30, 120, 3)))).all()
