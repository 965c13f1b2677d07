"""Score systems: in memory (`evaluate`) or from a stream of chunks of any length (`evaluate_stream`)."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plainly.base.errors import NotComputable, PlainlyError
from plainly.base.messages import Note, message
from plainly.corpus import Corpus
from plainly.corpus.documents import by_document
from plainly.corpus.readers.steps import concatenate
from plainly.corpus.text_checks import TextChecks
from plainly.inference import Resampling
from plainly.metrics import GROUPS, Array, Metric, Setting, configure, metric_class, names, settings_of
from plainly.metrics.base import NO_SETTINGS
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.measuring import Measured, RunTotals, measure
from plainly.text.languages import get_language

CHUNK = 2048
KEEP = 50_000
"""Segments whose statistics are kept for intervals where any input is taken: memory must not grow with it."""
INTERVALS = Resampling()


def evaluate(
    sources: Sequence[str | None] | None,
    outputs: Sequence[str | None] | Mapping[str, Sequence[str | None]],
    references: Sequence[Sequence[str | None]] | None = None,
    *,
    lang: str = "en",
    metrics: Sequence[str | Metric] | None = None,
    documents: Sequence[str] | None = None,
    unit: str = "segment",
    baselines: Sequence[str] = (),
    threads: int | None = None,
    keep_statistics: bool = True,
    intervals: Resampling | None = INTERVALS,
    **settings: Any,
) -> Evaluation:
    """Score the outputs of one or more systems.

    `outputs` is one list of texts, or a mapping from system to list. `references` has one list a segment, of any
    length; None inside it means "missing". `documents` names the document of each segment: segments of one document
    are not independent, so intervals and tests draw whole documents. With the unit "document", the segments of a
    document are joined, and a document is what is scored. `settings` (tokenizer, lowercase, ...) reach
    every metric that has them.
    Without statistics (`keep_statistics=False`) there are no intervals, and scoring is at its fastest.

    >>> scores = evaluate(["The feline reposed."], ["The cat slept."], [["The cat slept.", "A cat slept."]])
    >>> round(scores["output"]["sari"].score, 2)
    88.89
    """
    lang = get_language(lang).code
    if hasattr(outputs, "columns"):  # a data frame: one column a system
        outputs = {str(name): outputs[name] for name in outputs.columns}
    named = outputs if isinstance(outputs, Mapping) else {"output": outputs}
    systems = {name: _texts(texts, f"the outputs of {name!r}") for name, texts in named.items()}
    if sources is None:
        sources = [None] * max((len(texts) for texts in systems.values()), default=0)
    sources = _texts(sources, "the sources")
    present = [_references(group, i) for i, group in enumerate(_listed(references, "the references"))]
    corpus = Corpus(sources, present, systems, documents=documents, lang=lang)
    prepared = prepare(get_language(lang).metrics if metrics is None else metrics, lang, {**settings, "unit": unit})
    for metric in prepared:
        if metric.unit != unit:
            raise PlainlyError(f"{metric.label} is set up for the unit {metric.unit!r}, but {unit!r} is asked for")
    if unit == "document" and len(corpus):
        corpus = concatenate(list(by_document([corpus])))
    evaluation = evaluate_stream(
        corpus.chunks(CHUNK),
        prepared,
        baselines=baselines,
        threads=threads,
        keep=sys.maxsize if keep_statistics else 0,
        intervals=intervals,
    )
    for remark in (remark for metric in evaluation.metrics.values() for remark in metric.remarks):
        warnings.warn(remark, RuntimeWarning, stacklevel=2)
    return replace(evaluation, corpus=corpus)


def evaluate_stream(
    chunks: Iterable[Corpus],
    metrics: Sequence[Metric],
    *,
    baselines: Sequence[str] = (),
    threads: int | None = None,
    keep: int = 0,
    intervals: Resampling | None = None,
    each: Callable[[Measured], None] | None = None,
) -> Evaluation:
    """Score a stream of chunks.

    The statistics of a stream of at most `keep` segments are kept, and give intervals; a longer stream has neither,
    so that memory does not grow with it. `each` is called with the statistics of every chunk, in order.
    """
    by_label = _by_label(metrics)
    sums = RunTotals()
    checks = TextChecks()
    kept: dict[str, list[list[Array]]] = {}
    ids: list[str | None] = []
    documents: list[str | None] = []
    for measured in measure(checks.watch(chunks), list(by_label.values()), baselines, threads):
        sums.add(len(measured.corpus), measured.statistics, measured.references)
        if sums.segments <= keep:
            for system, statistics in measured.statistics.items():
                kept.setdefault(system, []).append(statistics)
            ids += measured.corpus.ids or [None] * len(measured.corpus)
            documents += measured.corpus.documents or [None] * len(measured.corpus)
        if each:
            each(measured)
    for position, metric in enumerate(by_label.values()):
        if metric.failure is not None:  # the segments before it broke off are no fair sample
            sums.forget(position, len(metric.columns))
            for statistics in (part for parts in kept.values() for part in parts):
                statistics[position] = np.zeros_like(statistics[position])
    notes = checks.notes()
    if keep and intervals and sums.segments > keep:
        english = "no intervals for more than {segments:,} segments; plainly compare computes them"
        notes.append(Note(message("scoring.no-intervals", english, segments=keep)))
    evaluation = replace(sums.evaluation(by_label), more_notes=tuple(notes))
    if sums.segments > keep:
        return evaluation
    named = [document for document in documents if document is not None]
    evaluation = replace(
        evaluation,
        statistics={
            system: {label: np.concatenate([chunk[i] for chunk in parts]) for i, label in enumerate(by_label)}
            for system, parts in kept.items()
        },
        ids=ids if any(name is not None for name in ids) else None,
        documents=named if len(named) == sums.segments else None,
    )
    return evaluation.with_intervals(intervals) if intervals else evaluation


def prepare(
    metrics: Sequence[str | Metric],
    lang: str,
    settings: Mapping[str, Any],
    own: Mapping[str, Mapping[str, Any]] = NO_SETTINGS,
) -> list[Metric]:
    """Metrics by name with the settings that each of them has, and with those that are its own by name.

    A setting that none has is an error.
    """
    if isinstance(metrics, str):
        raise PlainlyError(f"metrics must be a list, not a text: [{metrics!r}]")
    given = with_defaults_of(lang, settings)
    prepared = [
        metric if isinstance(metric, Metric) else configure(metric, given | dict(own.get(_base(metric), {})))
        for metric in metrics
    ]
    by_label = _by_label(prepared)
    for name in settings:
        if not any(name in settings_of(type(metric)) for metric in prepared):
            raise PlainlyError(f"no metric here has a setting {name!r}")
    for name in own:
        if not any(metric.name == name for metric in prepared):
            raise PlainlyError(f"{name} is not among the metrics, so it has no use for {', '.join(own[name])}")
    return list(by_label.values())


def with_defaults_of(lang: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with the language, and with its tokeniser where none is set and words are not as in English."""
    language = get_language(lang)
    usual = {} if language.tokenizer == "13a" else {"tokenizer": language.tokenizer}
    return {"lang": language.code, **usual, **settings}


