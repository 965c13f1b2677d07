"""The report of an evaluation: what `plainly report`, `Evaluation.report` and the studio show."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.gaming import Study
from plainly.inference import Comparison
from plainly.metrics import GROUPS
from plainly.operations.profile import Profile
from plainly.report.assets import chart_library
from plainly.report.build import BACKGROUND, TITLE, background_metrics, build
from plainly.report.texts import has_texts
from plainly.scoring import Evaluation, evaluate_stream, merge
from plainly.scoring.evaluator import CHUNK

AS_USUAL: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Report:
    """One HTML page, and what it shows."""

    page: str
    evaluation: Evaluation
    """With the background metrics."""
    comparison: Comparison


def report_of(
    evaluation: Evaluation,
    *,
    title: str = TITLE,
    headline: Sequence[str] | None = None,
    against: str | None = None,
    files: Mapping[str, str] | None = None,
    threads: int | None = None,
    background: Mapping[str, Any] = AS_USUAL,
    comparison: Comparison | None = None,
    gaming: Study | None = None,
    operations: Profile | None = None,
    **comparing: Any,
) -> Report:
    """The report as one HTML page, with the background metrics added where the evaluation has texts.

    `headline` names the metrics of the main table: all that are not in `BACKGROUND` by default. `against` names the
    system that the others are tested against: the baseline identity by default, if it is there. `files` says what was
    read, `background` are settings of the background metrics. `gaming` and `operations` are studies of the
    same texts. `comparing` are settings of `Evaluation.compare` (resamples, seed, confidence, ...), where the
    comparison is not at hand.
    """
    corpus = evaluation.corpus
    if corpus is None:
        raise PlainlyError("a report shows the texts, which this evaluation does not have; evaluate them in memory")
    chart_library()  # if it is missing, say so before the work
    whole = _with_background(evaluation, background, threads) if has_texts(corpus) else evaluation
    compared = whole.compare(**comparing) if comparison is None else comparison
    if against is None and "identity" in whole.systems and len(whole.systems) > 1:
        against = "identity"
    usual = [label for label in evaluation.metrics if label not in BACKGROUND] or list(evaluation.metrics)
    page = build(
        whole,
        corpus,
        compared,
        title=title,
        headline=headline or usual,
        against=against,
        files=files,
        date=date.today().isoformat(),
        gaming=gaming,
        operations=operations,
    )
    return Report(page, whole, compared)


def headline_of(labels: Sequence[str], requested: Sequence[str]) -> list[str]:
    """The metrics of the main table: what was asked for; of "all", what does not belong to the second table.

    A group is for the second table too, unless nothing else was asked for.
    """
    second = {*BACKGROUND} if "all" in requested else set()
    second.update(*(members for name, members in GROUPS.items() if "all" in requested or name in requested))
    return [label for label in labels if label in requested or label not in second] or list(labels)


def _with_background(evaluation: Evaluation, settings: Mapping[str, Any], threads: int | None) -> Evaluation:
    corpus = evaluation.corpus
    more = background_metrics(evaluation.metrics, corpus, settings) if corpus is not None else []
    if corpus is None or not more:
        return evaluation
    baselines = [system for system in evaluation.systems if system not in corpus.outputs]
    added = evaluate_stream(corpus.chunks(CHUNK), more, baselines=baselines, threads=threads, keep=sys.maxsize)
    return merge([evaluation, added.without(added.unscorable())])
