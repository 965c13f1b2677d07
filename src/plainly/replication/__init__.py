"""Benchmarks: published tables computed anew, beside what was printed, and tables of your own."""

from plainly.replication.definition import Benchmark, load, names
from plainly.replication.run import Cell, Outcome, run

__all__ = ["Benchmark", "Cell", "Outcome", "load", "names", "run"]
