"""`plainly ranking simulate`: how many judgements, raters and hours does a ranking need?"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from datetime import date

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, writing
from plainly.cli.printing import ProgressLine, note_aside, print_findings
from plainly.ranking.planning import (
    ACCURACY,
    Plans,
    find_plans,
    usual_combination,
    usual_crowds,
    usual_pairs,
)
from plainly.ranking.planning_findings import plan_findings, simulation_findings
from plainly.ranking.simulation import Simulation, simulate
from plainly.ranking.studies import Method, Setting
from plainly.report.assets import chart_library
from plainly.report.planning import planning_page

TEXTS = 94  # as in Engelmann et al. (2024), Figure 2
POINTS = 16.0  # of Elo
METHODS: Mapping[str, Method] = {"elo": "elo", "elo-mean": "elo-mean", "bradley-terry": "bradley-terry"}


def run(options: argparse.Namespace) -> None:
    if not options.seconds > 0 or not math.isfinite(options.seconds):
        raise PlainlyError(f"--seconds must be above 0, not {options.seconds:g}")
    if options.raters is not None and options.target_rho is None:
        raise PlainlyError("--raters goes with --target-rho; --per-pair says how many judge each pair")
    page = str(options.output or "").endswith(".html")
    if page:
        if options.target_rho is not None:
            raise PlainlyError(f"{options.output}: a page shows curves; with --target-rho choose another ending")
        chart_library()  # if it is missing, say so before the work
    check_writable(options.output)
    line = ProgressLine(options.quiet)
    try:
        found = _plans(options, line) if options.target_rho is not None else _curves(options, line)
    finally:
        line.end()
    if isinstance(found, Plans):
        print_findings(options, plan_findings(found))
        return
    findings = simulation_findings(found, options.seconds)
    if not page:
        print_findings(options, findings)
        return
    with writing(options.output) as out:
        out.write(planning_page(found, options.seconds, date.today().isoformat()))
    note_aside(options, findings)


def _curves(options: argparse.Namespace, line: ProgressLine) -> Simulation:
    method = _method(options) or "elo"
    texts = _texts(options)
    pairing = options.pairing or "random"
    setting = Setting(
        texts,
        _pairs(options.pair_counts) if options.pair_counts else usual_pairs(texts, pairing),
        options.runs,
        method,
        pairing,
        options.error,
        options.combine or usual_combination(method),
        _points(options),
        options.seed,
    )
    return simulate(
        setting,
        usual_crowds(setting.combination, _accuracies(options.accuracy), options.per_pair),
        threads=options.threads,
        progress=lambda done, all_: line.show(f"simulated {done} of {all_} blocks of studies"),
    )


def _plans(options: argparse.Namespace, line: ProgressLine) -> Plans:
    if options.pair_counts:
        raise PlainlyError("--target-rho finds the number of pairs; leave --pair-counts out")
    return find_plans(
        Setting(texts=_texts(options), runs=options.runs, error=options.error, k=_points(options), seed=options.seed),
        options.target_rho,
        raters=options.raters,
        votes=options.per_pair,
        accuracy=next(iter(_accuracies(options.accuracy)), ACCURACY),
        method=_method(options),
        pairing=options.pairing,
        combination=options.combine,
        seconds=options.seconds,
        threads=options.threads,
        searching=lambda method, pairing: line.show(f"searching: {method} with {pairing} pairs"),
    )


def _method(options: argparse.Namespace) -> Method | None:
    if options.method is None:
        return None
    if options.method not in METHODS:
        raise UnknownName("value of --method", options.method, METHODS)
    return METHODS[options.method]


def _texts(options: argparse.Namespace) -> int:
    return TEXTS if options.count is None else int(options.count)


def _points(options: argparse.Namespace) -> float:
    return POINTS if options.k is None else float(options.k)


def _accuracies(text: str | None) -> list[float]:
    try:
        return [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise PlainlyError(f"--accuracy takes shares above 0.5 and up to 1, as 0.9,0.75, not {text!r}") from None


def _pairs(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise PlainlyError(f"--pair-counts takes whole numbers, as 94,188,376, not {text!r}") from None
