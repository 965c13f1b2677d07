"""What a user asks for on the command line: which texts, which metrics, which settings.

The same for every command that scores; `Request` turns options into chunks of a corpus and metrics for it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import refuse_overwriting
from plainly.base.messages import Note
from plainly.base.patterns import matching
from plainly.cli.options import setting_options
from plainly.cli.printing import ProgressLine, tell
from plainly.corpus import Corpus, catalogue
from plainly.corpus.corpus import BASELINES
from plainly.corpus.documents import by_document
from plainly.corpus.readers import Inputs, read, recognised
from plainly.corpus.readers.runs import named_runs, runs_of_files
from plainly.demo import demo_inputs
from plainly.inference import RESAMPLES, Resampling
from plainly.inference.resampling import check_at_least
from plainly.metrics import Metric, metric_class, settings_of
from plainly.scoring import Evaluation
from plainly.scoring.evaluator import choose, scorable
from plainly.scoring.profile import Profile, get_profile
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer


class Request:
    """The options of one run, checked before any file is read."""

    def __init__(self, options: argparse.Namespace, in_parts: bool = False) -> None:
        if options.lang is not None or not options.test_set:
            options.lang = language_of(options, "en")
        if options.tokenizer:
            get_tokenizer(options.tokenizer)
        self.baselines = listed_names(options.baselines)
        for name in self.baselines:
            if name not in BASELINES:
                raise UnknownName("baseline", name, BASELINES)
        if options.threads is not None and options.threads < 1:
            raise PlainlyError("--threads must be at least 1")
        self._options = options
        self._requested = listed_names(options.metrics) or None
        self.left_out: dict[str, str] = {}  # metrics that cannot run, and why
        if options.metrics is not None and not self._requested:
            raise PlainlyError("--metrics names no metric")
        self.inputs = with_known_columns(inputs_of(options), options.quiet)
        refuse_overwriting(options.output, _files(self.inputs))
        # In parts, the texts are read where they are scored.
        self.chunks = iter(()) if in_parts else _with_progress(self._read(), options.quiet)

    def metrics(self) -> list[Metric]:
        """The metrics asked for that can run on the files given."""
        metrics, self.left_out = choose_metrics(
            self._options, self._requested, self.available, self.lang, self._references
        )
        return metrics

    def _references(self) -> list[str]:
        """All references: what is rare among them weighs more. They are read before the scoring begins."""
        if "-" in (self.inputs.sources, self.inputs.data, *self.inputs.references, *self.inputs.systems.values()):
            raise PlainlyError("--idf reads the references twice; standard input (-) can be read only once")
        return [text for chunk in self._read() for group in chunk.references for text in group]

    def _read(self) -> Iterable[Corpus]:
        chunks = read(self.inputs)
        return by_document(chunks) if self._options.unit == "document" else chunks

    @property
    def lang(self) -> str:
        """The language of the texts; a published test set brings its own."""
        return self.inputs.lang

    @property
    def available(self) -> set[str]:
        """What the files can give a metric; records may have everything."""
        given = {
            "source": self.inputs.sources or self.inputs.data,
            "references": self.inputs.references or self.inputs.data,
        }
        return {name for name, files in given.items() if files}

    def finish(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation without metrics that the records turned out to have nothing for."""
        return scorable(evaluation, self._requested, self.left_out)


def resampling_of(options: argparse.Namespace) -> Resampling:
    """How intervals are made, as the options say."""
    resamples = RESAMPLES if options.resamples is None else options.resamples
    check_at_least("resamples", resamples, 1)
    return Resampling(resamples, options.seed, options.confidence, options.interval)


def comparing_of(options: argparse.Namespace) -> dict[str, Any]:
    """How systems are compared, as the options say; what `Evaluation.compare` takes."""
    names = ("resamples", "seed", "confidence", "interval")
    return {**{name: getattr(options, name) for name in names}, "method": options.test}


def asked_profile(options: argparse.Namespace) -> Profile | None:
    """The profile that is to be obeyed."""
    return None if options.profile is None else get_profile(options.profile)


def refuse_profile(options: argparse.Namespace, why: str) -> None:
    """An error where a profile has nothing to say."""
    if options.profile is not None:
        raise PlainlyError(f"{why}; leave --profile out")


def language_of(options: argparse.Namespace, usual: str) -> str:
    """The language of the texts, as --lang or the profile says."""
    said = None if options.lang is None else get_language(options.lang).code
    profile = asked_profile(options)
    return said or usual if profile is None else profile.language(said)


