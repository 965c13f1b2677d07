"""`plainly statistics score`: scores of all segments of a folder, or of groups of them."""

from __future__ import annotations

import argparse

from plainly.base.files import check_writable
from plainly.cli.printing import print_findings
from plainly.cli.request import resampling_of
from plainly.cli.statistics_inputs import opened
from plainly.scoring.statistics import scores_by
from plainly.scoring.statistics.findings import slices_findings


def run(options: argparse.Namespace) -> None:
    by = list(dict.fromkeys(options.by))
    check_writable(options.output)
    folder = opened(options.folder, options)
    intervals = None if options.no_intervals else resampling_of(options)
    print_findings(options, slices_findings(scores_by(folder, by, where=options.where, intervals=intervals)))
