"""Score systems: in memory (`evaluate`) or from a stream of chunks of any length (`evaluate_stream`).

The compiled kernels release the GIL, so threads use the cores. Chunks come back in order, so that results do not
depend on the number of threads. Partitions that are measured elsewhere are added up by the same `RunTotals`.
"""

from __future__ import annotations

import difflib
import inspect
import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plainly.base.errors import NotComputable, PlainlyError
from plainly.base.exact_sums import Totals, add_rows
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate, with_baselines
from plainly.corpus.documents import by_document
from plainly.corpus.references import References, widen
from plainly.corpus.text_checks import TextChecks
from plainly.inference import Resampling
from plainly.inference.runs import NO_RUNS, Members, members_of
from plainly.metrics import (
    GROUPS,
    Array,
    Metric,
    Setting,
    configure,
    metric_class,
    names,
    settings_of,
    standing_for_all,
)
from plainly.metrics.base import NO_SETTINGS
from plainly.metrics.registry import as_registered
from plainly.models.one_core import one_core_each
from plainly.scoring.blocks import BlockStream
from plainly.scoring.evaluation import Evaluation, without_failed
from plainly.scoring.profile import Profile, base_name, get_profile
from plainly.scoring.results import mean_of_runs, results_of
from plainly.scoring.text_arguments import OutputTexts, ReferenceTexts, corpus_of
from plainly.scoring.uneven_runs import UnevenRuns
from plainly.text.languages import get_language

CHUNK = 2048
PIECE = 2048  # segments that a thread measures at a time, at most
DEVICE_PIECE = 8192  # the same for a device, at least
DEVICE_THREADS = 2  # while a device works for one, the other prepares; more only wait for each other
KEEP = 50_000
"""Segments whose statistics are kept for intervals where any input is taken: memory must not grow with it."""
INTERVALS = Resampling()
OTHER_WORDS = {
    **dict.fromkeys(("predictions", "prediction", "hypotheses", "output", "systems"), "outputs"),
    **dict.fromkeys(("source", "originals", "inputs"), "sources"),
    **dict.fromkeys(("reference", "refs", "labels"), "references"),
}
"""What other tools call the arguments of `evaluate`."""
NEARLY = 0.75
"""So alike must a name be to an argument to be taken for it: other names are settings of metrics."""


def evaluate(
    sources: Corpus | Sequence[str | None] | None = None,
    outputs: OutputTexts = (),
    references: ReferenceTexts | None = None,
    *,
    data: Any = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    lang: str | None = None,
    metrics: str | Sequence[str | Metric] | None = None,
    profile: str | Profile | None = None,
    documents: Sequence[str] | None = None,
    unit: str = "segment",
    baselines: Sequence[str] = (),
    threads: int | None = None,
    keep_statistics: bool = True,
    intervals: Resampling | None = INTERVALS,
    **settings: Any,
) -> Evaluation:
    """Score the outputs of one or more systems.

    `outputs` is one list of texts, or a mapping from system to list; a system that ran several times has a mapping
    from run to list. `references` has one list a segment, of any
    length; None inside it means "missing". A `Corpus`, as `plainly.load` gives, may stand in the place of the sources
    and bring the references along. `lang` is "en" unless it is given, or the corpus says it.
    `documents` names the document of each segment: segments of one document
    are not independent, so intervals and tests draw whole documents. With the unit "document", the segments of a
    document are joined, and a document is what is scored. In the place of texts, `data` is a table that has them:
    a data frame, a mapping of columns, the name of a file; `columns` says what its columns are called, as for
    `plainly.corpus.readers.from_table`. `settings` (tokenizer, lowercase, ...) reach every metric that has them.
    A `profile` is the settings of a paper or a tool by its name, or by the TOML file of your own.
    Without statistics (`keep_statistics=False`) there are no intervals, and scoring is at its fastest.

    >>> scores = evaluate(["The feline reposed."], ["The cat slept."], [["The cat slept.", "A cat slept."]])
    >>> round(scores["output"]["sari"].score, 2)
    88.89
    """
    if settings:
        refuse_other_words("evaluate", settings, [*inspect.signature(evaluate).parameters])
    settings["unit"] = unit
    left_out: Mapping[str, str] = {}
    corpus = corpus_of(sources, outputs, references, documents, language_said(lang, sources, profile), data, columns)
    if profile is None:
        prepared = prepare(get_language(corpus.lang).metrics if metrics is None else metrics, corpus.lang, settings)
    else:
        prepared, left_out = choose(
            _names_of(metrics), _available(corpus), corpus.lang, settings, profile=get_profile(profile)
        )
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
    return replace(evaluation, corpus=corpus, left_out=left_out)


