"""From EASSE's shapes to a corpus: `refs_sents[j][i]` is reference j of sentence i."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics import get

SYSTEM = "system"

Sentences = Sequence[str]
References = Sequence[Sequence[str | None]]


class BadInput(PlainlyError, AssertionError):
    """Input that EASSE answers with an AssertionError, so that code which catches that still works."""


def as_corpus(orig_sents: Sentences | None, sys_sents: Sentences, refs_sents: References | None = None) -> Corpus:
    """One corpus with one system. A reference that is None is one that the sentence does not have."""
    n = len(sys_sents) if orig_sents is None else len(orig_sents)
    if len(sys_sents) != n:
        raise BadInput(f"there are {n} source sentences, but {len(sys_sents)} system sentences")
    return Corpus(
        sources=[None] * n if orig_sents is None else orig_sents,
        references=_by_sentence(refs_sents or (), n),
        outputs={SYSTEM: sys_sents},
    )


def _by_sentence(refs_sents: References, n: int) -> list[list[str]]:
    for j, sentences in enumerate(refs_sents):
        if isinstance(sentences, str):
            raise BadInput(
                f"refs_sents[{j}] is a string; refs_sents has the shape (n_references, n_samples), "
                f"one list of {n} sentences for each reference"
            )
        if len(sentences) != n:
            raise BadInput(
                f"refs_sents has the shape (n_references, n_samples), but refs_sents[{j}] has "
                f"{len(sentences)} sentences where {n} are due"
            )
    _warn_of_empty(refs_sents)
    return [[text for text in group if text is not None] for group in zip(*refs_sents, strict=True)]


def _warn_of_empty(refs_sents: References) -> None:
    empty = [(j, i) for j, texts in enumerate(refs_sents) for i, text in enumerate(texts) if _is_blank(text)]
    if empty:
        j, i = empty[0]
        warnings.warn(
            f"{len(empty)} references are empty (the first: refs_sents[{j}][{i}]); each counts as a reference "
            "that deletes everything, as in EASSE. Give None for a reference that a sentence does not have",
            stacklevel=4,
        )


def _is_blank(text: str | None) -> bool:
    return text is not None and not text.strip()


def score_of(corpus: Corpus, metric: str, **settings: object) -> float:
    """The score of the one system by a metric of plainly."""
    found = get(metric, **settings)
    return float(found.score(found.measure(corpus, SYSTEM).sum(axis=0)).value)
