"""What recipes call to compute a table: each calls studies, and has no formula of its own.

A computation is a function of a `Table` and a `Work` that gives `Values`. Another package registers its own by an
entry point of the group `plainly.computations`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from plainly.base.registry import Registry
from plainly.replication.found import Values
from plainly.replication.recipe import Table
from plainly.replication.work import Work

Computation: TypeAlias = Callable[[Table, Work], Values]

COMPUTATIONS: Registry[Computation] = Registry(
    "computation",
    {
        "comprehension": "plainly.replication.computations.comprehension:compute",
        "gaming": "plainly.replication.computations.gaming:compute",
        "judgements": "plainly.replication.computations.judgements:compute",
        "operations": "plainly.replication.computations.operations:compute",
        "printed": "plainly.replication.computations.printed:compute",
        "printed-c-scores": "plainly.replication.computations.printed_c_scores:compute",
        "ranked-texts": "plainly.replication.computations.ranked_texts:compute",
        "regression": "plainly.replication.computations.regression:compute",
        "scores": "plainly.replication.computations.scores:compute",
        "simulation": "plainly.replication.computations.simulation:compute",
        "subsets": "plainly.replication.computations.subsets:compute",
    },
    "plainly.computations",
    "a function of a table and its work",
    callable,
)
"""All computations by name."""
