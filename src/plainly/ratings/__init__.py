"""How good are outputs on scales? Scores, comparisons and agreement from ratings by people."""

from plainly.ratings.analysis import Analysis, RaterRow, analyse
from plainly.ratings.audiences import Contrast, GroupScores, TextScore
from plainly.ratings.formats import read_ratings, write_ratings
from plainly.ratings.records import Range, Rating, Ratings, gathered
from plainly.ratings.scores import PairScore, SystemScore

__all__ = [
    "Analysis",
    "Contrast",
    "GroupScores",
    "PairScore",
    "Range",
    "RaterRow",
    "Rating",
    "Ratings",
    "SystemScore",
    "TextScore",
    "analyse",
    "gathered",
    "read_ratings",
    "write_ratings",
]
