"""What a study takes where nobody says: granularities, controls, and of the metrics those that a data set allows."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.errors import NotComputable, PlainlyError
from plainly.metaeval.judged_set import JudgedSet
from plainly.metaeval.study import Granularity
from plainly.metrics import Metric, metric_class
from plainly.scoring.evaluator import prepare, runnable

LENGTH = ("words", "characters")
"""What is removed unless somebody says otherwise: the first that can be counted."""
MOST_ALIKE = 2
"""So few systems always lie on a line."""


def whole(judged: JudgedSet) -> tuple[Granularity, ...]:
    """What a page shows: outputs, and systems where there are enough."""
    return ("segment", "system") if len(set(judged.systems)) > MOST_ALIKE else ("segment",)


def controls(judged: JudgedSet, names: Sequence[str] | None) -> list[Metric]:
    """What partial correlations remove: these metrics; without names, the length."""
    if names is None:
        names = [next(name for name in LENGTH if metric_class(name).missing(judged.lang) is None)]
    made: list[Metric] = []
    for name in names:
        why = metric_class(name.partition(":")[0]).missing(judged.lang)
        if why is not None:
            raise PlainlyError(f"the control {name} cannot be computed: {why}")
        made += prepare([name], judged.lang, {})
    return made


def available(judged: JudgedSet, sets: Sequence[str] = ()) -> set[str]:
    """What the data can give a metric; `sets` are sets of references that were asked for."""
    given = {
        "source": any(text is not None for text in judged.sources),
        "references": any(judged.references) or bool(sets),
    }
    return {name for name, there in given.items() if there}


def possible(requested: Sequence[str], judged: JudgedSet) -> tuple[list[str], dict[str, str]]:
    """Of several data sets one need not have all that another has: which metrics it can have, and why not others."""
    found, left_out = [], {}
    for name in requested:
        try:
            runnable([name], available(judged), judged.lang)
        except NotComputable as error:
            left_out[name] = error.why
        else:
            found.append(name)
    return found, left_out
