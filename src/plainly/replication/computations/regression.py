"""Learners that foresee a ranking of texts.

A cell has a learner and a figure. What is learned from are a model's judgements of texts; what is foreseen are
published scores, of which a high one means a hard text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from plainly.base.errors import MissingResource
from plainly.ranking.formats import read_scores
from plainly.replication.computations.cells import asked, chosen, places
from plainly.replication.computations.judgements import files_of, judgements_of, wordings
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Table
from plainly.replication.work import Work
from plainly.simplicity import Examples, Learned, compare_learners, targets

ERRORS = 4  # so many standard deviations are left to chance


@dataclass(frozen=True)
class Asked:
    """Which number a cell holds."""

    of: str
    """A name in `FIGURES`."""
    learner: str
    test_set: str
    """What is learned from."""
    judges: tuple[str, ...]
    than: str
    """What is foreseen, and its scores."""
    gold: str
    elsewhere: str = ""
    """Why it cannot be had."""


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    return {(row.key, title): _found(asked(Asked, table, row, title), work) for row, title in places(table)}


def _found(cell: Asked, work: Work) -> Found:
    name = chosen(FIGURES, cell.of, "figure")
    if cell.elsewhere:
        return Found(why=cell.elsewhere)
    try:
        learned = work.once(replace(cell, of="learned"), lambda: _learned(cell, work))
    except MissingResource as error:
        return Found(why=str(error))
    spread = dict(zip(FIGURES.values(), learned.spread, strict=False)).get(name, 0.0)
    return Found(getattr(learned, name), margin=ERRORS * spread)


def _learned(cell: Asked, work: Work) -> Learned:
    work.tell(cell.learner)
    seen, unseen = wordings(cell.test_set, work), wordings(cell.than, work)
    (path,) = files_of(cell.than, cell.gold, work)
    hard = read_scores(path, unseen)
    goal = targets(judgements_of(cell.test_set, cell.judges, work))
    parts = (
        Examples(list(seen.values()), np.array([goal[text] for text in seen])),
        Examples(list(unseen.values()), np.array([1 - hard[text] for text in unseen])),
    )
    return compare_learners(*parts, [cell.learner], resampling=work.resampling).rows[0]


FIGURES: Mapping[str, str] = {"MSE": "mse", "R2": "r2", "rho": "spearman"}
"""The figures by name, and where they stand."""
