"""Baselines: what anybody can do without a simplification system. A score means little without them.

identity    the source, unchanged
truncate    the first 80 % of the blank-separated words of the source, and a full stop
reference   the first reference, scored against the other references of its segment
"""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.corpus import Corpus

BASELINES = ("identity", "truncate", "reference")


def with_baselines(corpus: Corpus, names: Sequence[str]) -> list[Corpus]:
    """The corpus with baselines as further systems; `reference` has its own corpus, with one reference less."""
    outputs = dict(corpus.outputs)
    for name in names:
        if name not in BASELINES:
            raise UnknownName("baseline", name, BASELINES)
        if name in corpus.outputs:
            raise PlainlyError(f"system {name!r} has the name of a baseline; rename it")
    if "identity" in names:
        outputs["identity"] = corpus.sources
    if "truncate" in names:
        outputs["truncate"] = [None if text is None else truncated(text) for text in corpus.sources]
    corpora = [corpus.with_outputs(outputs)] if names else [corpus]
    if "reference" in names:
        first = [group[0] if len(group) > 1 else None for group in corpus.references]
        others = Corpus(
            corpus.sources,
            [group[1:] for group in corpus.references],
            {"reference": first},
            corpus.ids,
            corpus.documents,
            corpus.metadata,
            corpus.lang,
        )
        corpora.append(others)
    return corpora


def possible_baselines(corpus: Corpus) -> list[str]:
    """The baselines that a corpus allows: there must be sources, or several references of a segment."""
    sources = any(text is not None for text in corpus.sources)
    possible = {
        "identity": sources,
        "truncate": sources,
        "reference": bool((corpus.reference_counts > 1).any()),
    }
    return [name for name in BASELINES if possible[name] and name not in corpus.outputs]


def truncated(text: str) -> str:
    """The first int(0.8 n) of the n words that single blanks separate, and a full stop, as EASSE does it."""
    words = text.split(" ")
    return " ".join(words[: int(0.8 * len(words))]) + "."
