"""What a user asks for on the command line: which texts, which metrics, which settings.

The same for every command that scores; `Request` turns options into chunks of a corpus and metrics for it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from plainly.cli.notes import ProgressLine, note
from plainly.corpus import Corpus, catalogue
from plainly.corpus.baselines import BASELINES
from plainly.corpus.documents import by_document
from plainly.corpus.readers import Inputs, read
from plainly.demo import demo_inputs
from plainly.errors import PlainlyError, UnknownName
from plainly.evaluation import Evaluation, runnable
from plainly.evaluation.scoring import prepare
from plainly.metrics import Metric, metric_class
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

OF_MODELS = {"model", "layer", "device", "baseline_file"}  # settings that choose a model


class Request:
    """The options of one run, checked before any file is read."""

    def __init__(self, options: argparse.Namespace) -> None:
        if options.lang is not None:
            options.lang = get_language(options.lang).code
        if options.tokenizer:
            get_tokenizer(options.tokenizer)
        self.baselines = _names(options.baselines)
        for name in self.baselines:
            if name not in BASELINES:
                raise UnknownName("baseline", name, BASELINES)
        if options.threads is not None and options.threads < 1:
            raise PlainlyError("--threads must be at least 1")
        self._options = options
        self._requested = _names(options.metrics) or None
        self._left_out: dict[str, str] = {}
        if options.metrics is not None and not self._requested:
            raise PlainlyError("--metrics names no metric")
        self._inputs = _inputs(options)
        _protect_inputs(self._inputs, options.output)
        self.chunks = _Watch(self._read(), quiet=options.quiet)

    def metrics(self) -> list[Metric]:
        """The metrics asked for that can run on the files given."""
        settings = _settings(self._options)
        chosen, self._left_out = runnable(self._requested, self.available, self.lang, settings)
        for name in OF_MODELS & settings.keys():
            if _has_setting(self._left_out, name) and not _has_setting(chosen, name):
                del settings[name]  # the model cannot be had, and a note says why
        if self._options.idf:
            settings["idf"] = self._references()
        return prepare(chosen, self.lang, settings)

    def _references(self) -> list[str]:
        """All references: what is rare among them weighs more. They are read before the scoring begins."""
        if "-" in (self._inputs.sources, self._inputs.data, *self._inputs.references, *self._inputs.systems.values()):
            raise PlainlyError("--idf reads the references twice; standard input (-) can be read only once")
        return [text for chunk in self._read() for group in chunk.references for text in group]

    def _read(self) -> Iterable[Corpus]:
        chunks = read(self._inputs)
        return by_document(chunks) if self._options.unit == "document" else chunks

    @property
    def lang(self) -> str:
        """The language of the texts; a published test set brings its own."""
        return self._inputs.lang

    @property
    def available(self) -> set[str]:
        """What the files can give a metric; records may have everything."""
        given = {
            "source": self._inputs.sources or self._inputs.data,
            "references": self._inputs.references or self._inputs.data,
        }
        return {name for name, files in given.items() if files}

    def finish(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation without metrics that the records turned out to have nothing for."""
        unscorable = evaluation.unscorable()
        for label, why in unscorable.items():
            if label in (self._requested or ()):
                raise PlainlyError(f"{label} cannot be computed: {why}")
        if len(unscorable) == len(evaluation.metrics):
            raise PlainlyError(f"no metric can be computed: {', '.join(f'{k}: {v}' for k, v in unscorable.items())}")
        self._left_out |= unscorable
        return evaluation.without(unscorable) if unscorable else evaluation

    def notes(self, evaluation: Evaluation) -> None:
        """Tell the person at the terminal what the numbers alone do not say."""
        if self._options.quiet:
            return
        for why in dict.fromkeys(self._left_out.values()):
            names = [name for name, reason in self._left_out.items() if reason == why]
            if len(names) > 3:
                note(f"note: {len(names)} metrics are left out, for each of them {why}: {', '.join(names)}")
            else:
                for name in names:
                    note(f"note: {name} is left out: {why}")
        for metric in evaluation.metrics.values():
            if metric.facts.caution:
                note(f"caution: {metric.facts.caution}")
            for remark in metric.remarks:
                note(f"note: {remark}")
        for system, results in evaluation.systems.items():
            for label, result in results.items():
                if cut := result.components.get("truncated"):
                    note(f"note: {label} read only the beginning of long texts, in {cut:.0f} segments of {system}")
        for system, count in self.chunks.tokenised.items():
            if count >= 0.5 * evaluation.size:
                note(
                    f"note: {count} of {evaluation.size} outputs of {system} end in ' .': they look tokenised; "
                    "scores are not comparable with those of detokenised text"
                )


