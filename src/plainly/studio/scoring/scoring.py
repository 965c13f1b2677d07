"""One run: the scores as `plainly score` gives them, and the report."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.messages import Note
from plainly.corpus import Corpus
from plainly.corpus.readers import read_corpus
from plainly.inference import Resampling
from plainly.metrics import Metric
from plainly.report import report_of
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import CHUNK, KEEP, choose, scorable
from plainly.studio.faults import worded
from plainly.studio.scoring.files import names_of_files
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.texts import FALLBACK, say

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
    return Outcome(evaluation.to_dict(), (*_texts(evaluation.notes), *why_not), page)


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


def _texts(notes: Iterable[Note]) -> list[str]:
    """The notes as the page shows them, each once and on one line."""
    return list(dict.fromkeys(" ".join(note.message.text().split()) for note in notes))
