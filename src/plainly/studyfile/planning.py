"""What a run of a study would do, without doing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainly.findings import Findings
from plainly.metrics import Metric
from plainly.report.page import background_metrics
from plainly.scoring.evaluator import CHUNK, pieces_of
from plainly.studyfile.definition import Study
from plainly.studyfile.findings import Planned, plan_findings
from plainly.studyfile.running import check
from plainly.studyfile.statistics_store import StatisticsStore
from plainly.studyfile.texts import Texts


def plan(study: Study, threads: int | None = None) -> Findings:
    """What would be measured, what is kept, what would be written."""
    store = StatisticsStore(Path(study.place(study.kept)))
    planned = [one for texts in check(study) for one in _planned(study, texts, store, threads)]
    return plan_findings(planned, list(files_of(study)))


def files_of(study: Study) -> Iterator[str]:
    """The files and folders that a run writes, in its order."""
    named = [export.file for export in study.exports]
    if study.report is not None:
        named += [name for name in (study.report.file, study.report.figures) if name]
    yield from dict.fromkeys(study.place(file, name) for file in named for name in study.test_sets)


def _planned(study: Study, texts: Texts, store: StatisticsStore, threads: int | None) -> Iterator[Planned]:
    baselines = texts.baselines
    metrics: Sequence[Metric] = texts.metrics
    if study.report is not None:
        baselines = tuple(dict.fromkeys([*texts.baselines, *texts.more_baselines]))
        known = [metric.label for metric in texts.metrics]
        metrics = [*metrics, *background_metrics(known, texts.corpus, {})]
    new: Counter[tuple[str, str]] = Counter()
    for piece in pieces_of(texts.corpus.chunks(CHUNK), metrics, threads):
        new.update({one: len(piece) for one in store.lacking(piece, metrics, baselines)})
    for system in (*texts.corpus.outputs, *baselines):
        for metric in metrics:
            lacking = new[system, metric.label]
            yield Planned(texts.name, system, metric.label, len(texts.corpus) - lacking, lacking)
