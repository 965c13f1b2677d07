"""What is odd about participants whatever the kind, and what it means for the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from plainly.studio.kinds.base import Given
from plainly.studio.kinds.dashboards import Say


def with_impossible_times(
    found: Mapping[str, tuple[str, ...]], given: Sequence[Given], say: Say
) -> dict[str, tuple[str, ...]]:
    """By code; those come first who claim more time than has passed."""
    counts = Counter(one.person.code for one in given if one.impossible)
    total = Counter(one.person.code for one in given)
    named = {code: (say("owner.odd.impossible", count=counts[code], total=total[code]),) for code in counts}
    return {**found, **{code: (*odd, *found.get(code, ())) for code, odd in named.items()}}


NAMED = 5


def said_of_failures(failed: Sequence[str], people: int, say: Say) -> tuple[str, ...]:
    """Who failed attention checks, of so many, as a sentence beside the results; nothing where nobody did."""
    if not failed:
        return ()
    if len(failed) == people:
        return (say("gold.message.all_failed" if people > 1 else "gold.message.only_one_failed"),)
    names = ", ".join(failed[:NAMED]) + (" …" if len(failed) > NAMED else "")
    return (say("gold.message.failed", count=len(failed), people=people, names=names),)
