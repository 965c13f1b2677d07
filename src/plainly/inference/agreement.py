"""Do people who label the same items agree, beyond chance? Kappas, as functions of counts that add up.

Ratings stand in an array (items, raters) of category numbers, `MISSING` where a rater left an item out. With Ao the
share of items on which two raters agree, and Ae the share expected by chance, every kappa is (Ao - Ae) / (1 - Ae):

Cohen (1960)             two raters; Ae from the shares that each of them gives to the categories
Davies & Fleiss (1982)   many raters; Ao and Ae are means over all pairs of raters. For two it is Cohen's kappa
Fleiss (1971)            many raters; Ae from the shares that all of them together give to the categories

A pair of raters counts on the items that both rated, and weighs as many as these are. With complete data all pairs
weigh the same, as published. The counts of items may be added up by unit (a sentence holds many tokens): resampling
units is then one product of weights and counts, see `plainly.inference.resampling`. Where chance alone explains all
(one category only) or there is nothing to count, a kappa is NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.metrics import Array, ratio

Codes = NDArray[np.int64]
Weighting = Literal["none", "linear", "quadratic"]

MISSING = -1
AGREED, FIRST, SECOND = range(3)  # what `paired_counts` counts for each category


def encode(
    ratings: Sequence[Sequence[Hashable]], categories: Sequence[Hashable] = ()
) -> tuple[Codes, tuple[Hashable, ...]]:
    """Ratings, one row an item and one column a rater, as numbers of categories; None and NaN are missing.

    Categories that are given come first, in their order; others follow as they appear.
    """
    numbers: dict[Hashable, int] = {category: i for i, category in enumerate(categories)}
    if len({len(row) for row in ratings}) > 1:
        raise PlainlyError("every item needs one rating (or None) from each rater")
    rows = [[_number(rating, numbers) for rating in row] for row in ratings]
    codes = np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 0)
    return codes, tuple(numbers)


def paired_counts(
    codes: Codes,
    categories: int,
    pairs: Sequence[tuple[int, int]] | None = None,
    units: Codes | None = None,
    size: int | None = None,
) -> Array:
    """For each unit, pair of raters and category: how often both chose it, the first did, the second did.

    The result is (units, pairs, 3, categories), and only items that both rated count. `pairs` are columns of the
    codes (default: all pairs), `units` the unit of each item (default: each item is one), `size` how many there are.
    """
    chosen = list(combinations(range(codes.shape[1]), 2)) if pairs is None else list(pairs)
    of = np.arange(len(codes)) if units is None else units
    length = (int(of.max(initial=-1)) + 1) if size is None else size
    counts = np.zeros((length, len(chosen), 3, categories))
    for place, (a, b) in enumerate(chosen):
        both = (codes[:, a] != MISSING) & (codes[:, b] != MISSING)
        first, second, unit = codes[both, a], codes[both, b], of[both]
        same = first == second
        for kind, labels, where in ((AGREED, first[same], unit[same]), (FIRST, first, unit), (SECOND, second, unit)):
            found = np.bincount(where * categories + labels, minlength=length * categories)
            counts[:, place, kind] = found.reshape(length, categories)
    return counts


def cohen(counts: Array) -> Array:
    """Cohen's kappa from (..., 3, categories), summed over units."""
    return _beyond_chance(counts[..., None, :, :])


def davies_fleiss(counts: Array) -> Array:
    """Davies & Fleiss' kappa from (..., pairs of raters, 3, categories), summed over units."""
    return _beyond_chance(counts)


def observed(counts: Array) -> Array:
    """The share of items with the same category, from (..., 3, categories)."""
    return ratio(counts[..., AGREED, :].sum(-1), counts[..., FIRST, :].sum(-1))


def precision_recall_f1(counts: Array) -> tuple[Array, Array, Array]:
    """Of each category, from (..., 3, categories): the first rater is the truth, the second is judged.

    F1 does not depend on who is the truth: it is the specific agreement of the two on the category.
    """
    agreed, first, second = (counts[..., kind, :] for kind in (AGREED, FIRST, SECOND))
    return ratio(agreed, second), ratio(agreed, first), ratio(2 * agreed, first + second)