def choose(
    requested: Sequence[str] | None,
    available: set[str],
    lang: str,
    settings: Mapping[str, Any],
    own: Mapping[str, Mapping[str, Any]] = NO_SETTINGS,
    idf: Callable[[], list[str]] | None = None,
) -> tuple[list[Metric], dict[str, str]]:
    """The metrics that run, with their settings, and those left out, with the reason: see `runnable` and `prepare`.

    `settings` are for all metrics that have them, `own` for those named. `idf` gives the texts among which what is
    rare weighs more, for metrics that weigh so.
    """
    chosen, left_out = runnable(requested, available, lang, settings, own)
    there = {one.name for one in _settings_of(chosen)}
    gone = {one.name for one in _settings_of(left_out) if one.resource}  # no fault: a note says what cannot be had
    given = {name: value for name, value in settings.items() if name in there or name not in gone}
    kept = {name: values for name, values in own.items() if name not in left_out}
    return prepare(chosen, lang, given if idf is None else {**given, "idf": idf()}, kept), left_out


def runnable(
    requested: Sequence[str] | None,
    available: set[str],
    lang: str,
    settings: Mapping[str, Any] = NO_SETTINGS,
    own: Mapping[str, Mapping[str, Any]] = NO_SETTINGS,
) -> tuple[list[str], dict[str, str]]:
    """Which metrics can run where `available` ("source", "references") is given: (names, {name left out: why}).

    None asks for the default metrics of the language, "all" for all, and the name of a group for its metrics; these
    leave out what cannot run. A metric that is asked for by name and lacks what it needs is an error.
    """
    wanted: dict[str, bool] = {}  # is it asked for by name?
    for name in requested or get_language(lang).metrics:
        if name == "all" or name in GROUPS:
            wanted = {**dict.fromkeys(GROUPS.get(name) or names(), False), **wanted}
        else:
            wanted[name] = requested is not None
    chosen, left_out = [], {}
    for name, by_name in wanted.items():
        metric = metric_class(_base(name))
        lacking = sorted(metric.facts.needs & {"source", "references"} - available)
        given = {**settings, **own.get(metric.name, {})}
        why = f"it needs {' and '.join(lacking)}" if lacking else metric.missing(lang, given)
        if why and by_name:
            raise NotComputable(name, why)
        if why:
            left_out[name] = why
        else:
            chosen.append(name)
    if not chosen:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out.items())
        raise PlainlyError(f"no metric can be computed ({reasons})")
    return chosen, left_out


