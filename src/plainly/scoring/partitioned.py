"""An evaluation from a run in parts: scores from exact totals, intervals from blocks of segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling, confidence_intervals
from plainly.metrics import Metric
from plainly.scoring.blocks import block_size
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.jobs import Job, order_matters, spec
from plainly.scoring.partitions import Plan
from plainly.scoring.results import reference_range, result, with_estimates
from plainly.scoring.runs import Summary


def job_for(plan: Plan, metrics: Sequence[Metric], baselines: Sequence[str] = (), on_error: str = "stop") -> Job:
    """What every worker must know. Metrics that need the whole corpus in one place are refused."""
    for metric in metrics:
        if order_matters(metric):
            raise PlainlyError(f"{metric.label} depends on the order of all segments; score it without parts")
        if metric.unit != "segment":
            raise PlainlyError("documents cannot be joined in a run in parts; leave --unit document out")
        if hasattr(metric, "judge_calls"):
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


def evaluation_of(summary: Summary, metrics: Sequence[Metric], intervals: Resampling | None) -> Evaluation:
    """The scores of all systems, with intervals where there are enough blocks."""
    by_label = {metric.label: metric for metric in metrics}
    references = {system: reference_range(counts) for system, counts in summary.references.items()}
    evaluation = Evaluation(
        size=summary.segments,
        references=references,
        metrics=by_label,
        systems={
            system: {
                label: result(metric, total.values(), summary.segments, references[system])
                for (label, metric), total in zip(by_label.items(), totals, strict=True)
            }
            for system, totals in summary.totals.items()
        },
    )
    if intervals is None or not summary.blocks.enough():
        return evaluation
    statistics = {system: dict(zip(by_label, rows, strict=True)) for system, rows in summary.blocks.rows().items()}
    documents = summary.documents if None not in summary.documents else []
    intervals = replace(intervals, unit="document" if documents else "segment")
    found = confidence_intervals(statistics, by_label, clusters=documents or None, resampling=intervals)
    return replace(evaluation, systems=with_estimates(evaluation.systems, found), intervals=intervals)