def language_said(lang: str | None, sources: Any, profile: str | Profile | None) -> str | None:
    """The language of texts that people give: a corpus knows its own, and else a profile may say it."""
    if profile is None or isinstance(sources, Corpus):
        return lang
    return get_profile(profile).language(None if lang is None else get_language(lang).code)


def _names_of(metrics: str | Sequence[str | Metric] | None) -> list[str]:
    """The names of metrics, of which a profile has the settings."""
    named = metrics.split(",") if isinstance(metrics, str) else metrics or ()
    if any(isinstance(metric, Metric) for metric in named):
        raise PlainlyError("a profile has the settings of metrics; give their names alone")
    return [as_registered(str(name).strip()) for name in named]


def _available(corpus: Corpus) -> set[str]:
    """What a corpus can give a metric."""
    given = {"source": any(text is not None for text in corpus.sources), "references": any(corpus.references)}
    return {name for name, there in given.items() if there}


def refuse_other_words(verb: str, settings: Iterable[str], arguments: Sequence[str]) -> None:
    """An error for what other tools call an argument, and for an argument that is misspelt; the rest are settings."""
    for name in settings:
        if name in OTHER_WORDS:
            raise PlainlyError(f"{verb} has no argument {name!r}; say {OTHER_WORDS[name]}=...")
        close = [] if name in arguments else difflib.get_close_matches(name, arguments, n=1, cutoff=NEARLY)
        if close and not any(name in settings_of(metric_class(metric)) for metric in names()):
            raise PlainlyError(f"{verb} has no argument {name!r}; did you mean {close[0]!r}?")


def evaluate_stream(
    chunks: Iterable[Corpus],
    metrics: Sequence[Metric],
    *,
    baselines: Sequence[str] = (),
    threads: int | None = None,
    keep: int = 0,
    intervals: Resampling | None = None,
    each: Callable[[Measured], None] | None = None,
    measuring: Measuring | None = None,
) -> Evaluation:
    """Score a stream of chunks.

    The statistics of a stream of at most `keep` segments are kept, and give intervals. Those of a longer stream are
    not, so that memory does not grow with it: its intervals come from blocks. `each` is called with the statistics
    of every chunk, in order. `measuring` measures a piece in the place of `measure_piece`: it may know rows already.
    """
    by_label = _by_label(metrics)
    sums = RunTotals()
    checks = TextChecks()
    runs: Members = NO_RUNS
    evened = UnevenRuns()
    long: BlockStream | None = None  # what is too long to be kept
    in_blocks = keep > 0 and intervals is not None
    kept: dict[str, list[list[Array]]] = {}
    ids: list[str | None] = []
    documents: list[str | None] = []
    for measured in measure(
        checks.watch(chunks), list(by_label.values()), baselines, threads, measuring or measure_piece
    ):
        runs = measured.corpus.runs
        rows = evened.even(measured.statistics, members_of(measured.statistics, runs))
        sums.add(len(measured.corpus), rows, measured.references)
        if sums.segments <= keep or in_blocks:
            for system, statistics in rows.items():
                kept.setdefault(system, []).append(statistics)
            ids += measured.corpus.ids or [None] * len(measured.corpus)
            documents += measured.corpus.documents or [None] * len(measured.corpus)
        if in_blocks and sums.segments > keep:
            long = long or BlockStream()
            long.add(_joined(kept), documents)
            kept, ids, documents = {}, [], []
        if each:
            each(measured)
    for position, metric in enumerate(by_label.values()):
        if metric.failure is not None:  # the segments before it broke off are no fair sample
            sums.forget(position, len(metric.columns))
    notes = (*checks.notes(), *evened.notes(list(by_label), sums.segments))
    evaluation = replace(sums.evaluation(by_label, runs), more_notes=notes)
    if sums.segments > keep:
        return evaluation.with_intervals_from(long.end(), intervals) if long and intervals else evaluation
    named = [document for document in documents if document is not None]
    evaluation = replace(
        evaluation,
        statistics={
            system: dict(zip(by_label, without_failed(list(by_label.values()), rows), strict=True))
            for system, rows in _joined(kept).items()
        },
        ids=ids if any(name is not None for name in ids) else None,
        documents=named if len(named) == sums.segments else None,
    )
    return evaluation.with_intervals(intervals) if intervals else evaluation


