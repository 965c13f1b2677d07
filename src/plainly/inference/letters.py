"""Groups of systems that cannot be told apart, as letters beside their scores."""

from __future__ import annotations

import re
from itertools import groupby
from string import ascii_lowercase

from plainly.inference.comparison import Comparison


def group_letters(comparison: Comparison, metric: str) -> dict[str, str]:
    """Letters such that two systems share one exactly if they cannot be told apart (Piepho 2004).

    The best system has an a. Without tests of all pairs there are no letters.
    """
    order = comparison.order(metric)
    pairs = [pair for pair in comparison.pairs if pair.metric == metric and {pair.first, pair.second} <= set(order)]
    if len(order) < 2 or len(pairs) < len(order) * (len(order) - 1) // 2:
        return {}
    groups = [frozenset(order)]
    for pair in pairs:
        if not pair.significant:
            continue
        apart = {pair.first, pair.second}
        cut = [group for group in groups if apart <= group]
        groups = [group for group in groups if group not in cut]
        for part in (group - {name} for group in cut for name in (pair.first, pair.second)):
            if not any(part <= group for group in groups):
                groups = [group for group in groups if not group < part] + [part]
    place = {system: number for number, system in enumerate(order)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    return {
        system: "".join(_letter(number) for number, group in enumerate(groups) if system in group) for system in order
    }


def letter_ranges(letters: str) -> str:
    """Letters for people: of three or more in a row, the first and the last, as c-h."""
    found = re.findall(r"[a-z]\d*", letters)
    numbers = [ascii_lowercase.index(letter[0]) + len(ascii_lowercase) * int(letter[1:] or 0) for letter in found]
    runs = [list(run) for _, run in groupby(range(len(found)), lambda i: numbers[i] - i)]
    return "".join(
        f"{found[run[0]]}-{found[run[-1]]}" if len(run) > 2 else "".join(found[i] for i in run) for run in runs
    )


def _letter(number: int) -> str:
    """a to z, then a1 to z1, and so on."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
