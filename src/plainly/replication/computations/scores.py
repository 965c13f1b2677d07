"""Systems on test sets by metrics: the tables of most papers.

A column is a metric, or one of its components, described under `[columns.TITLE]`. A row names a system, and what is
not as the table's settings say: its test set, language or tokeniser.

A column may also hold ranks of systems by a metric, or the number of segments or references of a test set.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plainly.base.errors import MissingResource, Place, PlainlyError, UnknownName
from plainly.corpus import Corpus, catalogue
from plainly.corpus.corpus import BASELINES as ALL_BASELINES
from plainly.corpus.corpus import FIRST_REFERENCE, REFERENCE, possible_baselines, with_baselines
from plainly.corpus.readers import Inputs, read_corpus
from plainly.inference import Estimate
from plainly.inference.multiple import ranks
from plainly.metrics import Metric, configure, metric_class
from plainly.replication.computations.cells import declared
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Files, Row, Table
from plainly.replication.work import Work
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import CHUNK
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

BASELINES = tuple(name for name in ALL_BASELINES if name != REFERENCE)
"""Those that are scored against all references."""


@dataclass(frozen=True)
class Measured:
    """What a column says: a metric, or one of its components, and settings that are not those of the table."""

    metric: str = ""
    component: str = ""
    tokenizer: str = ""
    model: str = ""
    system: str = ""
    """Whose scores, where they are not those of the row."""
    rank: bool = False
    """Not the score, but its rank in the table: 1 is the best; scores with the same printed digits share one."""
    count: str = ""
    """In the place of a metric: how many `segments` or `references` the test set has."""


@dataclass(frozen=True)
class Setting:
    """Which texts are scored how; what a row leaves empty is as the table says."""

    system: str = ""
    test_set: str = ""
    lang: str = "en"
    tokenizer: str = "13a"
    lowercase: bool = True
    model: str = ""
    """In the place of that of a column that has one."""
    variant: str = ""
    """Of the metrics that have it, where a column names none."""
    tokenized: tuple[str, ...] = ()
    """Which texts are cut into tokens, joined by blanks, before all else; then everything is split at blanks. A
    baseline is made of the tokens. Of `TEXTS`."""

    @property
    def together(self) -> Setting:
        """What is scored in one go: all systems of a test set, unless its texts have to be made for one."""
        return self if self.tokenized else replace(self, system="")


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table; the columns of a row are scored together, and the systems of a test set at once."""
    columns = {title: _measured(table, title) for title in table.columns}
    rows = table.rows or _all_rows(table, work)
    found: dict[tuple[str, str], Found] = {}
    for row in rows:
        for title, column in columns.items():
            setting = _setting(table, row, column)
            _check(setting, work)
            found[row.key, title] = _found(setting, column, tuple(columns.values()), work)
    for title, column in columns.items():
        if column.rank:
            found |= _ranked({(row.key, title): found[row.key, title] for row in rows}, column)
    return found


def _measured(table: Table, title: str) -> Measured:
    if title not in table.meaning:
        raise PlainlyError(f"there is no column {title!r}: say [columns.{title!r}]")
    column = declared(Measured, table.meaning[title], f"column {title}")
    if bool(column.metric) == bool(column.count):
        raise PlainlyError(f"column {title}: say a metric, or what to count")
    if column.count and column.count not in COUNTS:
        raise UnknownName("count of a test set", column.count, COUNTS)
    return column


def _setting(table: Table, row: Row, column: Measured | None = None) -> Setting:
    settings = {"system": row.name, **table.settings, **row.settings}
    if column and column.system:
        settings["system"] = column.system
    return declared(Setting, settings, row.key or "the table")


def _check(setting: Setting, work: Work) -> None:
    """Language, tokeniser, test set and system must be spelt right; texts may be missing, but not broken."""
    get_language(setting.lang)
    get_tokenizer(setting.tokenizer)
    for name in setting.tokenized:
        if name not in TEXTS:
            raise UnknownName("kind of texts", name, TEXTS)
    own = work.recipe.test_sets.get(setting.test_set)
    if own is None and setting.test_set not in catalogue.names():
        raise UnknownName("test set", setting.test_set, [*work.recipe.test_sets, *catalogue.names()])
    if own is not None and setting.system not in (there := [*own.systems, *BASELINES]):
        raise UnknownName("system", setting.system, there)
    with suppress(MissingResource):
        texts_of(setting.test_set, work)


