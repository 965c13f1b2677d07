"""Partitions in the order of the input, however long each of them takes."""

from __future__ import annotations

from collections.abc import Iterator

from plainly.filtering.measuring import Scored, Work
from plainly.filtering.planning import Item, Planned
from plainly.scoring.engines import Engine
from plainly.scoring.partitions import Partition

AHEAD = 64
AHEAD_PER_WORKER = 8
"""Partitions, at least and by worker, that may be begun while the first of them is not done: their results wait."""


def in_order(engine: Engine, work: Work, plan: Planned) -> Iterator[tuple[Partition, Scored]]:
    """The partitions in the order of the input, whatever order they are done in.

    Results wait for those before them. While one takes much longer than others, no more than `AHEAD` are begun; then
    the engine runs dry, and is given the rest.
    """
    source = plan.items()
    given: dict[int, Partition] = {}
    waiting: dict[int, Scored] = {}
    following = 0
    more = True

    def items(most: int) -> Iterator[Item]:
        nonlocal more
        while len(given) < most:
            item = next(source, None)
            if item is None:
                more = False
                return
            given[item[0].number] = item[0]
            yield item

    while more:
        for scored in engine.run(work, items(max(AHEAD, AHEAD_PER_WORKER * engine.workers))):
            waiting[scored.number] = scored
            while following in waiting:
                yield given.pop(following), waiting.pop(following)
                following += 1
