"""From a corpus to signed scores: `evaluate` and what it returns."""

from plainly.evaluation.evaluation import Evaluation
from plainly.evaluation.merging import concatenate, merge
from plainly.evaluation.results import Resampling, Result
from plainly.evaluation.scoring import evaluate, evaluate_stream, runnable

__all__ = ["Evaluation", "Resampling", "Result", "concatenate", "evaluate", "evaluate_stream", "merge", "runnable"]
