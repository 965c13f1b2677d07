"""The report of an evaluation: one HTML page that holds tables, charts, every segment, and what they rest on.

Its first screen answers the reader's question; all else folds away below. `plainly report`, `Evaluation.report` and
the studio show it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.messages import plain
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES
from plainly.gaming import Study
from plainly.metrics import GROUPS, Metric, configure
from plainly.operations.profile import Profile
from plainly.operations.why import explained
from plainly.report import tables
from plainly.report.assets import chart_library, rendered, script_json
from plainly.report.charts import Chart, difference_charts, score_chart, told_apart, why_charts
from plainly.report.citing import how_to_report
from plainly.report.compared import Compared
from plainly.report.gaming import section as gaming_section
from plainly.report.operations import section as operations_section
from plainly.report.segments import segment_data
from plainly.report.slices import section as slices_section
from plainly.report.telling import telling
from plainly.report.texts import has_texts
from plainly.report.words import in_sentence, joined, plural
from plainly.scoring import Evaluation, evaluate_stream, merge, runnable
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluator import CHUNK, Measuring, with_defaults_of
from plainly.scoring.findings import in_words

PAGE = 25
TOP = 10
"""Systems on the first screen; the others unfold."""
REASONS = 6
"""Remarks below the verdict; the others unfold."""
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
"""Metrics that describe outputs and rank no system; they are not in the main table."""
FEATURES = "What do the systems do to the text?"
AS_USUAL: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Report:
    """One HTML page, and what it shows."""

    page: str
    evaluation: Evaluation
    """With the background metrics."""
    comparison: Comparison
    """By the metrics of the main table."""
    charts: Sequence[Chart]


def report_of(
    evaluation: Evaluation,
    *,
    title: str | None = None,
    test_set: str = "",
    headline: Sequence[str] | None = None,
    against: str | Comparison | None = None,
    files: Mapping[str, str] | None = None,
    threads: int | None = None,
    background: Mapping[str, Any] = AS_USUAL,
    comparison: Comparison | None = None,
    gaming: Study | None = None,
    operations: Profile | None = None,
    progress: Callable[[str], None] | None = None,
    measuring: Measuring | None = None,
    **comparing: Any,
) -> Report:
    """The report as one HTML page, with the background metrics added where the evaluation has texts.

    `headline` names the metrics of the main table, all that are not in `BACKGROUND` by default; the first decides
    which system is best. All pairs are tested by these, and by the others every system against the best one.
    `against` names a system that the verdict and marks in the table tell the others apart from; beside a comparison
    that is at hand, it is the tests against that system. `test_set` is its name, `files` says what was read,
    `background` are settings of the background metrics. `gaming` and `operations` are studies of the same texts.
    `progress` is told what is done; `measuring` measures the background metrics, as in `evaluate_stream`.
    `comparing` are settings of `Evaluation.compare` (resamples, seed, confidence, ...), where the comparison is not
    at hand.
    """
    corpus = evaluation.corpus
    if corpus is None:
        raise PlainlyError("a report shows the texts, which this evaluation does not have; evaluate them in memory")
    chart_library()  # if it is missing, say so before the work
    tell = progress or (lambda text: None)
    main = _headline(evaluation, headline)
    features = None
    if comparison is not None:
        if isinstance(against, str):
            raise PlainlyError(f"beside a comparison, give the tests against {against} as a comparison too")
        tests = against
    else:
        tell(f"comparing systems by {', '.join(main)}")
        asked = evaluation.without(set(evaluation.metrics) - {*main})
        comparison = asked.compare(**comparing)
        tests = asked.compare(**comparing, baseline=against) if isinstance(against, str) else against
        if has_texts(corpus):
            tell("measuring features of the outputs")
            evaluation = _with_background(evaluation, background, threads, measuring)
        if len(evaluation.metrics) > len(main):
            order = comparison.order(main[0])
            best = {"baseline": order[0]} if len(order) > 1 else {}
            features = evaluation.without(main).compare(**comparing, **best)
    tell("drawing charts")
    page, charts = _built(
        evaluation,
        corpus,
        comparison,
        features=features,
        title=title,
        test_set=test_set,
        headline=main,
        against=tests,
        files=files,
        date=date.today().isoformat(),
        gaming=gaming,
        operations=operations,
    )
    return Report(page, evaluation, comparison, charts)


def headline_of(labels: Sequence[str], requested: Sequence[str]) -> list[str]:
    """The metrics of the main table: what was asked for; of "all", what does not belong to the second table.

    A group is for the second table too, unless nothing else was asked for.
    """
    second = {*BACKGROUND} if "all" in requested else set()
    second.update(*(members for name, members in GROUPS.items() if "all" in requested or name in requested))
    return [label for label in labels if label in requested or label not in second] or list(labels)


def _with_background(
    evaluation: Evaluation, settings: Mapping[str, Any], threads: int | None, measuring: Measuring | None
) -> Evaluation:
    corpus = evaluation.corpus
    more = background_metrics(evaluation.metrics, corpus, settings) if corpus is not None else []
    if corpus is None or not more:
        return evaluation
    baselines = [system for system in evaluation.systems if system in BASELINES and system not in corpus.outputs]
    added = evaluate_stream(
        corpus.chunks(CHUNK), more, baselines=baselines, threads=threads, keep=sys.maxsize, measuring=measuring
    )
    return merge([evaluation, added.without(added.unscorable())])


def build(evaluation: Evaluation, corpus: Corpus, comparison: Comparison, **settings: Any) -> str:
    """The report as one HTML page that needs no other file and no network.

    `evaluation` must hold its statistics; `comparison` compares its systems by the metrics of the main table, and
    `features` by the others, where `comparison` does not. For the other settings see `report_of`; `seed` is that of
    random samples of segments, `date` is said on the page. A corpus without texts, as a statistics folder has it,
    makes a page without the segments; one of more segments than are held in memory has no charts of groups of them
    either.
    """
    return _built(evaluation, corpus, comparison, **settings)[0]


def _built(
    evaluation: Evaluation,
    corpus: Corpus,
    comparison: Comparison,
    *,
    features: Comparison | None = None,
    title: str | None = None,
    test_set: str = "",
    headline: Sequence[str] | None = None,
    against: Comparison | None = None,
    seed: int | None = None,
    files: Mapping[str, str] | None = None,
    date: str | None = None,
    gaming: Study | None = None,
    operations: Profile | None = None,
) -> tuple[str, Sequence[Chart]]:
    headline = _headline(evaluation, headline)
    if operations is not None:
        comparison = explained(comparison, operations, headline[0])
        against = against and explained(against, operations, headline[0])
    compared = Compared(evaluation, corpus, comparison, features or comparison, headline, against)
    _check(compared)
    main = [label for label in compared.headline if label == compared.first or not compared.constant(label)]
    differing = [label for label in compared.others if compared.differs(label)]
    said = [label for label in (*compared.headline, *compared.others) if label not in (*main, *differing)]
    seed = comparison.settings.resampling.seed if seed is None else seed
    first = score_chart(compared)
    differences = list(difference_charts(compared, main))
    why = list(why_charts(compared, differing))
    parts = slices_section(compared)
    fooled = gaming_section(gaming, corpus) if gaming else None
    doings = None
    if operations is not None:
        doings = operations_section(operations, [evaluation.metrics[label] for label in main], compared.systems)
    more = [*(doings.charts if doings else ()), *(fooled.charts if fooled else ())]
    charts = [first, *differences, *why, *(parts.charts if parts else ()), *more]
    segments = None
    if has_texts(corpus):
        segments = segment_data(evaluation, corpus, compared.headline, compared.verdict.order, compared.baselines)
        segments |= {"seed": seed, "perPage": PAGE, "lang": corpus.lang}
    scores = tables.score_table(comparison, compared.systems, main, against)
    baselines = tables.score_table(comparison, compared.baselines, main, against)
    sentences = [sentence.text() for sentence in compared.answer.sentences()]
    lead = min(2, len(compared.answer.answer()))
    page = rendered(
        "report.html",
        charts,
        title=title or _title(compared, test_set),
        test_set=test_set,
        in_short=tables.in_short(evaluation, corpus),
        date=date,
        language=corpus.lang,
        warnings=[note.message.text() for note in evaluation.notes if note.kind == "warning"],
        lead=sentences[:lead],
        sentences=sentences[lead:],
        reasons=REASONS,
        more_reasons=plural(max(0, len(sentences) - lead - REASONS), "more remark"),
        chart=first,
        scores=scores,
        baselines=baselines,
        ranked=any(row.place for row in scores.rows),
        legend=[
            *tables.legend([scores, baselines], comparison, against),
            *(f"{one}." for one in in_words(evaluation)),
        ],
        copies=tables.copies(compared.by(main).findings().only("systems")),
        top=TOP,
        against=against and against.settings.baseline,
        notes=[note.text() for note in comparison.notes],
        cautions=list(dict.fromkeys(filter(None, (evaluation.metrics[label].facts.caution for label in main)))),
        telling=telling(compared),
        differences=differences,
        told_apart=" ".join(told_apart(compared, main)),
        features=_features(compared, differing),
        features_question=FEATURES,
        differing=joined([in_sentence(evaluation.metrics[label].title) for label in differing]),
        said_in_a_line=compared.said_in_a_line(said),
        why=why,
        slices=parts,
        gaming=fooled,
        operations=doings,
        several_runs=bool(evaluation.runs),
        facts_of=tables.test_set(evaluation, corpus),
        settings=tables.settings(evaluation, corpus, comparison, seed, against, files or {}),
        reporting=how_to_report(compared.by(main), test_set or None),
        signatures=tables.signatures(evaluation, [*compared.headline, *compared.others]),
        unscored=tables.unscored(evaluation, [*compared.headline, *compared.others]),
        segment_data=script_json(segments) if segments else None,
        in_blocks=evaluation.statistics is None,
        segment_count=plural(evaluation.size, "segment"),
    )
    return page, charts


def _headline(evaluation: Evaluation, chosen: Sequence[str] | None) -> list[str]:
    usual = [label for label in evaluation.metrics if label not in BACKGROUND]
    return list(chosen or usual or evaluation.metrics)


def _title(compared: Compared, test_set: str) -> str:
    where = f" on {test_set}" if test_set else ""
    if len(compared.systems) == 1:
        return f"How well does {compared.systems[0]} do{where}?"
    if compared.metric.facts.direction == "none":
        return f"How do the systems differ{where}?"
    return f"Which system is better{where}?"


@dataclass(frozen=True)
class _Features:
    table: tables.Table
    legend: Sequence[str]
    copies: Mapping[str, str]


def _features(compared: Compared, labels: Sequence[str]) -> _Features | None:
    """Of these features, with marks where a system differs from the best one."""
    if not labels:
        return None
    comparison = compared.by(labels)
    against = None
    if len(compared.systems) > 1:
        against = replace(comparison, settings=replace(comparison.settings, baseline=compared.systems[0]))
    table = tables.score_table(comparison, compared.everyone, labels, against)
    found = tables.in_one(against or comparison, compared.everyone, plain(FEATURES))
    return _Features(table, list(tables.legend([table], comparison, against)), tables.copies(found))


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


def _check(compared: Compared) -> None:
    evaluation, corpus = compared.evaluation, compared.corpus
    texts = has_texts(corpus)
    if evaluation.statistics is None and texts:
        raise PlainlyError("a report needs the statistics of the evaluation; evaluate with keep_statistics=True")
    if evaluation.size != len(corpus) and (texts or evaluation.statistics is not None):
        raise PlainlyError(f"the evaluation has {evaluation.size} segments, but the corpus has {len(corpus)}")
    for system in evaluation.systems:
        for label in evaluation.metrics:
            if label not in compared.of(label).systems.get(system, {}):
                raise PlainlyError(f"the comparison lacks {label} of {system}; compare all that was evaluated")
