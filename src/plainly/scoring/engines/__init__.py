"""Where work is done. An engine takes items one by one and does the same work on each, somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


class Engine(Protocol):
    """The one thing that the runner knows of where it runs. Used as a context: leaving it frees what it holds."""

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time, as far as is known."""

    def run(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """What the work makes of each item, in any order.

        Items are taken lazily, a few for each worker. `work`, items and results must be picklable. A PlainlyError
        that the work raises comes out here. Closing the iterator cancels what is left.
        """

    def __enter__(self) -> Engine: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...