def _joined(kept: Mapping[str, list[list[Array]]]) -> dict[str, list[Array]]:
    """The rows of each metric, from those of one chunk after the other."""
    return {system: [np.concatenate(chunks) for chunks in zip(*parts, strict=True)] for system, parts in kept.items()}


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
        metrics = [name.strip() for name in metrics.split(",")]
    metrics = [as_registered(metric) if isinstance(metric, str) else metric for metric in metrics]
    given = with_defaults_of(lang, settings)
    prepared = [
        metric if isinstance(metric, Metric) else configure(metric, given | dict(own.get(base_name(metric), {})))
        for metric in metrics
    ]
    by_label = _by_label(prepared)
    for name in settings:
        if not any(name in settings_of(type(metric)) for metric in prepared):
            known = {one for metric in prepared for one in settings_of(type(metric))}
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise PlainlyError(f"no metric here has a setting {name!r}{hint}")
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
    profile: Profile | None = None,
) -> tuple[list[Metric], dict[str, str]]:
    """The metrics that run, with their settings, and those left out, with the reason: see `runnable` and `prepare`.

    `settings` are for all metrics that have them, `own` for those named. `idf` gives the texts among which what is
    rare weighs more, for metrics that weigh so. A `profile` is obeyed, and what contradicts it is refused.
    """
    usual: Sequence[str] = get_language(lang).metrics
    if profile is not None:
        profile.language(get_language(lang).code)
        usual = profile.metrics
        requested = profile.named(requested or ()) or None
        own = profile.settle(requested or usual, settings, own)
    chosen, left_out = runnable(requested, available, lang, settings, own, usual)
    there = {one.name for one in _settings_of(chosen)}
    gone = {one.name for one in _settings_of(left_out) if one.resource}  # no fault: a note says what cannot be had
    given = {name: value for name, value in settings.items() if name in there or name not in gone}
    without = {*map(base_name, left_out)} - {*map(base_name, chosen)}
    kept = {name: values for name, values in own.items() if name not in without}
    return prepare(chosen, lang, given if idf is None else {**given, "idf": idf()}, kept), left_out


def runnable(
    requested: Sequence[str] | None,
    available: set[str],
    lang: str,
    settings: Mapping[str, Any] = NO_SETTINGS,
    own: Mapping[str, Mapping[str, Any]] = NO_SETTINGS,
    usual: Sequence[str] = (),
) -> tuple[list[str], dict[str, str]]:
    """Which metrics can run where `available` ("source", "references") is given: (names, {name left out: why}).

    None asks for the `usual` metrics, else those of the language; "all" for all, and the name of a group for its
    metrics. These leave out what cannot run. A metric that is asked for by name and lacks what it needs is an error.
    """
    wanted: dict[str, bool] = {}  # is it asked for by name?
    for name in requested or usual or get_language(lang).metrics:
        if name == "all" or name in GROUPS:
            wanted = {**dict.fromkeys(GROUPS.get(name) or standing_for_all(), False), **wanted}
        else:
            wanted[name] = requested is not None
    chosen, left_out = [], {}
    for name, by_name in wanted.items():
        metric = metric_class(base_name(name))
        lacking = sorted(metric.facts.needs & {"source", "references"} - available)
        given = {**settings, **own.get(metric.name, {}), "variant": name.partition(":")[2]}
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
    return [one for name in metrics for one in settings_of(metric_class(base_name(name))).values()]


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


@dataclass(frozen=True)
class Measured:
    """The statistics of one chunk: `statistics[system][i]` are the rows of metric i.

    `references[system]` says what references its segments were scored against.
    """

    corpus: Corpus
    statistics: dict[str, list[Array]]
    references: dict[str, References]


Measuring = Callable[[Corpus, Sequence[Metric], Sequence[str]], Measured]
"""Measures a piece of a corpus by metrics, with the baselines named. Threads call it at the same time."""


def measure_piece(corpus: Corpus, metrics: Sequence[Metric], baselines: Sequence[str]) -> Measured:
    """The statistics of a few segments, all of which are in memory."""
    statistics: dict[str, list[Array]] = {}
    references: dict[str, References] = {}
    for part in with_baselines(corpus, baselines):
        for system in part.outputs:
            statistics[system] = [metric.measure(part, system) for metric in metrics]
            references[system] = part.judged_by
        part.forget_prepared()  # the caller may keep the corpus, but not its n-gram tables
    return Measured(corpus, statistics, references)


def measure(
    chunks: Iterable[Corpus],
    metrics: Sequence[Metric],
    baselines: Sequence[str] = (),
    threads: int | None = None,
    measuring: Measuring = measure_piece,
) -> Iterator[Measured]:
    """Measure every system of every chunk by every metric, and the baselines named."""
    try:
        yield from _in_order(_measured(chunks, metrics, baselines, threads or cores(), measuring), metrics)
    finally:
        for metric in metrics:
            metric.close()


