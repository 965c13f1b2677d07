"""What a score would have been on other test sets like this one: resampled totals, and scores of them.

Statistics add up, so a resample needs no text: it is a row of weights, and all resamples together are one product

    totals (resamples x columns) = weights (resamples x units) @ rows (units x columns)

A unit is what is drawn: a segment, or a whole document where the segments come from documents. Rows of a document
are added up first (`pooled`); from there on a document is a row like any other. All systems and metrics of a run
meet the same weights, so their scores on a resample can be compared (they are paired).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.exact_sums import exact_sum
from plainly.base.groups import grouped
from plainly.inference.estimates import CONFIDENCE, LEFT_OUT, METHODS, Estimate, bounds
from plainly.metrics import Array, Metric, Score

Statistics = Mapping[str, Mapping[str, Array]]  # system -> metric's label -> rows, as an Evaluation holds them
Clusters = Sequence[Hashable | None]  # the document of each segment; None is a document of its own
Key = TypeVar("Key", bound=Hashable)
Rows = tuple[Metric, Array, "Array | None"]  # what scores them, the rows, and their exact sum where rows are rounded

RESAMPLES = 1000
"""So many resamples make an interval, unless somebody says otherwise."""
MOST_RESAMPLES = 100_000
SEED = 12345
"""Of all random numbers, unless somebody says otherwise."""
BLOCK = 1 << 24  # weights in memory at a time: 128 MB
STRETCH = 1 << 13  # counts made at a time: they stay in the processor's cache
PIECE = 1 << 14  # rows scored at a time
STEP = 1 << 22  # numbers of a product of whole numbers at a time: 16 MB
WHOLE = 1 << 24  # below it, single precision has every whole number
COLUMNS = 16  # of a product at a time, in the libraries that multiply


def check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise PlainlyError(f"the confidence must lie between 0 and 1, for example 0.95, not {confidence}")


def check_at_least(name: str, value: int, least: int, most: int = MOST_RESAMPLES) -> None:
    """More than `most` would change no digit that anybody reads, but take gigabytes."""
    if value < least:
        raise PlainlyError(f"{name} must be at least {least}, not {value}")
    if value > most:
        raise PlainlyError(f"{name} must be at most {most:,}, not {value:,}")


@dataclass(frozen=True)
class Resampling:
    """How intervals are made. `unit` names what is drawn; without resamples there are no intervals."""

    resamples: int = RESAMPLES
    seed: int = SEED
    confidence: float = CONFIDENCE
    method: str = "percentile"
    unit: str = "segment"

    def __post_init__(self) -> None:
        check_at_least("resamples", self.resamples, 0)
        check_confidence(self.confidence)
        if self.method not in METHODS:
            raise UnknownName("interval method", self.method, METHODS)

    @property
    def leaves_out(self) -> bool:
        """Whether the method needs the scores with each unit left out."""
        return self.method in LEFT_OUT

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


USUAL = Resampling()
NO_RESAMPLING = Resampling(resamples=0)


@dataclass(frozen=True)
class Resampled:
    """A score: of the data as they are, of each resample, and with each unit left out once (if asked for)."""

    observed: float
    values: Array
    left_out: Array | None = None
    components: Mapping[str, Resampled] = field(default_factory=dict)
    units: int | None = None
    """What was drawn and counts: a unit without a score does not. None where nobody counted."""


def resample(
    statistics: Statistics,
    metrics: Mapping[str, Metric],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
    trials: int | None = None,
    components: bool = False,
    totals: Statistics | None = None,
) -> dict[str, dict[str, Resampled]]:
    """The score of every system by every metric, on the same bootstrap resamples (Efron 1979).

    A test may need more draws than intervals: with `trials`, these follow the resamples. `components` asks for the
    parts of the scores too. `totals` are the exact sums, where the rows are sums that were rounded.
    """
    segments = check_statistics(statistics, metrics)
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    tables = {
        (system, label): (metrics[label], by_label[label], None if totals is None else totals[system][label])
        for system, by_label in statistics.items()
        for label in metrics
    }
    found = resample_tables(tables, numbers, resampling, trials, components)
    return {system: {label: found[system, label] for label in metrics} for system in statistics}


def resample_tables(
    tables: Mapping[Key, Rows],
    numbers: NDArray[np.int64] | None,
    resampling: Resampling = USUAL,
    trials: int | None = None,
    components: bool = False,
) -> dict[Key, Resampled]:
    """The score of every table of rows, on the same resamples: the weights are drawn once and serve all.

    A segment that does not count in a table has a row of zeros there: whatever weight it draws, it weighs nothing.
    `numbers` are those of the segments' clusters.
    """
    check_at_least("resamples", resampling.resamples, 1)
    rows = [pooled(table, numbers) for _, table, _ in tables.values()]
    more = max(0, (trials or 0) - resampling.resamples)
    weights = bootstrap_weights(len(rows[0]), resampling.resamples, resampling.seed, more=more)
    drawn: list[list[Score]] = [[] for _ in rows]
    metrics = [metric for metric, _, _ in tables.values()]
    for place, totals in _products(weights, rows):  # scored as they come: all totals would take gigabytes
        drawn[place].append(scores(metrics[place], totals, components))
    return {
        key: _scored(
            metric,
            total(table) if whole is None else whole,
            _joined(pieces),
            units,
            resampling.leaves_out,
            components,
        )
        for (key, (metric, table, whole)), units, pieces in zip(tables.items(), rows, drawn, strict=True)
    }


def interval(resampled: Resampled, resampling: Resampling = USUAL) -> Estimate:
    """A score that was resampled already, with its interval: from the first `resamples` draws.

    One unit says nothing about others, so it has no interval.
    """
    drawn = resampled.values[: resampling.resamples]
    dropped = int((~np.isfinite(drawn)).sum())
    if resampled.units is not None and resampled.units < 2:
        return Estimate(resampled.observed, confidence=resampling.confidence, dropped=dropped)
    low, high = bounds(resampled.observed, drawn, resampled.left_out, resampling.method, resampling.confidence)
    return Estimate(resampled.observed, low, high, resampling.confidence, dropped=dropped)


def confidence_interval(
    metric: Metric, rows: Array, *, clusters: Clusters | None = None, resampling: Resampling = USUAL
) -> Estimate:
    """The score of one system with its interval. `rows` is what `metric.measure` gave."""
    return confidence_intervals({"": {"": rows}}, {"": metric}, clusters=clusters, resampling=resampling)[""][""]


def confidence_intervals(
    statistics: Statistics,
    metrics: Mapping[str, Metric],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> dict[str, dict[str, Estimate]]:
    """The score of every system by every metric with its interval, from the same resamples."""
    resampled = resample(statistics, metrics, clusters=clusters, resampling=resampling)
    return {
        system: {label: interval(scores, resampling) for label, scores in by_label.items()}
        for system, by_label in resampled.items()
    }


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """Random numbers of their own for what has these names: what else is drawn, and in which order, moves none."""
    digest = blake2b("\0".join(map(str, names)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return np.random.Generator(np.random.PCG64([seed, int.from_bytes(digest, "big")]))


def bootstrap_weights(units: int, resamples: int, seed: int, block: int = BLOCK, more: int = 0) -> Iterator[Array]:
    """How often each unit is drawn, when as many are drawn as there are: (some resamples, units) at a time.

    These are exact multinomial counts. They are drawn one resample after the other, so that the size of the blocks
    changes the memory and nothing else. `more` resamples follow in blocks of their own: they move no bit of a
    product with those before them.
    """
    draw = np.random.Generator(np.random.PCG64(seed))
    fill = _draw_rows if units <= STRETCH else _draw_stretches
    for size in (*_block_sizes(units, resamples, block), *_block_sizes(units, more, block)):
        weights = np.empty((size, units))
        fill(draw, weights)
        yield weights


def swaps(units: int, trials: int, seed: int, block: int = BLOCK) -> Iterator[Array]:
    """A fair coin for each unit, 0 or 1: (some trials, units) at a time. Not the stream that the bootstrap draws."""
    draw = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,))))
    for size in _block_sizes(units, trials, block):
        coins = np.empty((size, units))
        for row in coins:
            row[:] = draw.integers(2, size=units, dtype=np.int8)
        yield coins


def row_block(units: int, rows: int, block: int = BLOCK) -> int:
    """A smaller block for units of several rows: where each row takes its unit's weight, these are in memory too."""
    return block * units // max(units, rows)


