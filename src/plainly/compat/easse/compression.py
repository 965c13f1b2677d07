"""F1 token with EASSE's arguments; the formula stands in `plainly.metrics.f1_token`."""

from __future__ import annotations

import warnings

from plainly.base.errors import PlainlyError
from plainly.compat.easse._inputs import References, Sentences, as_corpus, score_of
from plainly.corpus import Corpus


def corpus_f1_token(
    sys_sents: Sentences, refs_sents: References, lowercase: bool = True, tokenizer: str = "13a"
) -> float:
    """Tokens shared with the nearest reference, as F1, 0-100; not a number for no sentences.

    As in EASSE, a reference may have more sentences than there are system sentences; here that is warned of.

    >>> corpus_f1_token(["The cat sat"], [["The cat slept"], ["A dog barked"]])
    66.66666666666667
    """
    if not len(refs_sents):
        raise PlainlyError("F1 token needs references, but refs_sents is empty")
    return corpus_value(as_corpus(None, sys_sents, _cut(refs_sents, len(sys_sents))), lowercase, tokenizer)


def corpus_value(corpus: Corpus, lowercase: bool, tokenizer: str) -> float:
    """The same of a corpus that is built already."""
    return score_of(corpus, "f1-token", lowercase=lowercase, tokenizer=tokenizer)


def _cut(refs_sents: References, n: int) -> References:
    """The references of the first n sentences. EASSE pairs as many as there are, and drops the rest in silence."""
    longer = [j for j, sentences in enumerate(refs_sents) if len(sentences) > n and not isinstance(sentences, str)]
    if not longer:
        return refs_sents
    j = longer[0]
    warnings.warn(
        f"refs_sents[{j}] has {len(refs_sents[j])} sentences where {n} are due; the first {n} count, as in EASSE. "
        "refs_sents has the shape (n_references, n_samples): for several references of one sentence, "
        "give one list for each",
        stacklevel=3,
    )
    return [sentences if isinstance(sentences, str) else sentences[:n] for sentences in refs_sents]
