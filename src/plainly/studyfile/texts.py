"""The texts of a study file's test sets: which files they are in, and what is read from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from plainly.base.errors import Argument, PlainlyError
from plainly.base.messages import Message
from plainly.base.patterns import matching
from plainly.corpus import Corpus, catalogue
from plainly.corpus.corpus import BASELINES, concatenate, possible_baselines
from plainly.corpus.documents import by_document
from plainly.corpus.readers import Inputs, read
from plainly.corpus.readers.inputs import recognised
from plainly.corpus.readers.runs import named_runs, runs_of_files
from plainly.demo import demo_inputs
from plainly.metrics import Metric
from plainly.scoring.evaluator import choose
from plainly.studyfile.definition import TEST_SET, Study
from plainly.studyfile.reading import place_of
from plainly.text.languages import get_language


@dataclass(frozen=True)
class Texts:
    """What one test set brings to the study."""

    name: str
    """As the study file calls it; empty where there is only one."""
    inputs: Inputs
    corpus: Corpus
    metrics: list[Metric]
    left_out: Mapping[str, str]
    """Metrics that cannot run, and why."""
    baselines: tuple[str, ...]
    """In the comparison: those asked for; else the copy of the source, where there are sources."""
    more_baselines: tuple[str, ...]
    """In the report: those asked for, else all that the texts allow."""
    release: Message | None = None
    """What is to be told of data whose columns are known by their header."""

    @property
    def systems(self) -> list[str]:
        """Of several runs, a system is one."""
        of = {run: system for system, runs in self.corpus.runs.items() for run in runs}
        return list(dict.fromkeys(of.get(name, name) for name in self.corpus.outputs))


def texts_of(study: Study, name: str) -> Texts:
    """Read a test set, and choose the metrics that can run on it."""
    at = ("test_sets", name) if name else ("test_set",)
    with placed(study, at):
        inputs, release = recognised(inputs_of(study, name))
        corpus = _whole(inputs, study.unit)
    asked = study.comparison.baselines
    with placed(study, ("comparison", "baselines")):
        for baseline in asked or ():
            if baseline not in BASELINES:
                raise PlainlyError(f"unknown baseline {baseline!r}; known: {', '.join(BASELINES)}")
    possible = possible_baselines(corpus)
    chosen, left_out = _metrics(study, inputs, corpus)
    return Texts(
        name=name,
        inputs=inputs,
        corpus=corpus,
        metrics=chosen,
        left_out=left_out,
        baselines=tuple(one for one in possible if one == "identity") if asked is None else asked,
        more_baselines=tuple(possible) if asked is None else asked,
        release=release,
    )


def inputs_of(study: Study, name: str) -> Inputs:
    """The files of a test set."""
    entry = study.test_sets[name]
    systems, runs = named_runs(
        {
            system: runs_of_files(_files(study, name, ("systems", system), paths))
            for system, paths in entry.systems.items()
        }
    )
    lang = get_language(entry.lang).code if entry.lang else None
    if study.profile is not None and (lang or not entry.catalogue):
        with placed(study, ("profile",)):
            lang = study.profile.language(lang)
    if entry.demo:
        found = demo_inputs(lang or "en")
        return replace(found, systems={**found.systems, **systems}, runs=runs)
    if entry.catalogue:
        found = catalogue.inputs(entry.catalogue, systems, bool(entry.against))
        if lang not in (None, found.lang):
            raise PlainlyError(f"{entry.catalogue} is in language {found.lang!r}; leave lang = {lang!r} out")
        return replace(found, runs=runs)
    return Inputs(
        sources=study.place(entry.sources, name) if entry.sources else None,
        references=tuple(_files(study, name, ("references",), entry.references)),
        systems=systems,
        runs=runs,
        data=study.place(entry.data, name) if entry.data else None,
        data_format=entry.data_format or None,
        columns=entry.columns,
        empty_reference=entry.empty_reference or "error",
        lang=lang or "en",
    )


def files_of(inputs: Inputs) -> list[str]:
    """All files that are read."""
    return [path for path in (inputs.sources, *inputs.references, *inputs.systems.values(), inputs.data) if path]


@contextmanager
def placed(study: Study, at: tuple[str, ...]) -> Iterator[None]:
    """A fault that names no file is said of a line of the study file."""
    try:
        yield
    except PlainlyError as error:
        place = place_of(study.path, study.lines, at)
        if isinstance(error.place, Argument):
            raise PlainlyError(f"{error.place}: {error.message}", place=place, remedy=error.remedies) from None
        raise error.at(place) from None


def _files(study: Study, name: str, at: tuple[str, ...], paths: Iterable[str]) -> list[str]:
    own = ("test_sets", name) if name else ("test_set",)
    where = next((place for place in ((*own, *at), at) if place in study.lines), own)
    found: list[str] = []
    for path in paths:
        with placed(study, where):
            if TEST_SET in path and not name:
                raise PlainlyError(f"{path}: there is one test set without a name; say [test_sets.NAME]")
            for file in matching(study.place(path, name)):
                if file in found:
                    raise PlainlyError(f"{file} is given twice")
                if not Path(file).exists():
                    raise PlainlyError(f"there is no file {file}")
                found.append(file)
    return found


def _whole(inputs: Inputs, unit: str) -> Corpus:
    chunks = read(inputs)
    parts = list(by_document(chunks) if unit == "document" else chunks)
    if not parts:
        raise PlainlyError("there is nothing to score: no segments")
    return concatenate(parts)


def _metrics(study: Study, inputs: Inputs, corpus: Corpus) -> tuple[list[Metric], dict[str, str]]:
    asked = study.metrics
    available = {
        what for what, file in (("source", inputs.sources), ("references", inputs.references)) if file or inputs.data
    }
    shared = {**asked.settings, "unit": study.unit}

    def references() -> list[str]:
        return [text for group in corpus.references for text in group]

    with placed(study, ("metrics",)):
        idf = references if asked.idf else None
        return choose(asked.names or None, available, inputs.lang, shared, asked.own, idf, study.profile)
