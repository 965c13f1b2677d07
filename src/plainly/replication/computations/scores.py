"""Systems on test sets by metrics: the tables of most papers.

A column is a metric, or one of its components, described under `[columns.TITLE]`. A row names a system, and what is
not as the table's settings say: its test set, language or tokeniser.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from plainly.base.declarations import Fault, made
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.corpus import Corpus, catalogue
from plainly.corpus.readers import Inputs, read_corpus
from plainly.inference import Estimate
from plainly.metrics import Metric, configure
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Files, Row, Table
from plainly.replication.work import Work
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.evaluator import CHUNK
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

T = TypeVar("T", "Measured", "Setting")
FIRST_REFERENCE = "first-reference"  # scored against all references, itself among them, as EASSE's reports do
BASELINES = ("identity", "truncate")
NOT_THERE = "not published"


@dataclass(frozen=True)
class Measured:
    """What a column says: a metric, or one of its components, and settings that are not those of the table."""

    metric: str
    component: str = ""
    tokenizer: str = ""
    model: str = ""


@dataclass(frozen=True)
class Setting:
    """Which texts are scored how; what a row leaves empty is as the table says."""

    system: str = ""
    test_set: str = ""
    lang: str = "en"
    tokenizer: str = "13a"
    lowercase: bool = True
    restricted: bool = False  # the texts of the test set are not public


@dataclass(frozen=True)
class _Key:
    """What is scored in one go."""

    test_set: str
    lang: str
    tokenizer: str
    lowercase: bool


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table; the columns of a row are scored together, and the systems of a test set at once."""
    columns = {title: _measured(table, title) for title in table.columns}
    rows = table.rows or _all_rows(table, work)
    found: dict[tuple[str, str], Found] = {}
    for row in rows:
        setting = _setting(table, row)
        _check(setting, work)
        for title, column in columns.items():
            found[row.key, title] = _found(setting, column, tuple(columns.values()), work)
    return found


def _measured(table: Table, title: str) -> Measured:
    if title not in table.meaning:
        raise PlainlyError(f"there is no column {title!r}: say [columns.{title!r}]")
    return _made(Measured, table.meaning[title], f"column {title}")


def _setting(table: Table, row: Row) -> Setting:
    return _made(Setting, {"system": row.name, **table.settings, **row.settings}, row.key or "the table")


def _made(kind: type[T], given: Mapping[str, Any], where: str) -> T:
    try:
        return made(kind, given, where)
    except Fault as error:
        raise PlainlyError(str(error)) from error


def _check(setting: Setting, work: Work) -> None:
    """Language, tokeniser, test set and system must be spelt right."""
    get_language(setting.lang)
    get_tokenizer(setting.tokenizer)
    own = work.recipe.test_sets.get(setting.test_set)
    if own is None and setting.test_set not in catalogue.names() and not setting.restricted:
        raise UnknownName("test set", setting.test_set, [*work.recipe.test_sets, *catalogue.names()])
    if own is not None and setting.system not in (there := [*own.systems, *BASELINES, FIRST_REFERENCE]):
        raise UnknownName("system", setting.system, there)


def _all_rows(table: Table, work: Work) -> list[Row]:
    name = _setting(table, Row("")).test_set
    corpus = texts_of(name, work)
    baselines = BASELINES if _has(corpus, "source") else ()
    return [Row(system, key=system) for system in (*corpus.outputs, *baselines) if system != FIRST_REFERENCE]


def _found(setting: Setting, column: Measured, columns: Sequence[Measured], work: Work) -> Found:
    key = _Key(setting.test_set, setting.lang, setting.tokenizer, setting.lowercase)
    try:
        metric = _metric(key, column)
        evaluation = _evaluation(key, column, columns, work)
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
    """Why there are no outputs of a system: the catalogue knows of them, or nobody has them."""
    known = test_set in catalogue.names() and system in catalogue.info(test_set).systems
    return f"the outputs of {system} are not on this machine" if known else f"the outputs are {NOT_THERE}"


def _evaluation(key: _Key, column: Measured, columns: Sequence[Measured], work: Work) -> Evaluation:
    """The evaluation that holds a column: all columns that can be scored together are."""
    together = tuple(dict.fromkeys(columns))
    found = work.once((key, together), lambda: _together(key, together, work))[column]
    if isinstance(found, PlainlyError):
        raise found
    return found


def _together(key: _Key, columns: Sequence[Measured], work: Work) -> dict[Measured, Evaluation | PlainlyError]:
    corpus = replace(texts_of(key.test_set, work), lang=key.lang)
    metrics: dict[Measured, Metric] = {}
    found: dict[Measured, Evaluation | PlainlyError] = {}
    for column in columns:
        try:
            metrics[column] = _metric(key, column)
            _insist_on_needs(metrics[column], corpus)
        except PlainlyError as error:
            found[column] = error
            metrics.pop(column, None)
    work.tell(f"{key.test_set}, {key.lang}, {key.tokenizer}")
    baselines = list(BASELINES) if _has(corpus, "source") else []

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


def _metric(key: _Key, column: Measured) -> Metric:
    given: dict[str, Any] = {
        "lang": key.lang,
        "tokenizer": column.tokenizer or key.tokenizer,
        "lowercase": key.lowercase,
    }
    return configure(column.metric, given | ({"model": column.model} if column.model else {}))


def _insist_on_needs(metric: Metric, corpus: Corpus) -> None:
    for what in sorted(metric.facts.needs & {"source", "references"}):
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
    """The test set with its published outputs, and its first references as a system."""
    if name in work.recipe.test_sets:
        corpus = read_corpus(_inputs(work.recipe.test_sets[name], work))
    elif name in catalogue.names():
        corpus = catalogue.load(name)
        corpus = corpus.with_outputs(catalogue.published(name))
        if len(corpus) != (expected := catalogue.info(name).segments):
            work.doubts[name] = (len(corpus), expected)
    else:
        raise MissingResource(f"the texts of {name} are {NOT_THERE}")
    if corpus.reference_counts.all():
        first = [group[0] for group in corpus.references]
        corpus = corpus.with_outputs({**corpus.outputs, FIRST_REFERENCE: first})
    return corpus


def _inputs(files: Files, work: Work) -> Inputs:
    def place(path: str) -> str:
        return str(work.recipe.folder / path)

    return Inputs(
        sources=place(files.sources) if files.sources else None,
        references=tuple(map(place, files.references)),
        systems={system: place(path) for system, path in files.systems.items()},
    )
