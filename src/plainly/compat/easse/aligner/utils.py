"""Helpers of the word aligner: names only."""

from plainly.compat.easse.aligner import WHY
from plainly.compat.easse.unavailable import stand_ins

__getattr__ = stand_ins(
    [
        "findAllCommonContiguousSublists",
        "findTextualNeighborhood",
        "group_sentence_alignments",
        "isAcronym",
        "isSublist",
    ],
    WHY,
)
