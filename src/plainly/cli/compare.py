"""`plainly compare`: which system is better, and how sure are we?"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable
from plainly.cli.printing import print_findings
from plainly.cli.request import Request
from plainly.cli.statistics_inputs import statistics_of
from plainly.scoring import evaluate_stream
from plainly.scoring.comparison import Comparison
from plainly.scoring.statistics import compare_folder


def run(options: argparse.Namespace) -> None:
    check_writable(options.output)
    comparison = _measured_before(options) if options.statistics else _measured(options)
    if options.table == "pairs" and not comparison.pairs:
        raise PlainlyError("there is only one system: nothing to compare it with")
    print_findings(options, comparison.findings(), [options.table])


def _measured_before(options: argparse.Namespace) -> Comparison:
    with statistics_of(options) as folder:
        return compare_folder(folder, **_comparing(options))


def _measured(options: argparse.Namespace) -> Comparison:
    request = Request(options)
    evaluation = evaluate_stream(
        request.chunks, request.metrics(), baselines=request.baselines, threads=options.threads, keep=sys.maxsize
    )
    evaluation = request.finish(evaluation)
    return evaluation.compare(**_comparing(options))


def _comparing(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "baseline": options.baseline,
        "resamples": options.resamples,
        "seed": options.seed,
        "confidence": options.confidence,
        "interval": options.interval,
        "method": options.test,
    }
