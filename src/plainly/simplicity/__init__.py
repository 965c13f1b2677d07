"""How simple is a text? Models that foresee what a ranking of texts would say, and explain each score."""

from plainly.simplicity.embeddings import encoded, read_embeddings
from plainly.simplicity.learners import Examples, Learned, Learners, compare_learners
from plainly.simplicity.model import Model, load_model
from plainly.simplicity.scoring import WORDING, Explanation, Part, Scored, Scores, explain, score
from plainly.simplicity.training import Settings, figures, overlapping, targets, train

__all__ = [
    "WORDING",
    "Examples",
    "Explanation",
    "Learned",
    "Learners",
    "Model",
    "Part",
    "Scored",
    "Scores",
    "Settings",
    "compare_learners",
    "encoded",
    "explain",
    "figures",
    "load_model",
    "overlapping",
    "read_embeddings",
    "score",
    "targets",
    "train",
]
