"""Judgements: what is refused and where, majority votes with each rule for ties, and turning the question round."""

from __future__ import annotations

import pytest

from plainly.base.errors import PlainlyError
from plainly.ranking import Judgement, Judgements, majority, merged
from plainly.ranking.judgements import ends


def of(*rows: str, direction: str = "harder") -> Judgements:
    """Rows as "ann a b a": rater, first, second, winner; = for a tie."""
    items = []
    for row in rows:
        rater, first, second, winner = row.split()
        items.append(Judgement(first, second, None if winner == "=" else winner, rater))
    return Judgements.of(items, direction)  # type: ignore[arg-type]


def winners(judgements: Judgements) -> list[str | None]:
    return [item.winner for item in judgements.items]


def test_arrays() -> None:
    found = of("ann a b a", "ann c a a", "ben a b =")
    assert found.texts == ("a", "b", "c")
    assert found.first.tolist() == [0, 2, 0]
    assert found.second.tolist() == [1, 0, 1]
    assert found.outcome.tolist() == [1.0, 0.0, 0.5]
    assert found.raters == ("ann", "ben")
    assert found.ties == 1


@pytest.mark.parametrize(
    ("items", "texts", "complaint"),
    [
        ([Judgement("a", "b", "c", row=7)], None, "judgement 7: the winner c is neither a nor b"),
        ([Judgement("a", "b", "c", row=7, file="j.csv")], None, "j.csv:7: the winner c is neither a nor b"),
        ([Judgement("a", "a", "a", row=2)], None, "judgement 2: text a is compared with itself"),
        ([Judgement("a", "b", "a")], ["a", "b", "a"], "text a is there twice in the list of texts"),
        ([Judgement("a", "b", "a"), Judgement("a", "x", "a")], ["a", "b"], "judgement 2: text x is not among"),
        ([Judgement("a", " ", "a", row=4)], None, "judgement 4: a text without an id"),
        ([Judgement("a", "b", "a", seconds=-1, row=3)], None, "judgement 3: seconds must be a number from 0 on"),
        ([Judgement("a", "b", "a", seconds=float("nan"), row=3)], None, "judgement 3: seconds"),
        ([], None, "there are no judgements"),
    ],
)
def test_what_cannot_be_is_refused(items: list[Judgement], texts: list[str] | None, complaint: str) -> None:
    with pytest.raises(PlainlyError) as error:
        Judgements.of(items, "harder", texts)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    "direction", ["better", "hard", "more", "more ", "less  odd", "more a|b", "more " + "x" * 61]
)
def test_what_winning_cannot_mean(direction: str) -> None:
    with pytest.raises(PlainlyError, match="what winning means must be harder, easier, or more or less of something"):
        of("ann a b a", direction=direction)


def test_any_quality_may_win() -> None:
    judgements = of("ann a b a", "ann b c =", direction="more formal")
    turned = judgements.turned("less formal")
    assert [item.winner for item in turned.items] == ["b", None]
    assert turned.turned("more formal") == judgements
    assert (ends("more formal"), ends("less formal")) == (
        ("least formal", "most formal"),
        ("most formal", "least formal"),
    )
    assert (ends("harder"), ends("easier")) == (("easiest", "hardest"), ("hardest", "easiest"))
    assert merged([judgements, turned]).items == judgements.items * 2
    said = "^which text is more formal does not tell which one is easier: these are different questions$"
    with pytest.raises(PlainlyError, match=said):
        judgements.turned("easier")


TIED = ("ann a b a", "ben a b b", "cem a b =", "ann c d d", "ben c d d", "cem d c c")


def test_majority_counts_votes_whichever_text_came_first() -> None:
    # c against d: d, d, c. The third vote was shown the other way round.
    assert winners(majority(of(*TIED), "half")) == [None, "d"]


def test_rules_for_ties() -> None:
    votes = of(*TIED)
    assert winners(majority(votes, "first")) == ["a", "d"]  # ann was first
    assert winners(majority(votes, "drop")) == ["d"]
    assert {winners(majority(votes, "random", seed=seed))[0] for seed in range(20)} == {"a", "b"}
    assert winners(majority(votes, "random", seed=3)) == winners(majority(votes, "random", seed=3))
    with pytest.raises(PlainlyError, match="judgement 0: as many votes for a as for b; say what to do with ties"):
        majority(votes)
    with pytest.raises(PlainlyError, match="unknown rule for ties 'frist'; did you mean 'first'"):
        majority(votes, "frist")  # type: ignore[arg-type]


def test_without_ties_no_rule_is_needed() -> None:
    assert winners(majority(of(*TIED[3:]))) == ["d"]


def test_nothing_left() -> None:
    with pytest.raises(PlainlyError, match="every match is a tie"):
        majority(of(*TIED[:2]), "drop")


def test_a_pair_judged_twice_is_two_matches() -> None:
    votes = of("ann a b a", "ann b a b", "ben a b a", "ben a b b")
    assert [match[2] for match in votes.matches] == ["#0", "#1", "#0", "#1"]
    assert winners(majority(votes, "drop")) == ["a", "b"]


def test_turned() -> None:
    votes = of("ann a b a", "ann b c =")
    turned = votes.turned("easier")
    assert winners(turned) == ["b", None]
    assert turned.direction == "easier"
    assert turned.turned("harder") == votes


def test_merged_answers_the_first_question() -> None:
    both = merged([of("ann a b a"), of("ben a b a", direction="easier")])
    assert winners(both) == ["a", "b"]
    assert both.direction == "harder"


def test_by_rater() -> None:
    votes = of("ann a b a", "ben a c a")
    assert votes.by("ben").items == votes.items[1:]
    assert votes.by("ben").texts == votes.texts
    with pytest.raises(PlainlyError, match="unknown rater 'cem'"):
        votes.by("cem")
