"""The texts that people give in Python: lists, mappings, data frames, tables, a corpus. All become one corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePath
from typing import Any, TypeAlias

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import from_table
from plainly.text.languages import get_language

OutputTexts: TypeAlias = (
    "Sequence[str | None] | Mapping[str, Sequence[str | None] | Mapping[str, Sequence[str | None]]]"
)
"""One list of texts, or by system, or by system and run."""
ReferenceTexts: TypeAlias = "Sequence[Sequence[str | None]]"
"""A list of texts for each segment; None among them is missing."""


def corpus_of(
    sources: Corpus | Sequence[str | None] | None,
    outputs: OutputTexts,
    references: ReferenceTexts | None,
    documents: Sequence[str] | None = None,
    lang: str | None = None,
    data: Any = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
) -> Corpus:
    """The corpus that people mean: of sources, outputs and references, of a table, or theirs with more outputs."""
    if data is not None:
        if sources is not None or references is not None or documents is not None or len(outputs):
            raise PlainlyError("data has all texts; leave sources, outputs, references and documents out")
        return from_table(data, columns, lang=get_language(lang or "en").code)
    if _is_table(sources):
        raise PlainlyError("the sources are a table; say data=..., and columns={...} if it calls things otherwise")
    if columns is not None:
        raise PlainlyError("columns are those of data; say data=..., too")
    if hasattr(outputs, "columns"):  # a data frame: one column a system
        outputs = {str(name): outputs[name] for name in outputs.columns}
    named = outputs if isinstance(outputs, Mapping) else {"output": outputs}
    if isinstance(sources, Corpus):
        return _with_outputs(sources, named if len(outputs) else {}, references, documents, lang)
    systems, runs = _outputs(named)
    if sources is None:
        sources = [None] * max((len(texts) for texts in systems.values()), default=0)
    sources = _texts(sources, "the sources")
    present = _all_references(references)
    return Corpus(sources, present, systems, documents=documents, lang=get_language(lang or "en").code, runs=runs)


def _is_table(sources: Any) -> bool:
    """Whether somebody gave a whole table in the place of texts: a data frame, columns, records or a file."""
    if isinstance(sources, (str, PurePath, Mapping)) or hasattr(sources, "columns"):
        return True
    return isinstance(sources, (list, tuple)) and bool(sources) and isinstance(sources[0], Mapping)


def _with_outputs(
    corpus: Corpus,
    named: Mapping[str, Any],
    references: ReferenceTexts | None,
    documents: Sequence[str] | None,
    lang: str | None,
) -> Corpus:
    for name, value in {"references": references, "documents": documents}.items():
        if value is not None:
            raise PlainlyError(f"a corpus has {name} of its own; leave {name} out")
    if lang is not None and get_language(lang).code != corpus.lang:
        raise PlainlyError(f"the corpus is in language {corpus.lang!r}; leave lang={lang!r} out")
    systems, runs = _outputs(named)
    if both := sorted(systems.keys() & corpus.outputs.keys()):
        raise PlainlyError(f"the corpus has outputs of {both[0]!r} already; choose another name")
    return replace(corpus, outputs={**corpus.outputs, **systems}, runs={**corpus.runs, **runs})


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


def _outputs(named: Mapping[str, Any]) -> tuple[dict[str, list[str | None]], dict[str, tuple[str, ...]]]:
    """The outputs by run, and the runs of systems that have several."""
    outputs: dict[str, list[str | None]] = {}
    runs: dict[str, tuple[str, ...]] = {}
    for name, texts in named.items():
        single = {name: texts}
        if isinstance(texts, Mapping):
            single = {f"{name}/{run}": own for run, own in texts.items()}
            runs[name] = tuple(single)
        outputs |= {run: _texts(own, f"the outputs of {run!r}") for run, own in single.items()}
    return outputs, runs


def _texts(values: Any, what: str) -> list[str | None]:
    texts = _listed(values, what)
    if not set(map(type, texts)) <= {str, type(None)}:
        for i, text in enumerate(texts):
            if text is not None and not isinstance(text, str):
                kind = type(text).__name__
                raise PlainlyError(f"{what}: entry {i} is {kind}, not a text (a missing text is None)")
    return texts


def _all_references(values: Any) -> list[Sequence[str]]:
    """The references of each segment that are there."""
    groups = _listed(values, "the references")
    if {list, tuple}.issuperset(map(type, groups)) and {str}.issuperset(map(type, chain.from_iterable(groups))):
        return groups  # as most people have them
    if groups and {str} == {*map(type, groups)}:
        raise PlainlyError(
            "the references are texts, but each segment has a list of them; with one each, say [[a], [b], ...]"
        )
    return [
        [text for text in _texts(group, f"the references of segment {i}") if text is not None]
        for i, group in enumerate(groups)
    ]
