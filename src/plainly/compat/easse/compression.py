"""F1 token with EASSE's arguments; the formula stands in `plainly.metrics.f1_token`."""

from __future__ import annotations

from plainly.base.errors import PlainlyError
from plainly.compat.easse._inputs import References, Sentences, as_corpus, score_of
from plainly.corpus import Corpus


def corpus_f1_token(
    sys_sents: Sentences, refs_sents: References, lowercase: bool = True, tokenizer: str = "13a"
) -> float:
    """Tokens shared with the nearest reference, as F1, 0-100; not a number for no sentences.

    >>> corpus_f1_token(["The cat sat"], [["The cat slept"], ["A dog barked"]])
    66.66666666666667
    """
    if not len(refs_sents):
        raise PlainlyError("F1 token needs references, but refs_sents is empty")
    return corpus_value(as_corpus(None, sys_sents, refs_sents), lowercase, tokenizer)


def corpus_value(corpus: Corpus, lowercase: bool, tokenizer: str) -> float:
    """The same of a corpus that is built already."""
    return score_of(corpus, "f1-token", lowercase=lowercase, tokenizer=tokenizer)
