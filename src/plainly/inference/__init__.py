"""How sure are we? Intervals, paired tests, ranks and power for every metric, by adding up its rows in other ways."""

from plainly.inference.agreement import cohen_kappa, davies_fleiss_kappa, fleiss_kappa
from plainly.inference.alpha import krippendorff_alpha
from plainly.inference.comparing import compare
from plainly.inference.comparison import Comparison, Pair, Settings, Standing
from plainly.inference.correlation import Correlation, correlate, kendall, pearson, spearman
from plainly.inference.dependent import permutation_difference, williams
from plainly.inference.estimates import Estimate
from plainly.inference.multiple import holm, max_t, rank_intervals, ranks, resamples_for, resamples_needed
from plainly.inference.noise import Gap, noise_band
from plainly.inference.paired import (
    Blocked,
    Difference,
    Shared,
    difference_of,
    paired_bootstrap,
    paired_randomisation,
    sacrebleu_p,
)
from plainly.inference.partials import partial
from plainly.inference.power import minimum_detectable_difference
from plainly.inference.resampling import (
    RESAMPLES,
    SEED,
    Resampled,
    Resampling,
    confidence_interval,
    confidence_intervals,
    generator,
    interval,
    resample,
)
from plainly.inference.ties import Accuracy, pairwise_accuracy, wmt_tau, wmt_taus

__all__ = [
    "RESAMPLES",
    "SEED",
    "Accuracy",
    "Blocked",
    "Comparison",
    "Correlation",
    "Difference",
    "Estimate",
    "Gap",
    "Pair",
    "Resampled",
    "Resampling",
    "Settings",
    "Shared",
    "Standing",
    "cohen_kappa",
    "compare",
    "confidence_interval",
    "confidence_intervals",
    "correlate",
    "davies_fleiss_kappa",
    "difference_of",
    "fleiss_kappa",
    "generator",
    "holm",
    "interval",
    "kendall",
    "krippendorff_alpha",
    "max_t",
    "minimum_detectable_difference",
    "noise_band",
    "paired_bootstrap",
    "paired_randomisation",
    "pairwise_accuracy",
    "partial",
    "pearson",
    "permutation_difference",
    "rank_intervals",
    "ranks",
    "resample",
    "resamples_for",
    "resamples_needed",
    "sacrebleu_p",
    "spearman",
    "williams",
    "wmt_tau",
    "wmt_taus",
]
