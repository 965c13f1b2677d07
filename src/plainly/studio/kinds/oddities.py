"""What is odd about participants whatever the kind: it is added to what the kind itself finds."""

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
    named = {code: (say("owner.odd.impossible", count=count),) for code, count in counts.items()}
    return {**found, **{code: (*odd, *found.get(code, ())) for code, odd in named.items()}}
