"""What a report is about: an evaluation with its texts, its systems compared, and which metrics decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from plainly.corpus import Corpus
from plainly.inference.verdict import Verdict
from plainly.metrics import Metric
from plainly.report.words import in_sentence, joined, number_for
from plainly.scoring import Evaluation
from plainly.scoring.comparison import Comparison


@dataclass(frozen=True)
class Compared:
    """`comparison` tests all pairs by the `headline` metrics, the first of which decides.

    `features` tests all systems against the best one by the other metrics.
    """

    evaluation: Evaluation
    corpus: Corpus
    comparison: Comparison
    features: Comparison
    headline: Sequence[str]
    against: Comparison | None = None
    """Where all are to be tested against one system: these tests, by the headline metrics."""

    @property
    def first(self) -> str:
        """The metric that decides."""
        return self.headline[0]

    @property
    def metric(self) -> Metric:
        return self.evaluation.metrics[self.first]

    @property
    def others(self) -> list[str]:
        """The metrics that only describe the outputs."""
        return [label for label in self.evaluation.metrics if label not in self.headline]

    @cached_property
    def verdict(self) -> Verdict:
        return self.comparison.verdict_by(list(self.headline))

    @cached_property
    def answer(self) -> Verdict:
        """The verdict that the page begins with: against one system where that was asked for."""
        return self.verdict if self.against is None else self.against.verdict_by(list(self.headline))

    @cached_property
    def systems(self) -> list[str]:
        """The best first; those without a score last; baselines are not among them."""
        order = self.verdict.order
        return [*order, *(system for system in self.comparison.ranked if system not in order)]

    @property
    def baselines(self) -> tuple[str, ...]:
        return self.comparison.baselines

    @property
    def everyone(self) -> list[str]:
        """All systems, then all baselines."""
        return [*self.systems, *self.baselines]

    def of(self, label: str) -> Comparison:
        """The comparison that knows a metric."""
        return self.comparison if label in self.headline else self.features

    def by(self, labels: Sequence[str]) -> Comparison:
        """The comparison by some metrics alone: all of the headline, or none."""
        whole = self.of(labels[0])
        return replace(
            whole,
            evaluation=self.evaluation.without(set(self.evaluation.metrics) - {*labels}),
            systems={
                system: {label: standings[label] for label in labels} for system, standings in whole.systems.items()
            },
            pairs=tuple(pair for pair in whole.pairs if pair.metric in labels),
        )

    def differs(self, label: str) -> bool:
        """Whether a system is told apart from the best one by this metric; a system alone may be looked at anyway."""
        if len(self.systems) < 2:
            return not self.constant(label)
        best = self.systems[0]
        pairs = (self.of(label).find(best, other, label) for other in self.systems[1:])
        return any(pair is not None and pair.significant for pair in pairs)

    def constant(self, label: str) -> bool:
        """Whether all that have a score have the same one, so that the metric says nothing here."""
        scores = {self.evaluation[system][label].score for system in self.everyone}
        return len(self.everyone) > 1 and len({score for score in scores if score == score}) <= 1

    def said_in_a_line(self, labels: Iterable[str]) -> list[str]:
        """Sentences on metrics that tell nobody apart."""
        same, near = [], []
        for label in labels:
            metric = self.evaluation.metrics[label]
            scores = sorted(
                score for system in self.systems if (score := self.evaluation[system][label].score) == score
            )
            title = in_sentence(metric.title)
            if self.constant(label):
                same.append(f"{title} ({number_for(metric, scores[0])})" if scores else f"{title} (no score)")
            elif scores:
                near.append(f"{title} ({number_for(metric, scores[0])} to {number_for(metric, scores[-1])})")
        sentences = [f"The same for all: {joined(same)}."] if same else []
        if near:
            sentences.append(f"No difference from {self.systems[0]} is shown in {joined(near)}.")
        return sentences
