"""Agreement beside the krippendorff package and scipy, and habits by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import UnknownName
from plainly.inference import Resampling
from plainly.ratings import Rating, Ratings, analyse, gathered
from plainly.ratings.agreement import scale_agreement
from plainly.ratings.careless import habits

from .conftest import FLUENCY, simulated

QUICK = Resampling(resamples=200)


def test_alpha_of_another_package(ratings: Ratings) -> None:
    # krippendorff 0.9.0: alpha(raters x outputs), here (5, 4, 3, 2, 5, 1), (4, 4, 2, 2, 5, 2), (5, -, 3, 1, 4, 1).
    expected = {"ordinal": 0.8421330119755969, "interval": 0.868421052631579}
    for level, alpha in expected.items():
        found = scale_agreement(ratings, "fluency", QUICK, level)  # type: ignore[arg-type]
        assert found.alpha.value == pytest.approx(alpha)
        assert found.alpha.low <= found.alpha.value <= found.alpha.high
    assert (found.raters, found.outputs, found.ratings) == (3, 6, 17)


def test_with_the_others(ratings: Ratings) -> None:
    table = np.array([[np.nan if value is None else value for value in row] for row in FLUENCY.values()])
    expected = []
    for rater in range(3):
        own, others = table[:, rater], np.nanmean(np.delete(table, rater, axis=1), axis=1)
        there = ~np.isnan(own)
        expected.append(stats.pearsonr(own[there], others[there]).statistic)
    found = scale_agreement(ratings, "fluency", QUICK)
    assert [figure.value for _, figure in found.by_rater.values()] == pytest.approx(expected)
    assert [outputs for outputs, _ in found.by_rater.values()] == [6, 6, 5]
    assert found.with_others.value == pytest.approx(np.mean(expected))
    assert found.with_others.low <= found.with_others.value <= found.with_others.high


def test_the_level_follows_from_the_values(ratings: Ratings) -> None:
    assert scale_agreement(ratings, "fluency", QUICK).measurement == "ordinal"
    fine = gathered([replace(row, value=number / 2) for number, row in enumerate(ratings.entries)])
    assert scale_agreement(fine, "fluency", QUICK).measurement == "interval"
    with pytest.raises(UnknownName, match="level of measurement"):
        scale_agreement(ratings, "fluency", QUICK, "nominal")  # type: ignore[arg-type]


def test_items_are_drawn_with_all_their_outputs() -> None:
    """Ten copies of every output say nothing new: the interval stays as it is; outputs alone would shrink it."""
    rows = [row for row in simulated(items=12) if row.system == "a" and row.scale == "fluency"]
    tenfold = [replace(row, system=f"a{number}") for row in rows for number in range(10)]
    one, ten = (scale_agreement(gathered(some), "fluency", QUICK, "interval") for some in (rows, tenfold))
    assert ten.outputs == 10 * one.outputs
    assert ten.alpha.high - ten.alpha.low == pytest.approx(one.alpha.high - one.alpha.low, rel=0.02)


def test_nobody_rated_the_same() -> None:
    rows = [Rating("ann", "i1", "x", "s", 1), Rating("ben", "i2", "x", "s", 2)]
    found = scale_agreement(gathered(rows), "s", QUICK)
    assert (found.raters, found.outputs) == (0, 0)
    assert math.isnan(found.alpha.value)
    assert math.isnan(found.with_others.value)


def test_all_ratings_the_same() -> None:
    rows = [Rating(rater, f"i{i}", "x", "s", 4) for rater in ("ann", "ben") for i in range(4)]
    found = scale_agreement(gathered(rows), "s", QUICK)
    assert math.isnan(found.alpha.value)
    assert math.isnan(found.with_others.value)


def test_habits_by_hand() -> None:
    rows = [
        Rating("ann", "i1", "x", "f", 3, seconds=4, page="1"),
        Rating("ann", "i1", "x", "m", 3, seconds=4, page="1"),
        Rating("ann", "i2", "x", "f", 3, seconds=10, page="2"),
        Rating("ann", "i2", "x", "m", 1, seconds=10, page="2"),
        Rating("ann", "i3", "x", "f", 2, seconds=30, page="3"),
        Rating("ann", "i3", "x", "m", None, seconds=30, page="3"),
    ]
    own = habits(gathered(rows))["ann"]
    # Pages of 4, 10 and 30 seconds; of five values three are 3; i1 and i2 have two values, i1 twice the same.
    assert (own.ratings, own.unjudged, own.median_seconds) == (5, 1, 10)
    assert (own.one_value, own.outputs, own.same_on_all) == (0.6, 2, 0.5)


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        ("", ()),
        ("hasty", ("hasty",)),
        ("one value", ("one value", "same on all scales")),
        ("chance", ("agrees with nobody",)),
        ("checks", ("failed checks",)),
    ],
)
def test_only_the_careless_are_flagged(habit: str, expected: tuple[str, ...]) -> None:
    found = analyse(gathered(simulated(careless=habit)), resampling=QUICK)
    assert found.raters[0].flags == expected
    assert all(row.flags == () for row in found.raters[1:])