def _inputs(options: argparse.Namespace) -> Inputs:
    systems: dict[str, str] = {}
    for item in options.system:
        name, equals, path = item.partition("=")
        if not equals:
            name, path = Path(item).stem, item
        if not name or not path:
            raise PlainlyError(f"--system takes NAME=FILE, not {item!r}")
        if name in systems:
            raise PlainlyError(f"system {name!r} is given twice")
        systems[name] = path
    if options.against and not options.test_set:
        raise PlainlyError("--against goes with --test-set")
    if options.test_set:
        if options.sources or options.references or options.data or options.demo:
            raise PlainlyError("--test-set brings sources and references; give only --system beside it")
        found = catalogue.inputs(options.test_set, systems, options.against == "published")
        if options.lang not in (None, found.lang):
            raise PlainlyError(f"{options.test_set} is in language {found.lang!r}; leave --lang {options.lang} out")
        return found
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
        data=options.data,
        data_format=options.data_format,
        empty_reference=options.empty_reference,
        lang=options.lang or "en",
    )


def _protect_inputs(inputs: Inputs, output: str | None) -> None:
    """Refuse to write over what is read."""
    if output is None or not Path(output).is_file():
        return
    for path in [inputs.sources, *inputs.references, *inputs.systems.values(), inputs.data]:
        if path not in (None, "-") and Path(str(path)).exists() and Path(str(path)).samefile(output):
            raise PlainlyError(f"--output {output} is an input of this run; choose another file")


def _has_setting(metrics: Iterable[str], setting: str) -> bool:
    classes = (metric_class(name.partition(":")[0]) for name in metrics)
    return any(setting in {field.name for field in fields(metric)} for metric in classes)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    wanted = {
        "tokenizer": options.tokenizer,
        "lowercase": options.lowercase,
        "empty_operation": options.empty_operation,
        "reference_weighting": options.reference_weighting,
        "unit": options.unit,
        "model": options.model,
        "layer": options.layer,
        "baseline_file": options.baseline_file,
        "device": options.device,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _names(text: str | None) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


class _Watch:
    """Passes chunks on, shows progress on a terminal, and counts outputs that look tokenised."""

    def __init__(self, chunks: Iterable[Corpus], quiet: bool) -> None:
        self._chunks = iter(chunks)
        self._line = ProgressLine(quiet)
        self._start = time.monotonic()
        self._segments = 0
        self.tokenised: dict[str, int] = {}

    def __iter__(self) -> Iterator[Corpus]:
        return self

    def __next__(self) -> Corpus:
        try:
            chunk = next(self._chunks)
        except BaseException:  # also StopIteration: what is printed next begins on a line of its own
            self._line.end()
            raise
        for system, texts in chunk.outputs.items():
            marked = sum(1 for text in texts if text is not None and text.endswith(" ."))
            self.tokenised[system] = self.tokenised.get(system, 0) + marked
        self._segments += len(chunk)
        seconds = time.monotonic() - self._start
        if seconds > 1:
            self._line.show(f"{self._segments:,} segments, {self._segments / seconds:,.0f} a second")
        return chunk
