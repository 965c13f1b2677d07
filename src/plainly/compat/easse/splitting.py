"""A name of older EASSE versions."""

from __future__ import annotations

from plainly.compat.easse._inputs import References, Sentences
from plainly.compat.easse.bleu import corpus_averaged_sentence_bleu


def corpus_macro_avg_sent_bleu(
    sys_sents: Sentences, refs_sents: References, lowercase: bool = False, tokenizer: str = "13a"
) -> float:
    """As `plainly.compat.easse.bleu.corpus_averaged_sentence_bleu`."""
    return corpus_averaged_sentence_bleu(sys_sents, refs_sents, lowercase=lowercase, tokenizer=tokenizer)
