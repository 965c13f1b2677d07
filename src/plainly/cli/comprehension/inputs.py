"""Reads and analyses what the options of `plainly.cli.comprehension.parser` name."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.formats import read_records
from plainly.comprehension.scores import Settings, unit_of
from plainly.comprehension.selection import Outliers, Rules


def analysis_of(options: argparse.Namespace, by: Sequence[str] = ()) -> Analysis:
    """The analysis that was asked for."""
    settings = Settings(unit_of(options.time_unit), options.scale, options.guessing)
    rules = Rules(Outliers.parse(options.outliers), options.unfinished, options.unanswered)
    experiment = read_experiment(options.experiment) if options.experiment else None
    return analyse(
        read_records(options.records, experiment, options.faults),
        experiment,
        settings=settings,
        rules=rules,
        baseline=options.baseline,
        by=by,
        resamples=options.resamples,
        seed=options.seed,
        level=options.level,
    )