def _settings_of(metrics: Iterable[str]) -> list[Setting]:
    return [one for name in metrics for one in settings_of(metric_class(_base(name))).values()]


def _base(name: str) -> str:
    """The name of a metric without its variant."""
    return name.partition(":")[0]


def scorable(
    evaluation: Evaluation, requested: Sequence[str] | None, left_out: Mapping[str, str] = NO_SETTINGS
) -> Evaluation:
    """The evaluation without metrics that the data turned out to have nothing for; `left_out` are others.

    One that is asked for by name is an error, and so is an evaluation of which nothing would be left.
    """
    unscorable = evaluation.unscorable()
    for label, why in unscorable.items():
        if label in (requested or ()):
            raise PlainlyError(f"{label} cannot be computed: {why}")
    if len(unscorable) == len(evaluation.metrics):
        raise PlainlyError(f"no metric can be computed: {', '.join(f'{k}: {v}' for k, v in unscorable.items())}")
    return replace(evaluation.without(unscorable), left_out={**left_out, **unscorable})


def _by_label(metrics: Sequence[Metric]) -> dict[str, Metric]:
    if not metrics:
        raise PlainlyError("no metric to compute")
    by_label: dict[str, Metric] = {}
    for metric in metrics:
        if by_label.setdefault(metric.label, metric) != metric:
            raise PlainlyError(f"two metrics would be called {metric.label!r}; score them one after the other")
    return by_label


def _listed(values: Any, what: str) -> list[Any]:
    """A list of what was given, which must have an order: list, tuple, array, series, iterator."""
    if values is None:
        return []
    if isinstance(values, (str, bytes, set, frozenset, Mapping)) or hasattr(values, "columns"):
        raise PlainlyError(f"{what} must be a list with one entry a segment, not {type(values).__name__}")
    try:
        return list(values)
    except TypeError:
        raise PlainlyError(f"{what} must be a list, not {type(values).__name__}") from None


def _texts(values: Any, what: str) -> list[str | None]:
    texts = _listed(values, what)
    if not set(map(type, texts)) <= {str, type(None)}:
        for i, text in enumerate(texts):
            if text is not None and not isinstance(text, str):
                kind = type(text).__name__
                raise PlainlyError(f"{what}: entry {i} is {kind}, not a text (a missing text is None)")
    return texts


def _references(group: Any, i: int) -> list[str]:
    return [text for text in _texts(group, f"the references of segment {i}") if text is not None]
