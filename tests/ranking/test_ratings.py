"""`rate`: ranks, scores and intervals of every kind, what is said of the graph, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.ranking import Judgement, Judgements, rate
from plainly.ranking.ratings import parts, ranks, scores

Simulated = Callable[..., Judgements]


def chain(*pairs: str, direction: str = "harder") -> Judgements:
    """Pairs as "ab": the first letter wins."""
    return Judgements.of([Judgement(a, b, a) for a, b in pairs], direction)  # type: ignore[arg-type]


def test_ranks_and_scores() -> None:
    ranking = rate(chain("ab", "bc", "cd", "ac", "bd", "ad"))
    assert [row.text for row in ranking.by_rank()] == ["d", "c", "b", "a"]
    assert [row.rank.value for row in ranking.rows] == [4, 3, 2, 1]
    assert [row.score for row in ranking.rows] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert ranking["a"].matches == 3
    assert ranking.direction == "harder"


def test_scales() -> None:
    ratings = np.array([1.0, 3.0, 3.0, 6.0])
    # Ranks 1, 2.5, 2.5, 4: equal ratings share the mean of theirs.
    assert scores(ratings, "ranks") == pytest.approx([0, 0.5, 0.5, 1])
    assert scores(ratings, "ranks-over-n") == pytest.approx([0, 0.375, 0.375, 0.75])
    assert scores(ratings, "min-max") == pytest.approx([0, 0.4, 0.4, 1])
    assert scores(np.ones(3), "min-max") == pytest.approx([0.5] * 3)


def test_turning_the_question_round_turns_the_ranking(judgements: Judgements) -> None:
    harder, easier = rate(judgements), rate(judgements.turned("easier"))
    for row in harder.rows:
        assert row.rating.value == pytest.approx(-easier[row.text].rating.value, abs=1e-6)
        assert row.rank.value == 13 - easier[row.text].rank.value
    assert "winner:harder" in harder.signature
    assert "winner:easier" in easier.signature


KINDS = [
    ("bradley-terry", "posterior"),
    ("bradley-terry", "bootstrap-judgements"),
    ("bradley-terry", "bootstrap-raters"),
    ("elo", "orders"),
    ("elo", "bootstrap-judgements"),
    ("elo", "bootstrap-raters"),
    ("elo-mean", "orders"),
    ("glicko", "posterior"),
    ("glicko", "bootstrap-judgements"),
    ("openskill", "posterior"),
]


@pytest.mark.parametrize(("method", "kind"), KINDS)
def test_intervals(simulated: Simulated, method: str, kind: Any) -> None:
    judgements = simulated(texts=6, matches=40)
    ranking = rate(judgements, method, interval=kind, resamples=60)
    assert f"interval:{kind}" in ranking.signature
    inside = [row.rating.value in row.rating for row in ranking.rows]
    assert sum(inside) >= 5  # of six; an order band need not hold the one order that was given
    assert all(1 <= row.rank.low <= row.rank.high <= 6 for row in ranking.rows)
    assert rate(judgements, method, interval=kind, resamples=60) == ranking  # the seed decides
    assert rate(judgements, method, interval=kind, resamples=60, seed=2).rows != ranking.rows


def test_no_intervals(judgements: Judgements) -> None:
    row = rate(judgements, interval="none").rows[0]
    assert np.isnan([row.rating.low, row.rating.high, row.rank.low, row.rank.high]).all()


@pytest.mark.slow
def test_intervals_hold_the_truth(simulated: Simulated) -> None:
    truth = np.arange(12) / 3 - np.mean(np.arange(12) / 3)
    held = []
    for seed in range(40):
        ranking = rate(simulated(seed=seed), resamples=300, confidence=0.9)
        held += [true in row.rating for row, true in zip(ranking.rows, truth, strict=True)]
    assert 0.86 < np.mean(held) < 0.94  # 480 intervals of 90 %, three to four standard errors


def test_more_judgements_narrow_the_intervals(simulated: Simulated) -> None:
    few, many = rate(simulated(matches=60)), rate(simulated(matches=600))
    widths = [np.mean([row.rating.high - row.rating.low for row in ranking.rows]) for ranking in (few, many)]
    assert widths[1] == pytest.approx(widths[0] / np.sqrt(10), rel=0.25)


def test_votes_and_majority(judgements: Judgements) -> None:
    voted = rate(judgements, votes="majority", ties="first")
    assert "votes:majority|ties:first" in voted.signature
    assert {row.matches for row in voted.rows} < {row.matches for row in rate(judgements).rows} | set(range(100))
    assert sum(row.matches for row in voted.rows) == 2 * 200


def test_a_long_chain_is_one_part() -> None:
    names = [f"t{number}" for number in range(500)]
    chained = Judgements.of([Judgement(a, b, a) for a, b in pairwise(names)], "harder")
    assert parts(chained) == [names]


def test_disconnected() -> None:
    apart = chain("ab", "bc", "de")
    with pytest.raises(PlainlyError) as error:
        rate(apart)
    assert "fall into 2 parts that no comparison connects: [a, b, c], [d, e]" in str(error.value)
    notes = rate(apart, disconnected=True).notes
    assert "ranks across parts mean nothing" in str(notes[0])
    never = Judgements.of(chain("ab").items, "harder", ["a", "b", "z"])
    with pytest.raises(PlainlyError, match=r"2 parts .*: \[a, b\], \[z\]"):
        rate(never)


def test_many_parts_are_counted() -> None:
    with pytest.raises(PlainlyError, match=r"8 parts .* and 3 more; .*judge pairs"):
        rate(chain(*["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"]))


def test_notes() -> None:
    items = [*chain("ab", "bc").items, Judgement("b", "c", None)]
    notes = [str(note) for note in rate(Judgements.of(items, "harder")).notes]
    assert notes[0] == "all 3 texts are connected by comparisons"
    assert notes[1].startswith("texts that won or lost every match: 1")
    assert notes[2] == "ties, half a win for both texts: 1"


def test_too_little_to_go_by_is_said(judgements: Judgements) -> None:
    assert any("do not tell the texts apart" in str(note) for note in rate(chain(*["ab", "ba"] * 9)).notes)
    assert any("hardly ever contradict" in str(note) for note in rate(chain(*["ab", "bc"] * 500)).notes)
    assert not any("the prior is" in str(note) for note in rate(judgements, interval="none").notes)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"method": "ello"}, "unknown method of rating 'ello'; did you mean 'elo'"),
        ({"k": 16}, "unknown setting of bradley-terry 'k'"),
        ({"method": "elo", "k": 0}, "k must be above 0, not 0"),
        ({"method": "elo", "k": float("nan")}, "k must be above 0, not nan"),
        ({"method": "elo", "start": float("inf")}, "the start must be a finite number"),
        ({"method": "elo-mean", "orders": 0}, "orders must be at least 1"),
        ({"method": "openskill", "model": "x"}, "unknown model of openskill"),
        ({"scale": "z"}, "unknown scale 'z'"),
        ({"interval": "orders"}, "bradley-terry has no interval of the kind orders"),
        ({"method": "elo", "interval": "posterior"}, "elo has no interval of the kind posterior"),
        ({"interval": "guess"}, "unknown kind of interval 'guess'"),
        ({"confidence": 1.0}, "the confidence must lie between 0 and 1"),
        ({"resamples": 0}, "resamples must be at least 1"),
        ({"resamples": 10**6}, "resamples must be at most 10,000"),
        ({"sd": 0.0}, "the width of the prior must be above 0"),
        ({"votes": "majority", "ties": "first", "interval": "bootstrap-raters"}, "at least two raters"),
    ],
)
def test_what_cannot_be_is_refused(judgements: Judgements, settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(PlainlyError) as error:
        rate(judgements, **settings)
    assert complaint in str(error.value)


def test_to_dict(judgements: Judgements) -> None:
    content = rate(judgements, position=True, resamples=20).to_dict()
    assert content["texts"][0]["rank"]["value"] == 1
    assert set(content["position"]) == {"value", "low", "high"}
    assert rate(judgements, interval="none").to_dict()["texts"][0]["rating"]["low"] is None


def test_rounding_makes_no_ranks() -> None:
    noisy = np.array([0.3, 0.1 + 0.2, -0.6])  # 0.1 + 0.2 is 0.30000000000000004
    assert noisy[0] != noisy[1]
    assert ranks(noisy).tolist() == [2.5, 2.5, 1]
    assert scores(np.array([1e-17, -1e-17]), "min-max").tolist() == [0.5, 0.5]
    assert ranks(np.array([1e-17, -1e-17, 0.0])).tolist() == [2, 2, 2]
    assert ranks(np.array([0.0, 1e-6, 1.0])).tolist() == [1, 2, 3]


def test_equal_wins_in_a_league_are_equal_ranks() -> None:
    """In a full league only the number of wins counts (Zermelo 1929): a, b and f have 3 here, c, d and e 2."""
    won = ["ab", "ac", "ad", "ea", "fa", "bc", "be", "db", "bf", "cd", "ce", "fc", "de", "fd", "ef"]
    ranking = rate(chain(*won), interval="bootstrap-judgements", resamples=20)
    wins = {text: sum(pair[0] == text for pair in won) for text in "abcdef"}
    assert wins == {"a": 3, "b": 3, "c": 2, "d": 2, "e": 2, "f": 3}
    assert {row.text: row.rank.value for row in ranking.rows} == {"a": 5, "b": 5, "f": 5, "c": 2, "d": 2, "e": 2}


def test_equal_texts_share_their_places_in_draws() -> None:
    """Nothing but ties: whatever is drawn, nothing tells the texts apart."""
    ties = Judgements.of([Judgement("a", "b", None), Judgement("b", "c", None), Judgement("c", "a", None)], "harder")
    rows = rate(ties, interval="bootstrap-judgements", resamples=20).rows
    assert [(row.rank.low, row.rank.value, row.rank.high) for row in rows] == [(2, 2, 2)] * 3


def test_few_judgements_are_not_sure(judgements: Judgements) -> None:
    """Two judgements that contradict each other fit a prior without width; what is drawn must not."""
    few = rate(chain("ab", "bc", "ca", "ad", "db"))
    assert few.settings["prior-sd"] < 0.1
    assert all(row.rating.high - row.rating.low > 1 for row in few.rows)
    assert "interval-sd:1|" in few.signature
    assert any("fewer than 3 judgements a text" in str(note) for note in few.notes)
    drawn = rate(chain("ab", "bc", "ca", "ad", "db"), interval="bootstrap-judgements")
    assert any(row.rating.high - row.rating.low > 0.5 for row in drawn.rows)
    assert all(row.rating.high - row.rating.low < 0.1 for row in rate(chain("ab", "bc", "ca"), sd=0.02).rows)
    assert "interval-sd" not in rate(judgements).settings


def test_the_prior_of_the_side_term_is_said(judgements: Judgements) -> None:
    assert "position:yes|prior-sd:" in rate(judgements, position=True).signature
    assert "|position-sd:5|" in rate(judgements, position=True).signature
    assert "position-sd" not in rate(judgements).signature
