"""`tag`: what was done to each source, found by the tagger in outputs and references."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.messages import Note, message
from plainly.corpus import Corpus
from plainly.corpus.references import is_blank
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger import AUTO, Tagger, tokens
from plainly.scoring.text_arguments import OutputTexts, ReferenceTexts, corpus_of


@checks_arguments
def tag(
    sources: Corpus | Sequence[str | None] | None = None,
    outputs: OutputTexts = (),
    references: ReferenceTexts | None = None,
    *,
    data: Any = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    lang: str | None = None,
    tagger: str = AUTO,
    commercial: bool = False,
    model: str | None = None,
    tokenized: bool = False,
    processes: int | None = None,
) -> list[AnnotatedPair]:
    """The operations in every output and every reference; the name of the system, or the number of the reference,
    is the origin of a pair.

    `tagger` is "rules", "learned", "encoder", or "auto" for the strongest that runs here; `commercial` leaves weights
    alone that must not be used commercially. `tokenized` says that blanks stand between tokens. `data` and `columns`
    are as in `plainly.evaluate`.

    >>> (pair,) = tag(["A feline slept."], ["A cat slept."], tagger="rules")
    >>> pair.operations
    (Group(source=(1,), target=(1,), label='synonym', confidence=0.55),)
    """
    corpus = corpus_of(sources, outputs, references, lang=lang, data=data, columns=columns)
    pairs, notes = pairs_to_tag(corpus, tokenized=tokenized)
    if not pairs:
        raise PlainlyError("there is nothing to tag: give sources with outputs or references")
    for note in notes:
        warnings.warn(str(note.message), RuntimeWarning, stacklevel=3)
    return list(Tagger(tagger, corpus.lang, commercial, model).annotate(pairs, processes))


def pairs_to_tag(corpus: Corpus, *, tokenized: bool = False) -> tuple[list[AnnotatedPair], list[Note]]:
    """Every output and every reference beside its source, with groups still to come; and what is missing or empty."""
    missing: Counter[str] = Counter()
    empty: Counter[str] = Counter()
    return list(_pairs(corpus, tokenized, missing, empty)), list(_notes(missing, empty))


def _pairs(corpus: Corpus, tokenized: bool, missing: Counter[str], empty: Counter[str]) -> Iterator[AnnotatedPair]:
    for number, source in enumerate(corpus.sources):
        identity = corpus.ids[number] if corpus.ids else str(number)
        outputs = {name: texts[number] for name, texts in corpus.outputs.items()}
        references = {str(column): text for column, text in enumerate(corpus.references[number])}
        for origin, target in (outputs | references).items():
            if source is None or target is None:
                missing[origin] += 1
                continue
            empty[origin] += is_blank(target)
            first, second = (tokens(text, corpus.lang, tokenized=tokenized) for text in (source, target))
            yield AnnotatedPair(identity, first, second, (), origin)


def _notes(missing: Counter[str], empty: Counter[str]) -> Iterator[Note]:
    gone = "{count} pairs of {origin} are left out: source or output is missing"
    for key, english, counts in (
        ("operations.tag.missing", gone, missing),
        ("operations.tag.empty", "{count} outputs of {origin} are empty", +empty),
    ):
        yield from (Note(message(key, english, count=n, origin=origin)) for origin, n in counts.items())
