"""One run: the scores as `plainly score` gives them, and the report."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import read_corpus
from plainly.findings import Findings
from plainly.inference import Resampling
from plainly.metrics import Metric
from plainly.report import report_of
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import CHUNK, KEEP, choose, scorable
from plainly.studio.faults import worded
from plainly.studio.kinds.dashboards import summary_of
from plainly.studio.scoring.files import names_of_files
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.texts import FALLBACK, languages, say

MOST_ON_PAGE = 20_000
"""Segments. A report holds all texts, and a browser must open it."""
THREADS = 1
"""Participants must not wait for a run: it gets one core."""
TABLES = ("scores", "systems", "runs")
"""What the page of a run shows of the findings, where they have it; its report has every pair."""
Progress = Callable[[str, int, int], None]
"""Told of the step (reading, scoring or report), what is done of it, and of how much. What it raises ends the run."""


@dataclass(frozen=True)
class Outcome:
    """What a run gave."""

    evaluation: Mapping[str, Any]
    """As `plainly score --format json` has it."""
    notes: tuple[str, ...]
    """What is to be said of the run itself, as why it has no report."""
    page: bytes | None
    """The report, gzipped HTML."""
    comparison: Mapping[str, Any] = field(default_factory=dict)
    """As `plainly compare --format json` has it; empty for more segments than tests are made of."""
    said: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Verdict, cautions, tables and notes, by the language of the reader."""

    @property
    def scores(self) -> dict[str, Any]:
        """What is kept of the numbers."""
        return {**self.evaluation, "comparison": self.comparison, "said": self.said}


def chosen_metrics(wanted: Wanted) -> tuple[list[Metric], dict[str, str]]:
    """The metrics of a run, and those left out, with the reason; PlainlyError for one that cannot run here."""
    return choose(wanted.requested, wanted.available, wanted.lang, {})


def score(wanted: Wanted, folder: Path, title: str, progress: Progress) -> Outcome:
    """Score the files of a run, which lie in the folder."""
    progress("reading", 0, 0)
    metrics, left_out = chosen_metrics(wanted)
    with names_of_files(folder):
        corpus = read_corpus(wanted.inputs(folder))
        evaluation = _scored(corpus, metrics, wanted, progress)
        evaluation = scorable(evaluation, wanted.requested, left_out)
        progress("report", 0, 0)
        page, why_not = _page(replace(evaluation, corpus=corpus), wanted, title)
    comparison = None if evaluation.statistics is None else evaluation.compare()
    findings = (comparison or evaluation).findings()
    return Outcome(
        evaluation.to_dict(),
        tuple(why_not),
        page,
        {} if comparison is None else comparison.to_dict(),
        {lang: _said(findings, evaluation, lang) for lang in languages()},
    )


def _said(findings: Findings, evaluation: Evaluation, lang: str) -> dict[str, Any]:
    """What the page says, in the reader's language. What is odd about the texts stands apart from other notes."""
    odd = [note.message for note in evaluation.more_notes if note.kind == "warning"]
    others = [note for note in findings.notes if note.message not in odd]
    shown = [table for table in findings.tables if table.name in TABLES]
    summary = summary_of(replace(findings, tables=shown, notes=others), lang)
    return {
        "verdict": summary.message,
        "cautions": [caution.text(lang) for caution in odd],
        "tables": [asdict(grid) for grid in summary.tables],
        "notes": list(dict.fromkeys(summary.notes)),
        "signatures": summary.signatures,
    }


def _scored(corpus: Corpus, metrics: list[Metric], wanted: Wanted, progress: Progress) -> Evaluation:
    done = 0

    def told(measured: Any) -> None:
        nonlocal done
        done += len(measured.corpus)
        progress("scoring", done, len(corpus))

    progress("scoring", 0, len(corpus))
    return evaluate_stream(
        corpus.chunks(CHUNK),
        metrics,
        baselines=wanted.baselines,
        threads=THREADS,
        keep=KEEP,
        intervals=Resampling(),
        each=told,
    )


def _page(evaluation: Evaluation, wanted: Wanted, title: str) -> tuple[bytes | None, list[str]]:
    if evaluation.size > MOST_ON_PAGE:
        return None, [f"there is no report of more than {MOST_ON_PAGE:,} segments; plainly report makes one"]
    try:
        page = report_of(evaluation, title=title, files=wanted.files(), threads=THREADS).page
    except PlainlyError as error:
        return None, [f"there is no report: {worded(error, say(FALLBACK))}"]
    return gzip.compress(page.encode("utf-8", "surrogatepass"), 6), []
