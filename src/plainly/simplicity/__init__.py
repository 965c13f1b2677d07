"""How simple is a text? Models that foresee what a ranking of texts would say, and explain each score."""

from plainly.simplicity.model import Model, load_model
from plainly.simplicity.scoring import WORDING, Explanation, Part, Scored, Scores, explain, score
from plainly.simplicity.training import Settings, figures, overlapping, targets, train

__all__ = [
    "WORDING",
    "Explanation",
    "Model",
    "Part",
    "Scored",
    "Scores",
    "Settings",
    "explain",
    "figures",
    "load_model",
    "overlapping",
    "score",
    "targets",
    "train",
]
