"""Scores, differences, z-scores and checks: by hand, and beside published numbers."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.inference.multiple import holm
from plainly.ratings import Rating, Ratings, analyse, gathered, read_ratings
from plainly.ratings.scores import standardised

from .conftest import simulated, small

QUICK = Resampling(resamples=200)


def test_by_hand(ratings: Ratings) -> None:
    found = analyse(ratings, resampling=QUICK)
    copy, cut = found.systems
    # copy: items (5 + 4 + 5) / 3, (4 + 4) / 2, (3 + 2 + 3) / 3; cut: 5 / 3, 14 / 3, 4 / 3.
    assert copy.mean.value == pytest.approx((14 / 3 + 4 + 8 / 3) / 3)
    assert cut.mean.value == pytest.approx((5 + 14 + 4) / 9)
    assert (copy.items, copy.raters, copy.ratings, copy.unjudged) == (3, 3, 8, 1)
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.items) == ("copy", "cut", 3)
    assert pair.difference.value == pytest.approx(copy.mean.value - cut.mean.value)
    assert math.isnan(pair.p), "three items can never tell more than chance"
    assert copy.to_ceiling is None
    assert found.signature.startswith(
        "ratings|values:raw|checks:keep|alpha:auto|draw:both|confidence:0.95|resamples:200"
    )
    assert "could not be judged: 1; such ratings are missing, not low" in found.notes


def test_true_differences_are_found_and_the_ceiling() -> None:
    found = analyse(gathered(simulated()), resampling=QUICK)
    for scale in ("fluency", "meaning"):
        pairs = {(row.first, row.second): row for row in found.pairs if row.scale == scale}
        assert set(pairs) == {("a", "b"), ("a", "human"), ("b", "human")}
        assert all(row.difference.high < 0 and row.p_holm < 0.05 for row in pairs.values())
        corrected = holm(np.array([row.p for row in pairs.values()]))
        assert [row.p_holm for row in pairs.values()] == corrected.tolist()
        scores = {row.system: row for row in found.systems if row.scale == scale}
        assert scores["human"].to_ceiling is None
        ceiling = scores["a"].to_ceiling
        assert ceiling is not None
        assert ceiling == pairs["a", "human"].difference
        assert scores["a"].mean.low < scores["a"].mean.value < scores["a"].mean.high


def test_two_references_are_one_ceiling() -> None:
    rows = [
        Rating("ann", f"i{i}", name, "s", value) for i in (1, 2) for name, value in (("x", 1), ("h", 3), ("k", 5))
    ]
    found = analyse(gathered(rows), references=("h", "k"), resampling=QUICK)
    assert {row.system: row.role for row in found.systems} == {"x": "output", "h": "reference", "k": "reference"}
    assert found.systems[0].to_ceiling is not None
    assert found.systems[0].to_ceiling.value == 1 - 4
    with pytest.raises(UnknownName, match="'hu'"):
        analyse(gathered(rows), references=("hu",))


def test_equal_systems_are_not_told_apart() -> None:
    twins = [replace(row, system=name) for row in simulated() if row.system == "a" for name in ("a", "z")]
    found = analyse(gathered(twins), resampling=QUICK)
    assert {(row.difference.value, row.p, row.p_holm) for row in found.pairs} == {(0.0, 1.0, 1.0)}


def test_drawing_items_alone_is_about_these_raters() -> None:
    strict = [
        replace(row, value=(row.value or 0) - 2 * (row.rater < "r3")) for row in simulated() if row.role != "check"
    ]
    widths = {}
    for draw in ("both", "items"):
        mean = analyse(gathered(strict), draw=draw, resampling=Resampling(400)).systems[0].mean  # type: ignore[arg-type]
        widths[draw] = mean.high - mean.low
    assert widths["both"] > 2 * widths["items"]


def test_z_scores_by_hand() -> None:
    rows = [Rating("ann", "i1", "x", "s", 2), Rating("ann", "i2", "x", "s", 4), Rating("ann", "i3", "x", "s", 6)]
    rows += [replace(row, rater="ben", value=3) for row in rows]
    rows.append(Rating("ann", "i4", "check", "s", 1, role="check"))
    found, without = standardised(gathered(rows))
    # Mean 4, variance (4 + 0 + 4) / 3.
    z = 2 / math.sqrt(8 / 3)
    assert [row.value for row in found.entries[:3]] == [pytest.approx(-z), 0, pytest.approx(z)]
    assert [(row.rater, row.value) for row in found.entries[3:]] == [("ann", 1)]  # the check, as it was
    assert without == ["ben (s)"]
    assert (
        "no z-scores, as all ratings on the scale are the same: ben (s)"
        in analyse(gathered(rows), values="z", resampling=QUICK).notes
    )


def test_no_z_scores_at_all() -> None:
    with pytest.raises(PlainlyError, match="every rater gave the same value"):
        analyse(gathered(small()[:1]), values="z")


def test_a_scale_that_nobody_could_judge() -> None:
    rows = [*small(), *(replace(row, scale="meaning", value=None) for row in small())]
    found = analyse(gathered(rows), resampling=QUICK)
    assert [(row.scale, row.ratings, row.unjudged) for row in found.systems[2:]] == [("meaning", 0, 9)] * 2
    assert all(math.isnan(row.mean.value) for row in found.systems[2:])


def test_z_scores_of_simplicity_da(shared: Path) -> None:
    """600 mean z-scores that Alva-Manchego et al. (2021) published, from their 9000 single ratings; and the means."""
    folder = shared / "data" / "human_ratings" / "simplicity_da"
    if not folder.is_dir():
        pytest.skip("the ratings of Simplicity-DA are not on this machine")
    with (folder / "simplicity_DA.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["sent_id"], row["sys_name"]): row for row in csv.DictReader(file)}
    read = read_ratings(
        folder / "simplicity_DA_ratings.csv",
        scales=["simplicity"],
        columns={"rater": "rater_id", "item": "sent_id", "system": "sys_name"},
    )
    for column, ratings in (("simplicity", read), ("simplicity_zscore", standardised(read)[0])):
        values = defaultdict(list)
        for entry in ratings.judged:
            values[entry.item, entry.system].append(entry.value)
        assert len(values) == len(rows) == 600
        for key, own in values.items():
            assert np.mean(np.array(own, dtype=float)) == pytest.approx(float(rows[key][column]), abs=1e-8)
    means = {row.system: row.mean.value for row in analyse(read, resampling=QUICK).systems}
    for system, mean in means.items():
        assert mean == pytest.approx(
            np.mean([float(row["simplicity"]) for key, row in rows.items() if key[1] == system])
        )


def test_checks_are_counted_and_raters_kept_or_dropped() -> None:
    ratings = gathered(simulated(careless="checks"))
    kept, dropped, allowed = (
        analyse(ratings, checks=rule, most_failed=most, resampling=QUICK)  # type: ignore[arg-type]
        for rule, most in (("keep", 0), ("drop", 0), ("drop", 2))
    )
    for found in (kept, dropped, allowed):
        assert [(row.habits.checks, row.habits.failed) for row in found.raters] == [(3, 2)] + [(3, 0)] * 5
        assert "attention checks: 18, failed: 2, by r0" in found.notes
        assert "failed checks" in found.raters[0].flags
    assert [row.kept for row in dropped.raters] == [False] + [True] * 5
    assert "dropped for failed checks: r0, with 180 ratings" in dropped.notes
    assert {row.raters for row in dropped.systems} == {5}
    assert {row.raters for row in kept.systems} == {row.raters for row in allowed.systems} == {6}
    assert kept.systems == allowed.systems != dropped.systems
    assert "checks:drop>2" in allowed.signature
    without = gathered([row for row in ratings.entries if row.rater != "r0"])
    assert analyse(without, resampling=QUICK).systems == dropped.systems


def test_a_check_that_cannot_be_judged_is_no_failure() -> None:
    rows = [replace(row, value=None) if row.role == "check" else row for row in simulated()]
    assert {(row.habits.checks, row.habits.failed) for row in analyse(gathered(rows), resampling=QUICK).raters} == {
        (0, 0)
    }


def test_nobody_left() -> None:
    bad = [replace(row, value=5.0) if row.role == "check" else row for row in simulated()]
    with pytest.raises(PlainlyError, match="every rater failed attention checks"):
        analyse(gathered(bad), checks="drop")
    with pytest.raises(PlainlyError, match="no value outside attention checks"):
        analyse(gathered([row for row in bad if row.role == "check"]))
    with pytest.raises(PlainlyError, match="0 or more, not -1"):
        analyse(gathered(bad), most_failed=-1)
    with pytest.raises(UnknownName, match="rule for checks"):
        analyse(gathered(bad), checks="burn")  # type: ignore[arg-type]


def test_one_rating_has_no_interval() -> None:
    found = analyse(gathered(small()[:1]), resampling=QUICK)
    (only,) = found.systems
    assert only.mean.value == 5
    assert math.isnan(only.mean.low)
    assert not found.pairs
    assert math.isnan(found.agreement[0].alpha.value)
    assert found.to_dict()["systems"][0]["mean"] == {"value": 5.0, "low": None, "high": None}
