"""From a corpus to signed scores: `evaluate` and what it returns."""

from plainly.scoring.evaluation import Evaluation, concatenate, merge
from plainly.scoring.evaluator import evaluate, evaluate_stream, runnable
from plainly.scoring.results import Result

__all__ = ["Evaluation", "Result", "concatenate", "evaluate", "evaluate_stream", "merge", "runnable"]