def row_weights(
    units: int, numbers: NDArray[np.int64], resamples: int, seed: int, block: int = BLOCK
) -> Iterator[Array]:
    """Blocks of bootstrap weights for rows: each row takes that of the unit whose number it has."""
    for weights in bootstrap_weights(units, resamples, seed, row_block(units, len(numbers), block)):
        yield weights[:, numbers]


def weighted_totals(blocks: Iterable[Array], tables: Sequence[Array], block: int = BLOCK) -> list[Array]:
    """Every block of weights times every table of rows: for each table (resamples, columns).

    Weights count how often a unit is drawn, in all at most as often as there are units. What else is in the product
    moves no bit of a table.
    """
    parts = [[np.empty((0, table.shape[1]))] for table in tables]  # without a block there are no totals
    for place, totals in _products(blocks, tables, block):
        parts[place].append(totals)
    return [np.concatenate(part) for part in parts]


def cluster_numbers(clusters: Clusters, segments: int) -> NDArray[np.int64]:
    """Clusters numbered in the order in which they appear; a segment without one is a cluster of its own."""
    if len(clusters) != segments:
        raise PlainlyError(f"there are {segments} segments, but the clusters have {len(clusters)} entries")
    seen: dict[Hashable, int] = {}
    keys = ((None, i) if cluster is None else (cluster,) for i, cluster in enumerate(clusters))
    return np.fromiter((seen.setdefault(key, len(seen)) for key in keys), dtype=np.int64, count=segments)


