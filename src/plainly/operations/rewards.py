"""Which operations does a metric reward, and how much of it do they explain? The whole study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plainly.base.arguments import checks_arguments
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data
from plainly.findings.result import StudyResult
from plainly.inference.correlation import Coefficient
from plainly.inference.resampling import USUAL, Resampling
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet, annotated_set
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.correlation import Columns, Counting, Finding, Observations, findings, observe
from plainly.operations.regression import FOLDS, Folding, Model, Regression, regress
from plainly.operations.resampling_note import drawn
from plainly.operations.typology import Typology
from plainly.scoring.evaluator import prepare

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Regressing:
    """Which regressions are made, and how."""

    models: tuple[Model, ...] = ()
    foldings: tuple[Folding, ...] = ("source",)
    folds: int = FOLDS
    alpha: float | None = None
    """Of the lasso; None: the best."""
    without_faulty_sources: bool = False


NO_REGRESSIONS = Regressing()


@dataclass(frozen=True, repr=False)
class Rewards(StudyResult, findings="plainly.operations.findings:reward_findings"):
    """How scores go with operations."""

    observations: Observations
    correlations: tuple[Finding, ...]
    regressions: tuple[Regression, ...]
    coefficient: Coefficient
    resampling: Resampling

    @property
    def notes(self) -> list[Message]:
        """What a reader of the numbers should know."""
        return list(self._notes())

    def _notes(self) -> Iterator[Message]:
        counts = {"pairs": len(self.observations), "sources": len(set(self.observations.ids))}
        if self.observations.references_given:
            english = "{pairs} pairs of {sources} sources, each judged by the references given"
            yield message("operations.judged.given", english, **counts)
        else:
            english = "{pairs} pairs of {sources} sources, each judged by the other targets of its source"
            yield message("operations.judged.others", english, **counts)
        yield from drawn(self.resampling)
        which = "the larger p, Holm" if self.resampling.resamples else "Holm"
        yield message(
            f"operations.corrected.{'larger' if self.resampling.resamples else 'holm'}",
            f"{{coefficient}} of {{counting}}; p takes pairs as independent; p corrected: {which}, {{tests}} tests",
            coefficient=self.coefficient,
            counting=self.observations.counting,
            tests=sum(found.p_corrected == found.p_corrected for found in self.correlations),
        )
        if self.regressions:
            first = self.regressions[0]
            yield message(
                "operations.regressed",
                "regressions: {pairs} pairs of {sources} sources, {folds} folds",
                pairs=first.n,
                sources=first.sources,
                folds=first.folds,
            )

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "pairs": len(self.observations),
            "sources": len(set(self.observations.ids)),
            "coefficient": self.coefficient,
            "counted": self.observations.counting,
            "resampling": self.resampling.to_dict(),
            "correlations": plain_data(self.correlations),
            "regressions": plain_data(self.regressions),
            "notes": plain_data([*self.notes, *self.observations.signatures]),
        }


@checks_arguments
def correlate(
    data: AnnotatedSet | Sequence[AnnotatedPair],
    metrics: str | Sequence[str | Metric] = "sari",
    *,
    references: Sequence[Sequence[str]] | None = None,
    typology: Typology | None = None,
    counting: Counting = "groups",
    columns: Columns = "labels",
    components: Sequence[str] | None = None,
    threads: int | None = None,
    coefficient: Coefficient = "spearman",
    regressing: Regressing = NO_REGRESSIONS,
    resampling: Resampling = USUAL,
    progress: Progress | None = None,
) -> Rewards:
    """Which operations do metrics reward? Every annotated pair is scored as an output, beside its operations.

    Without `references` the other targets of the same source are the references. `counting` and `columns` say what
    of the operations is counted, `components` which parts of scores there are, as in `observe`.
    """
    texts = data if isinstance(data, AnnotatedSet) else annotated_set(data)
    observations = observe(
        texts,
        prepare(metrics, texts.lang, {}),
        references=references,
        typology=typology,
        counting=counting,
        columns=columns,
        components=components,
        threads=threads,
    )
    return rewards(
        observations, coefficient=coefficient, regressing=regressing, resampling=resampling, progress=progress
    )


def rewards(
    observations: Observations,
    *,
    coefficient: Coefficient = "spearman",
    regressing: Regressing = NO_REGRESSIONS,
    resampling: Resampling = USUAL,
    progress: Progress | None = None,
) -> Rewards:
    """Every score with every operation, and regressions of scores on operations."""
    resampling = replace(resampling, unit="source")
    found = findings(observations, coefficient=coefficient, resampling=resampling)
    fitted = _regressions(observations, regressing, resampling, progress)
    return Rewards(observations, tuple(found), tuple(fitted), coefficient, resampling)


def _regressions(
    observations: Observations, asked: Regressing, resampling: Resampling, progress: Progress | None
) -> Iterator[Regression]:
    if asked.without_faulty_sources:
        observations = observations.without_faulty_sources()
    steps = [
        (model, folding, score)
        for model in asked.models
        for score in observations.scores
        for folding in asked.foldings
    ]
    for number, (model, folding, score) in enumerate(steps, 1):
        if progress:
            progress(number, len(steps))
        yield regress(
            observations,
            score,
            model,
            folding=folding,
            folds=asked.folds,
            alpha=asked.alpha,
            resampling=resampling,
        )
