"""Ratings: how fluent, faithful and simple are outputs? On any scales, with attention checks and references."""
