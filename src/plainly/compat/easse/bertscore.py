"""BERTScore: the names only. EASSE rescales by a baseline that is not ours to ship, so its numbers cannot be met."""

from plainly.compat.easse.unavailable import stand_ins

WHY = "EASSE rescales BERTScore by a baseline that plainly does not have; use `plainly score --metrics bertscore`"

__getattr__ = stand_ins(["corpus_bertscore", "get_bertscore_sentence_scores"], WHY)
