"""`plainly comprehension check`: are these good questions?"""

from __future__ import annotations

import argparse

from plainly.base.files import refuse_overwriting
from plainly.cli.printing import print_findings
from plainly.comprehension.checks import WordRange, check_experiment
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.planning_findings import check_findings


def run(options: argparse.Namespace) -> int:
    refuse_overwriting(options.output, [options.experiment])
    wanted = WordRange.parse(options.words) if options.words is not None else None
    found = check_experiment(read_experiment(options.experiment), wanted)
    print_findings(options, check_findings(options.experiment, found))
    return int(any(options.strict or finding.severity == "error" for finding in found))
