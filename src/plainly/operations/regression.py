"""How much of a score do the operations explain together? Regressions of scores on operation counts, cross-validated.

The counts go in as they are, unscaled, so that a coefficient is the change of the score with one group more. Folds
are made by source: no source stands in training and test. Folds by reference, as in Cardon et al. (2022), let the
other references of a source into training, and so come out a little too well.

    R2 = 1 - sum (y - predicted)^2 / sum (y - mean y)^2      of a fold; its mean over folds is what the paper prints
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Resampled,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    interval,
    pooled,
)
from plainly.metrics import Array
from plainly.operations.correlation import Observations

Model = Literal["lasso", "tree", "forest", "mlp"]
Folding = Literal["source", "reference"]
MODELS: tuple[Model, ...] = get_args(Model)
FOLDINGS: tuple[Folding, ...] = get_args(Folding)
FOLDS = 10
ALPHAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0)  # tried where none is given
INNER_FOLDS = 5
BLOCK = 1 << 21


@dataclass(frozen=True)
class Regression:
    """What one model makes of one score."""

    score: str
    model: Model
    folding: Folding
    folds: int
    n: int
    sources: int
    r2_fit: float  # on what it was trained on
    r2_fold_mean: float
    r2_pooled: Estimate  # over all predictions of pairs that were left out; its interval draws sources
    alpha: float | None  # of the lasso on all pairs
    weights: Mapping[str, float]  # coefficients; for tree and forest, importances; nothing for mlp
    intercept: float | None


def regress(
    observations: Observations,
    score: str,
    model: Model = "lasso",
    *,
    folding: Folding = "source",
    folds: int = FOLDS,
    alpha: float | None = None,
    resampling: Resampling = USUAL,
) -> Regression:
    """Fit a model of the score on all pairs, and on all folds but one in turn.

    `alpha` is the lasso's penalty. Without it, it is chosen anew in every training set, by folds of that set alone.
    """
    for kind, name, known in (("model", model, MODELS), ("way of folding", folding, FOLDINGS)):
        if name not in known:
            raise UnknownName(kind, name, known)
    if alpha is not None and not 0 < alpha < 1e9:
        raise PlainlyError(f"alpha must be above 0, not {alpha}")
    y_all = observations.scores[score]
    there = np.flatnonzero(np.isfinite(y_all))
    x, y = observations.counts[there], y_all[there]
    ids = [observations.ids[place] for place in there]
    origins = [observations.origins[place] for place in there]
    groups = {"source": ids, "reference": origins}[folding]
    parts = fold_numbers(groups, folds)
    if parts.max(initial=0) < 1:
        raise PlainlyError(f"folds by {folding} need at least two of them with scored pairs")
    make = _maker(model, alpha, resampling.seed)
    predicted = np.empty_like(y)
    fold_scores = []
    for fold in range(parts.max() + 1):
        test = parts == fold
        fitted = make(x[~test], y[~test], [groups[place] for place in np.flatnonzero(~test)])
        predicted[test] = fitted.predict(x[test])
        fold_scores.append(r_squared(y[test], predicted[test]))
    whole = make(x, y, groups)
    return Regression(
        score,
        model,
        folding,
        int(parts.max()) + 1,
        len(y),
        len(set(ids)),
        r_squared(y, whole.predict(x)),
        float(np.mean(fold_scores)),
        _pooled(ids, y, predicted, resampling),
        float(whole.alpha) if model == "lasso" else None,
        _weights(whole, observations.operations),
        float(whole.intercept_) if model == "lasso" else None,
    )


def fold_numbers(groups: Sequence[str], folds: int) -> NDArray[np.int64]:
    """The fold of each pair, so that a group stays together: the largest groups first, each into the emptiest fold.

    With as many groups as folds or fewer, every group is a fold of its own.
    """
    if folds < 2:
        raise PlainlyError(f"there must be at least 2 folds, not {folds}")
    numbers = cluster_numbers(groups, len(groups))
    sizes = np.bincount(numbers)
    filled = np.zeros(min(folds, len(sizes)), dtype=np.int64)
    fold_of = np.empty(len(sizes), dtype=np.int64)
    for group in np.argsort(-sizes, kind="stable"):
        fold_of[group] = np.argmin(filled)
        filled[fold_of[group]] += sizes[group]
    return fold_of[numbers]


def r_squared(y: Array, predicted: Array) -> float:
    """1 for a perfect prediction, 0 for one no better than the mean, NaN where y does not vary."""
    spread = float(((y - y.mean()) ** 2).sum()) if len(y) else 0.0
    return 1 - float(((y - predicted) ** 2).sum()) / spread if spread else np.nan


def _pooled(ids: Sequence[str], y: Array, predicted: Array, resampling: Resampling) -> Estimate:
    """Whole sources are drawn; the predictions stay as they are."""
    centred = y - y.mean()
    rows = pooled(
        np.stack([np.ones_like(y), centred, centred**2, (y - predicted) ** 2], axis=1), cluster_numbers(ids, len(ids))
    )
    blocks = bootstrap_weights(len(rows), resampling.resamples, resampling.seed, BLOCK)
    totals = np.concatenate([*(weights @ rows for weights in blocks), rows[:0]])
    n, sums, squares, misses = totals.T
    spread = squares - sums**2 / n
    values = np.where(spread > 0, 1 - misses / np.where(spread > 0, spread, 1.0), np.nan)
    return interval(Resampled(r_squared(y, predicted), values), resampling)


def _maker(model: Model, alpha: float | None, seed: int) -> Callable[[Array, Array, Sequence[str]], Any]:
    """A function that trains the model on counts and scores; the groups are for choosing alpha."""
    try:
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.linear_model import Lasso, LassoCV
        from sklearn.neural_network import MLPRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.tree import DecisionTreeRegressor
    except ImportError:
        raise MissingResource("regressions need scikit-learn: pip install 'plainly[learn]'") from None

    def lasso(x: Array, y: Array, groups: Sequence[str]) -> Any:
        chosen = alpha
        if chosen is None:
            parts = fold_numbers(groups, INNER_FOLDS)
            inner = [(np.flatnonzero(parts != fold), np.flatnonzero(parts == fold)) for fold in set(parts.tolist())]
            chosen = LassoCV(alphas=ALPHAS, cv=inner, max_iter=10_000).fit(x, y).alpha_
        return Lasso(alpha=chosen, max_iter=10_000).fit(x, y)

    def tree(x: Array, y: Array, groups: Sequence[str]) -> Any:
        return DecisionTreeRegressor(max_depth=5, min_samples_leaf=10, random_state=seed).fit(x, y)

    def forest(x: Array, y: Array, groups: Sequence[str]) -> Any:
        return RandomForestRegressor(n_estimators=100, min_samples_leaf=5, max_features=1 / 3, random_state=seed).fit(
            x, y
        )

    def mlp(x: Array, y: Array, groups: Sequence[str]) -> Any:
        # Its steps are sized for numbers of one scale, so here alone counts and scores are scaled.
        network = MLPRegressor(
            hidden_layer_sizes=(16,), alpha=1.0, learning_rate_init=0.01, early_stopping=True, random_state=seed
        )
        scaled = make_pipeline(StandardScaler(), network)
        return TransformedTargetRegressor(scaled, transformer=StandardScaler()).fit(x, y)

    return {"lasso": lasso, "tree": tree, "forest": forest, "mlp": mlp}[model]


def _weights(fitted: Any, operations: Sequence[str]) -> dict[str, float]:
    values = getattr(fitted, "coef_", getattr(fitted, "feature_importances_", None))
    if values is None:
        return {}
    return {name: float(value) + 0.0 for name, value in zip(operations, values, strict=True)}
