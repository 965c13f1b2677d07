"""Which operations does a metric reward, and how much of it do they explain?"""

from __future__ import annotations

from collections.abc import Sequence

from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.operations.correlation import Finding
from plainly.operations.findings.columns import count, estimate, number, p, text
from plainly.operations.regression import Regression
from plainly.operations.rewards import Rewards

LETTERS = {"spearman": "rho", "pearson": "r", "kendall": "tau"}


def reward_findings(found: Rewards) -> Findings:
    """Correlations; and regressions with their weights, where there are any."""
    weighty = _one_each(found.regressions)
    return Findings(
        tables=[
            _correlations(found),
            *([_regressions(found.regressions)] if found.regressions else []),
            *([_weights(weighty)] if weighty else []),
        ],
        notes=list(map(Note, found.notes)),
        signatures=found.observations.signatures,
        data=found.data,
    )


def _correlations(found: Rewards) -> Table:
    return Table(
        "correlations",
        message("operations.correlations", "Which operations does a metric reward?"),
        [
            *(text("score"), text("operation"), count("pairs with it"), count("of")),
            estimate(LETTERS[found.coefficient], 4),
            *(p("p"), p("p by source"), p("p corrected"), text("verdict")),
        ],
        [
            [
                *(one.score, one.operation, one.pairs, one.correlation.n, one.correlation.estimate),
                *(one.correlation.p, one.correlation.p_resampled, one.p_corrected, _verdict(one)),
            ]
            for one in found.correlations
        ],
    )


def _verdict(found: Finding) -> Message | None:
    return message(f"operations.verdict.{found.verdict}", found.verdict) if found.verdict else None


def _regressions(fitted: Sequence[Regression]) -> Table:
    return Table(
        "regressions",
        message("operations.regressions", "How much of a score do operations explain?"),
        [
            *(text("score"), text("model"), text("folds by")),
            *(number("R2 of fit", 3), number("R2 mean of folds", 3), estimate("R2 left out", 3), text("alpha")),
        ],
        [
            [
                *(one.score, one.model, one.folding, one.r2_fit, one.r2_fold_mean, one.r2_pooled),
                None if one.alpha is None else f"{one.alpha:g}",
            ]
            for one in fitted
        ],
    )


def _weights(fitted: Sequence[Regression]) -> Table:
    return Table(
        "coefficients",
        message(
            "operations.coefficients",
            "How much does each operation weigh, on all pairs? (lasso: coefficients; tree, forest: importances)",
        ),
        [text("operation"), *(Column(f"{one.score} ({one.model})", "number") for one in fitted)],
        [[operation, *(one.weights[operation] for one in fitted)] for operation in fitted[0].weights],
    )


def _one_each(fitted: Sequence[Regression]) -> list[Regression]:
    """One regression with weights for each score and model."""
    first: dict[tuple[str, str], Regression] = {}
    for regression in fitted:
        if regression.weights:
            first.setdefault((regression.score, regression.model), regression)
    return list(first.values())
