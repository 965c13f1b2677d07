"""What asking costs: an estimate before the start, a count while it runs, and where it has to stop."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plainly.base.errors import PlainlyError

BYTES_A_TOKEN = 3  # a little high for English (about 4), about right for most other scripts
FRAME = 8  # tokens that a server adds to a message
UNLIMITED = 1000  # tokens of a reply whose length is not limited: a guess


def tokens(text: str) -> int:
    """About how many tokens a text has; rather too many than too few."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_A_TOKEN)


@dataclass(frozen=True)
class Prices:
    """Of a million tokens, in any currency."""

    read: float = 0.0
    written: float = 0.0

    def __post_init__(self) -> None:
        for price in (self.read, self.written):
            if not 0 <= price < math.inf:
                raise PlainlyError(f"a price is a number from 0 on, not {price}")

    def cost(self, read: int, written: int) -> float:
        return (read * self.read + written * self.written) / 1e6

    def __bool__(self) -> bool:
        return bool(self.read or self.written)


@dataclass(frozen=True)
class Forecast:
    """What a run will take if every question is answered at once: the replies as long as they may be."""

    questions: int
    kept: int
    """Questions that have a reply already."""
    calls: int
    read: int
    written: int
    cost: float | None
    """None where no prices are known."""


@dataclass
class Spending:
    """What a run has taken so far. A call counts when it is sent; tokens when the reply is there."""

    calls: int = 0
    read: int = 0
    written: int = 0
    cost: float = 0.0


class Budget:
    """Lets a call through while the budget lasts, counting calls under way at the most they can cost."""

    def __init__(self, prices: Prices, most_calls: int | None = None, most_cost: float | None = None) -> None:
        if most_calls is not None and most_calls < 0:
            raise PlainlyError(f"the most calls must be a number from 0 on, not {most_calls}")
        if most_cost is not None and not 0 <= most_cost < math.inf:
            raise PlainlyError(f"the most money must be a number from 0 on, not {most_cost}")
        if most_cost is not None and not prices:
            raise PlainlyError("a budget in money needs the prices of a million tokens, read and written")
        self.prices = prices
        self.spent = Spending()
        self.exhausted: str | None = None
        """Why no more calls are let through."""
        self._calls, self._cost = most_calls, most_cost
        self._under_way = 0.0

    def take(self, read: int, written: int) -> bool:
        """Whether a call that may take so many tokens is let through."""
        most = self.prices.cost(read, written)
        if self._calls is not None and self.spent.calls >= self._calls:
            calls = "1 call" if self._calls == 1 else f"{self._calls:,} calls"
            self.exhausted = self.exhausted or f"the budget of {calls} is used up"
        elif self._cost is not None and self.spent.cost + self._under_way + most > self._cost:
            self.exhausted = self.exhausted or (
                f"the budget of {self._cost:g} is used up: {self.spent.cost:.4f} spent, and the next call may cost "
                f"{most:.4f}"
            )
        if self.exhausted:
            return False
        self.spent.calls += 1
        self._under_way += most
        return True

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """A call that was let through is over; `used` is (0, 0) where it gave no reply."""
        self._under_way -= self.prices.cost(*reserved)
        self.spent.read += used[0]
        self.spent.written += used[1]
        self.spent.cost += self.prices.cost(*used)
