"""Pairs chosen by their scores and columns, and an account of what was dropped and why."""

from plainly.filtering.running import DROPPED_BY, Filter, run_filter
from plainly.filtering.summary import QUANTILES, Count, Example, Quantiles, Summary

__all__ = ["DROPPED_BY", "QUANTILES", "Count", "Example", "Filter", "Quantiles", "Summary", "run_filter"]
