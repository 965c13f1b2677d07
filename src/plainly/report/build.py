"""One HTML page that holds all: tables, charts, every segment, and what the numbers rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.gaming import Study
from plainly.inference import Comparison
from plainly.operations.profile import Profile
from plainly.report import card
from plainly.report.assets import chart_library, environment, script_json, scripts, stylesheet
from plainly.report.background import BACKGROUND
from plainly.report.charts import all_charts
from plainly.report.gaming import section as gaming_section
from plainly.report.operations import section as operations_section
from plainly.report.segments import segment_data
from plainly.report.tables import score_table
from plainly.report.texts import has_texts
from plainly.report.words import best_sentence, plural
from plainly.scoring import Evaluation

PAGE = 25
TITLE = "Which text is simpler?"


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
    template = environment().get_template("report.html")
    return template.render(
        title=title,
        date=date,
        version=__version__,
        language=corpus.lang,
        confidence=f"{comparison.settings.resampling.confidence:.0%}",
        alpha=f"{comparison.settings.alpha:g}",
        against=against,
        test_set=card.test_set(evaluation, corpus),
        settings=card.settings(evaluation, corpus, comparison, seed, against, files or {}),
        signatures=card.signatures(evaluation, every),
        unscored=card.unscored(evaluation, every),
        notes=comparison.notes,
        short=[
            sentence for label in main if (sentence := best_sentence(evaluation, comparison, label, corpus.outputs))
        ],
        detectable=_detectable(evaluation, comparison, main),
        scores=score_table(evaluation, corpus, comparison, main, against),
        features=score_table(evaluation, corpus, comparison, other, None) if other else None,
        cautions=list(dict.fromkeys(filter(None, (evaluation.metrics[label].facts.caution for label in main)))),
        charts=charts,
        gaming=fooled,
        operations=doings,
        chart_data=script_json([chart.data() for chart in [*charts, *more]]),
        segment_data=script_json(segments) if segments else None,
        in_blocks=evaluation.statistics is None,
        segment_count=plural(evaluation.size, "segment"),
        stylesheet=stylesheet(),
        scripts=scripts(),
        library=chart_library(),
    )


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
