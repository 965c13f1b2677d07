"""One run: the scores as `plainly score` gives them, and the report."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import read_corpus
from plainly.inference import Resampling
from plainly.metrics import Metric
from plainly.report import page_of
from plainly.scoring import Evaluation, evaluate_stream, runnable
from plainly.scoring.evaluator import CHUNK, KEEP, prepare, scorable
from plainly.studio.scoring.files import names_of_files
from plainly.studio.scoring.wanted import Wanted

MOST_ON_PAGE = 20_000
"""Segments. A report holds all texts, and a browser must open it."""
THREADS = 1
"""Participants must not wait for a run: it gets one core."""
Progress = Callable[[str, int, int], None]
"""Told of the step (reading, scoring or report), what is done of it, and of how much. What it raises ends the run."""


@dataclass(frozen=True)
class Outcome:
    """What a run gave."""

    evaluation: Mapping[str, Any]
    """As `plainly score --format json` has it."""
    notes: tuple[str, ...]
    page: bytes | None
    """The report, gzipped HTML."""


def chosen_metrics(wanted: Wanted) -> tuple[list[Metric], dict[str, str]]:
    """The metrics of a run, and those left out, with the reason; PlainlyError for one that cannot run here."""
    names, left_out = runnable(wanted.requested, wanted.available, wanted.lang)
    return prepare(names, wanted.lang, {}), left_out


def score(wanted: Wanted, folder: Path, title: str, progress: Progress) -> Outcome:
    """Score the files of a run, which lie in the folder."""
    progress("reading", 0, 0)
    metrics, left_out = chosen_metrics(wanted)
    with names_of_files(folder):
        corpus = read_corpus(wanted.inputs(folder))
        evaluation = _scored(corpus, metrics, wanted, progress)
        evaluation, unscorable = scorable(evaluation, wanted.requested)
        notes = _notes(evaluation, left_out | unscorable)
        progress("report", 0, 0)
        page, why_not = _page(replace(evaluation, corpus=corpus), wanted, title)
    return Outcome(evaluation.to_dict(), (*notes, *why_not), page)


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
    against = "identity" if "identity" in evaluation.systems and len(evaluation.systems) > 1 else None
    try:
        page = page_of(evaluation, title=title, against=against, files=wanted.files(), threads=THREADS)
    except PlainlyError as error:
        return None, [f"there is no report: {error}"]
    return gzip.compress(page.encode("utf-8", "surrogatepass"), 6), []


def _notes(evaluation: Evaluation, left_out: Mapping[str, str]) -> list[str]:
    """What the numbers alone do not say."""
    notes = []
    for why in dict.fromkeys(left_out.values()):
        names = [name for name, reason in left_out.items() if reason == why]
        notes.append(f"left out: {', '.join(names)}: {why}")
    for metric in evaluation.metrics.values():
        notes += [metric.facts.caution, *metric.remarks]
    if evaluation.size > KEEP:
        notes.append(f"no intervals for more than {KEEP:,} segments; plainly compare computes them")
    return [" ".join(note.split()) for note in dict.fromkeys(notes) if note]
