"""From a corpus to signed scores: `evaluate`, `compare`, and what they return."""

from plainly.scoring.comparing import compare
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluation import Evaluation, concatenate, merge
from plainly.scoring.evaluator import evaluate, evaluate_stream, runnable
from plainly.scoring.profile import Profile, get_profile
from plainly.scoring.profile_ranks import ProfileRanks, compare_profiles
from plainly.scoring.results import Result
from plainly.scoring.text_arguments import OutputTexts, ReferenceTexts

__all__ = [
    "Comparison",
    "Evaluation",
    "OutputTexts",
    "Profile",
    "ProfileRanks",
    "ReferenceTexts",
    "Result",
    "compare",
    "compare_profiles",
    "concatenate",
    "evaluate",
    "evaluate_stream",
    "get_profile",
    "merge",
    "runnable",
]