def _all_rows(table: Table, work: Work) -> list[Row]:
    name = _setting(table, Row("")).test_set
    corpus = texts_of(name, work)
    baselines = [one for one in _baselines(corpus) if one != FIRST_REFERENCE]
    return [Row(system, key=system) for system in (*corpus.outputs, *baselines)]


def _baselines(corpus: Corpus) -> list[str]:
    """Those that the corpus has the texts for."""
    of_sources = [name for name in possible_baselines(corpus) if name in BASELINES]
    return [*of_sources, *([FIRST_REFERENCE] if corpus.reference_counts.all() else [])]


def _found(setting: Setting, column: Measured, columns: Sequence[Measured], work: Work) -> Found:
    try:
        if column.count:
            return _counted(texts_of(setting.test_set, work), column.count)
        metric = _metric(setting, column)
        if setting.system in BASELINES:
            made_of = "references" if setting.system == FIRST_REFERENCE else "source"
            _insist_on(texts_of(setting.test_set, work), made_of)
        evaluation = _evaluation(setting.together, column, columns, work)
    except UnknownName:
        raise
    except PlainlyError as error:
        return Found(why=str(error))
    if setting.system not in evaluation.systems:
        return Found(why=why_without(setting.system, setting.test_set))
    result = evaluation[setting.system][metric.label]
    value = result.estimate
    if column.component:
        if column.component not in result.components:
            raise UnknownName(f"component of {metric.label}", column.component, result.components)
        value = Estimate(result.components[column.component])
    return Found(value, signature=result.signature, decimals=metric.facts.decimals)


def why_without(system: str, test_set: str) -> str:
    """Why there are no outputs of a system: they are not on this machine, or the catalogue does not know of them."""
    known = test_set in catalogue.names() and system in catalogue.info(test_set).systems
    return f"the outputs of {system} are not on this machine" if known else "the catalogue does not have the outputs"


def _counted(corpus: Corpus, what: str) -> Found:
    if what == "references":
        _insist_on(corpus, what)
    return Found(float(len(corpus) if what == "segments" else corpus.reference_counts.max()), decimals=0)


COUNTS = ("segments", "references")


def _ranked(found: Mapping[tuple[str, str], Found], column: Measured) -> dict[tuple[str, str], Found]:
    """The ranks of scores that are rounded as papers print them; none where a score is missing."""
    if missing := next((one for one in found.values() if math.isnan(one.estimate.value)), None):
        return dict.fromkeys(found, Found(why=missing.why))
    direction = metric_class(column.metric.partition(":")[0]).facts.direction
    best, _ = ranks(np.array([round(one.estimate.value, RANKED) for one in found.values()]), direction)
    return {
        place: Found(float(rank), signature=one.signature, decimals=0)
        for (place, one), rank in zip(found.items(), best.tolist(), strict=True)
    }


RANKED = 2
"""Digits behind the point of a score that is ranked."""


def _evaluation(setting: Setting, column: Measured, columns: Sequence[Measured], work: Work) -> Evaluation:
    """The evaluation that holds a column: all columns that can be scored together are."""
    together = tuple(dict.fromkeys(_scored(one) for one in columns if not one.count))
    found = work.once((setting, together), lambda: _together(setting, together, work))[_scored(column)]
    if isinstance(found, PlainlyError):
        raise found
    return found


def _scored(column: Measured) -> Measured:
    """What has to be scored for a column: the same for a score, its components, and ranks by it."""
    return replace(column, component="", system="", rank=False)


