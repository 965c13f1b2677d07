"""Scores of edited outputs: tables and figures of a study that games metrics.

Table, column and row say together which number a cell holds: the metric, perhaps a component of it, the system, the
edit, and the share of the outputs that are edited. One study of a system gives the cells of all tables of a recipe.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from plainly import gaming
from plainly.base.errors import MissingResource, UnknownName
from plainly.gaming import Study
from plainly.metrics import Metric, get
from plainly.replication.computations.cells import asked
from plainly.replication.computations.scores import texts_of, why_without
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Recipe, Row, Table
from plainly.replication.work import Work

NAME = "gaming"
Together: TypeAlias = tuple[Any, ...]
ERRORS = 4  # so many standard errors are left to chance


@dataclass(frozen=True)
class Edited:
    """Which number it is: that of a metric for the outputs of a system, edited or (without an edit) as they are."""

    metric: str
    system: str
    test_set: str = ""
    component: str = ""
    edit: str = ""
    strength: float = 100.0
    """Per cent of the outputs that are edited."""
    lang: str = "en"
    trials: int = 100
    runs: int = 100
    """The mean of so many was printed."""
    seed: int | None = None
    """Of the trials; without it, that of the resamples."""
    set: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Settings of the metric."""

    @property
    def of(self) -> Together:
        """What one study answers for."""
        return (self.test_set, self.system, self.lang, self.trials, self.seed, tuple(sorted(self.set.items())))

    def scored_by(self) -> Metric:
        return get(self.metric, **self.set)


def edited(table: Table, row: Row, title: str) -> Edited:
    """What the cell of a row and a column holds."""
    cell = asked(Edited, table, row, title)
    return cell if cell.edit and cell.strength else replace(cell, edit="", strength=0.0)


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table: means of trials, and what chance may add to a mean of as many that was printed."""
    cells = dict(_cells(table))
    for cell in cells.values():  # names must be spelt right, whether the texts are here or not
        cell.scored_by()
        if cell.edit:
            gaming.get(cell.edit)
    of_recipe = work.once(NAME, lambda: _grouped(_asked(work.recipe)))
    studies = {
        of: _studied(together | of_recipe.get(of, frozenset()), work)
        for of, together in _grouped(cells.values()).items()
    }
    return {place: _found(cell, studies[cell.of]) for place, cell in cells.items()}


def _cells(table: Table) -> Iterator[tuple[tuple[str, str], Edited]]:
    for row in table.rows:
        for title in table.columns:
            yield (row.key, title), edited(table, row, title)


def _asked(recipe: Recipe) -> Iterator[Edited]:
    """What all tables of a recipe ask for, those with a cause put in among them."""
    for table in recipe.tables:
        if table.compute == NAME:
            yield from (cell for _, cell in _cells(table))
            for cause in table.causes:
                rows = [row for row in table.rows if any(cause.concerns(row, title) for title in table.columns)]
                columns = [title for title in table.columns if any(cause.concerns(row, title) for row in rows)]
                if cause.settings:
                    yield from (cell for _, cell in _cells(table.narrowed(rows, columns, cause.settings)))


def _grouped(cells: Iterable[Edited]) -> dict[Together, frozenset[Edited]]:
    """The cells for which one study answers."""
    found: dict[Together, list[Edited]] = {}
    for cell in cells:
        found.setdefault(cell.of, []).append(cell)
    return {of: frozenset(together) for of, together in found.items()}


def _studied(together: frozenset[Edited], work: Work) -> Study | str:
    """The study that gives these cells, or why there is none."""
    one = next(iter(together))
    try:
        if one.system not in texts_of(one.test_set, work).outputs:
            return why_without(one.system, one.test_set)
        return work.once((NAME, together), lambda: _study(together, work))
    except MissingResource as error:
        return str(error)


def _found(cell: Edited, study: Study | str) -> Found:
    if isinstance(study, str):
        return Found(why=study)
    metric = cell.scored_by()
    signature, decimals = study.signatures[metric.label], metric.facts.decimals
    if not cell.edit:
        score = study.unedited(cell.system, metric.label)
        value = score.components[_component(cell, score.components)] if cell.component else score.value
        return Found(float(value), signature=signature, decimals=decimals)
    curve = study.curves[cell.system][cell.edit][metric.label]
    component = _component(cell, curve.components) if cell.component else None
    spread = curve.spreads(component)[study.strengths.index(cell.strength)]
    error = spread.sd * math.sqrt(1 / cell.trials + 1 / cell.runs) if cell.trials > 1 else 0.0
    return Found(spread.mean, margin=ERRORS * error, signature=signature, decimals=decimals)


def _component(cell: Edited, there: Mapping[str, object]) -> str:
    if cell.component not in there:
        raise UnknownName(f"component of {cell.metric}", cell.component, there)
    return cell.component


def _study(cells: frozenset[Edited], work: Work) -> Study:
    """One study of a system, by all metrics, edits and strengths that are asked for."""
    one = next(iter(cells))
    work.tell(f"{one.test_set}, {one.system}")
    return gaming.study(
        replace(texts_of(one.test_set, work), lang=one.lang),
        systems=[one.system],
        metrics=list({cell.metric: cell.scored_by() for cell in sorted(cells, key=lambda c: c.metric)}.values()),
        edits=sorted({cell.edit for cell in cells if cell.edit}),
        strengths=sorted({cell.strength for cell in cells}),
        trials=one.trials,
        seed=work.resampling.seed if one.seed is None else one.seed,
    )
