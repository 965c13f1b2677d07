"""What a user asks for on the command line: which texts, which metrics, which settings.

The same for every command that scores; `Request` turns options into chunks of a corpus and metrics for it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import refuse_overwriting
from plainly.cli.notes import ProgressLine, note
from plainly.corpus import Corpus, catalogue
from plainly.corpus.baselines import BASELINES
from plainly.corpus.documents import by_document
from plainly.corpus.readers import Inputs, read
from plainly.corpus.readers.checks import is_blank, with_id_prefix
from plainly.demo import demo_inputs
from plainly.inference import RESAMPLES, Resampling
from plainly.metrics import Metric, metric_class
from plainly.scoring import Evaluation, runnable
from plainly.scoring.evaluator import prepare, scorable
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

OF_MODELS = {"model", "layer", "device", "baseline_file"}  # settings that choose a model


class Request:
    """The options of one run, checked before any file is read."""

    def __init__(self, options: argparse.Namespace, in_parts: bool = False) -> None:
        if options.lang is not None:
            options.lang = get_language(options.lang).code
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
        self._left_out: dict[str, str] = {}
        if options.metrics is not None and not self._requested:
            raise PlainlyError("--metrics names no metric")
        self.inputs = _inputs(options)
        refuse_overwriting(options.output, _files(self.inputs))
        chunks = () if in_parts else self._read()  # in parts, the texts are read where they are scored
        self.chunks = _Watch(chunks, options.quiet, blanks=options.empty_reference == "keep")

    def metrics(self) -> list[Metric]:
        """The metrics asked for that can run on the files given."""
        metrics, self._left_out = choose_metrics(
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
        kept, unscorable = scorable(evaluation, self._requested)
        self._left_out |= unscorable
        return kept

    def notes(self, evaluation: Evaluation, tokenised: Mapping[str, int] | None = None) -> None:
        """Tell the person at the terminal what the numbers alone do not say.

        `tokenised` are the outputs of each system that look tokenised, where others have read them.
        """
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
        for system, count in (self.chunks.tokenised if tokenised is None else tokenised).items():
            if count >= 0.5 * evaluation.size:
                note(
                    f"note: {count} of {evaluation.size} outputs of {system} end in ' .': they look tokenised; "
                    "scores are not comparable with those of detokenised text"
                )
        note_id_prefixes(self.chunks.prefixed)
        if self.chunks.blank_references:
            note(
                f"note: {self.chunks.blank_references} blank references count as references; where a line means that "
                "there is none, say --empty-reference missing"
            )


def resampling_of(options: argparse.Namespace) -> Resampling:
    """How intervals are made, as the options say."""
    resamples = RESAMPLES if options.resamples is None else options.resamples
    return Resampling(resamples, options.seed, options.confidence, options.interval)


def choose_metrics(
    options: argparse.Namespace,
    requested: list[str] | None,
    available: set[str],
    lang: str,
    references: Callable[[], list[str]],
) -> tuple[list[Metric], dict[str, str]]:
    """The metrics with the settings of the run, and what is left out, with the reason."""
    settings = _settings(options)
    chosen, left_out = runnable(requested, available, lang, settings)
    for name in OF_MODELS & settings.keys():
        if _has_setting(left_out, name) and not _has_setting(chosen, name):
            del settings[name]  # the model cannot be had, and a note says why
    if options.idf:
        settings["idf"] = references()
    return prepare(chosen, lang, settings), left_out


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


def _files(inputs: Inputs) -> list[str | None]:
    return [inputs.sources, *inputs.references, *inputs.systems.values(), inputs.data]


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
        "judge_url": options.judge_url,
        "judge_model": options.judge_model,
        "judge_key_variable": options.judge_key_variable,
        "judge_aspects": options.judge_aspects,
        "judge_references": options.judge_references,
        "judge_settings": options.judge_setting,
        "judge_calls": options.judge_calls,
        "simplicity_model": options.simplicity_model,
        "quality_model": options.quality_model,
    }
    return {name: value for name, value in wanted.items() if value is not None}


def listed_names(text: str | None) -> list[str]:
    """What stands between the commas, each once."""
    return list(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def id_prefixes(columns: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    """Which texts, half of them at least, begin with an id; with how the first of those begins."""
    found = {}
    for name, texts in columns.items():
        if texts and with_id_prefix(texts) >= 0.5 * len(texts):
            found[name] = next(text for text in texts if text and with_id_prefix([text]))[:20]
    return found


def note_id_prefixes(prefixed: Mapping[str, str]) -> None:
    """Tell of ids that somebody forgot to cut off, as `id_prefixes` found them."""
    for texts, example in prefixed.items():
        note(
            f"note: {texts} begin with a number and a tab, as {example!r}: such an id counts as a word; "
            "cut it off (cut -f2-)"
        )


class _Watch:
    """Passes chunks on, shows progress on a terminal, and looks out for texts that are not what they should be."""

    def __init__(self, chunks: Iterable[Corpus], quiet: bool, blanks: bool) -> None:
        self._chunks = iter(chunks)
        self._line = ProgressLine(quiet)
        self._start = time.monotonic()
        self._segments = 0
        self.tokenised: dict[str, int] = {}
        self.prefixed: dict[str, str] = {}  # which texts begin with an id -> the first of those
        self.blank_references = 0
        self._blanks = blanks  # whether there may be any

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
        if not self._segments:
            self._look_for_ids(chunk)
        if self._blanks:
            self.blank_references += sum(1 for group in chunk.references for text in group if is_blank(text))
        self._segments += len(chunk)
        seconds = time.monotonic() - self._start
        if seconds > 1:
            self._line.show(f"{self._segments:,} segments, {self._segments / seconds:,.0f} a second")
        return chunk

    def _look_for_ids(self, chunk: Corpus) -> None:
        """Where half of the first texts begin with an id, the others will too."""
        references = [text for group in chunk.references for text in group]
        columns: dict[str, Sequence[str | None]] = {"sources": chunk.sources, "references": references}
        columns |= {f"outputs of {system}": texts for system, texts in chunk.outputs.items()}
        self.prefixed = id_prefixes(columns)
