"""How sure are we? Intervals, paired tests, ranks and power for every metric, by adding up its rows in other ways."""

from plainly.inference.agreement import cohen_kappa, davies_fleiss_kappa, fleiss_kappa
from plainly.inference.alpha import krippendorff_alpha
from plainly.inference.comparison import Comparison, Estimate, Pair, Settings, Standing, compare
from plainly.inference.correlation import Correlation, correlate, kendall, pearson, spearman
from plainly.inference.intervals import Interval, confidence_interval, confidence_intervals, interval
from plainly.inference.multiple import holm, rank_intervals, ranks, resamples_needed
from plainly.inference.paired import Difference, difference_of, paired_bootstrap, paired_randomisation, sacrebleu_p
from plainly.inference.power import minimum_detectable_difference
from plainly.inference.resampling import RESAMPLES, SEED, Resampled, resample

__all__ = [
    "RESAMPLES",
    "SEED",
    "Comparison",
    "Correlation",
    "Difference",
    "Estimate",
    "Interval",
    "Pair",
    "Resampled",
    "Settings",
    "Standing",
    "cohen_kappa",
    "compare",
    "confidence_interval",
    "confidence_intervals",
    "correlate",
    "davies_fleiss_kappa",
    "difference_of",
    "fleiss_kappa",
    "holm",
    "interval",
    "kendall",
    "krippendorff_alpha",
    "minimum_detectable_difference",
    "paired_bootstrap",
    "paired_randomisation",
    "pearson",
    "rank_intervals",
    "ranks",
    "resample",
    "resamples_needed",
    "sacrebleu_p",
    "spearman",
]
