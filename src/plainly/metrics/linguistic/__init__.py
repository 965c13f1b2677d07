"""Linguistic features: one number a text or a pair of texts, most of them from a parse.

`of_text` and `of_pair` declare them, each beside its formula, into `table`; `metric` makes a metric of every one.
"""

from plainly.metrics.linguistic import of_pair, of_text
from plainly.metrics.linguistic.table import FEATURES

__all__ = ["FEATURES", "of_pair", "of_text"]
