"""What a run adds up: here chunk by chunk, or where partitions are measured; then the evaluation that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals, add_rows
from plainly.metrics import Array, Metric
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.results import reference_range, results_of


@dataclass
class RunTotals:
    """The sums of a run. They are exact, so cuts and order move no bit. The lists have one entry a metric."""

    segments: int = 0
    totals: dict[str, list[Totals]] = field(default_factory=dict)
    references: dict[str, set[int]] = field(default_factory=dict)
    """The numbers of references that segments were scored against, by system."""

    def add(self, segments: int, statistics: Mapping[str, list[Array]], references: Mapping[str, set[int]]) -> None:
        """The rows of so many segments more."""
        self.segments += segments
        for system, rows in statistics.items():
            self.totals[system] = add_rows(self.totals.get(system), rows)
            self.references.setdefault(system, set()).update(references[system])

    def merge(self, other: RunTotals) -> None:
        """The sums of further segments."""
        self.segments += other.segments
        for system, totals in other.totals.items():
            sums = self.totals.setdefault(system, [Totals(len(total.values())) for total in totals])
            for total, more in zip(sums, totals, strict=True):
                total.merge(more)
            self.references.setdefault(system, set()).update(other.references[system])

    def forget(self, position: int, columns: int) -> None:
        """Leave the sums of a metric out: nothing that it measured counts."""
        for sums in self.totals.values():
            sums[position] = Totals(columns)

    def evaluation(self, metrics: Mapping[str, Metric]) -> Evaluation:
        """The scores of all systems."""
        if not self.segments:
            raise PlainlyError("there is nothing to score: no segments")
        if not self.totals:
            raise PlainlyError("there is nothing to score: no system output and no baseline")
        references = {system: reference_range(counts) for system, counts in self.references.items()}
        totals = {system: dict(zip(metrics, sums, strict=True)) for system, sums in self.totals.items()}
        return Evaluation(
            size=self.segments,
            references=references,
            metrics=metrics,
            systems=results_of(metrics, totals, self.segments, references),
        )