def _together(setting: Setting, columns: Sequence[Measured], work: Work) -> dict[Measured, Evaluation | PlainlyError]:
    corpus = replace(texts_of(setting.test_set, work), lang=setting.lang)
    corpus, baselines = (_tokenized(corpus, setting), []) if setting.tokenized else (corpus, _baselines(corpus))
    metrics: dict[Measured, Metric] = {}
    found: dict[Measured, Evaluation | PlainlyError] = {}
    for column in columns:
        try:
            metrics[column] = _metric(setting, column)
            for what in sorted(metrics[column].facts.needs & {"source", "references"}):
                _insist_on(corpus, what)
        except PlainlyError as error:
            found[column] = error
            metrics.pop(column, None)
    work.tell(f"{setting.test_set}, {setting.lang}, {setting.tokenizer}")

    def evaluate(chosen: Sequence[Metric]) -> Evaluation:
        return evaluate_stream(
            corpus.chunks(CHUNK), chosen, baselines=baselines, keep=sys.maxsize, intervals=work.resampling
        )

    try:
        if metrics:
            found |= dict.fromkeys(metrics, evaluate(list(metrics.values())))
    except PlainlyError:  # one of them cannot run here: find out which
        for column, metric in metrics.items():
            try:
                found[column] = evaluate([metric])
            except PlainlyError as error:
                found[column] = error
    return found


def _metric(setting: Setting, column: Measured) -> Metric:
    given: dict[str, Any] = {
        "lang": setting.lang,
        "tokenizer": column.tokenizer or ("none" if setting.tokenized else setting.tokenizer),
        "lowercase": setting.lowercase,
    }
    name = column.metric
    if setting.variant and ":" not in name and setting.variant in metric_class(name).variants:
        name = f"{name}:{setting.variant}"
    return configure(name, given | ({"model": setting.model or column.model} if column.model else {}))


def _tokenized(corpus: Corpus, setting: Setting) -> Corpus:
    """The one system, and the test set: cut into tokens what the setting says."""
    cut = get_tokenizer(setting.tokenizer)

    def tokens(text: str | None) -> str | None:
        return None if text is None else " ".join(cut.tokens(text, lang=setting.lang))

    def texts(kind: str, given: Iterable[str | None]) -> list[Any]:
        return [tokens(text) if kind in setting.tokenized else text for text in given]

    if setting.system in _baselines(corpus):
        of_tokens = [texts("outputs", group) for group in corpus.references]
        outputs = with_baselines(Corpus(texts("outputs", corpus.sources), of_tokens), [setting.system])[0].outputs
    elif setting.system in corpus.outputs:
        outputs = {setting.system: texts("outputs", corpus.output(setting.system))}
    else:
        raise PlainlyError(why_without(setting.system, setting.test_set))
    references = [texts("references", group) for group in corpus.references]
    return replace(corpus, sources=texts("sources", corpus.sources), references=references, outputs=outputs)


TEXTS = ("sources", "references", "outputs")


def _insist_on(corpus: Corpus, what: str) -> None:
    if not _has(corpus, what):
        raise PlainlyError(f"this test set has no {NAMES[what]}")


NAMES = {"source": "sources", "references": "references"}


def _has(corpus: Corpus, what: str) -> bool:
    if what == "source":
        return any(text is not None for text in corpus.sources)
    return bool(corpus.reference_counts.any())


def texts_of(name: str, work: Work) -> Corpus:
    """A test set with its outputs, read once."""
    return work.once(("corpus", name), lambda: _read(name, work))


def _read(name: str, work: Work) -> Corpus:
    """The test set with its published outputs."""
    if name in work.recipe.test_sets:
        return read_corpus(_inputs(work.recipe.test_sets[name], work))
    if name not in catalogue.names():
        raise MissingResource(f"the catalogue does not have the texts of {name}")
    corpus = catalogue.load(name)
    try:
        corpus = corpus.with_outputs(catalogue.published(name))
    except MissingResource:
        raise
    except PlainlyError as error:
        raise error.at(Place(name)) from None
    if len(corpus) != (expected := catalogue.info(name).segments):
        work.doubts[name] = (len(corpus), expected)
    return corpus


def _inputs(files: Files, work: Work) -> Inputs:
    def place(path: str) -> str:
        return str(work.recipe.folder / path)

    return Inputs(
        sources=place(files.sources) if files.sources else None,
        references=tuple(map(place, files.references)),
        systems={system: place(path) for system, path in files.systems.items()},
    )
