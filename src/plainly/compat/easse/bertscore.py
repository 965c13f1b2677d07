"""BERTScore: the names only, until plainly has the metric."""

from plainly.compat.easse.unavailable import stand_ins

WHY = "BERTScore needs the weights of a language model, and plainly has no metric for them yet"

__getattr__ = stand_ins(["corpus_bertscore", "get_bertscore_sentence_scores"], WHY)
