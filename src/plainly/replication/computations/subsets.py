"""Scores of systems by some of the references: those that an expression keeps, or those of the released files.

The files are read as they must be read, or as they are: lines begin with the number of their source and a tab
(`ids`), and where a source keeps fewer than ten references, blank lines stand in their place (`blanks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from plainly import operations
from plainly.base.errors import MissingResource, PlainlyError
from plainly.corpus import Corpus, catalogue
from plainly.metrics import get
from plainly.operations.selection import corpus_of, select
from plainly.replication.computations.cells import declared, places, said
from plainly.replication.computations.scores import texts_of
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Row, Table
from plainly.replication.work import Work

NAME = "assetann-subsets"
PLACE = "assetann/subsets/{subset}/asset.test.{part}"
REFERENCES = 10


@dataclass(frozen=True)
class By:
    """By which references a system is scored."""

    test_set: str = "asset-test"
    """Has the outputs, and all references."""
    files: str = ""
    """A folder of the released subsets."""
    ids: bool = False
    """The numbers stay at the beginning of sources and references."""
    blanks: bool = False
    """Blank lines count as references."""
    keeps: str = ""
    """What made the subset, as "lexical and not err"."""
    untokenised: bool = False
    """In the place of files: the references that `keeps` keeps, as they stand in the test set."""
    annotated: str = "assetann"


@dataclass(frozen=True)
class Scored:
    """Which number a cell holds; without a metric, how many references there are."""

    by: By
    systems: tuple[str, ...] = ()
    """The mean over these."""
    metric: str = ""
    set: Any = field(default_factory=dict, hash=False)
    """Settings of the metric."""
    change: bool = False
    """Less the score by all references."""


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    return {(row.key, title): _found(table, row, title, work) for row, title in places(table)}


def _found(table: Table, row: Row, title: str, work: Work) -> Found:
    settings, where = said(table, row, title), f"{row.key}, {title}"
    by = declared(By, {key: settings.pop(key) for key in By.__dataclass_fields__ if key in settings}, where)
    asked = declared(Scored, {"systems": [row.name], **settings, "by": by}, where)
    try:
        return _score(asked, work) if asked.metric else Found(_corpus(by, work).reference_counts.sum())
    except MissingResource as error:
        return Found(why=str(error))


def _score(asked: Scored, work: Work) -> Found:
    metric = get(asked.metric, **asked.set)
    corpora = [_corpus(asked.by, work), *([_corpus(By(asked.by.test_set), work)] if asked.change else [])]
    for system in asked.systems:
        if system not in corpora[0].outputs:
            raise MissingResource(
                f"the outputs of {system} are not in the catalogue; a recipe of your own can name files of them"
            )
    means = [
        fmean(float(metric.score(metric.measure(corpus, system).sum(axis=0)).value) for system in asked.systems)
        for corpus in corpora
    ]
    signature = metric.signature(corpora[0].judged_by)
    return Found(means[0] - sum(means[1:]), signature=signature, decimals=metric.facts.decimals)


def _corpus(by: By, work: Work) -> Corpus:
    return work.once(by, lambda: _made(by, work))


def _made(by: By, work: Work) -> Corpus:
    whole = texts_of(by.test_set, work)
    if by.untokenised:
        return _kept(by, whole)
    return _read(by, whole) if by.files else whole


def _kept(by: By, whole: Corpus) -> Corpus:
    """The references that an expression keeps, as they stand in the test set."""
    if len(set(whole.reference_counts.tolist())) > 1:
        raise PlainlyError(f"the sources of {by.test_set} differ in their number of references")
    columns = [list(column) for column in zip(*whole.references, strict=True)]
    data = operations.annotated_set(
        operations.published(by.annotated), raw_sources=[text or "" for text in whole.sources], raw_targets=columns
    )
    return corpus_of(data, select(data, operations.parse(by.keeps)), whole.outputs)


def _read(by: By, whole: Corpus) -> Corpus:
    """The sources and references of released files, with the outputs for those sources."""
    sources = _lines(by, "orig")
    columns = [_lines(by, f"simp.{k}") for k in range(REFERENCES)]
    kept = [int(line.partition("\t")[0]) for line in sources]
    if max(kept) >= len(whole):
        raise PlainlyError(
            f"{by.test_set} has {len(whole)} sources, but the subset {by.files} has source {max(kept)}, from 0 on"
        )
    return Corpus(
        [_text(by, line) for line in sources],
        [[_text(by, line) for line in group if line or by.blanks] for group in zip(*columns, strict=True)],
        {system: [outputs[i] for i in kept] for system, outputs in whole.outputs.items()},
        [str(i) for i in kept],
        lang=whole.lang,
    )


def _text(by: By, line: str) -> str:
    return line if by.ids else line.partition("\t")[2]


def _lines(by: By, part: str) -> Sequence[str]:
    place = catalogue.path(NAME, PLACE.format(subset=by.files, part=part))
    return place.read_text("utf-8").removesuffix("\n").split("\n")
