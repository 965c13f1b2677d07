"""BLEU with EASSE's arguments; the formula stands in `plainly.metrics.bleu` and equals sacrebleu's.

Another smoothing than the default is asked of sacrebleu itself, on the same normalised text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.compat.easse._inputs import SYSTEM, BadInput, References, Sentences, as_corpus, score_of
from plainly.compat.easse.utils.preprocessing import normalize
from plainly.corpus import Corpus


def corpus_bleu(
    sys_sents: Sentences,
    refs_sents: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = True,
    lowercase: bool = False,
    tokenizer: str = "13a",
    effective_order: bool = False,
) -> float:
    """BLEU of a corpus, 0-100; not a number for no sentences.

    `force` is there for EASSE's sake: it only ever silenced a warning of sacrebleu.

    >>> round(corpus_bleu(["He bought a red car."], [["He bought a red car."], ["He got a car."]]), 6)
    100.0
    """
    corpus = _corpus(sys_sents, refs_sents)
    if (smooth_method, smooth_value, effective_order) == ("exp", None, False):
        return corpus_value(corpus, lowercase, tokenizer)
    return _sacrebleu(corpus, smooth_method, smooth_value, lowercase, tokenizer, effective_order)


def sentence_bleu(
    sys_sent: str,
    ref_sents: Sequence[str],
    smooth_method: str = "floor",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenizer: str = "13a",
    effective_order: bool = True,
) -> float:
    """BLEU of one sentence against its references, 0-100."""
    if isinstance(ref_sents, str):
        raise BadInput("ref_sents is a string; give a list with one string for each reference")
    return corpus_averaged_sentence_bleu(
        [sys_sent],
        [[text] for text in ref_sents],
        smooth_method,
        smooth_value,
        lowercase,
        tokenizer,
        effective_order,
    )


def corpus_averaged_sentence_bleu(
    sys_sents: Sentences,
    refs_sents: References,
    smooth_method: str = "floor",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenizer: str = "13a",
    effective_order: bool = True,
) -> float:
    """The mean over sentences of sentence BLEU, 0-100; not a number for no sentences."""
    corpus = _corpus(sys_sents, refs_sents)
    if (smooth_method, smooth_value, effective_order) == ("floor", None, True):
        return sentence_mean(corpus, lowercase, tokenizer)
    settings = (smooth_method, smooth_value, lowercase, tokenizer, effective_order)
    values = [_sacrebleu(corpus.slice(i, i + 1), *settings) for i in range(len(corpus))]
    return float(np.mean(values)) if values else float("nan")


def corpus_value(corpus: Corpus, lowercase: bool, tokenizer: str) -> float:
    """Corpus BLEU of a corpus that is built already."""
    return score_of(corpus, "bleu", tokenizer=tokenizer, lowercase=lowercase)


def sentence_mean(corpus: Corpus, lowercase: bool, tokenizer: str) -> float:
    """Mean sentence BLEU of a corpus that is built already."""
    return score_of(corpus, "bleu-sentence", tokenizer=tokenizer, lowercase=lowercase)


def _corpus(sys_sents: Sentences, refs_sents: References) -> Corpus:
    if not len(refs_sents):
        raise PlainlyError("BLEU needs references, but refs_sents is empty")
    return as_corpus(None, sys_sents, refs_sents)


def _sacrebleu(
    corpus: Corpus,
    smooth_method: str,
    smooth_value: float | None,
    lowercase: bool,
    tokenizer: str,
    effective_order: bool,
) -> float:
    from sacrebleu.metrics.bleu import BLEU

    if smooth_method not in BLEU.SMOOTH_DEFAULTS:
        raise PlainlyError(f"unknown smooth_method {smooth_method!r}; known: {', '.join(BLEU.SMOOTH_DEFAULTS)}")
    metric = BLEU(
        tokenize="none",
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=effective_order,
        force=True,
    )
    outputs = [normalize(text or "", lowercase, tokenizer) for text in corpus.output(SYSTEM)]
    references = [[normalize(text, lowercase, tokenizer) for text in group] for group in corpus.references]
    most = max((len(group) for group in references), default=0)
    columns = [[group[j] if j < len(group) else None for group in references] for j in range(most)]
    return float(metric.corpus_score(outputs, columns).score)
