"""How sure are we? Intervals, paired tests, ranks and power for every metric, by adding up its rows in other ways."""

from plainly.inference.comparison import Comparison, Estimate, Pair, Settings, Standing, compare
from plainly.inference.intervals import Interval, confidence_interval, confidence_intervals, interval
from plainly.inference.multiple import holm, rank_intervals, ranks, resamples_needed
from plainly.inference.paired import Difference, difference_of, paired_bootstrap, paired_randomisation, sacrebleu_p
from plainly.inference.power import minimum_detectable_difference
from plainly.inference.resampling import RESAMPLES, SEED, Resampled, resample

__all__ = [
    "RESAMPLES",
    "SEED",
    "Comparison",
    "Difference",
    "Estimate",
    "Interval",
    "Pair",
    "Resampled",
    "Settings",
    "Standing",
    "compare",
    "confidence_interval",
    "confidence_intervals",
    "difference_of",
    "holm",
    "interval",
    "minimum_detectable_difference",
    "paired_bootstrap",
    "paired_randomisation",
    "rank_intervals",
    "ranks",
    "resample",
    "resamples_needed",
    "sacrebleu_p",
]
