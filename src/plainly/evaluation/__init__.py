"""From a corpus to signed scores: `evaluate` and what it returns."""

from plainly.evaluation.result import Evaluation, Result
from plainly.evaluation.scoring import evaluate, evaluate_stream, runnable

__all__ = ["Evaluation", "Result", "evaluate", "evaluate_stream", "runnable"]