def category_counts(codes: Codes, categories: int) -> Array:
    """How many raters gave each category to each item: (items, categories)."""
    items, raters = np.nonzero(codes != MISSING)
    places = items * categories + codes[items, raters]
    return np.bincount(places, minlength=len(codes) * categories).reshape(len(codes), categories).astype(float)


def fleiss_rows(codes: Codes, categories: int) -> Array:
    """What Fleiss' kappa sums over items: (items, 2 + categories). Items with fewer than two ratings are 0.

    The columns are 1, the share of pairs of ratings that agree, and the number of ratings in each category.
    """
    counts = category_counts(codes, categories)
    ratings = counts.sum(1)
    rated = (ratings > 1)[:, None]
    share = ratio((counts * (counts - 1)).sum(1), ratings * (ratings - 1))
    return np.where(rated, np.column_stack([np.ones(len(codes)), share, counts]), 0.0)


def fleiss(totals: Array) -> Array:
    """Fleiss' kappa from summed `fleiss_rows`. The number of ratings may differ from item to item."""
    shares = ratio(totals[..., 2:], totals[..., 2:].sum(-1, keepdims=True))
    return _kappa(ratio(totals[..., 1], totals[..., 0]), (shares**2).sum(-1))


def confusion(codes: Codes, categories: int) -> Array:
    """How often the first of two raters chose one category and the second another: (categories, categories)."""
    both = (codes != MISSING).all(1)
    places = codes[both, 0] * categories + codes[both, 1]
    return np.bincount(places, minlength=categories**2).reshape(categories, categories).astype(float)


def weighted_cohen(table: Array, weighting: Weighting = "none") -> Array:
    """Cohen's kappa from (..., categories, categories), with disagreements by distance if asked for (Cohen 1968)."""
    places = np.arange(table.shape[-1])
    distance = np.abs(places[:, None] - places)
    cost = {"none": distance > 0, "linear": distance, "quadratic": distance**2}[weighting].astype(float)
    total = table.sum((-2, -1))
    expected = (table.sum(-1)[..., :, None] * table.sum(-2)[..., None, :] * cost).sum((-2, -1))
    return 1 - ratio((table * cost).sum((-2, -1)) * total, expected)


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    weighting: Weighting = "none",
    categories: Sequence[Any] = (),
) -> float:
    """The agreement of two raters. A weighting needs ordered categories: `categories`, or else sorted ones."""
    if len(first) != len(second):
        raise PlainlyError(f"two raters must rate the same items; they have {len(first)} and {len(second)}")
    ordered: Sequence[Any] = categories
    if weighting != "none" and not categories:
        there: set[Any] = {rating for rating in (*first, *second) if not _is_missing(rating)}
        ordered = sorted(there)
    codes, known = encode(list(zip(first, second, strict=True)), ordered)
    if categories and len(known) > len(categories):
        raise PlainlyError(f"rating {known[len(categories)]!r} is not among the categories")
    return float(weighted_cohen(confusion(codes.reshape(-1, 2), len(known)), weighting))


def davies_fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """The agreement of several raters, one row an item and one column a rater."""
    codes, known = encode(ratings)
    return float(davies_fleiss(paired_counts(codes, len(known)).sum(0)))


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """The agreement of several raters who need not be the same for all items."""
    codes, known = encode(ratings)
    return float(fleiss(fleiss_rows(codes, len(known)).sum(0)))


def _beyond_chance(counts: Array) -> Array:
    """Pairs of raters weigh by the items they share, in Ao and in Ae."""
    items = counts[..., FIRST, :].sum(-1)
    agreed = counts[..., AGREED, :].sum((-2, -1))
    chance = ratio((counts[..., FIRST, :] * counts[..., SECOND, :]).sum(-1), items)
    total = items.sum(-1)
    return _kappa(ratio(agreed, total), ratio(np.nansum(chance, -1), total))


def _kappa(agreed: Array, chance: Array) -> Array:
    room = 1 - chance
    return ratio(agreed - chance, np.where(room < 1e-12, 0.0, room))  # a room of rounding errors is none


def _number(rating: Hashable, numbers: dict[Hashable, int]) -> int:
    return MISSING if _is_missing(rating) else numbers.setdefault(rating, len(numbers))


def _is_missing(rating: Hashable) -> bool:
    return rating is None or rating != rating  # NaN is not equal to itself
