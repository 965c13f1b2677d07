"""Which references suit which readers: groups of raters, on their own and against each other."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.ratings import Rating, Ratings, analyse, gathered, read_ratings, write_ratings

QUICK = Resampling(resamples=200)
# What each audience gives to the short and to the full reference, before one item in two gets a point more.
LIKED = {"learners": {"short": 4.0, "full": 2.0}, "experts": {"short": 3.0, "full": 3.5}}


def audiences(items: int = 8, raters: int = 3) -> Ratings:
    return gathered(
        [
            Rating(
                f"{audience}-{rater}",
                f"i{item}",
                system,
                "simplicity",
                value + (item + rater + (system == "full")) % 2,
                role="reference",
                groups={"audience": audience},
            )
            for audience, liked in LIKED.items()
            for rater in range(raters)
            for item in range(items)
            for system, value in liked.items()
        ]
    )


def test_a_group_has_the_numbers_of_a_file_with_its_ratings_alone() -> None:
    ratings = audiences()
    found = analyse(ratings, by=("audience",), resampling=QUICK)
    assert [group.group for group in found.groups] == ["experts", "learners"]
    for group in found.groups:
        alone = gathered([one for one in ratings.entries if one.groups["audience"] == group.group])
        expected = analyse(alone, resampling=QUICK)
        assert group.systems == expected.systems
        assert group.pairs == expected.pairs
    assert found.systems == analyse(ratings, resampling=QUICK).systems, "all together are as they were"


def test_what_depends_on_the_group_by_hand() -> None:
    found = analyse(audiences(), by=("audience",), resampling=QUICK)
    means = {(group.group, row.system): row.mean.value for group in found.groups for row in group.systems}
    # Half of the ratings of each cell are one point higher.
    assert means == {
        (audience, system): pytest.approx(value + 0.5)
        for audience, liked in LIKED.items()
        for system, value in liked.items()
    }
    (contrast,) = found.contrasts
    assert (contrast.first, contrast.second, contrast.group, contrast.other) == (
        "full",
        "short",
        "experts",
        "learners",
    )
    # Experts give the full text .5 more than the short one, learners 2 less: .5 - (-2) = 2.5
    assert contrast.difference.value == pytest.approx(2.5)
    assert contrast.difference.low < 2.5 < contrast.difference.high
    assert contrast.items == 8
    assert contrast.p == contrast.p_holm < 0.05


def test_every_text_for_a_group_with_the_interval_of_scipy() -> None:
    found = analyse(audiences(), by=("audience",), resampling=QUICK)
    (learners,) = [group for group in found.groups if group.group == "learners"]
    assert len(learners.texts) == 8 * 2
    (text,) = [row for row in learners.texts if (row.item, row.system) == ("i0", "short")]
    # 4 and, for the second of three raters, 5
    assert text.mean.value == pytest.approx(13 / 3)
    expected = scipy.stats.ttest_1samp([4, 5, 4], 0).confidence_interval(0.95)
    assert (text.mean.low, text.mean.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    alone = analyse(audiences(raters=1), by=("audience",), resampling=QUICK)
    assert not any(row.mean.has_interval for group in alone.groups for row in group.texts)


def test_a_stricter_group_is_no_other_taste() -> None:
    ratings = audiences()
    strict = [replace(one, groups={"audience": "strict"}, rater=f"strict-{one.rater}", value=(one.value or 0) - 1)
              for one in ratings.entries if one.groups["audience"] == "learners"]  # fmt: skip
    found = analyse(Ratings((*ratings.entries, *strict)), by=("audience",), resampling=QUICK)
    by_groups = {(row.group, row.other): row for row in found.contrasts}
    assert by_groups["learners", "strict"].difference.value == pytest.approx(0)
    assert not by_groups["learners", "strict"].p < 0.05
    assert by_groups["experts", "strict"].difference.value == pytest.approx(2.5)


def test_the_verdict_names_what_suits_and_what_is_not_told_apart() -> None:
    told = [str(one) for one in analyse(audiences(20, 6), by=("audience",), resampling=QUICK).findings().verdict]
    assert told == [
        "simplicity, audience experts: full suits best (4.00), beyond chance.",
        "simplicity, audience learners: short suits best (4.50), beyond chance.",
    ]
    few = analyse(audiences(4), by=("audience",), resampling=QUICK)
    assert all(math.isnan(row.p) for group in few.groups for row in group.pairs), "four items tell nothing"
    assert str(few.findings().verdict[1]) == (
        "simplicity, audience learners: short has the highest mean (4.50), not told apart from full."
    )


def test_ratings_in_no_group_and_small_groups_are_told() -> None:
    ratings = audiences()
    first, *rest = ratings.entries
    found = analyse(Ratings((replace(first, groups={}), *rest)), by=("audience",), resampling=QUICK)
    told = list(map(str, found.notes))
    assert "ratings without a value of audience: 1; they are in no group" in told
    expected = "fewer than 5 raters of audience: experts, learners; their intervals and p-values are too hopeful"
    assert expected in told


@pytest.mark.parametrize(
    "left_out",
    [{"audience": "experts"}, {"audience": "experts", "system": "full"}],
    ids=["one group", "no two systems in common"],
)
def test_where_no_groups_compare_it_is_told(left_out: dict[str, str]) -> None:
    def stays(one: Rating) -> bool:
        return {
            "audience": one.groups["audience"],
            "system": one.system,
        }.items() & left_out.items() != left_out.items()

    expected = "no two groups of audience have rated the same two systems, so it is open whether they prefer others"
    ratings = Ratings(tuple(filter(stays, audiences().entries)))
    found = analyse(ratings, by=("audience",), resampling=QUICK)
    assert expected in map(str, found.notes)
    assert not found.contrasts
    assert expected not in map(str, analyse(audiences(), by=("audience",), resampling=QUICK).notes)


def test_files_keep_groups(tmp_path: Path) -> None:
    ratings = audiences()
    path = tmp_path / "ratings.csv"
    write_ratings(ratings, path)
    again = read_ratings(path, groups=["audience"])
    assert [one.groups for one in again.entries] == [one.groups for one in ratings.entries]
    assert all(not one.groups for one in read_ratings(path).entries), "only what is asked for is read"
    with pytest.raises(PlainlyError, match=r"audienc is missing; .* did you mean audience"):
        read_ratings(path, groups=["audienc"])


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(UnknownName, match="unknown column 'age'"):
        analyse(audiences(), by=("age",), resampling=QUICK)
    with pytest.raises(PlainlyError, match="no rating has a value in the column age"):
        analyse(gathered([replace(one, groups={}) for one in audiences().entries]), by=("age",), resampling=QUICK)


@pytest.mark.slow
def test_where_tastes_are_equal_a_contrast_is_found_as_often_as_promised() -> None:
    """docs/ratings.md names these figures. Raters are strict or mild, and each has a taste of its own."""
    draw = np.random.default_rng(1)
    held = found = 0
    for _ in range(200):
        items = draw.normal(0, 1, (30, 2))
        entries = []
        for place, group in enumerate(("a", "b")):
            for rater in range(8):
                taste, strict = draw.normal(0, 0.3, 2), draw.normal(0.5 * place, 0.3)
                for item in range(30):
                    for system in range(2):
                        value = items[item, system] + taste[system] + strict + draw.normal(0, 1) + 0.4 * system
                        entries.append(
                            Rating(f"{group}{rater}", f"i{item}", f"s{system}", "simplicity", float(value),
                                   groups={"audience": group})
                        )  # fmt: skip
        (row,) = analyse(gathered(entries), by=("audience",), resampling=Resampling(resamples=300)).contrasts
        held += 0 in row.difference
        found += row.p < 0.05
    assert (held, found) == (189, 9)
