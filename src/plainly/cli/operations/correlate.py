"""`plainly operations correlate`: which operations does a metric reward, and how much of it do they explain?"""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli.operations.inputs import typology_of
from plainly.cli.operations.parser import TABLES
from plainly.cli.operations.texts import annotated_texts, check_threads, metrics_of, references_of
from plainly.cli.options import studied_resampling
from plainly.cli.printing import ProgressLine, insist_on_one_table, print_findings, tell
from plainly.cli.request import listed_names
from plainly.operations.findings import reward_findings
from plainly.operations.regression import FOLDINGS, MODELS, Model
from plainly.operations.rewards import Regressing, correlate
from plainly.scoring.evaluation import metric_notes


def run(options: argparse.Namespace) -> None:
    regressing = _regressing(options)
    if options.table in ("regressions", "coefficients") and not regressing.models:
        raise PlainlyError(f"--table {options.table} needs --regress, with a model: {', '.join(MODELS)}")
    insist_on_one_table(options, TABLES["correlate"] if regressing.models else ())
    check_threads(options)
    data = annotated_texts(options)
    references = references_of(options, data)
    metrics = metrics_of(options, data, "sari")
    line = ProgressLine(options.quiet)
    try:
        found = correlate(
            data,
            metrics,
            references=references,
            typology=typology_of(options),
            counting="presence" if options.presence else "groups",
            columns="classes" if options.classes else "labels",
            components=None if options.parts is None else listed_names(options.parts),
            threads=options.threads,
            coefficient=options.coefficient,
            regressing=regressing,
            resampling=studied_resampling(options, "source"),
            progress=lambda number, steps: line.show(f"regression {number} of {steps}"),
        )
    finally:
        line.end()
    print_findings(options, reward_findings(found), [options.table] if options.table else ())
    tell(metric_notes(metrics), options.quiet)


def _regressing(options: argparse.Namespace) -> Regressing:
    """Which regressions are asked for."""
    return Regressing(
        models=_models(options.regress),
        foldings=tuple(folding for folding in FOLDINGS if options.folds_by in ("both", folding)),
        folds=options.folds,
        alpha=options.penalty,
        without_faulty_sources=options.without_faulty_sources,
    )


def _models(asked: str | None) -> tuple[Model, ...]:
    names = listed_names(asked)
    for name in names:
        if name not in MODELS:
            raise UnknownName("model", name, MODELS)
    return tuple(model for name in names for model in MODELS if model == name)
