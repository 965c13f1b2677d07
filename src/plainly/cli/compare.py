"""`plainly compare`: which system is better, and how sure are we?"""

from __future__ import annotations

import argparse
import sys

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable
from plainly.cli.printing import print_findings
from plainly.cli.request import Request, comparing_of
from plainly.cli.statistics_inputs import statistics_of
from plainly.inference import Comparison
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.comparison_findings import comparison_findings
from plainly.scoring.statistics import compare_folder


def run(options: argparse.Namespace) -> None:
    check_writable(options.output)
    evaluation, comparison = _measured_before(options) if options.statistics else _measured(options)
    if options.table == "pairs" and not comparison.pairs:
        raise PlainlyError("there is only one system: nothing to compare it with")
    print_findings(options, comparison_findings(evaluation, comparison), [options.table])


def _measured_before(options: argparse.Namespace) -> tuple[Evaluation, Comparison]:
    with statistics_of(options) as folder:
        return compare_folder(folder, baseline=options.baseline, **comparing_of(options))


def _measured(options: argparse.Namespace) -> tuple[Evaluation, Comparison]:
    request = Request(options)
    evaluation = evaluate_stream(
        request.chunks, request.metrics(), baselines=request.baselines, threads=options.threads, keep=sys.maxsize
    )
    evaluation = request.finish(evaluation)
    return evaluation, evaluation.compare(baseline=options.baseline, **comparing_of(options))
