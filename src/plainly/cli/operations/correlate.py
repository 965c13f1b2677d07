"""`plainly operations correlate`: which operations does a metric reward, and how much of it do they explain?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.notes import ProgressLine
from plainly.cli.operations.inputs import typology_of
from plainly.cli.operations.texts import (
    annotated_texts,
    cautions,
    check_threads,
    metrics_of,
    references_of,
    signatures,
)
from plainly.cli.options import studied_resampling
from plainly.cli.request import listed_names
from plainly.cli.study_tables import Table, estimate_cells, p_cell, printed
from plainly.operations.correlation import Finding, Observations, findings, observe, outputs_corpus
from plainly.operations.regression import FOLDINGS, MODELS, Model, Regression, regress
from plainly.operations.replication import ALPHAS, NAME


def run(options: argparse.Namespace) -> None:
    models = _models(options)
    if options.table in ("regressions", "coefficients") and not models:
        raise PlainlyError(f"--table {options.table} needs --regress, with a model: {', '.join(MODELS)}")
    if options.format == "csv" and models and not options.table:
        raise PlainlyError("--format csv holds one table; say which, for example --table correlations")
    check_threads(options)
    data = annotated_texts(options)
    references = references_of(options, data)
    metrics = metrics_of(options, data, "sari")
    components = None if options.components is None else listed_names(options.components)
    with writing(options.output) as out:
        observations = observe(
            data,
            metrics,
            references=references,
            typology=typology_of(options),
            counting=options.count,
            columns=options.by,
            components=components,
            threads=options.threads,
        )
        found = findings(
            observations,
            coefficient=options.coefficient,
            resampling=studied_resampling(options, "source"),
        )
        fitted = _regressions(observations, models, options)
        judged_by = outputs_corpus(data, references).reference_counts.tolist()
        lines = [*_lines(observations, found, fitted, options), *signatures(metrics, set(judged_by))]
        out.write(_text(observations, found, fitted, lines, options))
    cautions(metrics, options)


def _models(options: argparse.Namespace) -> list[Model]:
    if options.replicate not in (None, NAME):
        raise UnknownName("paper to replicate", options.replicate, [NAME])
    if options.replicate and (options.metrics or options.references or options.by != "labels"):
        raise PlainlyError(f"--replicate {NAME} has its own metric and references; leave --metrics and others out")
    chosen: list[Model] = []
    for name in listed_names(options.regress) or (["lasso"] if options.replicate else []):
        if name not in MODELS:
            raise UnknownName("model", name, MODELS)
        chosen.append(next(model for model in MODELS if model == name))
    return chosen


def _regressions(
    observations: Observations, models: Sequence[Model], options: argparse.Namespace
) -> list[Regression]:
    replicate = options.replicate is not None
    if options.without_faulty_sources or replicate:
        observations = observations.without_faulty_sources()
    both = replicate or options.folds_by == "both"
    foldings = [folding for folding in FOLDINGS if both or folding == options.folds_by]
    steps = [(model, folding, score) for model in models for score in observations.scores for folding in foldings]
    line = ProgressLine(options.quiet)
    fitted = []
    try:
        for number, (model, folding, score) in enumerate(steps):
            line.show(f"regression {number + 1} of {len(steps)}")
            fitted.append(
                regress(
                    observations,
                    score,
                    model,
                    folding=folding,
                    folds=options.folds,
                    alpha=ALPHAS.get(score) if replicate and options.alpha is None else options.alpha,
                    resampling=studied_resampling(options, "source"),
                )
            )
    finally:
        line.end()
    return fitted


def _text(
    observations: Observations,
    found: Sequence[Finding],
    fitted: Sequence[Regression],
    lines: Sequence[str],
    options: argparse.Namespace,
) -> str:
    if options.format == "json":
        content = {
            "plainly": __version__,
            "pairs": len(observations),
            "sources": len(set(observations.ids)),
            "coefficient": options.coefficient,
            "counted": options.count,
            "resampling": studied_resampling(options, "source").to_dict(),
            "correlations": [finding.to_dict() for finding in found],
            "regressions": [regression.to_dict() for regression in fitted],
            "notes": list(lines),
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    name = {"spearman": "rho", "pearson": "r", "kendall": "tau"}[options.coefficient]
    tables = {
        "correlations": Table(
            "Operations and scores",
            [
                *("score", "operation", "pairs with it", "of", name, "low", "high"),
                *("p", "p by source", "p corrected", "verdict"),
            ],
            list(_correlation_rows(found, options.format)),
            4,
        )
    }
    if fitted:
        tables["regressions"] = Table(
            "Scores explained by operations",
            ["score", "model", "folds by", "R2 of fit", "R2 mean of folds", "R2 left out", "low", "high", "alpha"],
            list(_regression_rows(fitted)),
            3,
        )
        weighty = _one_each(fitted)
        if weighty:
            headers = ["operation", *(f"{regression.score} ({regression.model})" for regression in weighty)]
            title = "Weights on all pairs (lasso: coefficients; tree, forest: importances)"
            tables["coefficients"] = Table(title, headers, list(_weight_rows(weighty)), 2)
    if options.table and options.table not in tables:
        raise PlainlyError(f"there is no table of {options.table}: these models have no weights")
    return printed(tables, options.table or (None if fitted else "correlations"), options.format, lines)


def _correlation_rows(found: Sequence[Finding], form: str) -> Iterator[list[Cell]]:
    for finding in found:
        correlation = finding.correlation
        ps: list[Cell] = [p_cell(p, form) for p in (correlation.p, correlation.p_resampled, finding.p_corrected)]
        counts: list[Cell] = [finding.pairs, correlation.n]
        yield [
            finding.score,
            finding.operation,
            *counts,
            *estimate_cells(correlation.estimate),
            *ps,
            finding.verdict or None,
        ]


def _regression_rows(fitted: Sequence[Regression]) -> Iterator[list[Cell]]:
    for regression in fitted:
        values: list[Cell] = [regression.fit, regression.fold_mean, *estimate_cells(regression.pooled)]
        alpha = None if regression.alpha is None else f"{regression.alpha:g}"
        yield [regression.score, regression.model, regression.folding, *values, alpha]


def _one_each(fitted: Sequence[Regression]) -> list[Regression]:
    """One regression with weights for each score and model."""
    first: dict[tuple[str, str], Regression] = {}
    for regression in fitted:
        if regression.weights:
            first.setdefault((regression.score, regression.model), regression)
    return list(first.values())


def _weight_rows(fitted: Sequence[Regression]) -> Iterator[list[Cell]]:
    for operation in fitted[0].weights:
        yield [operation, *(regression.weights[operation] for regression in fitted)]


def _lines(
    observations: Observations, found: Sequence[Finding], fitted: Sequence[Regression], options: argparse.Namespace
) -> list[str]:
    judges = "by the references given" if options.references else "by the other targets of its source"
    lines = [f"{len(observations)} pairs of {len(set(observations.ids))} sources, each judged {judges}"]
    if options.resamples:
        drawn = f"{options.resamples} resamples of whole sources, seed {options.seed}"
        lines.append(f"low and high: {options.confidence:.0%} intervals; {drawn}")
        which = "the larger p, Holm"
    else:
        which = "Holm"
    tests = sum(finding.p_corrected == finding.p_corrected for finding in found)
    lines.append(
        f"{options.coefficient} of {options.count}; p takes pairs as independent; p corrected: {which}, {tests} tests"
    )
    if fitted:
        first = fitted[0]
        lines.append(f"regressions: {first.n} pairs of {first.sources} sources, {first.folds} folds")
    return lines
