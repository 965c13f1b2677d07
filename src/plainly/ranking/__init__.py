"""Which texts are hard to read? Ratings from judgements of pairs, by people or by machines."""

from plainly.ranking.formats import Text, read_judgements, read_texts, write_judgements
from plainly.ranking.heldout import HeldOut, cross_validate
from plainly.ranking.judgements import Direction, Judgement, Judgements, majority, merged
from plainly.ranking.raters import Agreement, agreement
from plainly.ranking.ratings import Ranking, Rated, estimator, rate

__all__ = [
    "Agreement",
    "Direction",
    "HeldOut",
    "Judgement",
    "Judgements",
    "Ranking",
    "Rated",
    "Text",
    "agreement",
    "cross_validate",
    "estimator",
    "majority",
    "merged",
    "rate",
    "read_judgements",
    "read_texts",
    "write_judgements",
]