def pooled(rows: Array, numbers: NDArray[np.int64] | None) -> Array:
    """The added-up rows of each cluster; without clusters, the rows themselves."""
    if numbers is None:
        return rows
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(numbers.max() + 1))
    added: Array = np.add.reduceat(rows[order], starts, axis=0)
    return added


def total(rows: Array) -> Array:
    """The sum of all rows: to the last bit what an evaluation has."""
    return exact_sum(rows)


def scores(metric: Metric, totals: Array, components: bool = False) -> Score:
    """The score of each of many totals, piece by piece: metrics need several times the memory of their input."""
    pieces = []
    for start in range(0, len(totals), PIECE):
        score = metric.score(totals[start : start + PIECE])
        pieces.append(score if components else Score(score.value))
    return _joined(pieces)


def _joined(pieces: Sequence[Score]) -> Score:
    names = pieces[0].components
    return Score(
        np.concatenate([piece.value for piece in pieces]),
        {name: np.concatenate([piece.components[name] for piece in pieces]) for name in names},
    )


def check_statistics(statistics: Statistics, metrics: Mapping[str, Metric]) -> int:
    """The number of segments, which must be the same everywhere."""
    if not statistics or not metrics:
        raise PlainlyError("there is nothing to resample: no system or no metric")
    segments = None
    for system, by_label in statistics.items():
        for label in metrics:
            if label not in by_label:
                raise PlainlyError(f"system {system!r} has no statistics of {label!r}")
            n = len(by_label[label])
            segments = n if segments is None else segments
            if n != segments:
                raise PlainlyError(f"{label} of {system!r} has {n} segments, but others have {segments}")
    if not segments:
        raise PlainlyError("there is nothing to resample: no segments")
    return segments


def _draw_rows(draw: np.random.Generator, weights: Array) -> None:
    """Few units: several resamples at a time."""
    units = weights.shape[1]
    step = max(1, STRETCH // units)
    for start in range(0, len(weights), step):
        part = weights[start : start + step]
        drawn = draw.integers(units, size=part.shape)
        drawn += units * np.arange(len(part))[:, None]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)


def _draw_stretches(draw: np.random.Generator, weights: Array) -> None:
    """Many units: first how many draws fall into each stretch of units, then where in it."""
    units = weights.shape[1]
    starts = np.arange(0, units, STRETCH)
    lengths = np.minimum(units - starts, STRETCH)
    for row in weights:
        shares = draw.multinomial(units, lengths / units)
        for start, length, times in zip(starts.tolist(), lengths.tolist(), shares.tolist(), strict=True):
            row[start : start + length] = np.bincount(draw.integers(length, size=times), minlength=length)


