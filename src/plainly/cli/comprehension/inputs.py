"""Reads and analyses what the options of `plainly.cli.comprehension.parser` name."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from plainly.base.conditions import Condition
from plainly.base.files import check_writable, refuse_overwriting
from plainly.cli.options import studied_resampling
from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.checks import refuse_errors
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.formats import read_records
from plainly.comprehension.reader_groups import column_names
from plainly.comprehension.scores import Settings, unit_of
from plainly.comprehension.selection import Outliers, Rules


def analysis_of(options: argparse.Namespace, by: Sequence[str] = ()) -> Analysis:
    """The analysis that was asked for."""
    refuse_overwriting(options.output, [options.records, options.experiment])
    check_writable(options.output)
    settings = Settings(unit_of(options.time_unit), options.formula, options.guessing)
    where = tuple(map(Condition.of, options.where))
    rules = Rules(Outliers.parse(options.outliers), options.unfinished, options.unanswered, where)
    experiment = read_experiment(options.experiment) if options.experiment else None
    if experiment is not None:
        refuse_errors(experiment, options.experiment, planning=False)
    columns = [*(column for name in by for column in column_names(name)), *(condition.name for condition in where)]
    return analyse(
        read_records(options.records, experiment, options.faults, columns, options.columns),
        experiment,
        settings=settings,
        rules=rules,
        baseline=options.baseline,
        by=by,
        permutations=options.permutations,
        resampling=studied_resampling(options, "participant"),
    )
