"""Agreement of raters: counts by hand, other packages' kappas and alphas, groups, gold, and careless raters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling, krippendorff_alpha
from plainly.ranking import Judgement, Judgements, agreement, majority, rate
from plainly.ranking.alphas import AlphaKind
from plainly.ranking.careless import words_of
from plainly.ranking.judgements import flipped
from plainly.ranking.raters import RaterRow
from plainly.ranking.replication import arts_kappa, judgements_behind
from plainly.ranking.votes import FIRST, SECOND, table

Simulated = Callable[..., Judgements]


def row_of(judgements: Judgements, rater: str, **settings: object) -> RaterRow:
    found = agreement(judgements, resampling=Resampling(resamples=50), **settings)  # type: ignore[arg-type]
    return next(row for row in found.raters if row.rater == rater)


def test_votes_have_one_side_whichever_text_was_shown_first() -> None:
    items = [Judgement("a", "b", "a", "ann"), Judgement("b", "a", "a", "ben"), Judgement("b", "a", "b", "cem")]
    assert table(Judgements.of(items, "harder")).codes.tolist() == [[FIRST, FIRST, SECOND]]


def test_share_and_kappa_against_gold(judgements: Judgements) -> None:
    gold = judgements.by("r0")
    row = row_of(judgements, "r2", gold=gold)
    mine, theirs = judgements.by("r2").outcome, gold.outcome
    assert row.compared == 200
    assert row.share.value == pytest.approx(np.mean(mine == theirs))
    assert row.kappa.value == pytest.approx(cohen_kappa_score(mine, theirs))
    assert row.share.low < row.share.value < row.share.high
    assert row_of(judgements, "r0", gold=gold).share.value == 1


def test_correlations_are_those_of_scipy(judgements: Judgements) -> None:
    row = row_of(judgements, "r2", gold=judgements.by("r0"), method="elo")
    mine, theirs = ([text.rating.value for text in rate(judgements.by(name), "elo").rows] for name in ("r2", "r0"))
    assert row.spearman.value == pytest.approx(stats.spearmanr(mine, theirs).statistic)
    assert row.kendall.value == pytest.approx(stats.kendalltau(mine, theirs).statistic)


def test_nobody_vouches_for_himself(simulated: Simulated) -> None:
    judgements = simulated(raters=4)
    others = Judgements(judgements.texts, tuple(i for i in judgements.items if i.rater != "r1"), "harder")
    by_hand = row_of(judgements, "r1", gold=majority(others))
    alone = row_of(judgements, "r1")
    assert (alone.share, alone.kappa) == (by_hand.share, by_hand.kappa)
    assert alone.spearman.value == pytest.approx(by_hand.spearman.value)
    within = row_of(judgements, "r1", against="majority", ties="drop")
    assert within.share.value > alone.share.value


def test_alpha_of_all_and_by_group(simulated: Simulated) -> None:
    judgements = simulated(raters=4)
    levels = {"r0": "B1", "r1": "B1", "r2": "C1", "r3": "C1"}
    items = [replace(item, groups={"level": levels[item.rater]}) for item in judgements.items]
    items = [item for place, item in enumerate(items) if place % 5]  # a fifth is missing
    grouped = Judgements(judgements.texts, tuple(items), "harder")
    resampling = Resampling(resamples=50)
    for kind, by_hand in (("krippendorff", krippendorff_alpha), ("two-orders", symmetric_alpha)):
        found = agreement(grouped, by=["level"], alpha=kind, resampling=resampling)  # type: ignore[arg-type]
        assert f"|alpha:{kind}|" in found.signature
        everyone, b1, c1 = found.groups
        for group, names in ((everyone, levels), (b1, ["r0", "r1"]), (c1, ["r2", "r3"])):
            assert group.alpha.value == pytest.approx(by_hand(oriented(grouped, list(names))), abs=1e-12)
        assert (b1.column, b1.value, b1.raters) == ("level", "B1", 2)
        assert everyone.alpha.low < everyone.alpha.value < everyone.alpha.high
    with pytest.raises(PlainlyError, match="unknown column 'lvl'"):
        agreement(grouped, by=["lvl"])
    with pytest.raises(PlainlyError, match="'krippendorf'"):
        agreement(grouped, alpha="krippendorf")  # type: ignore[arg-type]


def symmetric_alpha(units: list[list[int | None]]) -> float:
    """Alpha of every match in both orders, as if they were two.

    Of n ratings, n / 2 are then expected for either side: De = 2 (n / 2)^2 / (n (n - 1)) = n / (2 (n - 1)). Twice the
    units give n / (2 n - 1) by Krippendorff's formula, so 1 - alpha is corrected by the quotient.
    """
    turned = [[None if vote is None else 1 - vote for vote in unit] for unit in units]
    n = sum(len(known) for unit in units if len(known := [vote for vote in unit if vote is not None]) > 1)
    return 1 - (1 - krippendorff_alpha(units + turned)) * 2 * (n - 1) / (2 * n - 1)


def test_raters_who_agree_on_a_side_agree_by_chance(simulated: Simulated) -> None:
    """A judge asked twice who takes the first text in seven of eight answers, and a whole study of such judges.

    By hand: one match of four has two different votes, which are 2 ordered pairs of 8 votes: Do = 2 / 8. Of 8 votes,
    7 are for the first text: De = 2 * 7 * 1 / (8 * 7) = 1 / 4. So alpha is 1 - 1 = 0. With half of the votes expected
    for either text, De = 2 * 4 * 4 / (8 * 7) = 4 / 7, and alpha = 1 - 7 / 16.
    """
    once, again = [["a", "a", "a", "a"], ["a", "a", "a", "b"]]
    items = [
        Judgement("a", "b", winner, rater, match=str(match))
        for rater, answers in (("judge#1", once), ("judge#2", again))
        for match, winner in enumerate(answers)
    ]
    twice = Judgements.of(items, "easier")
    assert _alphas(twice) == pytest.approx((0, 9 / 16))
    # krippendorff 0.9.0: alpha(table(...).codes.T, level_of_measurement="nominal")
    assert _alphas(simulated(raters=3, side=2.5))[0] == pytest.approx(0.24438651080649232, abs=1e-12)


def _alphas(judgements: Judgements) -> tuple[float, float]:
    plain, both = (
        agreement(judgements, alpha=kind, resampling=Resampling(resamples=50)).groups[0].alpha.value
        for kind in get_args(AlphaKind)
    )
    return plain, both


def test_alpha_of_two_orders_does_not_depend_on_who_is_shown_first(simulated: Simulated) -> None:
    """Raters who favour the first side, before and after half of the matches are shown the other way round."""
    judgements = simulated(raters=3, side=1.0)
    items = [
        replace(item, first=item.second, second=item.first) if int(item.match) % 2 else item
        for item in judgements.items
    ]
    resampling = Resampling(resamples=50)
    before, after = (
        agreement(part, alpha="two-orders", resampling=resampling).groups[0].alpha
        for part in (judgements, Judgements(judgements.texts, tuple(items), "harder"))
    )
    assert after.to_dict() == pytest.approx(before.to_dict(), abs=1e-12)


def oriented(judgements: Judgements, names: list[str]) -> list[list[int | None]]:
    """Votes for the text shown first, as plain lists; the simulation shows a match the same way to all."""
    votes: dict[str, dict[str, int]] = {}
    for item in judgements.items:
        votes.setdefault(item.match, {})[item.rater] = int(item.winner == item.first)
    return [[answers.get(name) for name in names] for answers in votes.values()]


def test_one_rater_only(judgements: Judgements) -> None:
    with pytest.raises(PlainlyError, match="there is only one rater, r1; agreement needs two, or gold"):
        agreement(judgements.by("r1"))
    assert (
        agreement(judgements.by("r1"), gold=judgements.by("r0"), resampling=Resampling(resamples=20))
        .raters[0]
        .compared
        == 200
    )


def test_unnamed_raters() -> None:
    with pytest.raises(PlainlyError, match="judgement 5: no rater; fill the column rater"):
        agreement(Judgements.of([Judgement("a", "b", "a", row=5)], "harder"))


def test_one_vote_a_match() -> None:
    items = [Judgement("a", "b", "a", "ann", match="1"), Judgement("a", "b", "b", "ann", match="1", row=9)]
    with pytest.raises(PlainlyError, match="judgement 9: ann has judged match 1 before"):
        agreement(Judgements.of(items, "harder"))


@pytest.mark.slow
def test_not_all_judgements_are_missing_where_there_are_some() -> None:
    """250 matches and 250 raters, each of whom judged one: 249 of 250 are missing, which is no 100 %."""
    items = [Judgement(f"a{place}", f"b{place}", f"a{place}", f"r{place}") for place in range(250)]
    found = agreement(Judgements.of(items, "harder"), resampling=Resampling(1))
    assert "99% of all possible judgements are missing" in " ".join(map(str, found.notes))


def test_raters_who_share_no_text_with_others() -> None:
    """As at the beginning of a study whose pairs are dealt out: nothing is known yet, which is no fault."""
    ann, bob = Judgement("a", "b", "a", "ann"), Judgement("c", "d", "c", "bob")
    split = [Judgement("e", "f", winner, name) for winner, name in (("e", "cy"), ("f", "dee"))]
    for items in ([ann, bob], [ann, *split]):
        found = agreement(Judgements.of(items, "harder"), resampling=Resampling(2))
        row = found.raters[0]
        assert (row.rater, row.compared) == ("ann", 0)
        assert np.isnan([row.share.value, row.spearman.value, row.kendall.value]).all()


def test_nothing_in_common(judgements: Judgements) -> None:
    gold = Judgements.of([Judgement("x", "y", "x", "gold")], "harder")
    with pytest.raises(PlainlyError, match="gold and raters have no match in common"):
        agreement(judgements, gold=gold)


def test_careless_raters_are_flagged(simulated: Simulated) -> None:
    judgements = simulated(raters=8, matches=300)
    draw = np.random.default_rng(0)

    def changed(item: Judgement) -> Judgement:
        if item.rater == "r5":
            return replace(item, winner=item.first, seconds=1.0)
        if item.rater == "r6":
            return replace(item, winner=(item.first, item.second)[int(draw.integers(2))])
        return item

    found = agreement(
        Judgements(judgements.texts, tuple(map(changed, judgements.items)), "harder"),
        resampling=Resampling(resamples=200),
    )
    flags = {row.rater: row.flags for row in found.raters}
    assert flags["r5"] == ("hasty", "one-sided", "no better than chance")
    assert flags["r6"] == ("no better than chance",)
    assert all(not flags[name] for name in ("r0", "r1", "r2", "r3", "r4", "r7"))


def test_nobody_reads_fifteen_words_a_second() -> None:
    """Two texts of 30 and 70 words: 100 words in 6.6 seconds are 15.15 a second, in 6.7 they are 14.9."""
    lengths = words_of({"a": "word " * 30, "b": "\n".join(["word"] * 70)})
    assert lengths == {"a": 30, "b": 70}

    def flags(seconds: float, judged: int = 5, words: dict[str, int] | None = lengths) -> tuple[str, ...]:
        items = [
            Judgement("a", "b", "ab"[i % 2], rater, seconds=seconds) for i in range(judged) for rater in ("x", "y")
        ]
        return row_of(Judgements.of(items, "harder"), "x", words=words).flags

    assert flags(6.6) == ("unread",)  # all are as quick: beside each other, nobody is
    assert flags(6.7) == ()
    assert flags(6.6, judged=4) == ()
    assert flags(6.6, words=None) == ()
    assert flags(0, words={"a": 0, "b": 0}) == ()


def test_consistency_with_oneself() -> None:
    items = [
        Judgement("a", "b", "a", "ann"),
        Judgement("b", "a", "a", "ann"),  # the same
        Judgement("a", "b", "b", "ann"),  # changed
        Judgement("a", "b", "b", "ben"),
    ]
    row = row_of(Judgements.of(items, "harder"), "ann")
    assert (row.habits.repeated, row.habits.consistent) == (2, 1)


def test_printed_kappa_of_arts_by_hand() -> None:
    # Of eight, six agree: 0.75. Shares of "first" are 5/8 and 3/8: 15/64 + 15/64 = 0.46875 by the printed formula.
    mine = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    gold = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    assert arts_kappa(mine, gold) == pytest.approx((0.75 - 0.46875) / (1 - 0.46875))


def test_decisions_are_found_behind_their_scores(judgements: Judgements) -> None:
    mine = judgements.by("r0")
    ranking = rate(mine, "elo", scale="min-max", interval="none")
    published = {row.text: round(row.score, 5) for row in ranking.rows}
    turned = tuple(flipped(one) if place in (5, 90) else one for place, one in enumerate(mine.items))
    near = Judgements(mine.texts, turned, "harder")
    assert [one.winner for one in judgements_behind(published, near).items] == [one.winner for one in mine.items]
    with pytest.raises(PlainlyError, match="turned round"):
        judgements_behind(dict.fromkeys(published, 0.5), near)


def test_few_matches_raise_no_suspicion() -> None:
    """Two raters who contradict each other in each of n matches; twenty are enough to say so."""

    def flags(n: int) -> set[tuple[str, ...]]:
        pairs = [(f"t{i}", f"t{i + 1}") for i in range(n)]
        items = [Judgement(a, b, a if i % 2 else b, "ann") for i, (a, b) in enumerate(pairs)]
        items += [Judgement(a, b, b if i % 2 else a, "ben") for i, (a, b) in enumerate(pairs)]
        return {
            row.flags for row in agreement(Judgements.of(items, "harder"), resampling=Resampling(resamples=50)).raters
        }

    assert flags(19) == {()}
    assert flags(20) == {("no better than chance",)}


def test_no_column_to_group_by(judgements: Judgements) -> None:
    with pytest.raises(PlainlyError, match="no column nope to group by: judgements have no other columns"):
        agreement(judgements, by=["nope"], resampling=Resampling(resamples=5))
