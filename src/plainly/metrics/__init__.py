"""Metrics: one file each, one registry. `measure` gives additive statistics, `score` turns sums into numbers."""

from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.registry import GROUPS, configure, get, metric_class, names, standing_for_all
from plainly.metrics.settings import Setting, setting, settings_of, signature_fields

__all__ = [
    "GROUPS",
    "SCORED",
    "Array",
    "Facts",
    "Metric",
    "Score",
    "Setting",
    "configure",
    "get",
    "metric_class",
    "names",
    "ratio",
    "scored",
    "setting",
    "settings_of",
    "signature_fields",
    "standing_for_all",
    "with_scored",
]