def choose_metrics(
    options: argparse.Namespace,
    requested: list[str] | None,
    available: set[str],
    lang: str,
    references: Callable[[], list[str]],
) -> tuple[list[Metric], dict[str, str]]:
    """The metrics with the settings of the run, and what is left out, with the reason."""
    idf = references if options.idf else None
    settings = shared_settings(options), own_settings(options.set)
    return choose(requested, available, lang, *settings, idf, asked_profile(options))


def inputs_of(options: argparse.Namespace) -> Inputs:
    """Which files the options name, and what is in them."""
    systems, runs = _systems(options.system)
    if options.columns and not options.data:
        raise PlainlyError("--columns says what columns of --data are called; give that, too")
    if options.against and not options.test_set:
        raise PlainlyError("--against goes with --test-set")
    if options.test_set:
        if options.sources or options.references or options.data or options.demo:
            raise PlainlyError("--test-set brings sources and references; give only --system beside it")
        found = catalogue.inputs(options.test_set, systems, options.against == "published")
        if options.lang not in (None, found.lang):
            raise PlainlyError(f"{options.test_set} is in language {found.lang!r}; leave --lang {options.lang} out")
        return replace(found, runs=runs)
    if options.demo:
        if options.sources or options.references or systems or options.data:
            raise PlainlyError("--demo brings its own files; leave --sources, --references, --system and --data out")
        return demo_inputs(options.lang or "en")
    if options.data and (options.sources or options.references):
        raise PlainlyError("--data brings sources and references; leave --sources and --references out")
    if not (options.sources or systems or options.data):
        raise PlainlyError("give --sources, --references and --system, or --data (see --help)")
    return Inputs(
        sources=options.sources,
        references=tuple(options.references),
        systems=systems,
        runs=runs,
        data=options.data,
        data_format=options.data_format,
        columns=options.columns or {},
        empty_reference=options.empty_reference,
        lang=options.lang or "en",
    )


def with_known_columns(inputs: Inputs, quiet: bool) -> Inputs:
    """The same, with the columns of a release if the data are one; that is told."""
    inputs, release = recognised(inputs)
    if release is not None:
        tell([Note(release)], quiet)
    return inputs


def _systems(given: Iterable[str]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The file of each run, and the runs of systems that have several.

    NAME=PATTERN, or a NAME given again, makes runs of one system; a pattern without a name makes systems.
    """
    files: dict[str, list[str]] = {}
    for item in given:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = "", item
        if not path or (equals and not name):
            raise PlainlyError(f"--system takes NAME=FILE, not {item!r}")
        for file in matching(path, "system"):
            own = files.setdefault(name or Path(file).stem, [])
            if not name and own:
                raise PlainlyError(f"two systems would be called {Path(file).stem!r}: name them, as NAME={file}")
            if file in own:
                raise PlainlyError(f"{file} is given twice for {name!r}")
            own.append(file)
    return named_runs({name: runs_of_files(paths) for name, paths in files.items()})


def _files(inputs: Inputs) -> list[str | None]:
    return [inputs.sources, *inputs.references, *inputs.systems.values(), inputs.data]


def listed_names(text: str | None) -> list[str]:
    """What stands between the commas, each once."""
    return list(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def _with_progress(chunks: Iterable[Corpus], quiet: bool) -> Iterator[Corpus]:
    """The chunks as they are; how fast they come is shown on a terminal."""
    line = ProgressLine(quiet)
    start = time.monotonic()
    segments = 0
    try:
        for chunk in chunks:
            segments += len(chunk)
            seconds = time.monotonic() - start
            if seconds > 1:
                line.show(f"{segments:,} segments, {segments / seconds:,.0f} a second")
            yield chunk
    finally:
        line.end()  # what is printed next begins on a line of its own


def shared_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that options give to every metric that has them."""
    names = dict.fromkeys(["unit", *(arguments["dest"] for _, arguments in setting_options())])
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def own_settings(given: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What METRIC.NAME=VALUE gives to single metrics: metric -> its settings."""
    found: dict[str, dict[str, Any]] = {}
    for item in given:
        place, equals, text = item.partition("=")
        metric, dot, name = place.strip().rpartition(".")
        if not (equals and dot and metric and name):
            raise PlainlyError(f"--set takes METRIC.NAME=VALUE, not {item!r}")
        known = {key: one for key, one in settings_of(metric_class(metric)).items() if one.shown}
        if not known:
            raise PlainlyError(f"--set {item}: {metric} has no settings")
        if name not in known and f"{metric}_{name}" in known:  # judge.url is its setting judge_url
            name = f"{metric}_{name}"
        if name not in known:
            raise UnknownName(f"setting of {metric}", name, known)
        value = known[name].read(text)
        own = found.setdefault(metric, {})
        if name in own and not isinstance(value, tuple):
            raise PlainlyError(f"--set {metric}.{name} is given twice")
        own[name] = own[name] + value if name in own else value
    return found
