"""From a corpus to signed scores: `evaluate` and what it returns."""

from plainly.evaluation.result import Evaluation, Resampling, Result
from plainly.evaluation.scoring import evaluate, evaluate_stream, runnable

__all__ = ["Evaluation", "Resampling", "Result", "evaluate", "evaluate_stream", "runnable"]
