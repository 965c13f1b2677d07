"""SAMSA: the names only, until plainly has the metric."""

from plainly.compat.easse.unavailable import stand_ins

WHY = "SAMSA needs a UCCA parser and CoreNLP, and plainly has no metric for them yet"

__getattr__ = stand_ins(
    [
        "align_scenes_sentences",
        "compute_samsa",
        "corpus_samsa",
        "get_minimal_centers_from_participants",
        "get_minimal_centers_from_relations",
        "get_samsa_sentence_scores",
        "sentence_samsa",
        "syntactic_parse_ucca_scenes",
    ],
    WHY,
)
