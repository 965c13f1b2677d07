"""An evaluation from a run in parts: scores from exact totals, intervals from blocks of segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.base.messages import Note, message, plain
from plainly.inference import Resampling, confidence_intervals
from plainly.metrics import Metric
from plainly.scoring.blocks import FEWEST, block_size
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.jobs import Job, spec
from plainly.scoring.partitions import Plan
from plainly.scoring.results import with_estimates
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


def _notes(summary: Summary, metrics: Mapping[str, Metric], intervals: bool) -> tuple[Note, ...]:
    """What is to be said of the texts, of those that could not be scored, and of what was drawn for intervals."""
    notes = summary.checks.notes()
    for label, metric in metrics.items():
        if label in summary.refusals:
            count, first = summary.refusals[label]
            notes.append(Note(plain(metric.remark_on(count, first))))
    blocks = summary.blocks
    if intervals and not blocks.enough():
        english = "no intervals: fewer than {blocks} blocks of {segments} segments"
        notes.append(Note(message("scoring.few-blocks", english, blocks=FEWEST, segments=blocks.size)))
    elif intervals and blocks.documents is not None:
        count = len(blocks.documents.keys)
        document = message("scoring.one-document", "document")
        one = document if blocks.documents.bits == 0 else message("scoring.one-group", "group of documents")
        english = "intervals come from resampled documents: {documents:,}, each a {one}"
        notes.append(Note(message("scoring.resampled-documents", english, documents=count, one=one)))
    elif intervals and blocks.size > 1:
        english = "intervals come from resampled blocks of {segments} segments"
        notes.append(Note(message("scoring.resampled-blocks", english, segments=blocks.size)))
    return tuple(notes)


def evaluation_of(summary: Summary, metrics: Sequence[Metric], intervals: Resampling | None) -> Evaluation:
    """The scores of all systems, with intervals where there are enough blocks."""
    by_label = {metric.label: metric for metric in metrics}
    evaluation = replace(
        summary.sums.evaluation(by_label), more_notes=_notes(summary, by_label, intervals is not None)
    )
    if intervals is None or not summary.blocks.enough():
        return evaluation
    statistics = {system: dict(zip(by_label, rows, strict=True)) for system, rows in summary.blocks.rows().items()}
    documents = summary.documents if None not in summary.documents else []
    intervals = replace(intervals, unit="document" if documents else "segment")
    found = confidence_intervals(statistics, by_label, clusters=documents or None, resampling=intervals)
    return replace(evaluation, systems=with_estimates(evaluation.systems, found), intervals=intervals)
