"""The report of an evaluation that is at hand: what `Evaluation.report` writes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.report.assets import chart_library
from plainly.report.background import BACKGROUND, background_metrics
from plainly.report.build import TITLE, build
from plainly.report.texts import has_texts
from plainly.scoring import Evaluation, evaluate_stream, merge
from plainly.scoring.evaluator import CHUNK


def page_of(
    evaluation: Evaluation,
    *,
    title: str = TITLE,
    against: str | None = None,
    files: Mapping[str, str] | None = None,
    threads: int | None = None,
    **comparing: Any,
) -> str:
    """The report as one HTML page, with the background metrics added.

    `against` names the system that the others are tested against, `files` says what was read; `comparing` are
    settings of `Evaluation.compare` (resamples, seed, confidence, ...).
    """
    corpus = evaluation.corpus
    if corpus is None:
        raise PlainlyError("a report shows the texts, which this evaluation does not have; evaluate them in memory")
    chart_library()  # if it is missing, say so before the work
    headline = [label for label in evaluation.metrics if label not in BACKGROUND] or list(evaluation.metrics)
    more = background_metrics(evaluation.metrics, corpus, {}) if has_texts(corpus) else []
    whole = evaluation
    if more:
        baselines = [system for system in evaluation.systems if system not in corpus.outputs]
        background = evaluate_stream(
            corpus.chunks(CHUNK), more, baselines=baselines, threads=threads, keep=sys.maxsize
        )
        whole = merge([evaluation, background])
    return build(
        whole,
        corpus,
        whole.compare(**comparing),
        title=title,
        headline=headline,
        against=against,
        files=files,
        date=date.today().isoformat(),
    )