def _scored(
    metric: Metric, whole: Array, resampled: Score, rows: Array, leaves_out: bool, components: bool
) -> Resampled:
    observed = metric.score(whole)
    left_out = scores(metric, whole - rows, components) if leaves_out else None
    units = int((rows[:, 0] > 0).sum())
    parts = {
        name: Resampled(
            float(observed.components[name]),
            values,
            None if left_out is None else left_out.components[name],
            units=units,
        )
        for name, values in resampled.components.items()
    }
    value = float(observed.value)
    return Resampled(value, resampled.value, None if left_out is None else left_out.value, parts, units)


def _products(blocks: Iterable[Array], tables: Sequence[Array], block: int = BLOCK) -> Iterator[tuple[int, Array]]:
    """Weights times tables, piece by piece: the place of a table, and its totals on the next resamples.

    Rows of zeros are left out where they are most of a table, as in that of a slice. Whole numbers are multiplied in
    single precision where no sum can leave what it has exactly: the same bits in half the time.
    """
    counted = [_counting(table) for table in tables]
    factors = [_factors(table) for table in tables]
    alike = grouped(range(len(tables)), lambda place: (factors[place] is None, counted[place].tobytes())).values()
    groups = []
    for places in alike:
        counting = counted[places[0]]
        own = [tables[place] if counting.all() else tables[place][counting] for place in places]
        own = [_divided(table, factors[place]) for table, place in zip(own, places, strict=True)]
        groups.append((counting, places, list(_stacked(own, block))))
    for weights in blocks:
        for counting, places, stacks in groups:
            drawn = weights if counting.all() else weights[:, counting]
            waiting = iter(places)
            for rows, width in stacks:
                held, at = [], 0
                while at < width:
                    held.append((place := next(waiting), slice(at, at + tables[place].shape[1])))
                    at = held[-1][1].stop
                if rows.dtype == np.float64:
                    product = drawn @ rows
                    yield from ((place, product[:, columns]) for place, columns in held)
                    continue
                drawn = drawn.astype(rows.dtype, copy=False)
                step = max(1, STEP // rows.shape[1])
                for start in range(0, len(drawn), step):
                    columnwise = rows.T @ drawn[start : start + step].T  # as metrics read totals: column by column
                    for place, columns in held:
                        yield place, _multiplied(columnwise[columns].T, factors[place])


def _factors(table: Array) -> Array | None:
    """What divides the whole numbers of each column, where sums of the quotients are exact in single precision."""
    if not len(table) or (np.abs(table) >= 2.0**53).any() or (table != np.floor(table)).any():
        return None  # also where one is no number
    common = np.gcd.reduce(table.astype(np.int64), axis=0)
    factors: Array = np.where(common == 0, 1, common).astype(np.float64)
    return factors if (np.abs(table) / factors).max(initial=0) * len(table) < WHOLE else None


def _divided(table: Array, factors: Array | None) -> NDArray[Any]:
    return table if factors is None else (table / factors).astype(np.float32)


def _multiplied(totals: NDArray[np.float32], factors: Array | None) -> Array:
    return totals.astype(np.float64) if factors is None else totals * factors


def _counting(table: Array) -> NDArray[np.bool_]:
    """The rows that take part: those that are not all zeros, where they are few; else all."""
    found: NDArray[np.bool_] = np.any(table != 0, axis=1)
    return found if 2 * found.sum() < len(found) else np.ones_like(found)


def _stacked(tables: Sequence[NDArray[Any]], block: int) -> Iterator[tuple[NDArray[Any], int]]:
    """Small tables side by side, and their width: one large product is many times faster than many small ones.

    The last columns of a product are computed in another order where their number is odd; empty columns fill it up.
    """
    waiting: list[Array] = []
    for table in (*tables, None):
        if waiting and (table is None or sum(held.size for held in waiting) + table.size > block):
            width = sum(held.shape[1] for held in waiting)
            empty = np.zeros((len(waiting[0]), -width % COLUMNS), waiting[0].dtype)
            yield np.hstack([*waiting, empty]), width
            waiting = []
        if table is not None:
            waiting.append(table)


def _block_sizes(units: int, resamples: int, block: int) -> Iterator[int]:
    size = max(1, block // units)
    for start in range(0, resamples, size):
        yield min(size, resamples - start)
