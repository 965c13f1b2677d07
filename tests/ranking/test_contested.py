"""Which pairs raters disagree about."""

from __future__ import annotations

from plainly.ranking import Judgement, Judgements
from plainly.ranking.judgements import Contest, contested


def test_the_most_even_pairs_first_whichever_side_was_shown() -> None:
    """By hand: a-b 2 to 2 over both orders, c-d 1 to 0 with a tie, a-c all agree, b-d has one vote only."""
    items = [
        *(Judgement("a", "b", "a", "1"), Judgement("b", "a", "a", "2"), Judgement("a", "b", "b", "3")),
        *(Judgement("b", "a", "b", "4"), Judgement("c", "d", "c", "1"), Judgement("c", "d", None, "2")),
        *(Judgement("a", "c", "c", "1"), Judgement("a", "c", "c", "2"), Judgement("b", "d", "b", "1")),
    ]
    found = contested(Judgements.of(items, "harder"))
    assert list(found) == [Contest("a", "b", 2, 2, 0), Contest("c", "d", 1, 0, 1)]
    assert [contest.balance for contest in found] == [1.0, 0.5]
    assert len(contested(Judgements.of(items, "harder"), most=1)) == 1
