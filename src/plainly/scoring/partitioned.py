"""An evaluation from a run in parts: scores from exact totals, intervals from blocks of segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.base.messages import Note, plain
from plainly.inference import Resampling
from plainly.metrics import Metric
from plainly.scoring.blocks import block_size
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.jobs import Job, spec
from plainly.scoring.partitions import Plan
from plainly.scoring.runs import Summary


def job_for(plan: Plan, metrics: Sequence[Metric], baselines: Sequence[str] = (), on_error: str = "stop") -> Job:
    """What every worker must know. Metrics that need the whole corpus in one place are refused."""
    for metric in metrics:
        if metric.reads_all_outputs_as_one:
            raise PlainlyError(f"{metric.label} depends on the order of all segments; score it without parts")
        if metric.unit != "segment":
            raise PlainlyError("documents cannot be joined in a run in parts; score segments")
        if metric.counts_calls:
            raise PlainlyError(f"{metric.label} counts its calls in one process; score it without parts")
    if not plan.systems and not baselines:
        raise PlainlyError("there is nothing to score: no system output and no baseline")
    return Job(
        metrics=tuple(spec(metric) for metric in metrics),
        rules=plan.rules,
        systems=plan.systems,
        baselines=tuple(baselines),
        has_ids=plan.has_ids,
        has_documents=plan.has_documents,
        metadata=plan.metadata,
        on_error=on_error,
        block=block_size(plan.total),
    )


def _notes(summary: Summary, metrics: Mapping[str, Metric]) -> tuple[Note, ...]:
    """What is to be said of the texts, and of those that could not be scored."""
    notes = summary.checks.notes()
    for label, metric in metrics.items():
        if label in summary.refusals:
            count, first = summary.refusals[label]
            notes.append(Note(plain(metric.remark_on(count, first))))
    return tuple(notes)


def evaluation_of(summary: Summary, metrics: Sequence[Metric], intervals: Resampling | None) -> Evaluation:
    """The scores of all systems, with intervals where there are enough blocks."""
    by_label = {metric.label: metric for metric in metrics}
    evaluation = replace(summary.sums.evaluation(by_label), more_notes=_notes(summary, by_label))
    return evaluation.with_intervals_from(summary.blocks, intervals, summary.documents) if intervals else evaluation
