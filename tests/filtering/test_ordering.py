"""The order of partitions: kept, whatever order they are done in, without letting many results wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from plainly.filtering.ordering import AHEAD, AHEAD_PER_WORKER, in_order
from plainly.scoring.partitions import Partition


class SlowFirst:
    """An engine that takes all it is given before the first of it is done."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.most = 0

    def run(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        taken = list(items)
        self.most = max(self.most, len(taken))
        yield from map(work, reversed(taken))


@pytest.mark.parametrize("workers", [1, 20])
@pytest.mark.parametrize("count", [0, 1, AHEAD, 1000])
def test_few_results_wait_for_a_slow_one(workers: int, count: int) -> None:
    partitions = [Partition(number, 10 * number, "f", 10 * number, 10 * number + 10) for number in range(count)]
    plan: Any = SimpleNamespace(items=lambda: ((partition, None) for partition in partitions))
    work: Any = lambda item: SimpleNamespace(number=item[0].number)  # noqa: E731
    engine: Any = SlowFirst(workers)
    found = list(in_order(engine, work, plan))
    assert [partition for partition, _ in found] == partitions
    assert [scored.number for _, scored in found] == list(range(count))
    assert engine.most == min(count, max(AHEAD, AHEAD_PER_WORKER * workers))