def _in_order(pieces: Iterable[Measured], metrics: Sequence[Metric]) -> Iterator[Measured]:
    """The pieces with the rows that they have in the whole: see `Metric.follow`."""
    joined = [(i, metric) for i, metric in enumerate(metrics) if metric.reads_all_outputs_as_one]
    last: dict[tuple[str, int], Array] = {}  # the last scored row of each system and metric
    for measured in pieces:
        for system, statistics in measured.statistics.items() if joined else ():
            for i, metric in joined:
                if (system, i) in last:
                    statistics[i] = metric.follow(statistics[i], last[system, i])
                if len(scored := np.flatnonzero(statistics[i][:, 0])):
                    last[system, i] = statistics[i][scored[-1]]
        yield measured


def pieces_of(chunks: Iterable[Corpus], metrics: Sequence[Metric], threads: int | None = None) -> Iterator[Corpus]:
    """The chunks as the metrics measure them: in pieces for threads, or gathered for a device."""
    if any(metric.on_device for metric in metrics):
        return _gathered(chunks, DEVICE_PIECE)
    return (piece for chunk in chunks for piece in _pieces(chunk, threads or cores()))


def _measured(
    chunks: Iterable[Corpus],
    metrics: Sequence[Metric],
    baselines: Sequence[str],
    threads: int,
    measuring: Measuring,
) -> Iterator[Measured]:
    pieces = pieces_of(chunks, metrics, threads)
    if any(metric.on_device for metric in metrics):
        threads = min(threads, DEVICE_THREADS)
    if threads == 1:
        yield from (measuring(piece, metrics, baselines) for piece in pieces)
        return
    waiting: deque[Future[Measured]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for piece in pieces:
            waiting.append(pool.submit(_measured_on_one_core, measuring, piece, metrics, baselines))
            if len(waiting) > 2 * threads:  # enough to keep the threads busy, not more in memory
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # whoever stops the run need not wait for it


def _measured_on_one_core(
    measuring: Measuring, corpus: Corpus, metrics: Sequence[Metric], baselines: Sequence[str]
) -> Measured:
    with one_core_each():
        return measuring(corpus, metrics, baselines)


def _pieces(chunk: Corpus, threads: int) -> Iterator[Corpus]:
    """A chunk in pieces for the threads: small enough for the processor's cache, not too small to be worth it."""
    return chunk.chunks(min(PIECE, max(64, -(-len(chunk) // threads))))


def _gathered(chunks: Iterable[Corpus], least: int) -> Iterator[Corpus]:
    """The chunks, as many of them as one as have `least` segments."""
    waiting: list[Corpus] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(map(len, waiting)) >= least:
            yield concatenate(waiting)
            waiting = []
    if waiting:
        yield concatenate(waiting)


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class RunTotals:
    """The sums of a run. They are exact, so cuts and order move no bit. The lists have one entry a metric."""

    segments: int = 0
    totals: dict[str, list[Totals]] = field(default_factory=dict)
    references: dict[str, References] = field(default_factory=dict)
    """What references segments were scored against, by system."""

    def add(self, segments: int, statistics: Mapping[str, list[Array]], references: Mapping[str, References]) -> None:
        """The rows of so many segments more."""
        self.segments += segments
        for system, rows in statistics.items():
            self.totals[system] = add_rows(self.totals.get(system), rows)
        if segments:
            widen(self.references, references)

    def merge(self, other: RunTotals) -> None:
        """The sums of further segments."""
        self.segments += other.segments
        for system, totals in other.totals.items():
            sums = self.totals.setdefault(system, [Totals(len(total.values())) for total in totals])
            for total, more in zip(sums, totals, strict=True):
                total.merge(more)
        widen(self.references, other.references)

    def forget(self, position: int, columns: int) -> None:
        """Leave the sums of a metric out: nothing that it measured counts."""
        for sums in self.totals.values():
            sums[position] = Totals(columns)

    def evaluation(self, metrics: Mapping[str, Metric], runs: Members = NO_RUNS) -> Evaluation:
        """The scores of all systems."""
        if not self.segments:
            raise PlainlyError("there is nothing to score: no segments")
        if not self.totals:
            raise PlainlyError(
                "there is nothing to score: no system output and no baseline; in a table, the column output or "
                "output.NAME is a system, and any other that columns names, as NAME=COLUMN"
            )
        totals = {system: dict(zip(metrics, sums, strict=True)) for system, sums in self.totals.items()}
        results = results_of(metrics, totals, self.segments, self.references)
        return Evaluation(
            size=self.segments,
            references=self.references,
            metrics=metrics,
            systems=mean_of_runs(results, members_of(results, runs)),
            runs=runs,
        )
