"""The report of an evaluation: one HTML page that holds tables, charts, every segment, and what they rest on.

`plainly report`, `Evaluation.report` and the studio show it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.gaming import Study
from plainly.inference import Comparison
from plainly.metrics import GROUPS, Metric, configure
from plainly.operations.profile import Profile
from plainly.report import tables
from plainly.report.assets import chart_library, rendered, script_json
from plainly.report.charts import all_charts
from plainly.report.gaming import section as gaming_section
from plainly.report.operations import section as operations_section
from plainly.report.segments import segment_data
from plainly.report.texts import has_texts
from plainly.report.words import best_sentence, plural
from plainly.scoring import Evaluation, evaluate_stream, merge, runnable
from plainly.scoring.evaluator import CHUNK, with_defaults_of

PAGE = 25
TITLE = "Which text is simpler?"
# EASSE's quality estimation, and readability by parts.
BACKGROUND = (
    "compression-ratio",
    "sentence-splits",
    "levenshtein-similarity",
    "exact-copies",
    "additions-proportion",
    "deletions-proportion",
    "lexical-complexity",
    "sentence-length",
    "syllables-per-word",
    "off-language",
)
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


def build(
    evaluation: Evaluation,
    corpus: Corpus,
    comparison: Comparison,
    *,
    title: str = TITLE,
    headline: Sequence[str] | None = None,
    against: str | None = None,
    seed: int | None = None,
    files: Mapping[str, str] | None = None,
    date: str | None = None,
    gaming: Study | None = None,
    operations: Profile | None = None,
) -> str:
    """The report as one HTML page that needs no other file and no network.

    `evaluation` must hold its statistics; `comparison` compares its systems by its metrics. `headline` names the
    metrics of the main table (all that are not in `BACKGROUND` by default), `against` the system that others are
    tested against, `files` what was read, for the reader of the page. `gaming` is a study of the
    same corpus, `operations` a profile of it. A corpus without texts, as a statistics folder has it, makes a page
    without the segments; one of more segments than are held in memory has no charts of groups of them either.
    """
    _check(evaluation, corpus, comparison, against)
    main = list(headline or [label for label in evaluation.metrics if label not in BACKGROUND] or evaluation.metrics)
    other = [label for label in evaluation.metrics if label not in main]
    every = [*main, *other]
    seed = comparison.settings.resampling.seed if seed is None else seed
    charts = list(all_charts(evaluation, corpus, comparison, main))
    fooled = gaming_section(gaming, corpus) if gaming else None
    doings = operations_section(operations, [evaluation.metrics[label] for label in main]) if operations else None
    more = [*(doings.charts if doings else ()), *(fooled.charts if fooled else ())]
    segments = segment_data(evaluation, corpus, main) if has_texts(corpus) else None
    if segments:
        segments |= {"seed": seed, "perPage": PAGE, "lang": corpus.lang}
    return rendered(
        "report.html",
        [*charts, *more],
        title=title,
        date=date,
        language=corpus.lang,
        confidence=f"{comparison.settings.resampling.confidence:.0%}",
        alpha=f"{comparison.settings.alpha:g}",
        against=against,
        test_set=tables.test_set(evaluation, corpus),
        settings=tables.settings(evaluation, corpus, comparison, seed, against, files or {}),
        signatures=tables.signatures(evaluation, every),
        unscored=tables.unscored(evaluation, every),
        notes=comparison.notes,
        short=[
            sentence for label in main if (sentence := best_sentence(evaluation, comparison, label, corpus.outputs))
        ],
        detectable=_detectable(evaluation, comparison, main),
        scores=tables.score_table(evaluation, corpus, comparison, main, against),
        features=tables.score_table(evaluation, corpus, comparison, other, None) if other else None,
        cautions=list(dict.fromkeys(filter(None, (evaluation.metrics[label].facts.caution for label in main)))),
        charts=charts,
        gaming=fooled,
        operations=doings,
        segment_data=script_json(segments) if segments else None,
        in_blocks=evaluation.statistics is None,
        segment_count=plural(evaluation.size, "segment"),
    )


def background_metrics(known: Collection[str], corpus: Corpus, settings: Mapping[str, Any]) -> list[Metric]:
    """The background metrics that are not known yet; one that needs what is not there is left out."""
    available = {"source"} if any(text is not None for text in corpus.sources) else set()
    added = []
    for name in BACKGROUND:
        try:
            runnable([name], available, corpus.lang)
        except PlainlyError:  # nobody asked for it
            continue
        if name not in known:
            added.append(configure(name, with_defaults_of(corpus.lang, settings)))
    return added


def _check(evaluation: Evaluation, corpus: Corpus, comparison: Comparison, against: str | None) -> None:
    texts = has_texts(corpus)
    if evaluation.statistics is None and texts:
        raise PlainlyError("a report needs the statistics of the evaluation; evaluate with keep_statistics=True")
    if evaluation.size != len(corpus) and (texts or evaluation.statistics is not None):
        raise PlainlyError(f"the evaluation has {evaluation.size} segments, but the corpus has {len(corpus)}")
    if against is not None and against not in evaluation.systems:
        raise PlainlyError(f"{against!r} is not a system of this report: {', '.join(evaluation.systems)}")
    for system in evaluation.systems:
        for label in evaluation.metrics:
            if label not in comparison.systems.get(system, {}):
                raise PlainlyError(f"the comparison lacks {label} of {system}; compare all that was evaluated")


def _detectable(evaluation: Evaluation, comparison: Comparison, labels: Sequence[str]) -> list[str]:
    found = []
    for label in labels:
        least = comparison.typical_mdd.get(label, np.nan)
        if np.isfinite(least):
            metric = evaluation.metrics[label]
            found.append(f"{metric.facts.title} {least:.{metric.facts.decimals}f}")
    return found
